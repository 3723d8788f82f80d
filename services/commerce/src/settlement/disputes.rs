//! Disputes: checks the open ones at the provider, in case an event is lost.

use kit_db::outbox::{LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Span;

use super::Settlement;
use crate::dispute::{self, CHECK_PERIOD, OpenDispute};
use crate::provider::{DisputeStatus, ProviderError};
use crate::settlement_error::SettlementError;

/// The queue of open disputes.
#[derive(Clone)]
pub(super) struct Disputes(pub(super) Settlement);

impl Queue for Disputes {
    type Item = OpenDispute;
    type Outcome = Result<(), SettlementError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<OpenDispute>> {
        dispute::take_due(database, LEASE, now).await
    }

    fn span(&self, _: &OpenDispute) -> Span {
        tracing::info_span!(parent: None, "dispute", otel.name = "check dispute")
    }

    async fn deliver(&self, dispute: &OpenDispute) -> Self::Outcome {
        self.0.check_dispute(&dispute.id).await
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        dispute: &OpenDispute,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        dispute::postpone(database, dispute, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        dispute: &OpenDispute,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        dispute::postpone(database, dispute, now + CHECK_PERIOD).await?;
        Ok(outcome.err().map_or(Reach::Reached, |error| error.reach()))
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        dispute::probe(database, now).await
    }
}

impl Settlement {
    /// Queries the provider about a dispute.
    pub(super) async fn check_dispute(&self, id: &str) -> Result<(), SettlementError> {
        let reported = match self.provider.find_dispute(id).await {
            Ok(reported) => reported,
            Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let Some(of) = self.find_intent_payment(reported.intent.as_deref()).await? else { return Ok(()) };
        if reported.status == DisputeStatus::Other {
            return Err(SettlementError::UnknownState(reported.id));
        }
        let intent = reported.intent.as_deref().unwrap_or_default();
        if reported.status == DisputeStatus::Lost {
            self.refresh_refunds(intent).await?;
        }
        let mut settled = Vec::new();
        loop {
            let now = self.clock.now();
            let mut transaction = self.pool.begin().await?;
            let owed =
                dispute::apply_reported_state(&mut transaction, &self.outbox, &of, &reported, &settled, now)
                    .await?;
            let Some(owed) = owed else {
                transaction.commit().await?;
                self.wake_refunds();
                return Ok(());
            };
            transaction.rollback().await?;
            settled.extend(self.settle_owed(&of, intent, &owed).await?);
        }
    }
}
