//! Refunds: the provider is asked to return the money, and then whether it did.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use super::Settlement;
use crate::order::outside_refund::{self, IntentPayment};
use crate::order::returned_payment;
use crate::payment::Method;
use crate::provider::{NewRefund, ProviderError, ProviderRefund};
use crate::refund::{self, News, OpenRefund};
use crate::settlement_error::SettlementError;

/// The pauses after questions without an answer.
const BACKOFF: Backoff = Backoff { first: Duration::seconds(5), longest: Duration::minutes(30) };
/// How often a refund on its way is asked about, in case its event is lost.
const CHECK_PERIOD: Duration = Duration::minutes(4);
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

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        refund: &OpenRefund,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        refund::postpone(database, refund, now + LEASE).await
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

/// The idempotency key of a refund.
fn key(refund: &OpenRefund) -> String {
    format!("refund:{}", refund.id)
}

impl Settlement {
    /// Asks the provider to return the money. Repeated with the same key, it is the same refund.
    async fn create_refund(&self, refund: &OpenRefund) -> Result<(), SettlementError> {
        if let Some(customer) = &refund.customer {
            return self.return_balance(refund, customer).await;
        }
        let intent = self.find_intent(refund).await?;
        let id = refund.id.to_string();
        // Cash can't go back the way it came: the provider asks the buyer for an account.
        let asks_by_email = refund.method == Method::Konbini && !refund.email.is_empty();
        let new = NewRefund {
            key: &key(refund),
            id: &id,
            intent: &intent,
            amount: refund.amount,
            instructions_email: asks_by_email.then_some(refund.email.as_str()),
        };
        match self.provider.create_refund(&new).await {
            Ok(answer) => self.apply_refund(refund.id, &answer).await,
            Err(ProviderError::Refused { code, .. }) if code == RETURNED_ALREADY => {
                self.find_returned(refund, &intent).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The provider has returned the whole payment. This refund is among what it made, or it was made there instead.
    async fn find_returned(&self, refund: &OpenRefund, intent: &str) -> Result<(), SettlementError> {
        let id = refund.id.to_string();
        let made = self.provider.list_refunds(intent).await?;
        if let Some(own) = made.iter().find(|made| made.own_id.as_deref() == Some(&id)) {
            return self.apply_refund(refund.id, own).await;
        }
        // One of the same amount becomes this one.
        for made in made.iter().rev() {
            self.apply_made_refund(made).await?;
        }
        if refund::is_requested(&mut *self.pool.acquire().await?, refund.id).await? {
            return self.change_refund(refund.id, None, News::Failed).await;
        }
        Ok(())
    }

    /// Asks the provider to return money of the customer's cash balance.
    pub(super) async fn return_balance(
        &self,
        refund: &OpenRefund,
        customer: &str,
    ) -> Result<(), SettlementError> {
        // The provider has forgotten the key, and may have returned the money.
        let is_old = self.clock.now() - refund.requested_at > KEY_PERIOD;
        if is_old && self.provider.find_balance(customer).await? < refund.amount {
            return self.change_refund(refund.id, None, News::Succeeded).await;
        }
        let answer = self.provider.return_balance(customer, refund.amount, &key(refund)).await?;
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

    /// Applies a refund that the provider has: one of ours whose answer was lost, or one that was made there.
    pub(super) async fn apply_made_refund(&self, made: &ProviderRefund) -> Result<(), SettlementError> {
        let own = made.own_id.as_deref().and_then(|id| id.parse().ok());
        if let Some(own) = own
            && refund::exists(&mut *self.pool.acquire().await?, own).await?
        {
            return self.apply_refund(own, made).await;
        }
        let Some(of) = self.find_intent_payment(made.intent.as_deref()).await? else { return Ok(()) };
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let adopted = outside_refund::adopt(&mut transaction, &self.outbox, &of, made, now).await?;
        transaction.commit().await?;
        self.outbox.wake();
        match adopted {
            Some(id) => self.apply_refund(id, made).await,
            None => Ok(()),
        }
    }

    /// Finds the payment of an intent, after what was paid is booked. `None`: it is of another system.
    pub(super) async fn find_intent_payment(
        &self,
        intent: Option<&str>,
    ) -> Result<Option<IntentPayment>, SettlementError> {
        let Some(intent) = intent else { return Ok(None) };
        let found = outside_refund::find_payment(&mut *self.pool.acquire().await?, intent).await?;
        let Some(of) = found else {
            tracing::warn!(intent, "money went back of a payment that is not known here");
            return Ok(None);
        };
        if of.is_received {
            return Ok(Some(of));
        }
        self.check_order(of.order).await?;
        Ok(outside_refund::find_payment(&mut *self.pool.acquire().await?, intent)
            .await?
            .filter(|of| of.is_received))
    }

    async fn apply_refund(&self, id: Uuid, answer: &ProviderRefund) -> Result<(), SettlementError> {
        self.change_refund(id, Some(&answer.id), answer.state.into()).await
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
