//! The loop that delivers what waits in a queue.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::sync::Notify;
use tracing::{Instrument as _, Span};

use super::age::Age;
use crate::clock::Clock;
use crate::db::Pool;
use crate::error::chain;
use crate::shutdown::Shutdown;
use crate::task::{self, Ticks};

/// A table of items for one receiver, and the way to deliver one of them. Cheap to clone.
pub trait Queue: Clone + Send + Sync + 'static {
    /// A row of the table.
    type Item: Send + Sync;
    /// How a delivery ended.
    type Outcome: Send;

    /// Takes the oldest item that is due and leases it: no other dispatcher takes it until the lease ends.
    fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> impl Future<Output = sqlx::Result<Option<Self::Item>>> + Send;

    /// The span of a delivery, in the trace that the item belongs to.
    fn span(&self, item: &Self::Item) -> Span;

    /// Delivers an item. The dispatcher holds no database connection meanwhile.
    fn deliver(&self, item: &Self::Item) -> impl Future<Output = Self::Outcome> + Send;

    /// Records how a delivery ended: finishes the item or postpones it.
    fn settle(
        &self,
        database: &mut PgConnection,
        item: &Self::Item,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> impl Future<Output = sqlx::Result<Reach>> + Send;

    /// The time of the oldest item; `None` if the queue is empty.
    fn find_oldest(
        &self,
        database: &mut PgConnection,
    ) -> impl Future<Output = sqlx::Result<Option<OffsetDateTime>>> + Send;
}

/// What a delivery showed about the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The receiver answered.
    Reached,
    /// The receiver did not answer, for this reason. The other items wait for the next round.
    Unreachable(&'static str),
    /// The item was not sent.
    Unknown,
}

/// Wakes a dispatcher before its next round. Cheap to clone.
#[derive(Clone, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Starts a round now, or after the current one. Call it after the transaction that adds an item.
    pub fn wake(&self) {
        self.0.notify_one();
    }
}

/// Delivers the items of one queue. Several tasks and processes may work on the same queue.
#[derive(Clone)]
pub struct Dispatcher<Items> {
    /// The items.
    pub queue: Items,
    /// The receiver's name in logs.
    pub receiver: &'static str,
    /// Where the queue is stored.
    pub pool: Pool,
    /// Decides which items are due.
    pub clock: Clock,
    /// The time between two rounds.
    pub period: Duration,
    /// Starts a round early.
    pub wake: Wake,
    /// The age of the oldest item, for the metrics.
    pub age: Age,
}

impl<Items: Queue> Dispatcher<Items> {
    /// Starts this many tasks, each with one item at a time. They end at `shutdown`.
    pub fn spawn(self, tasks: u16, shutdown: &Shutdown) {
        let is_waiting = Arc::<AtomicBool>::default();
        for _ in 0..tasks {
            let worker = Worker { dispatcher: self.clone(), is_waiting: is_waiting.clone() };
            task::spawn("dispatcher", shutdown, worker.run(shutdown.clone()));
        }
    }
}

struct Worker<Items> {
    dispatcher: Dispatcher<Items>,
    /// The database or the receiver cannot be reached. Logged once.
    is_waiting: Arc<AtomicBool>,
}

impl<Items: Queue> Worker<Items> {
    async fn run(self, shutdown: Shutdown) {
        let mut ticks = Ticks::new(self.dispatcher.period, shutdown.clone());
        while ticks.next_or(&self.dispatcher.wake.0).await {
            if let Err(error) = self.run_round(&shutdown).await {
                self.log_trouble(&chain(&error));
            }
        }
    }

    /// Delivers all due items, oldest first. Stops when the receiver cannot be reached.
    async fn run_round(&self, shutdown: &Shutdown) -> sqlx::Result<()> {
        let Dispatcher { queue, pool, clock, age, .. } = &self.dispatcher;
        let mut is_known = false;
        while !shutdown.begun() {
            // The connection goes back to the pool before the delivery.
            let item = queue.take(&mut *pool.acquire().await?, clock.now()).await?;
            let Some(item) = item else { break };
            let reach = self.try_item(&item).instrument(queue.span(&item)).await?;
            is_known |= reach != Reach::Unknown;
            match reach {
                Reach::Reached => self.log_recovery(),
                Reach::Unreachable(reason) => {
                    self.log_trouble(reason);
                    break;
                }
                Reach::Unknown => {}
            }
        }
        let oldest = queue.find_oldest(&mut *pool.acquire().await?).await?;
        age.set(oldest);
        if !is_known && oldest.is_none() {
            self.log_recovery();
        }
        Ok(())
    }

    async fn try_item(&self, item: &Items::Item) -> sqlx::Result<Reach> {
        let Dispatcher { queue, pool, clock, .. } = &self.dispatcher;
        let outcome = queue.deliver(item).await;
        queue.settle(&mut *pool.acquire().await?, item, outcome, clock.now()).await
    }

    fn log_trouble(&self, error: &str) {
        if !self.is_waiting.swap(true, Ordering::Relaxed) {
            tracing::warn!(receiver = self.dispatcher.receiver, error, "deliveries wait");
        }
    }

    fn log_recovery(&self) {
        if self.is_waiting.swap(false, Ordering::Relaxed) {
            tracing::info!(receiver = self.dispatcher.receiver, "deliveries go on");
        }
    }
}
