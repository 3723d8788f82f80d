//! The job that marks sealed sittings, renews the statistics and publishes final results and missed
//! questions.

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;
use kit_db::outbox::Outbox;

use crate::config::Rules;
use crate::{marking, missed_question, statistics};

/// Number of sittings or learners in one transaction. Small batches keep locks short.
const BATCH: i64 = 100;

/// The job of one replica.
#[derive(Clone)]
pub struct MarkingJob {
    pool: Pool,
    outbox: Outbox,
    clock: Clock,
    rules: Rules,
}

impl MarkingJob {
    /// Creates the job.
    #[must_use]
    pub fn new(pool: Pool, outbox: Outbox, clock: Clock, rules: Rules) -> Self {
        Self { pool, outbox, clock, rules }
    }

    /// Marks sealed sittings, renews statistics with new marks, finalizes those of ended exams, and
    /// publishes the final results and the questions that their learners missed. Skips rows that another
    /// replica has locked.
    pub async fn mark_due(&self) -> Result<(), Failure> {
        loop {
            let mut transaction = self.pool.begin().await?;
            let marked = marking::mark_queued(&mut transaction, self.clock.now(), BATCH).await?;
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
                break;
            }
        }
        loop {
            let mut transaction = self.pool.begin().await?;
            let now = self.clock.now();
            let published =
                missed_question::publish_queued(&mut transaction, &self.outbox, now, BATCH).await?;
            transaction.commit().await?;
            if published == 0 {
                return Ok(());
            }
            self.outbox.wake();
        }
    }
}
