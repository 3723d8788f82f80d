//! The cash balance of a customer: money of bank transfers that no payment has taken yet.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::form::{Form, invalid};
use crate::id::new_id;
use crate::state::State;

/// The maximum number of payments that one transfer pays automatically.
const LARGEST_GROUP: usize = 5;

/// Who matches the money of transfers to payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReconciliationMode {
    /// The provider, by amount.
    Automatic,
    /// The merchant, by `apply_customer_balance`.
    Manual,
}

impl ReconciliationMode {
    /// Takes `parent[reconciliation_mode]`.
    pub(crate) fn take(form: &mut Form, parent: &str) -> Result<Option<String>, ApiError> {
        form.take_word(
            &format!("{parent}[reconciliation_mode]"),
            &["automatic", "manual", "merchant_default"],
        )
    }

    /// The mode of a customer, or `None` if the customer uses the merchant's mode.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "automatic" => Some(Self::Automatic),
            "manual" => Some(Self::Manual),
            _ => None,
        }
    }
}

/// A change of a cash balance.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct CashTransaction {
    pub(crate) id: String,
    pub(crate) customer: String,
    pub(crate) created: i64,
    /// Yen, negative if money leaves the balance.
    pub(crate) net_amount: i64,
    pub(crate) ending_balance: i64,
    pub(crate) cause: CashCause,
}

/// Why a cash balance changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CashCause {
    /// A bank transfer arrived.
    Funded { sender_name: String },
    /// Money was applied to a payment intent.
    AppliedToPayment(String),
    /// A payment intent was canceled.
    UnappliedFromPayment(String),
    /// A refund of a payment failed to reach the bank account.
    RefundedFromPayment(String),
    /// A refund of the balance itself was started.
    ReturnInitiated,
    /// A refund of the balance itself failed to reach the bank account.
    ReturnCanceled,
}

impl CashCause {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Funded { .. } => "funded",
            Self::AppliedToPayment(_) => "applied_to_payment",
            Self::UnappliedFromPayment(_) => "unapplied_from_payment",
            Self::RefundedFromPayment(_) => "refunded_from_payment",
            Self::ReturnInitiated => "return_initiated",
            Self::ReturnCanceled => "return_canceled",
        }
    }

    /// The details, under the key of the cause.
    fn details(&self) -> Value {
        match self {
            Self::Funded { sender_name } => json!({"bank_transfer": {
                "type": "jp_bank_transfer",
                "reference": null,
                "jp_bank_transfer": {
                    "sender_bank": "試験銀行",
                    "sender_branch": "本店",
                    "sender_name": sender_name,
                },
            }}),
            Self::AppliedToPayment(intent) | Self::UnappliedFromPayment(intent) => {
                json!({"payment_intent": intent})
            }
            Self::RefundedFromPayment(refund) => json!({"refund": refund}),
            Self::ReturnInitiated | Self::ReturnCanceled => Value::Null,
        }
    }
}

impl CashTransaction {
    /// The transaction in the API's format.
    pub(crate) fn to_json(&self) -> Value {
        let name = self.cause.name();
        let mut object = json!({
            "id": self.id,
            "object": "customer_cash_balance_transaction",
            "created": self.created,
            "currency": "jpy",
            "customer": self.customer,
            "ending_balance": self.ending_balance,
            "livemode": false,
            "net_amount": self.net_amount,
            "type": name,
        });
        let details = self.cause.details();
        if !details.is_null() {
            object[name] = details;
        }
        object
    }
}

impl State {
    /// The available cash balance of a customer in yen.
    pub(crate) fn cash_of(&self, customer: &str) -> i64 {
        let last = self.cash_transactions.iter().rev().find(|transaction| transaction.customer == customer);
        last.map_or(0, |transaction| transaction.ending_balance)
    }

    fn mode_of(&self, customer: &str) -> ReconciliationMode {
        let found = self.customers.iter().find(|found| found.id == customer);
        found.and_then(|customer| customer.reconciliation_mode).unwrap_or(ReconciliationMode::Automatic)
    }

    /// The cash balance in the API's format.
    pub(crate) fn cash_balance_json(&self, id: &str) -> Result<Value, ApiError> {
        let customer = self.customer(id)?;
        let is_used = self.cash_transactions.iter().any(|transaction| transaction.customer == id);
        let available = is_used.then(|| json!({"jpy": self.cash_of(id)}));
        Ok(json!({
            "object": "cash_balance",
            "available": available,
            "customer": id,
            "livemode": false,
            "settings": {
                "reconciliation_mode": self.mode_of(id),
                "using_merchant_default": customer.reconciliation_mode.is_none(),
            },
        }))
    }

