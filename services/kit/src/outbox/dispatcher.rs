//! Delivers events: one task a receiver, so that an unreachable receiver delays only its own events.

use std::time::Duration;

use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use tokio::time::Instant;
use tracing::Instrument as _;

use super::age::{Age, Ages};
use super::{Outbox, OutboxRow, delete_event, find_oldest, postpone_event, take_due_event};
use crate::client::Channel;
use crate::clock::Clock;
use crate::db::Pool;
use crate::error::{Code, Problem, chain};
use crate::shutdown::Shutdown;
use crate::task::{self, Ticks};
use crate::{deadline, trace};

/// Polling interval, and so the longest delay of an event whose receiver is reachable.
const PERIOD: Duration = Duration::from_millis(250);
/// Time limit of one delivery.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Delivers the events of the outbox to `receivers` until `shutdown`, by the names that events were added for.
///
/// Several processes may do so at once. The age of the oldest event of each receiver is a metric.
pub fn spawn(
    outbox: &Outbox,
    receivers: impl IntoIterator<Item = (&'static str, Channel)>,
    pool: &Pool,
    clock: &Clock,
    shutdown: &Shutdown,
) {
    let mut ages = Ages::default();
    for (receiver, channel) in receivers {
        let dispatcher = Dispatcher {
            outbox: outbox.clone(),
            receiver,
            client: EventServiceClient::new(channel),
            pool: pool.clone(),
            clock: clock.clone(),
            age: ages.add(receiver),
            is_failing: false,
        };
        task::spawn("dispatcher", shutdown, dispatcher.run(shutdown.clone()));
    }
    ages.show(clock);
}

/// The outcome of one delivery.
enum Outcome {
    /// The receiver has taken the event.
    Taken,
    /// The receiver refused the event, or this process cannot decrypt it.
    Refused,
    /// The receiver does not answer.
    Unreachable,
}

struct Dispatcher {
    outbox: Outbox,
    receiver: &'static str,
    client: EventServiceClient<Channel>,
    pool: Pool,
    clock: Clock,
    age: Age,
    /// The database or the receiver was unreachable in the last round. Logged when it changes.
    is_failing: bool,
}

impl Dispatcher {
    async fn run(mut self, shutdown: Shutdown) {
        let mut ticks = Ticks::new(PERIOD, shutdown.clone());
        while ticks.next().await {
            let trouble = match self.round(&shutdown).await {
                Ok(true) => None,
                Ok(false) => Some("the receiver cannot be reached".to_owned()),
                Err(error) => Some(chain(&error)),
            };
            match trouble {
                Some(error) if !self.is_failing => {
                    tracing::warn!(receiver = self.receiver, error, "events wait");
                    self.is_failing = true;
                }
                None if self.is_failing => {
                    tracing::info!(receiver = self.receiver, "events are delivered again");
                    self.is_failing = false;
                }
                _ => {}
            }
        }
    }

    /// Delivers every event that is due, oldest first. Returns whether the receiver is reachable, as far as is known.
    async fn round(&mut self, shutdown: &Shutdown) -> sqlx::Result<bool> {
        let mut reached = None;
        while !shutdown.begun() {
            // The connection goes back to the pool before the call, which may take seconds.
            let event =
                take_due_event(&mut *self.pool.acquire().await?, self.receiver, self.clock.now()).await?;
            let Some(event) = event else { break };
            let span = tracing::info_span!(
                parent: None,
                "deliver",
                otel.name = format!("deliver {}", event.r#type),
                otel.kind = "producer",
                messaging.message.id = %event.id,
                messaging.destination.name = self.receiver,
            );
            trace::follow(&span, event.traceparent.as_deref());
            let outcome = self.deliver_row(&event).instrument(span).await?;
            reached = Some(!matches!(outcome, Outcome::Unreachable));
            if reached == Some(false) {
                break;
            }
        }
        let oldest = find_oldest(&mut *self.pool.acquire().await?, self.receiver).await?;
        self.age.set(oldest);
        Ok(reached.unwrap_or(!self.is_failing || oldest.is_none()))
    }

    async fn deliver_row(&mut self, row: &OutboxRow) -> sqlx::Result<Outcome> {
        let outcome = if let Some(event) = self.outbox.open(row) {
            self.deliver(event).await
        } else {
            tracing::error!(event = %row.id, r#type = row.r#type, "an event was encrypted with another secret");
            Outcome::Refused
        };
        let mut connection = self.pool.acquire().await?;
        match outcome {
            Outcome::Taken => delete_event(&mut connection, row).await?,
            _ => postpone_event(&mut connection, row, self.clock.now()).await?,
        }
        Ok(outcome)
    }

    async fn deliver(&mut self, event: Event) -> Outcome {
        let (id, r#type) = (event.id.clone(), event.r#type.clone());
        let call = self.client.deliver(DeliverRequest { event: Some(event) });
        let Err(status) = deadline::scope(Instant::now() + CALL_LIMIT, call).await else {
            return Outcome::Taken;
        };
        let problem = Problem::from_status(&status);
        if matches!(problem.code, Code::Unavailable | Code::OutOfTime) {
            return Outcome::Unreachable;
        }
        tracing::error!(
            event = id,
            r#type,
            receiver = self.receiver,
            reason = %problem.reason,
            "an event was refused; it is retried later"
        );
        Outcome::Refused
    }
}
