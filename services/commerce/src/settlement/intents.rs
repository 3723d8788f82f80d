//! Payments at convenience stores and by bank transfer: payment intents, without the provider's
//! page.

use tracing::{Instrument as _, Span};

use super::{INTENT_CHECK_PERIOD, Outcome, SETTLED_PAYMENTS, Settlement};
use crate::order::State;
use crate::order::change::{self, Ending};
use crate::order::{notice, transfer_matching};
use crate::payment::{self, Method, OrderLabel, Payment};
use crate::provider::{Intent, IntentStatus, NewIntent, ProviderError};
use crate::refund;
use crate::settlement_error::SettlementError;
use crate::transfer::account;

/// Seconds per hour.
const HOUR: i64 = 3_600;

impl Settlement {
    /// Creates the payment intent of a payment. A repeated call with the same key returns the same
    /// intent.
    pub(super) async fn create_intent(&self, payment: &Payment) -> Result<(), SettlementError> {
        let label = payment::find_order_label(&mut *self.pool.acquire().await?, payment.order).await?;
        match self.ask_for_intent(payment, &label).await {
            Ok(intent) => self.apply_intent(payment, &intent).await,
            Err(error @ SettlementError::Provider(ProviderError::Unreachable(_))) => {
                self.mark_unknown(payment).await?;
                Err(error)
            }
            Err(SettlementError::Provider(error)) => {
                // No intent exists: if the key had one, the provider would return it.
                tracing::error!(order = label.number, %error, "the provider refused a payment");
                self.close_payment(payment, payment::State::Failed, Outcome::Failed).await
            }
            Err(error) => Err(error),
        }
    }

    async fn ask_for_intent(&self, payment: &Payment, label: &OrderLabel) -> Result<Intent, SettlementError> {
        let reference = payment.order.to_string();
        let key = format!("{}:{}", label.number, payment.attempt);
        let new =
            NewIntent { key: &key, reference: &reference, number: &label.number, amount: payment.amount };
        if payment.method == Method::Konbini {
            let (name, email) = (&label.name, &label.email);
            return Ok(self.provider.create_konbini(&new, name, email, payment.page_expires_at).await?);
        }
        let customer = self.prepare_customer(payment, label).await?;
        Ok(self.provider.create_bank_transfer(&new, &customer).await?)
    }

    /// Returns the customer who pays by bank transfer. Its cash balance then has at most the money
    /// that is held for this payment.
    async fn prepare_customer(
        &self,
        payment: &Payment,
        label: &OrderLabel,
    ) -> Result<String, SettlementError> {
        let customer = match (&payment.customer, label.account) {
            (Some(customer), _) => customer.clone(),
            (None, Some(account)) => self.ensure_customer(account, &label.email, &label.name).await?,
            // The account was erased, and the order is about to end.
            (None, None) => return Err(ProviderError::NotFound.into()),
        };
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        payment::store_customer(&mut transaction, payment.id, &customer).await?;
        account::watch(&mut transaction, &customer, label.due_at, now).await?;
        transaction.commit().await?;
        self.provider.set_manual_matching(&customer).await?;
        self.send_returns(&customer).await?;
        Ok(customer)
    }

    /// Queries the provider about an intent, and applies its state.
    pub(super) async fn check_intent(&self, payment: &Payment, intent: &str) -> Result<(), SettlementError> {
        self.apply_intent(payment, &self.provider.find_intent(intent).await?).await
    }

