//! Refunds of payments and of cash balances.

mod create;

pub(crate) use create::NewRefund;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::state::State;
use crate::state::balance::BalanceKind;
use crate::state::cash_balance::CashCause;
use crate::state::intent::Method;

/// A refund.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Refund {
    pub(crate) id: String,
    /// The refunded payment, or `None` for a cash balance.
    pub(crate) intent: Option<String>,
    pub(crate) charge: Option<String>,
    /// The customer whose cash balance is returned.
    pub(crate) customer: Option<String>,
    pub(crate) created: i64,
    /// Yen.
    pub(crate) amount: i64,
    pub(crate) status: RefundStatus,
    /// When its status changes automatically, and to which one.
    pub(crate) next: Option<(i64, RefundStatus)>,
    reason: Option<String>,
    /// The address at which the provider asks for a bank account.
    email: Option<String>,
    instructions_email: Option<String>,
    balance_transaction: Option<String>,
    failure_balance_transaction: Option<String>,
    metadata: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefundStatus {
    /// The provider has asked the buyer for a bank account.
    RequiresAction,
    Pending,
    Succeeded,
    Failed,
    Canceled,
}

impl RefundStatus {
    pub(crate) const ALL: [Self; 5] =
        [Self::RequiresAction, Self::Pending, Self::Succeeded, Self::Failed, Self::Canceled];

    /// The name in the form.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RequiresAction => "requires_action",
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::RequiresAction => "口座の入力待ち",
            Self::Pending => "処理中",
            Self::Succeeded => "返金済み",
            Self::Failed => "失敗",
            Self::Canceled => "取り消し",
        }
    }

    /// The label of the button for this status.
    pub(crate) fn button(self) -> &'static str {
        match self {
            Self::RequiresAction => "口座の入力を求める",
            Self::Pending => "処理中にする",
            Self::Succeeded => "返金を完了する",
            Self::Failed => "返金を失敗させる",
            Self::Canceled => "返金を取り消す",
        }
    }

    /// Whether the refund was undone, so the money stays where it was.
    fn is_undone(self) -> bool {
        matches!(self, Self::Failed | Self::Canceled)
    }

    /// Whether a refund can change from this status to `next`.
    pub(crate) fn can_become(self, next: Self) -> bool {
        match self {
            Self::RequiresAction => next != Self::RequiresAction,
            Self::Pending => matches!(next, Self::RequiresAction | Self::Succeeded | Self::Failed),
            // A bank may send the money back.
            Self::Succeeded => next == Self::Failed,
            Self::Failed | Self::Canceled => false,
        }
    }
}

impl Refund {
    /// The refund in the API's format.
    pub(crate) fn to_json(&self) -> Value {
        let is_failed = self.status == RefundStatus::Failed;
        let mut object = json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "balance_transaction": self.balance_transaction,
            "charge": self.charge,
            "created": self.created,
            "currency": "jpy",
            "customer": self.customer,
            "failure_reason": is_failed.then_some("unknown"),
            "metadata": self.metadata,
            "payment_intent": self.intent,
            "reason": self.reason,
            "receipt_number": null,
            "status": self.status,
        });
        if let Some(id) = &self.failure_balance_transaction {
            object["failure_balance_transaction"] = id.as_str().into();
        }
        if let Some(email) = &self.instructions_email {
            object["instructions_email"] = email.as_str().into();
        }
        if self.status == RefundStatus::RequiresAction {
            object["next_action"] = json!({
                "type": "display_details",
                "display_details": {
                    "email_sent": {"email_sent_at": self.created, "email_sent_to": self.email},
                    "expires_at": self.next.map(|(at, _)| at),
                },
            });
        }
        object
    }
}

impl State {
    pub(crate) fn refund(&self, id: &str) -> Result<&Refund, ApiError> {
        let found = self.refunds.iter().find(|refund| refund.id == id);
        found.ok_or_else(|| ApiError::missing("refund", id))
    }

    /// The yen of a payment that were refunded or are being refunded. A failed refund of a bank
    /// transfer counts too: its money is in the customer's cash balance.
    pub(crate) fn refunded(&self, intent: &str) -> i64 {
        let paid = self.intent(intent);
        let is_transfer = paid.is_some_and(|intent| matches!(intent.method, Method::Transfer(_)));
        let refunds = self.refunds.iter().filter(|refund| refund.intent.as_deref() == Some(intent));
        refunds.filter(|refund| is_transfer || !refund.status.is_undone()).map(|refund| refund.amount).sum()
    }

    /// Changes the status of a refund on a person's request.
    pub(crate) fn change_refund(&mut self, id: &str, status: RefundStatus, now: i64) -> Result<(), ApiError> {
        if !self.refund(id)?.status.can_become(status) {
            return Err(ApiError::state(None, "The refund cannot change to this status."));
        }
        self.settle_refund(id, status, now);
        Ok(())
    }

    /// Changes the status of a refund. If it was undone, the money comes back.
    pub(crate) fn settle_refund(&mut self, id: &str, status: RefundStatus, now: i64) {
        let Some(refund) = self.refunds.iter().find(|refund| refund.id == id).cloned() else { return };
        let mut failure = None;
        if status.is_undone() {
            let intent = refund.intent.as_deref().and_then(|intent| self.intent(intent));
            let paid_by_transfer = intent.filter(|intent| matches!(intent.method, Method::Transfer(_)));
            let payer = paid_by_transfer.and_then(|intent| intent.customer.clone());
            if let Some(customer) = &refund.customer {
                self.record_cash(customer, refund.amount, CashCause::ReturnCanceled, now);
            } else if let Some(customer) = payer {
                self.record_cash(
                    &customer,
                    refund.amount,
                    CashCause::RefundedFromPayment(id.to_owned()),
                    now,
                );
            } else {
                let kind = BalanceKind::RefundFailure;
                failure = Some(self.record_balance(kind, refund.amount, 0, id, now));
            }
        }
        let Some(refund) = self.refunds.iter_mut().find(|refund| refund.id == id) else { return };
        (refund.status, refund.next, refund.failure_balance_transaction) = (status, None, failure);
        let object = refund.to_json();
        let is_failed = status == RefundStatus::Failed;
        self.publish(if is_failed { "refund.failed" } else { "refund.updated" }, object, now);
    }
}
