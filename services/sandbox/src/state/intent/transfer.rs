//! Payments by bank transfer to the virtual account of the customer.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Method;
use crate::error::ApiError;
use crate::form::Form;
use crate::id::new_digits;
use crate::state::State;
use crate::state::cash_balance::CashCause;

pub(crate) const BANK: (&str, &str) = ("サンドボックス銀行", "9999");
pub(crate) const BRANCH: (&str, &str) = ("試験支店", "101");
pub(crate) const HOLDER: &str = "カ）サンドボックス";

/// A payment by bank transfer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Transfer {
    pub(crate) account_number: String,
    reference: String,
    /// The yen of the cash balance that were applied to this payment.
    pub(crate) applied: i64,
}

impl Transfer {
    pub(super) fn new(account_number: String) -> Self {
        Self { account_number, reference: new_digits(12), applied: 0 }
    }

    /// Checks the parameters, which each have only one supported value.
    pub(super) fn check(form: &mut Form) -> Result<(), ApiError> {
        form.require_word("payment_method_data[type]", &["customer_balance"])?;
        let option = |name: &str| format!("payment_method_options[customer_balance]{name}");
        form.require_word(&option("[funding_type]"), &["bank_transfer"])?;
        form.require_word(&option("[bank_transfer][type]"), &["jp_bank_transfer"])?;
        Ok(())
    }

    /// The instructions in the API's format.
    pub(super) fn instructions(&self, url: &str, remaining: i64) -> Value {
        json!({
            "amount_remaining": remaining,
            "currency": "jpy",
            "financial_addresses": [{
                "type": "zengin",
                "supported_networks": ["zengin"],
                "zengin": {
                    "account_holder_name": HOLDER,
                    "account_number": self.account_number,
                    "account_type": "futsu",
                    "bank_code": BANK.1,
                    "bank_name": BANK.0,
                    "branch_code": BRANCH.1,
                    "branch_name": BRANCH.0,
                },
            }],
            "hosted_instructions_url": url,
            "reference": self.reference,
            "type": "jp_bank_transfer",
        })
    }
}

impl State {
    /// Applies money of the cash balance to an intent on request. Without an amount, applies all
    /// that remains to be paid.
    pub(crate) fn apply_customer_balance(
        &mut self,
        id: &str,
        amount: Option<i64>,
        now: i64,
    ) -> Result<(), ApiError> {
        let intent = self.named_intent(id)?;
        let (Some(remaining), Some(customer)) = (intent.transfer_remaining(), &intent.customer) else {
            let message = "This PaymentIntent does not wait for a bank transfer.";
            return Err(ApiError::intent_state(message, self.intent_json(intent)));
        };
        let amount = amount.unwrap_or(remaining);
        if amount > remaining {
            let message = "The amount is greater than what remains of the PaymentIntent.";
            return Err(ApiError::state(Some("amount_too_large"), message));
        }
        if amount > self.cash_of(customer) {
            let message = "The cash balance of the customer is less than the amount.";
            return Err(ApiError::state(Some("insufficient_funds"), message));
        }
        self.apply_cash(id, amount, now);
        Ok(())
    }

    /// Applies money of the cash balance to an intent that awaits at least this amount.
    pub(crate) fn apply_cash(&mut self, id: &str, amount: i64, now: i64) {
        let Some(customer) = self.intent(id).and_then(|intent| intent.customer.clone()) else { return };
        self.record_cash(&customer, -amount, CashCause::AppliedToPayment(id.to_owned()), now);
        let found = self.intents.iter_mut().find(|intent| intent.id == id);
        let is_paid = found.is_some_and(|intent| {
            if let Method::Transfer(transfer) = &mut intent.method {
                transfer.applied += amount;
            }
            intent.transfer_remaining() == Some(0)
        });
        if is_paid {
            self.succeed_intent(id, now);
        } else {
            self.change_intent(id, "payment_intent.partially_funded", now, |_| ());
        }
    }
}
