//! Payment intents: one payment with all its attempts.

mod cancel;
mod create;
mod konbini;
mod transfer;

pub(crate) use create::NewIntent;
pub(crate) use konbini::Konbini;
pub(crate) use transfer::{BANK, BRANCH, HOLDER, Transfer};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::card::{Card, CardFace, Refusal};
use crate::error::ApiError;
use crate::id::new_id;
use crate::state::State;
use crate::state::balance::fee;

/// A payment intent.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Intent {
    pub(crate) id: String,
    /// The session that it belongs to, or `None` if it was created without one.
    pub(crate) session: Option<String>,
    pub(crate) customer: Option<String>,
    pub(crate) created: i64,
    /// Yen.
    pub(crate) amount: i64,
    #[serde(default)]
    pub(crate) method: Method,
    pub(crate) status: IntentStatus,
    /// The last refusal.
    pub(crate) refusal: Option<Refusal>,
    /// The saved card of the last refusal.
    refused_method: Option<String>,
    /// The card that paid, or that waits for 3-D Secure.
    pub(crate) card: Option<Card>,
    pub(crate) face: Option<CardFace>,
    /// The saved card that pays, or that was saved with the payment.
    pub(crate) payment_method: Option<String>,
    /// The redirect URL after 3-D Secure.
    pub(crate) return_url: Option<String>,
    /// Whether a successful card is saved for payments off session.
    #[serde(default)]
    pub(crate) saves_card: bool,
    /// The charge, once it is paid.
    pub(crate) charge: Option<String>,
    cancellation: Option<Cancellation>,
    metadata: BTreeMap<String, String>,
    description: Option<String>,
}

/// The payment method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Method {
    #[default]
    Card,
    Konbini(Konbini),
    /// Bank transfer to the customer's virtual account.
    Transfer(Transfer),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IntentStatus {
    RequiresPaymentMethod,
    /// 3-D Secure is in progress, or the money has not arrived yet.
    RequiresAction,
    Succeeded,
    Canceled,
}

/// The time and reason of a cancellation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Cancellation {
    at: i64,
    reason: Option<String>,
}

impl Method {
    /// The name in the API.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Konbini(_) => "konbini",
            Self::Transfer(_) => "customer_balance",
        }
    }

    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::Card => "カード",
            Self::Konbini(_) => "コンビニ",
            Self::Transfer(_) => "銀行振込",
        }
    }

    /// The provider's fee for a payment, in yen.
    pub(crate) fn fee(&self, amount: i64) -> i64 {
        match self {
            Self::Card => fee(amount, 36, 0),
            Self::Konbini(_) => fee(amount, 36, 120),
            Self::Transfer(_) => fee(amount, 15, 50),
        }
    }
}

impl Intent {
    pub(crate) fn new(
        amount: i64,
        method: Method,
        metadata: BTreeMap<String, String>,
        description: Option<String>,
        now: i64,
    ) -> Self {
        Self {
            id: new_id("pi"),
            session: None,
            customer: None,
            created: now,
            amount,
            method,
            status: IntentStatus::RequiresPaymentMethod,
            refusal: None,
            refused_method: None,
            card: None,
            face: None,
            payment_method: None,
            return_url: None,
            saves_card: false,
            charge: None,
            cancellation: None,
            metadata,
            description,
        }
    }

    /// The order number, for people.
    pub(crate) fn number(&self) -> &str {
        self.metadata.get("number").or(self.description.as_ref()).map_or("", String::as_str)
    }

    /// The remaining yen of a bank transfer, or `None` if the intent does not wait for one.
    pub(crate) fn transfer_remaining(&self) -> Option<i64> {
        match &self.method {
            Method::Transfer(transfer) if self.status == IntentStatus::RequiresAction => {
                Some(self.amount - transfer.applied)
            }
            _ => None,
        }
    }

    /// The redirect URL after 3-D Secure.
    pub(crate) fn return_url(&self) -> Option<String> {
        let url = self.return_url.as_ref()?;
        let result = if self.status == IntentStatus::Succeeded { "succeeded" } else { "failed" };
        let sign = if url.contains('?') { '&' } else { '?' };
        Some(format!("{url}{sign}payment_intent={}&redirect_status={result}", self.id))
    }

    /// The buyer's next step, in the API's format. `origin` is that of the pages.
    fn next_action(&self, origin: &str) -> Value {
        if self.status != IntentStatus::RequiresAction {
            return Value::Null;
        }
        match &self.method {
            // The page of a session handles 3-D Secure itself.
            Method::Card if self.session.is_some() => json!({"type": "use_stripe_sdk", "use_stripe_sdk": {}}),
            Method::Card => json!({
                "type": "redirect_to_url",
                "redirect_to_url": {
                    "return_url": self.return_url,
                    "url": format!("{origin}/authenticate/{}", self.id),
                },
            }),
            Method::Konbini(konbini) => json!({
                "type": "konbini_display_details",
                "konbini_display_details": konbini.details(&format!("{origin}/konbini/{}", self.id)),
            }),
            Method::Transfer(transfer) => {
                let (url, remaining) =
                    (format!("{origin}/transfer/{}", self.id), self.amount - transfer.applied);
                json!({
                    "type": "display_bank_transfer_instructions",
                    "display_bank_transfer_instructions": transfer.instructions(&url, remaining),
                })
            }
        }
    }

