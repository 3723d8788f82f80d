//! Payments with a saved card. Each attempt is charged once, even if answers are lost.

use kit_db::Transaction;
use time::Duration;
use tracing::Instrument as _;

use super::{CHECK_PERIOD, Outcome, Settlement};
use crate::order::State;
use crate::order::change::{self, Ending, LockedOrder};
use crate::payment::{self, Payment};
use crate::provider::{CardIntent, CardIntentStatus, NewCharge, ProviderError};
use crate::settlement_error::SettlementError;
use crate::subscription;
use crate::subscription_rules;

/// How long a call may be repeated with its idempotency key. The provider forgets the key after
/// 24 h, and the same call would then charge again.
const KEY_PERIOD: Duration = Duration::hours(23);
/// The search for a payment's intent starts this long before the payment, in case the clocks
/// differ.
const CLOCK_TOLERANCE: Duration = Duration::minutes(10);
/// The decline code if there is no saved card.
const CARD_MISSING: &str = "card_missing";
/// The decline code if the provider refused the request for a reason other than the card.
const REFUSED: &str = "card_declined";

impl Settlement {
    /// Charges the card of a payment. Within the lifetime of the idempotency key, a repeated call
    /// returns the same charge. After that, it first searches for the charge at the provider.
    pub(super) async fn charge_card(&self, payment: &Payment) -> Result<(), SettlementError> {
        let (Some(card), Some(customer)) = (&payment.card, &payment.customer) else {
            return self.refuse_charge(payment, None, CARD_MISSING).await;
        };
        if payment.created_at + KEY_PERIOD <= self.clock.now()
            && let Some(intent) = self.find_lost_charge(payment).await?
        {
            return self.apply_charge(payment, &intent).await;
        }
        let label = payment::find_order_label(&mut *self.pool.acquire().await?, payment.order).await?;
        let key = match (label.renews, label.renewal_period) {
            (Some(subscription), Some(period)) => format!("{subscription}:{period}:{}", payment.attempt),
            _ => format!("{}:{}", label.number, payment.attempt),
        };
        let return_url = self.return_url(payment.order, label.has_subscription);
        let (id, order) = (payment.id.to_string(), payment.order.to_string());
        let new = NewCharge {
            key: &key,
            customer,
            payment_method: card,
            amount: payment.amount,
            payment: &id,
            order: &order,
            number: &label.number,
            return_url: (!payment.is_off_session).then_some(return_url.as_str()),
        };
        match self.provider.charge_card(&new).await {
            Ok(intent) => self.apply_charge(payment, &intent).await,
            Err(ProviderError::Declined { reason, intent }) => {
                self.refuse_charge(payment, intent.as_deref(), &reason).await
            }
            Err(error @ ProviderError::Unreachable(_)) => {
                self.mark_unknown(payment).await?;
                Err(error.into())
            }
            Err(error) => {
                tracing::error!(order = label.number, %error, "the provider refused a charge");
                self.refuse_charge(payment, None, REFUSED).await
            }
        }
    }

    /// Queries the provider about the charge of an open payment. Closes it if its
    /// 3-D Secure page has expired.
    pub(super) async fn check_charge(&self, payment: &Payment) -> Result<(), SettlementError> {
        let Some(id) = &payment.intent else { return self.charge_card(payment).await };
        let intent = self.provider.find_charge(id).await?;
        if intent.status == CardIntentStatus::Open && payment.page_expires_at <= self.clock.now() {
            return self.cancel_charge(payment, id).await;
        }
        self.apply_charge(payment, &intent).await
    }

    /// Closes an open payment with a saved card at the provider, and applies its state. Searches
    /// for a charge whose answer was lost.
    pub(super) async fn close_charge(&self, payment: &Payment) -> Result<(), SettlementError> {
        let found = match &payment.intent {
            Some(id) => Some(id.clone()),
            None => self.find_lost_charge(payment).await?.map(|intent| intent.id),
        };
        match found {
            Some(id) => self.cancel_charge(payment, &id).await,
            None => Ok(()),
        }
    }

