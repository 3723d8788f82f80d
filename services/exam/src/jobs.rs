//! The task that seals sittings whose grace is over, and marks sealed sittings. It runs on every
//! replica.

use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::error::chain;
use kit::shutdown::Shutdown;
use kit::task::every;
use kit_db::Pool;
use kit_db::outbox::Outbox;

use crate::config::Rules;
use crate::marking_job::MarkingJob;
use crate::sealing::Sealing;
use crate::{marking, missed_question, sitting, statistics};

/// A sitting must be sealed within 5 s after its grace. A shorter period leaves time for a retry
/// and for many sittings.
const PERIOD: Duration = Duration::from_secs(1);

/// The jobs of one replica.
#[derive(Clone)]
pub struct Jobs {
    pool: Pool,
    clock: Clock,
    rules: Rules,
    sealing: Sealing,
    marking: MarkingJob,
}

/// The jobs that have work.
struct Due {
    sealing: bool,
    marking: bool,
}

impl Jobs {
    /// Creates the jobs.
    #[must_use]
    pub fn new(pool: Pool, outbox: Outbox, clock: Clock, rules: Rules) -> Self {
        let sealing = Sealing::new(pool.clone(), clock.clone(), rules);
        let marking = MarkingJob::new(pool.clone(), outbox, clock.clone(), rules);
        Self { pool, clock, rules, sealing, marking }
    }

    /// Checks for work every second until `shutdown`. A failure is logged, and the next run tries
    /// again.
    pub fn spawn(self, shutdown: Shutdown) {
        every("sealing and marking", PERIOD, shutdown, move || {
            let jobs = self.clone();
            async move {
                if let Err(error) = jobs.run().await {
                    tracing::warn!(error = chain(&*error), "could not seal or mark sittings");
                }
            }
        });
    }

    async fn run(&self) -> Result<(), Failure> {
        let due = self.find_due().await?;
        if due.sealing {
            let sittings = self.sealing.seal_due().await?;
            if sittings > 0 {
                tracing::info!(sittings, "sealed sittings whose grace is over");
            }
        }
        if due.sealing || due.marking {
            self.marking.mark_due().await?;
        }
        Ok(())
    }

    /// Usually nothing is due. The check uses no transaction and no lock.
    async fn find_due(&self) -> sqlx::Result<Due> {
        let mut connection = self.pool.acquire().await?;
        let ended_before = self.clock.now() - self.rules.grace;
        let sealing = sitting::has_due(&mut connection, ended_before).await?;
        let marking = marking::has_queued(&mut connection).await?
            || statistics::has_due(&mut connection, ended_before).await?
            || missed_question::has_queued(&mut connection).await?;
        self.pool.keep(connection);
        Ok(Due { sealing, marking })
    }
}
