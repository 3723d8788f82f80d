//! Refunds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::card::Card;

/// How long a refund to one of the slow cards takes, in seconds.
const SLOW: i64 = 60;

/// A refund.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Refund {
    pub(crate) id: String,
    pub(crate) intent: String,
    pub(crate) created: i64,
    /// Yen.
    pub(crate) amount: i64,
    pub(crate) status: RefundStatus,
    /// When its status changes by itself, and to what.
    pub(crate) next: Option<(i64, RefundStatus)>,
    metadata: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RefundStatus {
    Pending,
    Succeeded,
    Failed,
}

impl Refund {
    pub(crate) fn new(
        intent: &str,
        amount: i64,
        card: Option<Card>,
        metadata: BTreeMap<String, String>,
        now: i64,
    ) -> Self {
        let (status, next) = match card {
            Some(Card::PendingRefund) => (RefundStatus::Pending, Some((now + SLOW, RefundStatus::Succeeded))),
            Some(Card::FailingRefund) => (RefundStatus::Succeeded, Some((now + SLOW, RefundStatus::Failed))),
            _ => (RefundStatus::Succeeded, None),
        };
        let id = format!("re_{}", Uuid::new_v4().simple());
        Self { id, intent: intent.to_owned(), created: now, amount, status, next, metadata }
    }

    /// The refund as the API shows it.
    pub(crate) fn to_json(&self) -> Value {
        let is_failed = self.status == RefundStatus::Failed;
        json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "created": self.created,
            "currency": "jpy",
            "failure_reason": is_failed.then_some("unknown"),
            "metadata": self.metadata,
            "payment_intent": self.intent,
            "status": self.status,
        })
    }
}
