//! Ends expired offers, offers free places, and queues reminders. Every replica runs it; the event's lock lets each change
//! happen once.

use std::time::Duration;

use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::{Failure, error, task};
use kit_db::Pool;
use kit_db::outbox::Wake;

use super::due;
use super::mailer::EventMailer;
use crate::config::Serve;
use crate::error::Error;

const PERIOD: Duration = Duration::from_secs(30);
/// Reminders in one transaction. Small batches keep the lock of the event short.
const BATCH: i64 = 50;

/// The periodic work on events.
#[derive(Clone)]
pub struct EventJob {
    pool: Pool,
    clock: Clock,
    mailer: EventMailer,
    wake: Wake,
}

impl EventJob {
    /// A job that wakes the dispatcher of new mails.
    pub fn new(config: &Serve, pool: Pool, clock: Clock, wake: Wake) -> Result<Self, Failure> {
        Ok(Self { pool, clock, mailer: EventMailer::new(config)?, wake })
    }

    /// Runs every 30 s until `shutdown`. A failure is logged, and the next run tries again.
    pub fn spawn(self, shutdown: Shutdown) {
        task::every("school events", PERIOD, shutdown, move || {
            let job = self.clone();
            async move {
                if let Err(error) = job.run_once().await {
                    tracing::warn!(error = error::chain(&error), "could not settle the events");
                }
            }
        });
    }

    /// Does what is due now.
    pub async fn run_once(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let due = due::list_due(&mut *self.pool.acquire().await?, now).await?;
        for event in due {
            let mut transaction = self.pool.begin().await?;
            due::settle_event(&mut transaction, event, &self.mailer, now).await?;
            transaction.commit().await?;
            self.wake.wake();
        }
        let to_remind = due::list_to_remind(&mut *self.pool.acquire().await?, now).await?;
        for event in to_remind {
            while self.remind(event).await? > 0 {
                self.wake.wake();
            }
        }
        Ok(())
    }

    async fn remind(&self, event: i64) -> Result<usize, Error> {
        let mut transaction = self.pool.begin().await?;
        let reminded = due::remind(&mut transaction, event, &self.mailer, BATCH, self.clock.now()).await?;
        transaction.commit().await?;
        Ok(reminded)
    }
}
