//! Refunds: requests them at the provider, then checks their state.

use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use super::Settlement;
use crate::order::outside_refund::{self, Adoption, IntentPayment, OwedRefunds};
use crate::order::overtaken_refund::{self, Overtaking};
use crate::order::returned_payment;
use crate::payment::{self, Method};
use crate::provider::{DisputeStatus, NewRefund, ProviderError, ProviderRefund, ProviderRefundState};
use crate::refund::due::{self, OpenRefund};
use crate::refund::{self, ReportedState};
use crate::settlement_error::SettlementError;

/// The pauses after failed calls to the provider.
const BACKOFF: Backoff = Backoff { first: Duration::seconds(5), longest: Duration::minutes(30) };
/// How often a refund in progress is checked, in case its event is lost.
const CHECK_PERIOD: Duration = Duration::minutes(4);
/// How long the provider is certain to know an idempotency key. It documents 24 hours.
const KEY_PERIOD: Duration = Duration::hours(23);

/// The queue of open refunds.
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
        due::take_due(database, LEASE, now).await
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
        due::postpone(database, refund, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        refund: &OpenRefund,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let pause = if outcome.is_ok() { CHECK_PERIOD } else { BACKOFF.pause(refund.tries) };
        due::postpone(database, refund, now + pause).await?;
        let Err(error) = outcome else { return Ok(Reach::Reached) };
        let reach = error.reach();
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(refund = %refund.id, error, "a refund was refused and is retried later");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        due::probe(database, now).await
    }
}

/// The idempotency key of a refund. A refused refund was certainly not made, so the next attempt
/// uses a new key.
fn key(refund: &OpenRefund) -> String {
    match refund.refusals {
        0 => format!("refund:{}", refund.id),
        refusals => format!("refund:{}:{refusals}", refund.id),
    }
}

/// The result of sending a refund to the provider.
enum SendOutcome {
    /// The provider has the refund, or it failed before it was sent.
    Made,
    Overtaken {
        rest: Option<Uuid>,
    },
}

impl Settlement {
    /// Requests the refund at the provider. If another refund or a dispute returned the money
    /// already, books that.
    async fn create_refund(&self, refund: &OpenRefund) -> Result<(), SettlementError> {
        if let Some(customer) = &refund.customer {
            return self.return_balance(refund, customer).await;
        }
        let intent = self.find_intent(refund).await?;
        if let SendOutcome::Overtaken { .. } = self.send_refund(refund, &intent).await? {
            for made in self.provider.list_refunds(&intent).await?.iter().rev() {
                self.apply_made_refund(made).await?;
            }
        }
        Ok(())
    }

    /// Requests a refund of a payment at the provider. A repeated call with the same key returns
    /// the same refund.
    async fn send_refund(&self, refund: &OpenRefund, intent: &str) -> Result<SendOutcome, SettlementError> {
        let id = refund.id.to_string();
        if self.is_key_forgotten(refund) {
            // The provider may have made the refund already.
            let made = self.provider.list_refunds(intent).await?;
            if let Some(own) = made.iter().find(|made| made.own_id.as_deref() == Some(&id)) {
                return self.apply_refund(refund.id, own).await.map(|()| SendOutcome::Made);
            }
        }
        // Konbini payments can't be refunded to their source: the provider asks the buyer for a
        // bank account.
        let asks_by_email = refund.method == Method::Konbini;
        if asks_by_email && refund.email.is_empty() {
            // The account was erased: a person must return the money.
            self.change_refund(refund.id, None, ReportedState::Failed).await?;
            return Ok(SendOutcome::Made);
        }
        let new = NewRefund {
            key: &key(refund),
            id: &id,
            intent,
            amount: refund.amount,
            instructions_email: asks_by_email.then_some(refund.email.as_str()),
        };
        match self.provider.create_refund(&new).await {
            Ok(answer) => self.apply_refund(refund.id, &answer).await.map(|()| SendOutcome::Made),
            Err(error @ ProviderError::Refused { .. }) => self.settle_refused(refund, intent, error).await,
            Err(error) => Err(error.into()),
        }
    }

