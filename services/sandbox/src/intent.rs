//! Payment intents: the payment of a session, over all of its cards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::card::{Card, Refusal};

/// A payment intent.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Intent {
    pub(crate) id: String,
    pub(crate) session: String,
    created: i64,
    /// Yen.
    pub(crate) amount: i64,
    pub(crate) status: IntentStatus,
    /// The last refusal.
    pub(crate) refusal: Option<Refusal>,
    /// The card that paid, or that waits for 3-D Secure.
    pub(crate) card: Option<Card>,
    metadata: BTreeMap<String, String>,
    description: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IntentStatus {
    RequiresPaymentMethod,
    /// 3-D Secure is under way.
    RequiresAction,
    Succeeded,
    Canceled,
}

impl Intent {
    pub(crate) fn new(
        session: &str,
        amount: i64,
        metadata: BTreeMap<String, String>,
        description: Option<String>,
        now: i64,
    ) -> Self {
        Self {
            id: format!("pi_{}", Uuid::new_v4().simple()),
            session: session.to_owned(),
            created: now,
            amount,
            status: IntentStatus::RequiresPaymentMethod,
            refusal: None,
            card: None,
            metadata,
            description,
        }
    }

    /// The intent as the API shows it.
    pub(crate) fn to_json(&self) -> Value {
        let received = if self.status == IntentStatus::Succeeded { self.amount } else { 0 };
        let problem = self.refusal.as_ref().map(|refusal| {
            let mut problem =
                json!({"type": "card_error", "code": refusal.code, "message": refusal.sentence()});
            if let Some(code) = &refusal.decline_code {
                problem["decline_code"] = code.as_str().into();
            }
            problem
        });
        json!({
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_received": received,
            "created": self.created,
            "currency": "jpy",
            "description": self.description,
            "last_payment_error": problem,
            "livemode": false,
            "metadata": self.metadata,
            "payment_method_types": ["card"],
            "status": self.status,
        })
    }
}