    /// Cancels the intent of a payment at the provider, and applies its state.
    pub(super) async fn cancel_intent(
        &self,
        payment: &Payment,
        intent: &str,
        ending: Ending,
    ) -> Result<(), SettlementError> {
        let cancelled = match self.provider.cancel_intent(intent).await {
            // It was paid or cancelled already.
            Err(ProviderError::Refused { .. }) => self.provider.find_intent(intent).await,
            answer => answer,
        };
        match cancelled {
            Ok(intent) if intent.status == IntentStatus::Cancelled => {
                self.close_payment(payment, ending.payment_state(), ending.into()).await
            }
            Ok(intent) => self.apply_intent(payment, &intent).await,
            Err(error @ ProviderError::NotFound) => {
                tracing::error!(payment = %payment.id, %error, "a payment is closed without its intent");
                self.close_payment(payment, ending.payment_state(), ending.into()).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Pays a payment from the cash balance of its customer, unless it was paid already.
    pub(super) async fn apply_balance(&self, payment: &Payment) -> Result<(), SettlementError> {
        let Some(id) = &payment.intent else { return self.create_intent(payment).await };
        let found = self.provider.find_intent(id).await?;
        if found.status != IntentStatus::RequiresAction {
            return self.apply_intent(payment, &found).await;
        }
        // The provider pays an intent once, regardless of the key. A retry after a refusal needs
        // another key.
        let hour = self.clock.now().unix_timestamp() / HOUR;
        let key = format!("apply:{}:{hour}", payment.id);
        let applied = match self.provider.apply_balance(id, payment.amount, &key).await {
            Err(error @ ProviderError::Refused { .. }) => {
                tracing::error!(payment = %payment.id, %error, "transfers were not applied to their order");
                self.provider.find_intent(id).await?
            }
            answer => answer?,
        };
        self.apply_intent(payment, &applied).await
    }

    /// Books the provider's state of an intent, in the trace of the request that placed the order.
    pub(super) async fn apply_intent(
        &self,
        payment: &Payment,
        intent: &Intent,
    ) -> Result<(), SettlementError> {
        let span = Self::settlement_span(payment);
        self.book_intent(payment, intent).instrument(span).await
    }

    async fn book_intent(&self, payment: &Payment, intent: &Intent) -> Result<(), SettlementError> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let Some(order) = change::lock_order(&mut transaction, payment.order).await? else { return Ok(()) };
        let state = payment::lock_payment(&mut transaction, payment.id).await?;
        let has_new_instructions = payment::store_intent(&mut transaction, payment.id, intent).await?;
        let is_awaiting = order.state == State::AwaitingPayment && !order.is_ending;
        let mut returns = false;
        let outcome = match intent.status {
            IntentStatus::Succeeded if state == payment::State::Succeeded => return Ok(()),
            IntentStatus::Succeeded => {
                payment::mark_succeeded(&mut transaction, payment.id, now).await?;
                if payment.method == Method::BankTransfer {
                    let matched = transfer_matching::cover(&mut transaction, order.id, payment, now).await?;
                    returns = matched == transfer_matching::TransferMatch::Returned;
                }
                if is_awaiting && intent.amount_received == payment.amount {
                    change::pay_order(&mut transaction, &self.outbox, &order, payment, now).await?;
                    Some(Outcome::Paid)
                } else {
                    tracing::error!(
                        order = order.number,
                        amount = intent.amount_received,
                        expected = payment.amount,
                        "a payment came for no open order, or has another amount, and is refunded"
                    );
                    refund::return_payment(&mut transaction, payment, intent.amount_received, now).await?;
                    returns = true;
                    Some(Outcome::Returned)
                }
            }
            IntentStatus::Cancelled | IntentStatus::Failed => {
                let closed = payment::State::Expired;
                let is_closed = payment::close_payment(&mut transaction, payment.id, closed, now).await?;
                is_closed.then_some(Outcome::Expired)
            }
            IntentStatus::RequiresAction | IntentStatus::Processing | IntentStatus::Other => {
                if matches!(state, payment::State::Created | payment::State::Unknown) {
                    let at = now + INTENT_CHECK_PERIOD;
                    change::schedule_check(&mut transaction, order.id, at, now).await?;
                }
                if has_new_instructions && is_awaiting {
                    notice::publish_instructions(&mut transaction, &self.outbox, &order, now).await?;
                }
                None
            }
        };
        transaction.commit().await?;
        self.outbox.wake();
        if returns {
            self.new_refund.wake();
        }
        if let Some(outcome) = outcome {
            Span::current().record("payment.outcome", outcome.label());
            SETTLED_PAYMENTS.increment([outcome.label()]);
        }
        if intent.status == IntentStatus::Other {
            return Err(SettlementError::UnknownState(intent.id.clone()));
        }
        Ok(())
    }
}
