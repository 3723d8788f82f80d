//! Balance transactions: the movements of the merchant's balance at the provider, with their fees.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::id::new_id;
use crate::state::State;

/// A balance transaction.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct BalanceTransaction {
    pub(crate) id: String,
    pub(crate) created: i64,
    /// Yen, negative for outgoing money.
    pub(crate) amount: i64,
    /// The provider's fee in yen.
    pub(crate) fee: i64,
    pub(crate) kind: BalanceKind,
    /// The id of a charge, a refund, a dispute or a payout.
    pub(crate) source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BalanceKind {
    /// A card payment.
    Charge,
    /// A payment by konbini or bank transfer.
    Payment,
    /// A refund to a card.
    Refund,
    /// A refund of a payment by konbini or bank transfer.
    PaymentRefund,
    /// A refund that failed, so its money came back.
    RefundFailure,
    /// A dispute.
    Adjustment,
    /// A payout to the merchant's bank account.
    Payout,
}

impl BalanceKind {
    fn reporting_category(self) -> &'static str {
        match self {
            Self::Charge | Self::Payment => "charge",
            Self::Refund | Self::PaymentRefund => "refund",
            Self::RefundFailure => "refund_failure",
            Self::Adjustment => "dispute",
            Self::Payout => "payout",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Charge | Self::Payment => "支払い",
            Self::Refund | Self::PaymentRefund => "返金",
            Self::RefundFailure => "返金の戻り",
            Self::Adjustment => "不審請求",
            Self::Payout => "口座への入金",
        }
    }
}

/// `rate` per mille of `amount`, rounded to whole yen, but at least `least`.
pub(crate) fn fee(amount: i64, rate: i64, least: i64) -> i64 {
    ((amount * rate + 500) / 1000).max(least)
}

impl BalanceTransaction {
    pub(crate) fn net(&self) -> i64 {
        self.amount - self.fee
    }

    /// The transaction in the API's format.
    pub(crate) fn to_json(&self) -> Value {
        let fee = json!({
            "amount": self.fee, "application": null, "currency": "jpy",
            "description": "Processing fees", "type": "stripe_fee",
        });
        let details: Vec<_> = (self.fee != 0).then_some(fee).into_iter().collect();
        json!({
            "id": self.id,
            "object": "balance_transaction",
            "amount": self.amount,
            "available_on": self.created,
            "created": self.created,
            "currency": "jpy",
            "description": null,
            "exchange_rate": null,
            "fee": self.fee,
            "fee_details": details,
            "net": self.net(),
            "reporting_category": self.kind.reporting_category(),
            "source": self.source,
            "status": "available",
            "type": self.kind,
        })
    }
}

impl State {
    /// The merchant's balance in yen.
    pub(crate) fn balance(&self) -> i64 {
        self.balance_transactions.iter().map(BalanceTransaction::net).sum()
    }

    /// Books a movement and returns its id.
    pub(crate) fn record_balance(
        &mut self,
        kind: BalanceKind,
        amount: i64,
        fee: i64,
        source: &str,
        now: i64,
    ) -> String {
        let id = new_id("txn");
        let source = source.to_owned();
        self.balance_transactions.push(BalanceTransaction {
            id: id.clone(),
            created: now,
            amount,
            fee,
            kind,
            source,
        });
        id
    }

    /// Pays the whole balance out to the merchant's bank account.
    pub(crate) fn pay_out(&mut self, now: i64) -> Result<(), ApiError> {
        let amount = self.balance();
        if amount <= 0 {
            let message = "You do not have sufficient funds in your Stripe account for this payout.";
            return Err(ApiError::state(Some("balance_insufficient"), message));
        }
        let id = new_id("po");
        let transaction = self.record_balance(BalanceKind::Payout, -amount, 0, &id, now);
        let payout = json!({
            "id": id,
            "object": "payout",
            "amount": amount,
            "arrival_date": now,
            "automatic": false,
            "balance_transaction": transaction,
            "created": now,
            "currency": "jpy",
            "livemode": false,
            "metadata": {},
            "method": "standard",
            "status": "paid",
            "type": "bank_account",
        });
        self.publish("payout.paid", payout, now);
        Ok(())
    }
}
