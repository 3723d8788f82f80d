//! Creates refunds.

use std::collections::BTreeMap;

use super::{Refund, RefundStatus};
use crate::card::Card;
use crate::error::ApiError;
use crate::form::{Form, invalid};
use crate::id::new_id;
use crate::state::State;
use crate::state::balance::BalanceKind;
use crate::state::cash_balance::CashCause;
use crate::state::intent::{Intent, IntentStatus, Method};

/// The duration of a refund to one of the slow cards, in seconds.
const SLOW: i64 = 60;
/// The time limit for the buyer to enter a bank account, in seconds.
const ACCOUNT_TIME: i64 = 45 * 24 * 60 * 60;
/// The time limit for a refund of a bank transfer, in seconds.
const TRANSFER_TIME: i64 = 180 * 24 * 60 * 60;

/// A refund to create.
pub(crate) struct NewRefund {
    source: Source,
    amount: Option<i64>,
    reason: Option<String>,
    instructions_email: Option<String>,
    metadata: BTreeMap<String, String>,
}

enum Source {
    Intent(String),
    Charge(String),
    /// The cash balance of a customer.
    CashBalance(String),
}

impl NewRefund {
    pub(crate) fn parse(form: &mut Form) -> Result<Self, ApiError> {
        let is_cash = form.take_word("origin", &["customer_balance"])?.is_some();
        let source = if is_cash {
            form.require_word("currency", &["jpy"])?;
            Source::CashBalance(form.require("customer")?)
        } else if let Some(charge) = form.take("charge") {
            Source::Charge(charge)
        } else {
            Source::Intent(form.require("payment_intent")?)
        };
        let amount = form.take_number("amount")?;
        if is_cash && amount.is_none() {
            return Err(ApiError::parameter("parameter_missing", "amount", "Missing required param"));
        }
        if amount.is_some_and(|amount: i64| amount < 1) {
            return Err(invalid("amount"));
        }
        Ok(Self {
            source,
            amount,
            reason: form.take_word("reason", &["duplicate", "fraudulent", "requested_by_customer"])?,
            instructions_email: form.take("instructions_email"),
            metadata: form.take_map("metadata"),
        })
    }

    /// A refund that a person makes at the provider, outside the merchant's system.
    pub(crate) fn outside(intent: &Intent, amount: Option<i64>) -> Self {
        let instructions_email = match &intent.method {
            Method::Konbini(konbini) => Some(konbini.email.clone()),
            Method::Card | Method::Transfer(_) => None,
        };
        let source = Source::Intent(intent.id.clone());
        Self { source, amount, reason: None, instructions_email, metadata: BTreeMap::new() }
    }

    fn into_refund(self, prefix: &str, amount: i64, now: i64) -> Refund {
        Refund {
            id: new_id(prefix),
            intent: None,
            charge: None,
            customer: None,
            created: now,
            amount,
            status: RefundStatus::Succeeded,
            next: None,
            reason: self.reason,
            email: self.instructions_email.clone(),
            instructions_email: self.instructions_email,
            balance_transaction: None,
            failure_balance_transaction: None,
            metadata: self.metadata,
        }
    }
}

impl Refund {
    /// Makes the refund wait for the buyer's bank account.
    fn ask_for_account(&mut self, email: String) {
        self.email = Some(email);
        self.status = RefundStatus::RequiresAction;
        self.next = Some((self.created + ACCOUNT_TIME, RefundStatus::Canceled));
    }
}

impl State {
    /// Creates a refund. Without an amount, it refunds all that is left of a payment.
    pub(crate) fn create_refund(&mut self, new: NewRefund, now: i64) -> Result<Refund, ApiError> {
        match &new.source {
            Source::CashBalance(customer) => {
                let customer = customer.clone();
                self.refund_cash(&customer, new, now)
            }
            Source::Intent(intent) => {
                let intent = intent.clone();
                self.refund_intent(&intent, new, now)
            }
            Source::Charge(charge) => {
                let found = self.charge(charge).ok_or_else(|| ApiError::missing("charge", charge))?;
                let intent = found.intent.clone();
                self.refund_intent(&intent, new, now)
            }
        }
    }