    /// Sets the reconciliation mode of a customer.
    pub(crate) fn set_reconciliation(&mut self, id: &str, mode: &str, now: i64) -> Result<Value, ApiError> {
        self.customer_mut(id)?.reconciliation_mode = ReconciliationMode::from_name(mode);
        if self.mode_of(id) == ReconciliationMode::Automatic {
            self.reconcile(id, self.cash_of(id), now);
        }
        self.cash_balance_json(id)
    }

    /// Books a change of a cash balance.
    pub(crate) fn record_cash(&mut self, customer: &str, net_amount: i64, cause: CashCause, now: i64) {
        let transaction = CashTransaction {
            id: new_id("ccsbtxn"),
            customer: customer.to_owned(),
            created: now,
            net_amount,
            ending_balance: self.cash_of(customer) + net_amount,
            cause,
        };
        let object = transaction.to_json();
        self.cash_transactions.push(transaction);
        self.publish("customer_cash_balance_transaction.created", object, now);
    }

    /// Records an incoming bank transfer.
    pub(crate) fn receive_transfer(
        &mut self,
        customer: &str,
        amount: i64,
        sender_name: Option<String>,
        now: i64,
    ) -> Result<(), ApiError> {
        let known = self.customer_mut(customer)?;
        if !(1..=99_999_999).contains(&amount) {
            return Err(invalid("amount"));
        }
        let sender_name = sender_name.or(known.name.clone()).unwrap_or_else(|| "フリコミ ニン".to_owned());
        self.record_cash(customer, amount, CashCause::Funded { sender_name }, now);
        if self.mode_of(customer) == ReconciliationMode::Automatic {
            self.reconcile(customer, amount, now);
        }
        if self.cash_of(customer) > 0 {
            let balance = self.cash_balance_json(customer)?;
            self.publish("cash_balance.funds_available", balance, now);
        }
        Ok(())
    }

    /// Pays a new intent at once if the customer's balance covers it and reconciliation is
    /// automatic.
    pub(crate) fn apply_available_cash(&mut self, id: &str, now: i64) {
        let Some(intent) = self.intent(id) else { return };
        let (amount, Some(customer)) = (intent.amount, intent.customer.as_deref()) else { return };
        let is_automatic = self.mode_of(customer) == ReconciliationMode::Automatic;
        if is_automatic && self.cash_of(customer) >= amount {
            self.apply_cash(id, amount, now);
        }
    }

    /// Pays the smallest and oldest group of payments whose amounts add up to `sum`. Without such a
    /// group, pays the oldest payments as far as the balance covers them.
    fn reconcile(&mut self, customer: &str, sum: i64, now: i64) {
        let waiting = self.intents.iter().filter(|intent| intent.customer.as_deref() == Some(customer));
        let waiting: Vec<_> =
            waiting.filter_map(|intent| Some((intent.id.clone(), intent.transfer_remaining()?))).collect();
        let remaining: Vec<_> = waiting.iter().map(|(_, amount)| *amount).collect();
        let group = find_group(&remaining, sum).unwrap_or_else(|| (0..waiting.len()).collect());
        for (intent, remaining) in group.into_iter().filter_map(|place| waiting.get(place)) {
            let amount = self.cash_of(customer).min(*remaining);
            if amount > 0 {
                self.apply_cash(intent, amount, now);
            }
        }
    }
}

/// The indexes of the smallest and earliest group of amounts that add up to `sum`.
fn find_group(amounts: &[i64], sum: i64) -> Option<Vec<usize>> {
    (1..=LARGEST_GROUP.min(amounts.len())).find_map(|size| find_group_of(amounts, 0, size, sum))
}

fn find_group_of(amounts: &[i64], first: usize, size: usize, sum: i64) -> Option<Vec<usize>> {
    if size == 0 {
        return (sum == 0).then(Vec::new);
    }
    (first..amounts.len()).filter(|place| amounts[*place] <= sum).find_map(|place| {
        let mut group = find_group_of(amounts, place + 1, size - 1, sum - amounts[place])?;
        group.insert(0, place);
        Some(group)
    })
}
