//! The job that marks what was handed in and keeps the statistics.

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;

use crate::config::Rules;
use crate::{mark, statistics};

/// Sittings in one transaction. Small batches keep locks short.
const BATCH: i64 = 100;

/// The job of one replica.
#[derive(Clone)]
pub struct Marking {
    pool: Pool,
    clock: Clock,
    rules: Rules,
}

impl Marking {
    /// Creates the job.
    #[must_use]
    pub fn new(pool: Pool, clock: Clock, rules: Rules) -> Self {
        Self { pool, clock, rules }
    }

    /// Marks what was handed in, renews statistics with new marks, and makes those of ended exams final. Leaves what
    /// another replica has locked.
    pub async fn mark_due(&self) -> Result<(), Failure> {
        loop {
            let mut transaction = self.pool.begin().await?;
            let marked = mark::mark_queued(&mut transaction, self.clock.now(), BATCH).await?;
            transaction.commit().await?;
            if marked == 0 {
                break;
            }
        }
        loop {
            let mut transaction = self.pool.begin().await?;
            let now = self.clock.now();
            let has_changed = statistics::renew_stale(&mut transaction, now).await?
                || statistics::finalize_due(&mut transaction, now - self.rules.grace, now).await?;
            transaction.commit().await?;
            if !has_changed {
                return Ok(());
            }
        }
    }
}
