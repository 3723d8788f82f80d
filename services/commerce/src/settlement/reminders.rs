//! Reminders of orders that await a payment without the provider's page.

use kit_db::outbox::{LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Span;

use super::Settlement;
use crate::order::reminder::{self, DueReminder};

/// The queue of reminders.
#[derive(Clone)]
pub(super) struct Reminders(pub(super) Settlement);

impl Queue for Reminders {
    type Item = DueReminder;
    type Outcome = sqlx::Result<()>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<DueReminder>> {
        reminder::take_due(database, LEASE, now).await
    }

    fn span(&self, reminder: &DueReminder) -> Span {
        let span = tracing::info_span!(parent: None, "remind", otel.name = "remind buyer");
        kit::trace::follow(&span, reminder.traceparent.as_deref());
        span
    }

    async fn deliver(&self, reminder: &DueReminder) -> Self::Outcome {
        let mut transaction = self.0.pool.begin().await?;
        reminder::send(&mut transaction, &self.0.outbox, reminder, self.0.clock.now()).await?;
        transaction.commit().await?;
        self.0.outbox.wake();
        Ok(())
    }

    /// Not needed: a delivery is one short transaction.
    async fn extend_lease(
        &self,
        _: &mut PgConnection,
        _: &DueReminder,
        _: OffsetDateTime,
    ) -> sqlx::Result<()> {
        Ok(())
    }

    /// A failed reminder is taken again after its lease.
    async fn settle(
        &self,
        _: &mut PgConnection,
        _: &DueReminder,
        outcome: Self::Outcome,
        _: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        outcome.map(|()| Reach::Reached)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        reminder::probe(database, now).await
    }
}
