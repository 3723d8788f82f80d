//! Paid orders are fulfilled once all their grants are delivered.

use kit_db::outbox::{LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Span;

use crate::order::change;
use crate::order::due::{self, DueOrder};

/// The queue of paid orders whose grants were delivered.
#[derive(Clone)]
pub(super) struct PaidOrders;

impl Queue for PaidOrders {
    type Item = DueOrder;
    type Outcome = ();

    async fn take(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Option<DueOrder>> {
        due::take_delivered(database, LEASE, now).await
    }

    fn span(&self, order: &DueOrder) -> Span {
        let span = tracing::info_span!(parent: None, "fulfil", otel.name = "fulfil order");
        kit::trace::follow(&span, order.traceparent.as_deref());
        span
    }

    /// The outbox has delivered the grants already.
    async fn deliver(&self, _: &DueOrder) {}

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        order: &DueOrder,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        due::extend_lease(database, order, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        order: &DueOrder,
        (): (),
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        change::fulfil_order(database, order.id, now).await?;
        Ok(Reach::Reached)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        due::probe_paid(database, now).await
    }
}
