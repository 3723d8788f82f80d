//! The transactional outbox: events for other services, delivered at least once.
//!
//! The row of an event is added in the transaction that causes it. A dispatcher in each process delivers the rows. The
//! receiver's [`inbox`](crate::inbox) applies each event once. Payloads are encrypted, so a database or its backup holds no
//! readable token.
//!
//! The table in the sender's own database:
//!
//! ```sql
//! CREATE TABLE outbox (
//!     id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
//!     receiver text NOT NULL,
//!     type text NOT NULL,
//!     payload bytea NOT NULL,
//!     occurred_at timestamptz NOT NULL,
//!     traceparent text,
//!     tries integer NOT NULL,
//!     next_try_at timestamptz NOT NULL
//! );
//! CREATE INDEX outbox_receiver ON outbox (receiver, occurred_at, id);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in every sender's own database, so no build can check"
)]

mod age;
mod delivery;
mod dispatcher;
mod prober;

pub use age::{Age, Ages, METRICS};
pub use delivery::spawn;
pub use dispatcher::{Dispatcher, Queue, QueueState, Reach, Wake, deliver_due};
pub use prober::Prober;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kit::encryption::Encryptor;
use kit::timestamp::to_timestamp;
use kit::trace;
use proto::common::Event;
use proto::event::EventPayload;
use sqlx::{FromRow, PgConnection};
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::span;

/// Lease of an item: no other dispatcher takes it during this time. It is short, so that the items of a killed process
/// are soon taken again, and it is extended while a delivery continues.
pub const LEASE: Duration = Duration::seconds(3);
/// The pauses between the attempts of an event.
const BACKOFF: Backoff = Backoff { first: Duration::SECOND, longest: Duration::minutes(5) };

/// Publishes events. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    encryptor: Encryptor,
    /// The wakes of the dispatchers in this process.
    wakes: Arc<Mutex<Vec<Wake>>>,
    delivered: Wake,
}

impl Outbox {
    /// Encrypts payloads with `encryptor`.
    #[must_use]
    pub fn new(encryptor: Encryptor) -> Self {
        Self { encryptor, wakes: Arc::default(), delivered: Wake::default() }
    }

    /// Publishes an event to the receivers of its type. It is delivered after the transaction of `database` has
    /// committed. Returns the event's id for each receiver: its row is deleted when that receiver has taken it.
    pub async fn publish<Payload: EventPayload>(
        &self,
        database: &mut PgConnection,
        event: &Payload,
        now: OffsetDateTime,
    ) -> sqlx::Result<Vec<Uuid>> {
        let event = event.encode_to_vec();
        let mut ids = Vec::with_capacity(Payload::RECEIVERS.len());
        for receiver in Payload::RECEIVERS {
            ids.push(self.add(database, receiver, Payload::full_name(), &event, now).await?);
        }
        Ok(ids)
    }

    /// Wakes the dispatchers of this process. Call it after the commit, for events that should not wait for the next
    /// probe.
    pub fn wake(&self) {
        self.wakes().iter().for_each(Wake::wake);
    }

    /// Adds a wake for a dispatcher of this process.
    #[must_use]
    pub fn delivered(&self) -> Wake {
        self.delivered.clone()
    }

    fn wakes(&self) -> MutexGuard<'_, Vec<Wake>> {
        self.wakes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn add(
        &self,
        database: &mut PgConnection,
        receiver: &str,
        name: String,
        event: &[u8],
        now: OffsetDateTime,
    ) -> sqlx::Result<Uuid> {
        let id = Uuid::now_v7();
        let payload = self
            .encryptor
            .seal(&id.to_string(), event)
            .map_err(|_| sqlx::Error::Encode("an event could not be encrypted".into()))?;
        sqlx::query(
            "INSERT INTO outbox (id, receiver, type, payload, occurred_at, traceparent, tries, next_try_at) \
             VALUES ($1, $2, $3, $4, $5, $6, 0, $5)",
        )
        .bind(id)
        .bind(receiver)
        .bind(name)
        .bind(payload)
        .bind(now)
        .bind(trace::current_traceparent())
        .execute(database)
        .instrument(span("INSERT outbox"))
        .await?;
        Ok(id)
    }

