//! Delivers events over gRPC. Each receiver has its own dispatcher, so that one that is down does not delay the others.

use std::time::Duration;

use proto::common::DeliverRequest;
use proto::common::event_service_client::EventServiceClient;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::time::Instant;
use tracing::Span;

use super::age::Ages;
use super::dispatcher::{Dispatcher, Queue, QueueState, Reach, Wake};
use super::{Outbox, OutboxRow, delete_event, postpone_event, probe_events, take_due_event};
use crate::client::Channel;
use crate::clock::Clock;
use crate::db::Pool;
use crate::error::{Code, ServiceError};
use crate::shutdown::Shutdown;
use crate::{deadline, trace};

/// How often each dispatcher looks for due events. It bounds the delay of an event.
const PERIOD: Duration = Duration::from_millis(250);
/// Deadline of one delivery.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Delivers the events of the outbox to `receivers`, by the names that they were added for, until `shutdown`. Several
/// processes may do so. The age of the oldest event of each receiver becomes a metric.
pub fn spawn(
    outbox: &Outbox,
    receivers: impl IntoIterator<Item = (&'static str, Channel)>,
    pool: &Pool,
    clock: &Clock,
    shutdown: &Shutdown,
) {
    let mut ages = Ages::default();
    for (receiver, channel) in receivers {
        let queue = Events { outbox: outbox.clone(), receiver, client: EventServiceClient::new(channel) };
        let dispatcher = Dispatcher {
            queue,
            receiver,
            pool: pool.clone(),
            clock: clock.clone(),
            period: PERIOD,
            wake: Wake::default(),
            age: ages.add(receiver),
        };
        dispatcher.spawn(1, shutdown);
    }
    ages.register_metrics(clock);
}

/// The events for one receiver.
#[derive(Clone)]
struct Events {
    outbox: Outbox,
    receiver: &'static str,
    client: EventServiceClient<Channel>,
}

/// How the delivery of an event ended.
enum Outcome {
    /// The receiver stored it.
    Delivered,
    /// The receiver refused it.
    Refused,
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
                return Ok(Reach::Reached);
            }
            Outcome::Unreadable => {
                tracing::error!(event = %event.id, r#type = event.r#type, "an event was sealed with another secret");
            }
            Outcome::Refused | Outcome::Unreachable => {}
        }
        postpone_event(database, event, now).await?;
        Ok(match outcome {
            Outcome::Unreachable => Reach::Unreachable("it can't be reached"),
            Outcome::Unreadable => Reach::Unknown,
            Outcome::Delivered | Outcome::Refused => Reach::Reached,
        })
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        probe_events(database, self.receiver, now).await
    }
}
