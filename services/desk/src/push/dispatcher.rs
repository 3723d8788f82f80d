//! Sends the queued pushes.

use kit::clock::Clock;
use kit::encryption::Encryptor;
use kit_db::outbox::{Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;

use super::sender::{Outcome, Sender};
use super::vapid::Vapid;
use super::{QueuedPush, subscription};

/// Three times the limit of an attempt: a process that was killed during one cannot still be sending.
const LEASE: Duration = Duration::seconds(30);

/// The queued pushes and the push services.
#[derive(Clone)]
pub(crate) struct Pushes {
    sender: Sender,
    encryptor: Encryptor,
    clock: Clock,
}

impl Pushes {
    pub(crate) fn new(vapid: Vapid, allows_loopback: bool, encryptor: &Encryptor, clock: &Clock) -> Self {
        Self {
            sender: Sender::new(vapid, allows_loopback),
            encryptor: encryptor.clone(),
            clock: clock.clone(),
        }
    }
}

impl Queue for Pushes {
    type Item = QueuedPush;
    type Outcome = Outcome;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<QueuedPush>> {
        super::take_due(database, now, LEASE).await
    }

    fn span(&self, push: &QueuedPush) -> Span {
        let span = tracing::info_span!(
            parent: None,
            "send",
            otel.name = "send push",
            otel.kind = "producer",
            messaging.message.id = %push.id,
            messaging.destination.name = "push",
        );
        kit::trace::follow(&span, push.traceparent.as_deref());
        span
    }

    async fn deliver(&self, push: &QueuedPush) -> Outcome {
        let Some((message, keys)) = push.decrypt(&self.encryptor) else { return Outcome::Unreadable };
        self.sender.send(&keys, message, self.clock.now()).await
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        push: &QueuedPush,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        super::extend_lease(database, push, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        push: &QueuedPush,
        outcome: Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        match outcome {
            Outcome::Accepted => {
                super::accept(database, push.id).await?;
                subscription::set_sent(database, push.subscription, now).await?;
            }
            Outcome::Gone => {
                let used = push.subscription_sealed.as_deref();
                subscription::end(database, push.subscription, used, now).await?;
                super::finish(database, push.id).await?;
            }
            // One push service of many: the others are not asked to wait.
            Outcome::Later(pause) => super::postpone(database, push, pause, now).await?,
            Outcome::Unreachable => {
                super::postpone(database, push, None, now).await?;
                return Ok(Reach::Unknown);
            }
            Outcome::Refused(status) => {
                super::finish(database, push.id).await?;
                tracing::error!(push = %push.id, status, "a push service refused a push: check DESK_PUSH_SECRET");
            }
            Outcome::Unreadable => {
                super::finish(database, push.id).await?;
                tracing::error!(push = %push.id, "a push or its subscription can't be read: was DESK_SECRET changed?");
                return Ok(Reach::Unknown);
            }
        }
        Ok(Reach::Reached)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        super::probe(database, now).await
    }
}
