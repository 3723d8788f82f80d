//! The loop that delivers the items of a queue.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kit::clock::Clock;
use kit::error::chain;
use kit::shutdown::Shutdown;
use kit::task;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::sync::Notify;
use tracing::{Instrument as _, Span};

use super::age::Age;
use super::prober::{Probe, Prober};
use crate::Pool;

/// How often the lease of an item is extended: several times a [lease](super::LEASE).
const EXTENSION_PERIOD: Duration = Duration::from_secs(1);

/// A table of items for one receiver, and their delivery. Cheap to clone.
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

    /// Extends the lease of an item while its delivery continues. Called once a second.
    fn extend_lease(
        &self,
        database: &mut PgConnection,
        item: &Self::Item,
        now: OffsetDateTime,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;

    /// Records how a delivery ended: finishes the item or postpones it.
    fn settle(
        &self,
        database: &mut PgConnection,
        item: &Self::Item,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> impl Future<Output = sqlx::Result<Reach>> + Send;

    /// Reads the state of the queue. The [`Prober`] calls it once a period, mostly on an empty queue.
    fn probe(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> impl Future<Output = sqlx::Result<QueueState>> + Send;
}

/// The state of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueState {
    /// When the oldest item was added; `None` if the queue is empty.
    pub oldest: Option<OffsetDateTime>,
    /// Whether an item can be taken.
    pub is_due: bool,
}

/// What a delivery says about the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The receiver answered.
    Reached,
    /// The receiver did not answer, for this reason. The other items wait for the next round.
    Unreachable(&'static str),
    /// The item was not sent.
    Unknown,
}

/// Wakes a worker of a dispatcher. Cheap to clone.
#[derive(Clone, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Wakes one worker now, or the first that finishes its round. Call it after the transaction that adds an item.
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
    /// Starts a round without a probe.
    pub wake: Wake,
    /// The age of the oldest item, for the metrics.
    pub age: Age,
}

impl<Items: Queue> Dispatcher<Items> {
    /// Starts this many workers, each with one item at a time. `prober` wakes them. They end at `shutdown`.
    pub fn spawn(self, workers: u16, prober: &mut Prober, shutdown: &Shutdown) {
        let is_waiting = Arc::<AtomicBool>::default();
        for _ in 0..workers {
            let worker = Worker { dispatcher: self.clone(), is_waiting: is_waiting.clone() };
            task::spawn("dispatcher", shutdown, worker.run(shutdown.clone()));
        }
        prober.add(Worker { dispatcher: self, is_waiting });
    }
}

/// Delivers everything that is due, in the caller's task and without extending leases. Returns the number of
/// deliveries. For tests that need to control the time of delivery.
///
/// # Errors
///
/// If the database does not answer.
pub async fn deliver_due<Items: Queue>(queue: &Items, pool: &Pool, clock: &Clock) -> sqlx::Result<usize> {
    let mut delivered = 0;
    loop {
        let item = queue.take(&mut *pool.acquire().await?, clock.now()).await?;
        let Some(item) = item else { return Ok(delivered) };
        let outcome = queue.deliver(&item).instrument(queue.span(&item)).await;
        queue.settle(&mut *pool.acquire().await?, &item, outcome, clock.now()).await?;
        delivered += 1;
    }
}

struct Worker<Items> {
    dispatcher: Dispatcher<Items>,
    /// The database or the receiver cannot be reached. Logged once.
    is_waiting: Arc<AtomicBool>,
}

impl<Items: Queue> Probe for Worker<Items> {
    fn probe<'a>(
        &'a self,
        database: &'a mut PgConnection,
    ) -> Pin<Box<dyn Future<Output = sqlx::Result<()>> + Send + 'a>> {
        let Dispatcher { queue, clock, wake, age, .. } = &self.dispatcher;
        Box::pin(async move {
            let QueueState { oldest, is_due } = queue.probe(database, clock.now()).await?;
            age.set(oldest);
            if is_due {
                wake.wake();
            } else if oldest.is_none() {
                self.log_recovery();
            }
            Ok(())
        })
    }

    fn log_failure(&self, error: &str) {
        self.log_trouble(error);
    }
}

impl<Items: Queue> Worker<Items> {
    async fn run(self, shutdown: Shutdown) {
        loop {
            tokio::select! {
                biased;
                () = shutdown.wait() => return,
                () = self.dispatcher.wake.0.notified() => {}
            }
            if let Err(error) = self.run_round(&shutdown).await {
                self.log_trouble(&chain(&error));
            }
        }
    }

    /// Delivers all due items, oldest first. Stops when the receiver cannot be reached.
    async fn run_round(&self, shutdown: &Shutdown) -> sqlx::Result<()> {
        let Dispatcher { queue, pool, clock, wake, .. } = &self.dispatcher;
        while !shutdown.begun() {
            // The connection returns to the pool before the delivery.
            let item = queue.take(&mut *pool.acquire().await?, clock.now()).await?;
            let Some(item) = item else { break };
            match self.try_item(&item).instrument(queue.span(&item)).await? {
                Reach::Reached => {
                    self.log_recovery();
                    // More items may be due and the receiver answers, so another worker is woken.
                    wake.wake();
                }
                Reach::Unreachable(reason) => {
                    self.log_trouble(reason);
                    break;
                }
                Reach::Unknown => {}
            }
        }
        Ok(())
    }

    async fn try_item(&self, item: &Items::Item) -> sqlx::Result<Reach> {
        let Dispatcher { queue, pool, clock, .. } = &self.dispatcher;
        let outcome = tokio::select! {
            outcome = queue.deliver(item) => outcome,
            never = self.extend_leases(item) => match never {},
        };
        queue.settle(&mut *pool.acquire().await?, item, outcome, clock.now()).await
    }

    async fn extend_leases(&self, item: &Items::Item) -> Infallible {
        let Dispatcher { queue, pool, clock, .. } = &self.dispatcher;
        loop {
            tokio::time::sleep(EXTENSION_PERIOD).await;
            let extended = async { queue.extend_lease(&mut *pool.acquire().await?, item, clock.now()).await };
            if let Err(error) = extended.await {
                // Another dispatcher may take the item too; its receiver applies it once anyway.
                self.log_trouble(&chain(&error));
            }
        }
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