    /// Handles a refused refund: it exists already, its money was returned by other means, or it
    /// can't be made now.
    async fn settle_refused(
        &self,
        refund: &OpenRefund,
        intent: &str,
        refusal: ProviderError,
    ) -> Result<SendOutcome, SettlementError> {
        let id = refund.id.to_string();
        let made = self.provider.list_refunds(intent).await?;
        let own = made.iter().find(|made| made.own_id.as_deref() == Some(&id));
        let is_same = |made: &&ProviderRefund| {
            made.own_id.is_none() && made.amount == refund.amount && made.state != ProviderRefundState::Failed
        };
        for made in own.into_iter().chain(made.iter().rev().filter(is_same)) {
            if refund::link(&mut *self.pool.acquire().await?, refund.id, &made.id).await? {
                self.apply_refund(refund.id, made).await?;
                return Ok(SendOutcome::Made);
            }
        }
        let returned = match refund.method {
            // The money of a failed one is in the customer's cash balance, not in the payment.
            Method::BankTransfer => made.iter().map(|made| made.amount).sum(),
            _ => sum_made(&made),
        };
        let left = refund.paid - returned - self.sum_lost(intent).await?;
        match self.overtake(refund.id, left).await? {
            Overtaking::Overtaken { rest } => Ok(SendOutcome::Overtaken { rest }),
            Overtaking::Waits => {
                due::count_refusal(&mut *self.pool.acquire().await?, refund).await?;
                Err(refusal.into())
            }
        }
    }

    /// Yen of a payment that the buyer got back by disputes.
    async fn sum_lost(&self, intent: &str) -> Result<i32, SettlementError> {
        let disputes = self.provider.list_disputes(intent).await?;
        let lost = disputes.iter().filter(|dispute| dispute.status == DisputeStatus::Lost);
        Ok(lost.map(|dispute| dispute.amount).sum())
    }

    async fn overtake(&self, refund: Uuid, left: i32) -> Result<Overtaking, SettlementError> {
        let mut transaction = self.pool.begin().await?;
        let now = self.clock.now();
        let overtaking = overtaken_refund::overtake(&mut transaction, refund, left, now).await?;
        transaction.commit().await?;
        self.new_refund.wake();
        Ok(overtaking)
    }

    /// Settles the refunds that must come before a change of the payment: sends unsent ones, and
    /// overtakes failed ones if needed. Returns the refunds that were handled.
    pub(super) async fn settle_owed(
        &self,
        of: &IntentPayment,
        intent: &str,
        owed: &OwedRefunds,
    ) -> Result<Vec<Uuid>, SettlementError> {
        let mut settled = Vec::new();
        for refund in &owed.unsent {
            settled.push(refund.id);
            match self.send_refund(refund, intent).await {
                Ok(SendOutcome::Made) | Err(SettlementError::Provider(ProviderError::Refused { .. })) => {}
                Ok(SendOutcome::Overtaken { rest }) => settled.extend(rest),
                Err(error) => return Err(error),
            }
        }
        if !owed.failed.is_empty() {
            let made = self.provider.list_refunds(intent).await?;
            let left = of.amount - sum_made(&made) - self.sum_lost(intent).await?;
            for failed in &owed.failed {
                settled.push(*failed);
                if let Overtaking::Overtaken { rest } = self.overtake(*failed, left).await? {
                    settled.extend(rest);
                }
            }
        }
        Ok(settled)
    }

    /// Requests the return of money in the customer's cash balance.
    pub(super) async fn return_balance(
        &self,
        refund: &OpenRefund,
        customer: &str,
    ) -> Result<(), SettlementError> {
        // The provider may have returned the money already.
        if self.is_key_forgotten(refund) && self.provider.find_balance(customer).await? < refund.amount {
            return self.change_refund(refund.id, None, ReportedState::Succeeded).await;
        }
        let answer = self.provider.return_balance(customer, refund.amount, &key(refund)).await?;
        self.apply_refund(refund.id, &answer).await
    }

    /// Whether the provider may have forgotten the key of the first request, so that a repeated one is a new one.
    fn is_key_forgotten(&self, refund: &OpenRefund) -> bool {
        self.clock.now() - refund.requested_at > KEY_PERIOD
    }

    /// The provider's payment intent to refund. The answer that settled the payment may have lacked
    /// it.
    async fn find_intent(&self, refund: &OpenRefund) -> Result<String, SettlementError> {
        if let Some(intent) = &refund.intent {
            return Ok(intent.clone());
        }
        let session = refund.session.as_deref().ok_or(ProviderError::NotFound)?;
        Ok(self.provider.find_session(session).await?.intent.ok_or(ProviderError::NotFound)?)
    }

