//! The job that seals sittings whose time is over. It runs on every replica.

use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::error::chain;
use kit::shutdown::Shutdown;
use kit::task::every;
use kit_db::Pool;

use crate::config::Rules;
use crate::sitting::{self, PaperCache};

/// A sitting is sealed within 5 s after its grace. That leaves time for a second try, and for many sittings.
const PERIOD: Duration = Duration::from_secs(1);
/// Sittings in one transaction. Small batches keep locks short.
const BATCH: i64 = 50;

/// The job of one replica.
#[derive(Clone)]
pub struct Sealing {
    pool: Pool,
    clock: Clock,
    rules: Rules,
    papers: PaperCache,
}

impl Sealing {
    /// Creates the job.
    #[must_use]
    pub fn new(pool: Pool, clock: Clock, rules: Rules) -> Self {
        Self { pool, clock, rules, papers: PaperCache::default() }
    }

    /// Seals what is over every second until `shutdown`. A failure is logged, and the next run tries again.
    pub fn spawn(self, shutdown: Shutdown) {
        every("sealing", PERIOD, shutdown, move || {
            let sealing = self.clone();
            async move {
                match sealing.seal_due().await {
                    Ok(0) => {}
                    Ok(sittings) => tracing::info!(sittings, "sealed sittings whose time is over"),
                    Err(error) => tracing::warn!(error = chain(&*error), "could not seal sittings"),
                }
            }
        });
    }

    /// Seals all sittings whose grace is over, except for those that another replica or a call has locked. Returns their
    /// number.
    pub async fn seal_due(&self) -> Result<usize, Failure> {
        let mut sealed = 0;
        loop {
            let mut transaction = self.pool.begin().await?;
            let now = self.clock.now();
            let batch = sitting::seal_due(&mut transaction, &self.papers, now, self.rules, BATCH).await?;
            transaction.commit().await?;
            if batch == 0 {
                return Ok(sealed);
            }
            sealed += batch;
        }
    }
}
