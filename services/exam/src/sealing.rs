//! The job that seals sittings whose grace is over.

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;

use crate::config::Rules;
use crate::sitting::{self, PaperCache};

/// Number of sittings in one transaction. Small batches keep locks short.
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

    /// Seals all sittings whose grace is over. Skips those that another replica or a call has
    /// locked. Returns the number of sealed sittings.
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