    /// The intent in the API's format.
    fn to_json(&self, origin: &str) -> Value {
        let received = if self.status == IntentStatus::Succeeded { self.amount } else { 0 };
        let cancellation = self.cancellation.as_ref();
        json!({
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_received": received,
            "canceled_at": cancellation.map(|cancellation| cancellation.at),
            "cancellation_reason": cancellation.and_then(|cancellation| cancellation.reason.clone()),
            "capture_method": "automatic",
            "confirmation_method": "automatic",
            "created": self.created,
            "currency": "jpy",
            "customer": self.customer,
            "description": self.description,
            "last_payment_error": self.refusal.as_ref().map(Refusal::to_json),
            "latest_charge": self.charge,
            "livemode": false,
            "metadata": self.metadata,
            "next_action": self.next_action(origin),
            "payment_method": self.payment_method,
            "payment_method_types": [self.method.name()],
            "setup_future_usage": self.saves_card.then_some("off_session"),
            "status": self.status,
        })
    }
}

impl State {
    pub(crate) fn intent(&self, id: &str) -> Option<&Intent> {
        self.intents.iter().find(|intent| intent.id == id)
    }

    /// The intent that a path names.
    pub(crate) fn named_intent(&self, id: &str) -> Result<&Intent, ApiError> {
        self.intent(id).ok_or_else(|| ApiError::missing("payment_intent", id))
    }

    /// The intent in the API's format.
    pub(crate) fn intent_json(&self, intent: &Intent) -> Value {
        let mut object = intent.to_json(&self.origin);
        let refused = intent.refused_method.as_deref().filter(|_| intent.refusal.is_some());
        if let Some(method) = refused.and_then(|id| self.payment_method(id).ok()) {
            object["last_payment_error"]["payment_method"] = method.to_json();
        }
        object
    }

    /// Changes an intent and publishes it.
    pub(crate) fn change_intent(
        &mut self,
        id: &str,
        event: &str,
        now: i64,
        change: impl FnOnce(&mut Intent),
    ) {
        let Some(intent) = self.intents.iter_mut().find(|intent| intent.id == id) else { return };
        change(intent);
        self.publish_intent(id, event, now);
    }

    fn publish_intent(&mut self, id: &str, event: &str, now: i64) {
        let object = self.intent(id).map(|intent| self.intent_json(intent));
        if let Some(object) = object {
            self.publish(event, object, now);
        }
    }

    /// Stores a new intent and publishes it.
    pub(crate) fn add_intent(&mut self, intent: Intent, now: i64) {
        let id = intent.id.clone();
        self.intents.push(intent);
        self.publish_intent(&id, "payment_intent.created", now);
    }

    /// Marks an intent as paid.
    pub(crate) fn succeed_intent(&mut self, id: &str, now: i64) {
        let Some(intent) = self.intents.iter_mut().find(|intent| intent.id == id) else { return };
        intent.status = IntentStatus::Succeeded;
        intent.refusal = None;
        let charge = self.create_charge(id, now);
        self.change_intent(id, "payment_intent.succeeded", now, |intent| intent.charge = charge);
    }

    /// Records that a card was refused or that the konbini codes have expired. Another card may
    /// pay.
    pub(crate) fn refuse_intent(&mut self, id: &str, refusal: Refusal, now: i64) {
        self.change_intent(id, "payment_intent.payment_failed", now, |intent| {
            intent.status = IntentStatus::RequiresPaymentMethod;
            intent.refusal = Some(refusal);
            intent.refused_method = intent.payment_method.take();
            intent.card = None;
        });
    }

    /// Requires 3-D Secure.
    pub(crate) fn challenge_intent(&mut self, id: &str, now: i64) {
        self.change_intent(id, "payment_intent.requires_action", now, |intent| {
            intent.status = IntentStatus::RequiresAction;
            intent.refusal = None;
        });
    }

    /// Ends 3-D Secure of a payment with a saved card. Does nothing for other payments.
    pub(crate) fn authenticate_intent(&mut self, id: &str, succeeds: bool, now: i64) {
        let waiting = self.intent(id).filter(|intent| intent.is_challenged() && intent.session.is_none());
        let Some(card) = waiting.and_then(|intent| intent.card) else { return };
        let refusal = if succeeds { card.refusal() } else { Some(Refusal::authentication()) };
        match refusal {
            Some(refusal) => self.refuse_intent(id, refusal, now),
            None => self.succeed_intent(id, now),
        }
    }
}

impl Intent {
    /// Whether 3-D Secure is in progress.
    pub(crate) fn is_challenged(&self) -> bool {
        self.method == Method::Card && self.status == IntentStatus::RequiresAction
    }
}