    /// Queries the provider about a refund.
    pub(super) async fn check_refund(&self, id: Uuid, provider_refund: &str) -> Result<(), SettlementError> {
        let answer = self.provider.find_refund(provider_refund).await?;
        self.apply_refund(id, &answer).await
    }

    /// Applies a refund that exists at the provider: ours with a lost answer, or one that was made
    /// there.
    pub(super) async fn apply_made_refund(&self, made: &ProviderRefund) -> Result<(), SettlementError> {
        let own = made.own_id.as_deref().and_then(|id| id.parse().ok());
        if let Some(own) = own
            && refund::is_made_as(&mut *self.pool.acquire().await?, own, &made.id).await?
        {
            return self.apply_refund(own, made).await;
        }
        let Some(intent) = &made.intent else { return Ok(()) };
        let Some(of) = self.find_intent_payment(Some(intent)).await? else { return Ok(()) };
        if made.state == ProviderRefundState::Failed && !self.is_bank_transfer(intent).await? {
            // The refund failed before it was seen: its money never left.
            return Ok(());
        }
        self.refresh_refunds(intent).await?;
        let mut settled = Vec::new();
        loop {
            match self.adopt(&of, made, &settled).await? {
                Adoption::Is(id) => return self.apply_refund(id, made).await,
                Adoption::After(owed) => settled.extend(self.settle_owed(&of, intent, &owed).await?),
                Adoption::Unknown => return Ok(()),
            }
        }
    }

    /// Whether a payment is a bank transfer. The money of its failed refund is in the customer's
    /// cash balance and not in the payment.
    async fn is_bank_transfer(&self, intent: &str) -> sqlx::Result<bool> {
        let payment = payment::find_by_intent(&mut *self.pool.acquire().await?, intent).await?;
        Ok(payment.is_some_and(|payment| payment.method == Method::BankTransfer))
    }

    /// Applies the states of the known refunds of a payment, so a refund that has failed is not
    /// counted as paid.
    pub(super) async fn refresh_refunds(&self, intent: &str) -> Result<(), SettlementError> {
        for made in self.provider.list_refunds(intent).await? {
            let known = refund::find_by_provider_refund(&mut *self.pool.acquire().await?, &made.id).await?;
            if let Some(id) = known {
                self.apply_refund(id, &made).await?;
            }
        }
        Ok(())
    }

    async fn adopt(
        &self,
        of: &IntentPayment,
        made: &ProviderRefund,
        settled: &[Uuid],
    ) -> Result<Adoption, SettlementError> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let adoption = outside_refund::adopt(&mut transaction, &self.outbox, of, made, settled, now).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(adoption)
    }

    /// Finds the payment of an intent, after its success is booked. Returns `None` if it belongs to
    /// another system.
    pub(super) async fn find_intent_payment(
        &self,
        intent: Option<&str>,
    ) -> Result<Option<IntentPayment>, SettlementError> {
        let Some(intent) = intent else { return Ok(None) };
        if let Some(of) = self.find_received(intent).await? {
            return Ok(Some(of));
        }
        // The event of the payment comes later, or is lost.
        self.check_reported_intent(intent).await?;
        let of = self.find_received(intent).await?;
        if of.is_none() {
            tracing::warn!(intent, "a refund or a dispute belongs to no received payment");
        }
        Ok(of)
    }

    async fn find_received(&self, intent: &str) -> sqlx::Result<Option<IntentPayment>> {
        let found = outside_refund::find_payment(&mut *self.pool.acquire().await?, intent).await?;
        Ok(found.filter(|of| of.is_received))
    }

    async fn apply_refund(&self, id: Uuid, answer: &ProviderRefund) -> Result<(), SettlementError> {
        self.change_refund(id, Some(&answer.id), answer.state.into()).await?;
        if answer.state == ProviderRefundState::Other {
            return Err(SettlementError::UnknownState(answer.id.clone()));
        }
        Ok(())
    }

    async fn change_refund(
        &self,
        id: Uuid,
        provider_refund: Option<&str>,
        reported: ReportedState,
    ) -> Result<(), SettlementError> {
        let mut transaction = self.pool.begin().await?;
        let now = self.clock.now();
        returned_payment::apply_reported_state(
            &mut transaction,
            &self.outbox,
            id,
            provider_refund,
            reported,
            now,
        )
        .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}

/// Yen of refunds that are completed or in progress.
fn sum_made(made: &[ProviderRefund]) -> i32 {
    let under_way = made.iter().filter(|made| made.state != ProviderRefundState::Failed);
    under_way.map(|made| made.amount).sum()
}