    async fn cancel_charge(&self, payment: &Payment, id: &str) -> Result<(), SettlementError> {
        let intent = match self.provider.cancel_charge(id).await {
            // The charge does not wait for the buyer.
            Err(ProviderError::Refused { .. }) => self.provider.find_charge(id).await,
            answer => answer,
        };
        self.apply_charge(payment, &intent?).await
    }

    async fn find_lost_charge(&self, payment: &Payment) -> Result<Option<CardIntent>, SettlementError> {
        let Some(customer) = &payment.customer else { return Ok(None) };
        let since = payment.created_at - CLOCK_TOLERANCE;
        Ok(self.provider.find_charge_of_payment(customer, &payment.id.to_string(), since).await?)
    }

    /// Books the provider's state of a payment with a saved card, in the trace of the request that
    /// placed the order.
    pub(super) async fn apply_charge(
        &self,
        payment: &Payment,
        intent: &CardIntent,
    ) -> Result<(), SettlementError> {
        let span = Self::settlement_span(payment);
        self.book_charge(payment, intent).instrument(span).await
    }

    async fn book_charge(&self, payment: &Payment, intent: &CardIntent) -> Result<(), SettlementError> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let Some(order) = change::lock_order(&mut transaction, payment.order).await? else { return Ok(()) };
        let state = payment::lock_payment(&mut transaction, payment.id).await?;
        payment::store_charge(&mut transaction, payment.id, intent).await?;
        let outcome = match intent.status {
            CardIntentStatus::Succeeded => {
                self.book_success(&mut transaction, &order, payment, state, intent.amount, now).await?
            }
            CardIntentStatus::Cancelled => {
                let closed =
                    payment::close_payment(&mut transaction, payment.id, payment::State::Expired, now)
                        .await?;
                closed.then_some(Outcome::Expired)
            }
            CardIntentStatus::Refused => {
                let reason = intent.decline_code.as_deref().unwrap_or(REFUSED);
                self.book_refusal(&mut transaction, &order, payment, Some(&intent.id), reason).await?
            }
            CardIntentStatus::Open | CardIntentStatus::Other => {
                if matches!(state, payment::State::Created | payment::State::Unknown) {
                    change::schedule_check(&mut transaction, order.id, now + CHECK_PERIOD, now).await?;
                }
                None
            }
        };
        transaction.commit().await?;
        self.announce_outcome(outcome);
        if intent.status == CardIntentStatus::Other {
            return Err(SettlementError::UnknownState(intent.id.clone()));
        }
        Ok(())
    }

    /// Books that the card of a payment was refused.
    async fn refuse_charge(
        &self,
        payment: &Payment,
        intent: Option<&str>,
        reason: &str,
    ) -> Result<(), SettlementError> {
        let refuse = async {
            let mut transaction = self.pool.begin().await?;
            let Some(order) = change::lock_order(&mut transaction, payment.order).await? else {
                return Ok(());
            };
            payment::lock_payment(&mut transaction, payment.id).await?;
            let outcome = self.book_refusal(&mut transaction, &order, payment, intent, reason).await?;
            transaction.commit().await?;
            self.announce_outcome(outcome);
            Ok(())
        };
        refuse.instrument(Self::settlement_span(payment)).await
    }

    /// The order and the payment are locked. A refused renewal that the scheduler charged becomes
    /// past due.
    async fn book_refusal(
        &self,
        transaction: &mut Transaction,
        order: &LockedOrder,
        payment: &Payment,
        intent: Option<&str>,
        reason: &str,
    ) -> sqlx::Result<Option<Outcome>> {
        let now = self.clock.now();
        if !payment::refuse_payment(transaction, payment.id, intent, reason, now).await? {
            return Ok(None);
        }
        if let Some(subscription) = order.renews.filter(|_| payment.is_off_session)
            && order.state == State::AwaitingPayment
        {
            let state = subscription::change::refuse(
                transaction,
                &self.outbox,
                subscription,
                &order.as_renewal(),
                reason,
                now,
            )
            .await?;
            if state == subscription_rules::State::Ended {
                change::end_order(transaction, &self.outbox, order, Ending::Cancelled, now).await?;
            }
        }
        Ok(Some(Outcome::Failed))
    }
}
