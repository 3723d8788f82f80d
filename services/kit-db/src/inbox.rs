//! The inbox: a receiver records the events that it has taken, so that each is applied once.
//!
//! [`EventTypes`] has a row for each type of event that the receiver takes. An event of another type is answered with
//! `UNIMPLEMENTED`: its sender keeps it and retries, and delivers later events in the meantime. So an event that a
//! newer sender adds waits until a release of the receiver takes its type. The outbox age of the receiver grows until
//! then.
//!
//! The table in the receiver's own database:
//!
//! ```sql
//! CREATE TABLE inbox (
//!     event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
//!     taken_at timestamptz NOT NULL
//! );
//! CREATE INDEX inbox_taken_at ON inbox (taken_at);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in every receiver's own database, so no build can check"
)]

use kit::caller::{CallerError, CallerOf as _};
use kit::error::FieldError;
use kit::timestamp::from_timestamp;
use proto::common::{DeliverRequest, Event};
use proto::event::EventPayload;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tonic::{Request, Status};
use tonic_types::{ErrorDetails, StatusExt as _};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::span;

/// How long an event is remembered. A sender that was down for longer needs manual repair.
pub const REMEMBERED: Duration = Duration::days(30);

/// Records `event` and returns whether it is new.
///
/// The caller applies the event in the same transaction. Waits for a concurrent transaction with the same event.
pub async fn is_new(database: &mut PgConnection, event: Uuid, now: OffsetDateTime) -> sqlx::Result<bool> {
    let inserted = sqlx::query(
        "INSERT INTO inbox (event, taken_at) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT inbox_pkey DO NOTHING",
    )
    .bind(event)
    .bind(now)
    .execute(database)
    .instrument(span("INSERT inbox"))
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Deletes at most `most` events that were taken more than [`REMEMBERED`] ago. Returns their number.
pub async fn sweep(database: &mut PgConnection, now: OffsetDateTime, most: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query(
        "DELETE FROM inbox WHERE event IN (SELECT event FROM inbox WHERE taken_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind(now - REMEMBERED)
    .bind(most)
    .execute(database)
    .instrument(span("DELETE inbox"))
    .await?;
    Ok(deleted.rows_affected())
}

/// An event to apply.
#[derive(Debug, PartialEq, Eq)]
pub struct IncomingEvent<Action> {
    /// For [`is_new`].
    pub id: Uuid,
    /// The time of the sender's transaction.
    pub occurred_at: OffsetDateTime,
    /// What the receiver does with it.
    pub action: Action,
}

/// The types of events that a service takes, and the `Action` for each.
pub struct EventTypes<Action>(Vec<EventType<Action>>);

struct EventType<Action> {
    /// The full name of the message, e.g. `auth.v1.AccountErased`.
    name: String,
    sender: &'static str,
    decode: Decode<Action>,
}

/// `None`: no action.
type Decode<Action> = Box<dyn Fn(&[u8]) -> Result<Option<Action>, FieldError> + Send + Sync>;

impl<Action> Default for EventTypes<Action> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<Action> EventTypes<Action> {
    /// Takes events of the type `Payload` from this sender. `to_action` validates their fields.
    #[must_use]
    pub fn on<Payload: EventPayload + 'static>(
        self,
        to_action: fn(Payload) -> Result<Action, FieldError>,
    ) -> Self
    where
        Action: 'static,
    {
        self.add::<Payload>(Box::new(move |payload| to_action(decode(payload)?).map(Some)))
    }

    /// Takes events of the type `Payload` without an action. A type that is no longer used needs this row until no
    /// sender has events of it.
    #[must_use]
    pub fn ignore<Payload: EventPayload>(self) -> Self {
        self.add::<Payload>(Box::new(|_| Ok(None)))
    }

    fn add<Payload: EventPayload>(mut self, decode: Decode<Action>) -> Self {
        self.0.push(EventType { name: Payload::full_name(), sender: Payload::SENDER, decode });
        self
    }

    /// The full names of the types, in the order of their rows.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| known.name.as_str())
    }

    /// Decodes a delivered event. `None`: the event is taken and needs no action.
    ///
    /// # Errors
    ///
    /// `UNIMPLEMENTED` for an event of an unknown type, `PERMISSION_DENIED` for one that the caller may not send,
    /// `INVALID_ARGUMENT` for one with a missing or an invalid field.
    pub fn decode(&self, request: Request<DeliverRequest>) -> Result<Option<IncomingEvent<Action>>, Status> {
        let caller = request.caller()?.service;
        let event = request.into_inner().event.unwrap_or_default();
        let Some(known) = self.0.iter().find(|known| known.name == event.r#type) else {
            return Err(refuse_type());
        };
        if caller.name() != known.sender {
            return Err(CallerError::NotAllowed.into());
        }
        Ok(known.decode_event(&event)?)
    }
}

impl<Action> EventType<Action> {
    fn decode_event(&self, event: &Event) -> Result<Option<IncomingEvent<Action>>, FieldError> {
        let Some(action) = (self.decode)(&event.payload)? else { return Ok(None) };
        let id = event.id.parse().map_err(|_| invalid("id"))?;
        let occurred_at = event.occurred_at.and_then(|time| from_timestamp(time).ok());
        Ok(Some(IncomingEvent { id, occurred_at: occurred_at.ok_or(invalid("occurred_at"))?, action }))
    }
}

fn decode<Payload: EventPayload>(payload: &[u8]) -> Result<Payload, FieldError> {
    Payload::decode(payload).map_err(|_| invalid("payload"))
}

const fn invalid(name: &'static str) -> FieldError {
    FieldError::new(name, "INVALID_FORMAT")
}

/// Not in the error table, because only the sender's dispatcher reads this code. A release without `EventService`
/// answers with the same code.
fn refuse_type() -> Status {
    const REASON: &str = "UNKNOWN_EVENT_TYPE";
    let details = ErrorDetails::with_error_info(REASON, "konomana.jp", std::collections::HashMap::new());
    Status::with_error_details(tonic::Code::Unimplemented, REASON, details)
}