    fn refund_intent(&mut self, id: &str, new: NewRefund, now: i64) -> Result<Refund, ApiError> {
        let paid = self.named_intent(id)?;
        if paid.status != IntentStatus::Succeeded {
            return Err(ApiError::state(
                None,
                "This PaymentIntent does not have a successful charge to refund.",
            ));
        }
        if paid.charge.as_deref().is_some_and(|charge| self.is_disputed(charge)) {
            let message = "This payment is disputed, so it cannot be refunded.";
            return Err(ApiError::state(Some("refund_disputed_payment"), message));
        }
        let left = paid.amount - self.refunded(id);
        if left == 0 {
            return Err(ApiError::state(
                Some("charge_already_refunded"),
                "Charge has already been refunded.",
            ));
        }
        let amount = new.amount.unwrap_or(left);
        if !(1..=left).contains(&amount) {
            return Err(ApiError::state(None, "Refund amount is greater than unrefunded amount on charge."));
        }
        let email = self.account_email(id, &new, now)?;
        let (charge, card) = (paid.charge.clone(), paid.card);
        let is_card = paid.method == Method::Card;
        let (prefix, kind) =
            if is_card { ("re", BalanceKind::Refund) } else { ("pyr", BalanceKind::PaymentRefund) };
        let mut refund = new.into_refund(prefix, amount, now);
        (refund.intent, refund.charge) = (Some(id.to_owned()), charge.clone());
        match email {
            Some(email) => refund.ask_for_account(email),
            None if card == Some(Card::PendingRefund) => {
                refund.status = RefundStatus::Pending;
                refund.next = Some((now + SLOW, RefundStatus::Succeeded));
            }
            None if card == Some(Card::FailingRefund) => {
                refund.next = Some((now + SLOW, RefundStatus::Failed));
            }
            None => {}
        }
        refund.balance_transaction = Some(self.record_balance(kind, -amount, 0, &refund.id, now));
        self.refunds.push(refund.clone());
        self.publish("refund.created", refund.to_json(), now);
        let charge = charge.and_then(|id| self.charge(&id).map(|charge| self.charge_json(charge)));
        if let Some(charge) = charge {
            self.publish("charge.refunded", charge, now);
        }
        Ok(refund)
    }

    /// The address at which the provider asks for a bank account, or `None` if the money returns to
    /// a card.
    fn account_email(&self, intent: &str, new: &NewRefund, now: i64) -> Result<Option<String>, ApiError> {
        let paid = self.named_intent(intent)?;
        let email = match &paid.method {
            Method::Card => return Ok(None),
            Method::Konbini(_) => new.instructions_email.clone(),
            Method::Transfer(_) => {
                if now - paid.created > TRANSFER_TIME {
                    let message = "A bank transfer can be refunded for 180 days.";
                    return Err(ApiError::state(Some("charge_not_refundable"), message));
                }
                let customer = paid.customer.as_deref().unwrap_or_default();
                new.instructions_email.clone().or_else(|| self.customer(customer).ok()?.email.clone())
            }
        };
        email.map(Some).ok_or_else(no_email)
    }

    fn refund_cash(&mut self, customer: &str, new: NewRefund, now: i64) -> Result<Refund, ApiError> {
        let email = self.referenced_customer(customer)?.email.clone();
        let email = new.instructions_email.clone().or(email).ok_or_else(no_email)?;
        let amount = new.amount.unwrap_or_default();
        if amount > self.cash_of(customer) {
            let message = "The cash balance of the customer is less than the amount.";
            return Err(ApiError::state(Some("insufficient_funds"), message));
        }
        let mut refund = new.into_refund("pyr", amount, now);
        refund.customer = Some(customer.to_owned());
        refund.ask_for_account(email);
        self.record_cash(customer, -amount, CashCause::ReturnInitiated, now);
        self.refunds.push(refund.clone());
        self.publish("refund.created", refund.to_json(), now);
        Ok(refund)
    }
}

fn no_email() -> ApiError {
    ApiError::parameter("parameter_missing", "instructions_email", "Missing required param")
}
