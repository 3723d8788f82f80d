//! Delivers events over gRPC. Each receiver has its own dispatcher, so that an unreachable one does not delay the
//! others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kit::client::Channel;
use kit::clock::Clock;
use kit::error::{Code, ServiceError};
use kit::shutdown::Shutdown;
use kit::{deadline, trace};
use proto::common::DeliverRequest;
use proto::common::event_service_client::EventServiceClient;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::time::Instant;
use tracing::Span;

use super::age::Ages;
use super::dispatcher::{Dispatcher, Queue, QueueState, Reach, Wake};
use super::prober::Prober;
use super::{
    BACKOFF, Outbox, OutboxRow, delete_event, extend_lease, postpone_event, probe_events, take_due_event,
};
use crate::Pool;

/// Polling interval for due events. It bounds the delay of an event without a [wake](Outbox::wake).
const PERIOD: Duration = Duration::from_secs(2);
/// Deadline of one delivery.
const CALL_LIMIT: Duration = Duration::from_secs(10);
/// Minimum interval of log lines about an unknown type.
const LOG_PERIOD: time::Duration = time::Duration::HOUR;

/// Delivers the events of the outbox to `receivers` until `shutdown`. Each has its name in
/// [`RECEIVERS`](proto::event::EventPayload::RECEIVERS). Several processes may deliver. Exposes the age of the oldest
/// event of each receiver as a metric.
pub fn spawn(
    outbox: &Outbox,
    receivers: impl IntoIterator<Item = (&'static str, Channel)>,
    pool: &Pool,
    clock: &Clock,
    shutdown: &Shutdown,
) {
    let mut ages = Ages::default();
    let mut prober = Prober::new(pool, PERIOD);
    for (receiver, channel) in receivers {
        let wake = Wake::default();
        outbox.wakes().push(wake.clone());
        let queue = Events {
            outbox: outbox.clone(),
            receiver,
            client: EventServiceClient::new(channel),
            logged_types: LoggedTypes::default(),
        };
        let dispatcher = Dispatcher {
            queue,
            receiver,
            pool: pool.clone(),
            clock: clock.clone(),
            wake,
            age: ages.add(receiver),
        };
        dispatcher.spawn(1, &mut prober, shutdown);
    }
    prober.spawn(shutdown);
    ages.register_metrics(clock);
}

/// The events for one receiver.
#[derive(Clone)]
struct Events {
    outbox: Outbox,
    receiver: &'static str,
    client: EventServiceClient<Channel>,
    logged_types: LoggedTypes,
}

/// The types that the receiver does not know, with the time of their last log line. Cheap to clone.
#[derive(Clone, Default)]
struct LoggedTypes(Arc<Mutex<HashMap<String, OffsetDateTime>>>);

impl LoggedTypes {
    /// Whether `name` is to be logged now, for the first time in [`LOG_PERIOD`].
    fn is_due(&self, name: &str, now: OffsetDateTime) -> bool {
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.get(name).is_some_and(|last| now - *last < LOG_PERIOD) {
            return false;
        }
        logged.insert(name.to_owned(), now);
        true
    }
}

/// How the delivery of an event ended.
enum Outcome {
    /// The receiver stored it.
    Delivered,
    /// The receiver refused it.
    Refused,
    /// The receiver's release does not know the type.
    UnknownType,
    /// The receiver did not answer.
    Unreachable,
    /// It was encrypted with another key.
    Unreadable,
}

impl Queue for Events {
    type Item = OutboxRow;
    type Outcome = Outcome;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<OutboxRow>> {
        take_due_event(database, self.receiver, now).await
    }

    fn span(&self, event: &OutboxRow) -> Span {
        let span = tracing::info_span!(
            parent: None,
            "deliver",
            otel.name = format!("deliver {}", event.r#type),
            otel.kind = "producer",
            messaging.message.id = %event.id,
            messaging.destination.name = self.receiver,
        );
        trace::follow(&span, event.traceparent.as_deref());
        span
    }

    async fn deliver(&self, row: &OutboxRow) -> Outcome {
        let Some(event) = self.outbox.open(row) else { return Outcome::Unreadable };
        let mut client = self.client.clone();
        let call = client.deliver(DeliverRequest { event: Some(event) });
        let Err(status) = deadline::scope(Instant::now() + CALL_LIMIT, call).await else {
            return Outcome::Delivered;
        };
        if status.code() == tonic::Code::Unimplemented {
            return Outcome::UnknownType;
        }
        let problem = ServiceError::from_status(&status);
        if matches!(problem.code, Code::Unavailable | Code::DeadlineExceeded) {
            return Outcome::Unreachable;
        }
        tracing::error!(
            event = %row.id,
            r#type = row.r#type,
            receiver = self.receiver,
            reason = %problem.reason,
            "an event was refused; it is tried again"
        );
        Outcome::Refused
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        event: &OutboxRow,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        extend_lease(database, event, now).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        event: &OutboxRow,
        outcome: Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        match outcome {
            Outcome::Delivered => {
                delete_event(database, event).await?;
                self.outbox.delivered.wake();
                return Ok(Reach::Reached);
            }
            Outcome::Unreadable => {
                tracing::error!(event = %event.id, r#type = event.r#type, "an event was encrypted with another secret");
            }
            // A newer release of the receiver will take it. Later events are delivered in the meantime.
            Outcome::UnknownType if self.logged_types.is_due(&event.r#type, now) => {
                tracing::warn!(
                    event = %event.id,
                    r#type = event.r#type,
                    receiver = self.receiver,
                    "the receiver does not know the type of an event; it is tried again"
                );
            }
            Outcome::UnknownType | Outcome::Refused | Outcome::Unreachable => {}
        }
        // While the receiver is down, each round tries only one event, so the others go out as soon as it is back.
        let pause = match outcome {
            Outcome::Unreachable => BACKOFF.first,
            _ => BACKOFF.pause(event.tries),
        };
        postpone_event(database, event, pause, now).await?;
        Ok(match outcome {
            Outcome::Unreachable => Reach::Unreachable("it is unreachable"),
            Outcome::Unreadable => Reach::Unknown,
            Outcome::Delivered | Outcome::Refused | Outcome::UnknownType => Reach::Reached,
        })
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        probe_events(database, self.receiver, now).await
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn an_unknown_type_is_logged_once_an_hour() {
        let start = datetime!(2026-11-21 09:00 UTC);
        let types = LoggedTypes::default();
        assert!(types.is_due("commerce.v1.OrderPaid", start));
        assert!(types.is_due("commerce.v1.OrderRefunded", start));
        let almost = start + LOG_PERIOD - time::Duration::SECOND;
        assert!(!types.clone().is_due("commerce.v1.OrderPaid", almost));
        assert!(types.is_due("commerce.v1.OrderPaid", start + LOG_PERIOD));
    }
}
