//! Refunds: the provider is asked to return the money, and then whether it did.

use kit_db::outbox::{Backoff, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use super::{LEASE, Settlement};
use crate::order::returned_payment;
use crate::provider::{ProviderError, ProviderRefund, ProviderRefundState};
use crate::refund::{self, News, OpenRefund};
use crate::settlement_error::SettlementError;

/// The pauses after questions without an answer.
const BACKOFF: Backoff = Backoff { first: Duration::seconds(5), longest: Duration::minutes(30) };
/// How often a refund on its way is asked about, in case its event is lost.
const CHECK_PERIOD: Duration = Duration::hours(6);
/// How long the provider surely knows an idempotency key. It says 24 hours.
const KEY_PERIOD: Duration = Duration::hours(23);
/// The provider's code for money that went back already.
const RETURNED_ALREADY: &str = "charge_already_refunded";

/// The open refunds.
#[derive(Clone)]
pub(super) struct Refunds(pub(super) Settlement);

impl Queue for Refunds {
    type Item = OpenRefund;
    type Outcome = Result<(), SettlementError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<OpenRefund>> {
        refund::take_due(database, LEASE, now).await
    }

    fn span(&self, refund: &OpenRefund) -> Span {
        let span = tracing::info_span!(parent: None, "refund", otel.name = "refund payment");
        kit::trace::follow(&span, refund.traceparent.as_deref());
        span
    }

    async fn deliver(&self, refund: &OpenRefund) -> Self::Outcome {
        match &refund.provider_refund {
            Some(id) => self.0.check_refund(refund.id, id).await,
            None => self.0.create_refund(refund).await,
        }
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        refund: &OpenRefund,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let pause = if outcome.is_ok() { CHECK_PERIOD } else { BACKOFF.pause(refund.tries) };
        refund::postpone(database, refund, now + pause).await?;
        let Err(error) = outcome else { return Ok(Reach::Reached) };
        let reach = error.reach();
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(refund = %refund.id, error, "a refund was refused; it is tried again");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        refund::probe(database, now).await
    }
}

impl Settlement {
    /// Asks the provider to return the money. Repeated with the same key, it is the same refund.
    pub(super) async fn create_refund(&self, refund: &OpenRefund) -> Result<(), SettlementError> {
        let key = format!("refund:{}", refund.id);
        if let Some(customer) = &refund.customer {
            return self.return_balance(refund, customer, &key).await;
        }
        let intent = self.find_intent(refund).await?;
        match self.provider.create_refund(&intent, refund.amount, refund.email.as_deref(), &key).await {
            Ok(answer) => self.apply_refund(refund.id, &answer).await,
            Err(ProviderError::Refused { code, .. }) if code == RETURNED_ALREADY => {
                self.change_refund(refund.id, None, News::Succeeded).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks the provider to return money of the customer's cash balance.
    async fn return_balance(
        &self,
        refund: &OpenRefund,
        customer: &str,
        key: &str,
    ) -> Result<(), SettlementError> {
        // The provider has forgotten the key, and may have returned the money.
        let is_old = self.clock.now() - refund.requested_at > KEY_PERIOD;
        if is_old && self.provider.find_balance(customer).await? < refund.amount {
            return self.change_refund(refund.id, None, News::Succeeded).await;
        }
        let answer = self.provider.return_balance(customer, refund.amount, key).await?;
        self.apply_refund(refund.id, &answer).await
    }

    /// The provider's payment that is returned. The answer that settled it may have lacked it.
    async fn find_intent(&self, refund: &OpenRefund) -> Result<String, SettlementError> {
        if let Some(intent) = &refund.intent {
            return Ok(intent.clone());
        }
        let session = refund.session.as_deref().ok_or(ProviderError::NotFound)?;
        Ok(self.provider.find_session(session).await?.intent.ok_or(ProviderError::NotFound)?)
    }

    /// Asks the provider about a refund.
    pub(super) async fn check_refund(&self, id: Uuid, provider_refund: &str) -> Result<(), SettlementError> {
        let answer = self.provider.find_refund(provider_refund).await?;
        self.apply_refund(id, &answer).await
    }

    async fn apply_refund(&self, id: Uuid, answer: &ProviderRefund) -> Result<(), SettlementError> {
        let news = match answer.state {
            ProviderRefundState::Pending | ProviderRefundState::Other => News::Pending,
            ProviderRefundState::Succeeded => News::Succeeded,
            ProviderRefundState::Failed => News::Failed,
        };
        self.change_refund(id, Some(&answer.id), news).await
    }

    async fn change_refund(
        &self,
        id: Uuid,
        provider_refund: Option<&str>,
        news: News,
    ) -> Result<(), SettlementError> {
        let mut transaction = self.pool.begin().await?;
        let now = self.clock.now();
        returned_payment::apply_news(&mut transaction, &self.outbox, id, provider_refund, news, now).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
