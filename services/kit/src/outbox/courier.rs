//! Who delivers: a task for each receiver, so that one that is gone holds up nobody else's events.

use std::time::Duration;

use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use tokio::time::Instant;
use tracing::Instrument as _;

use super::age::{Age, Ages};
use super::{Outbox, Waiting, delivered, oldest, postpone, take};
use crate::client::Channel;
use crate::clock::Clock;
use crate::db::Pool;
use crate::error::{Code, Problem, chain};
use crate::shutdown::Shutdown;
use crate::task::{self, Ticks};
use crate::{deadline, trace};

/// How often somebody looks whether an event waits: so long it waits at most, with a receiver that is well.
const PERIOD: Duration = Duration::from_millis(250);
/// How long a receiver may take over one event.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Delivers what waits in the outbox to `receivers`, by the names that events were added for, until `shutdown`. There
/// may be several processes at it. For how long the oldest event waits is shown among the metrics.
pub fn spawn(
    outbox: &Outbox,
    receivers: impl IntoIterator<Item = (&'static str, Channel)>,
    pool: &Pool,
    clock: &Clock,
    shutdown: &Shutdown,
) {
    let mut ages = Ages::default();
    for (receiver, channel) in receivers {
        let courier = Courier {
            outbox: outbox.clone(),
            receiver,
            client: EventServiceClient::new(channel),
            pool: pool.clone(),
            clock: clock.clone(),
            age: ages.add(receiver),
            trouble: false,
        };
        task::spawn("courier", shutdown, courier.run(shutdown.clone()));
    }
    ages.show(clock);
}

/// What came of one event.
enum Outcome {
    /// The receiver has it.
    Taken,
    /// The receiver, or this process, can't do with it.
    Refused,
    /// Nobody answers.
    Unreachable,
}

struct Courier {
    outbox: Outbox,
    receiver: &'static str,
    client: EventServiceClient<Channel>,
    pool: Pool,
    clock: Clock,
    age: Age,
    /// The database or the receiver was out of reach at the last look; said once.
    trouble: bool,
}

impl Courier {
    async fn run(mut self, shutdown: Shutdown) {
        let mut ticks = Ticks::new(PERIOD, shutdown.clone());
        while ticks.next().await {
            let trouble = match self.round(&shutdown).await {
                Ok(true) => None,
                Ok(false) => Some("it can't be reached".to_owned()),
                Err(error) => Some(chain(&error)),
            };
            match trouble {
                Some(error) if !self.trouble => {
                    tracing::warn!(receiver = self.receiver, error, "events wait");
                    self.trouble = true;
                }
                None if self.trouble => {
                    tracing::info!(receiver = self.receiver, "events are delivered again");
                    self.trouble = false;
                }
                _ => {}
            }
        }
    }

    /// Delivers all that is due, oldest first. Says whether the receiver can be reached, as far as is known.
    async fn round(&mut self, shutdown: &Shutdown) -> sqlx::Result<bool> {
        let mut reached = None;
        while !shutdown.begun() {
            // The connection is given back before: a call takes its time.
            let event = take(&mut *self.pool.acquire().await?, self.receiver, self.clock.now()).await?;
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
            let outcome = self.try_one(&event).instrument(span).await?;
            reached = Some(!matches!(outcome, Outcome::Unreachable));
            if reached == Some(false) {
                break;
            }
        }
        let oldest = oldest(&mut *self.pool.acquire().await?, self.receiver).await?;
        self.age.set(oldest);
        Ok(reached.unwrap_or(!self.trouble || oldest.is_none()))
    }

    async fn try_one(&mut self, waiting: &Waiting) -> sqlx::Result<Outcome> {
        let outcome = if let Some(event) = self.outbox.open(waiting) {
            self.deliver(event).await
        } else {
            tracing::error!(event = %waiting.id, r#type = waiting.r#type, "an event was sealed with another secret");
            Outcome::Refused
        };
        let mut connection = self.pool.acquire().await?;
        match outcome {
            Outcome::Taken => delivered(&mut connection, waiting).await?,
            _ => postpone(&mut connection, waiting, self.clock.now()).await?,
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
            "an event was refused; it is tried again"
        );
        Outcome::Refused
    }
}