    /// The decrypted event; `None` if it was encrypted with another key.
    fn open(&self, waiting: &OutboxRow) -> Option<Event> {
        let id = waiting.id.to_string();
        let payload = self.encryptor.open(&id, &waiting.payload).ok()?;
        let occurred_at = Some(to_timestamp(waiting.occurred_at));
        Some(Event { id, r#type: waiting.r#type.clone(), payload, occurred_at })
    }

    /// The waiting events for `receiver`, oldest first. For tests.
    pub async fn waiting(&self, database: &mut PgConnection, receiver: &str) -> sqlx::Result<Vec<Event>> {
        let rows: Vec<OutboxRow> = sqlx::query_as(
            "SELECT id, type, payload, occurred_at, traceparent, tries FROM outbox WHERE receiver = $1 \
             ORDER BY occurred_at, id",
        )
        .bind(receiver)
        .fetch_all(database)
        .await?;
        Ok(rows.iter().filter_map(|row| self.open(row)).collect())
    }
}

/// A row of the outbox.
#[derive(FromRow)]
struct OutboxRow {
    id: Uuid,
    r#type: String,
    payload: Vec<u8>,
    occurred_at: OffsetDateTime,
    traceparent: Option<String>,
    /// Attempts so far, including the current one.
    tries: i32,
}

/// Takes the oldest event for `receiver` that is due, and leases it.
async fn take_due_event(
    database: &mut PgConnection,
    receiver: &str,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OutboxRow>> {
    // No span: the last call of each round finds nothing.
    sqlx::query_as(
        "UPDATE outbox SET tries = tries + 1, next_try_at = $3 WHERE id = (\
             SELECT id FROM outbox WHERE receiver = $1 AND next_try_at <= $2 \
             ORDER BY occurred_at, id LIMIT 1 FOR UPDATE SKIP LOCKED) \
         RETURNING id, type, payload, occurred_at, traceparent, tries",
    )
    .bind(receiver)
    .bind(now)
    .bind(now + LEASE)
    .fetch_optional(database)
    .await
}

/// Deletes an event that the receiver has taken.
async fn delete_event(database: &mut PgConnection, event: &OutboxRow) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM outbox WHERE id = $1")
        .bind(event.id)
        .execute(database)
        .instrument(span("DELETE outbox"))
        .await?;
    Ok(())
}

/// Extends the lease of an event, unless another dispatcher has taken it since.
async fn extend_lease(
    database: &mut PgConnection,
    event: &OutboxRow,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // No span: it says nothing about the delivery.
    sqlx::query("UPDATE outbox SET next_try_at = $3 WHERE id = $1 AND tries = $2")
        .bind(event.id)
        .bind(event.tries)
        .bind(now + LEASE)
        .execute(database)
        .await?;
    Ok(())
}

/// Schedules the next attempt after `pause`, unless another dispatcher has taken the event since.
async fn postpone_event(
    database: &mut PgConnection,
    event: &OutboxRow,
    pause: Duration,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE outbox SET next_try_at = $3 WHERE id = $1 AND tries = $2")
        .bind(event.id)
        .bind(event.tries)
        .bind(now + pause)
        .execute(database)
        .instrument(span("UPDATE outbox"))
        .await?;
    Ok(())
}

/// The pause after a failed attempt. It doubles with each attempt.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    /// The pause after the first attempt.
    pub first: Duration,
    /// The upper limit.
    pub longest: Duration,
}

impl Backoff {
    /// The pause after this many attempts.
    #[must_use]
    pub fn pause(self, attempts: i32) -> Duration {
        let doublings = u32::try_from(attempts - 1).unwrap_or(0);
        2_i32.checked_pow(doublings).map_or(self.longest, |factor| (self.first * factor).min(self.longest))
    }
}

/// Reads when the oldest event for `receiver` was added, and whether one is due.
async fn probe_events(
    database: &mut PgConnection,
    receiver: &str,
    now: OffsetDateTime,
) -> sqlx::Result<QueueState> {
    // No span: it runs every 2 s and mostly finds nothing.
    let (oldest, is_due) = sqlx::query_as(
        "SELECT (SELECT min(occurred_at) FROM outbox WHERE receiver = $1), \
         EXISTS (SELECT FROM outbox WHERE receiver = $1 AND next_try_at <= $2)",
    )
    .bind(receiver)
    .bind(now)
    .fetch_one(database)
    .await?;
    Ok(QueueState { oldest, is_due })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_is_a_second_then_doubles_and_is_never_over_five_minutes() {
        let pauses: Vec<_> =
            [1, 2, 3, 9, 10, 33, i32::MAX].map(|tries| BACKOFF.pause(tries).whole_seconds()).into();
        assert_eq!(pauses, [1, 2, 4, 256, 300, 300, 300]);
    }
}
