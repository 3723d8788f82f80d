//! The tasks that seal sittings whose grace is over, mark sealed sittings, and analyze the questions of
//! exams with a final result. They run on every replica.

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
use crate::statistics_version::StatisticsVersions;
use crate::{marking, missed_question, sitting, statistics};

/// A sitting must be sealed within 5 s after its grace. A shorter period leaves time for a retry
/// and for many sittings.
const PERIOD: Duration = Duration::from_secs(1);
/// Period of the item analysis. Results do not wait for it.
const ANALYSIS_PERIOD: Duration = Duration::from_secs(10);

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
        // A task of its own: an analysis may take a minute, and sealing must not wait for it.
        let versions = StatisticsVersions::new(self.pool.clone(), self.clock.clone());
        every("item analysis", ANALYSIS_PERIOD, shutdown.clone(), move || {
            let versions = versions.clone();
            async move {
                if let Err(error) = versions.add_missing().await {
                    tracing::warn!(error = chain(&error), "could not analyze the questions of an exam");
                }
            }
        });
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
