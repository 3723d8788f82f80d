//! Orders with an open payment: checks them at the provider, and ends them when they are due.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;

use super::{CHECK_PERIOD, INTENT_CHECK_PERIOD, RETRY_PERIOD, Settlement};
use crate::order::due::{self, DueOrder};
use crate::provider::ProviderError;
use crate::settlement_error::SettlementError;

/// The pauses after failed calls to the provider.
const BACKOFF: Backoff = Backoff { first: RETRY_PERIOD, longest: CHECK_PERIOD };

/// The queue of orders that await payment.
#[derive(Clone)]
pub(super) struct DueOrders(pub(super) Settlement);

impl Queue for DueOrders {
    type Item = DueOrder;
    type Outcome = Result<(), SettlementError>;

    async fn take(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Option<DueOrder>> {
        due::take_due(database, LEASE, now).await
    }

    fn span(&self, order: &DueOrder) -> Span {
        let span = tracing::info_span!(parent: None, "check", otel.name = "check order");
        kit::trace::follow(&span, order.traceparent.as_deref());
        span
    }

    async fn deliver(&self, order: &DueOrder) -> Self::Outcome {
        self.0.check_order(order.id).await
    }

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
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let (pause, reach) = assess(&outcome, order);
        due::postpone(database, order, now + pause, now).await?;
        if let (Err(error), Reach::Reached) = (&outcome, reach) {
            tracing::error!(order = %order.id, error = kit::error::chain(error), "an order could not be checked");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        due::probe(database, now).await
    }
}

/// Returns when to check the order again, and whether the provider is reachable.
fn assess(outcome: &Result<(), SettlementError>, order: &DueOrder) -> (Duration, Reach) {
    match outcome {
        Ok(()) if order.has_page => (CHECK_PERIOD, Reach::Reached),
        Ok(()) => (INTENT_CHECK_PERIOD, Reach::Reached),
        Err(error) => (BACKOFF.pause(order.checks), error.reach()),
    }
}

impl SettlementError {
    /// What the error shows about the provider's reachability.
    pub(super) fn reach(&self) -> Reach {
        match self {
            Self::Provider(ProviderError::Unreachable(_)) => {
                Reach::Unreachable("the provider gives no answer")
            }
            Self::Provider(_) | Self::NotClosed | Self::UnknownState(_) => Reach::Reached,
            Self::Database(_) | Self::Renewal(_) => Reach::Unknown,
        }
    }
}
