//! Payment methods: saved cards.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::card::{Card, CardFace, TypedCard};
use crate::error::ApiError;
use crate::id::new_id;
use crate::state::State;

/// A saved card.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PaymentMethod {
    pub(crate) id: String,
    pub(crate) created: i64,
    /// `None` once it is detached. It can't be attached again.
    pub(crate) customer: Option<String>,
    pub(crate) card: Card,
    pub(crate) face: CardFace,
}

impl PaymentMethod {
    /// The card in the API's format.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "payment_method",
            "allow_redisplay": "limited",
            "billing_details": {"address": null, "email": null, "name": null, "phone": null},
            "card": card_json(&self.face),
            "created": self.created,
            "customer": self.customer,
            "livemode": false,
            "metadata": {},
            "type": "card",
        })
    }
}

/// The visible parts of a card.
pub(crate) fn card_json(face: &CardFace) -> Value {
    json!({
        "brand": "visa",
        "checks": {"address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass"},
        "country": "JP",
        "display_brand": "visa",
        "exp_month": face.exp_month,
        "exp_year": face.exp_year,
        "funding": "credit",
        "last4": face.last4,
        "networks": {"available": ["visa"], "preferred": null},
        "three_d_secure_usage": {"supported": true},
        "wallet": null,
    })
}

impl State {
    pub(crate) fn payment_method(&self, id: &str) -> Result<&PaymentMethod, ApiError> {
        let found = self.payment_methods.iter().find(|method| method.id == id);
        found.ok_or_else(|| ApiError::missing("payment_method", id))
    }

    /// Saves a card of a customer, and returns its id.
    pub(crate) fn save_card(&mut self, customer: &str, typed: TypedCard, now: i64) -> String {
        let method = PaymentMethod {
            id: new_id("pm"),
            created: now,
            customer: Some(customer.to_owned()),
            card: typed.card,
            face: typed.face,
        };
        let (id, object) = (method.id.clone(), method.to_json());
        self.payment_methods.push(method);
        self.publish("payment_method.attached", object, now);
        id
    }

    /// Detaches a saved card from its customer. It can't be used again.
    pub(crate) fn detach_payment_method(&mut self, id: &str, now: i64) -> Result<Value, ApiError> {
        let found = self.payment_methods.iter_mut().find(|method| method.id == id);
        let method = found.ok_or_else(|| ApiError::missing("payment_method", id))?;
        if method.customer.take().is_none() {
            let message = "The payment method is not attached to a customer, so it cannot be detached.";
            return Err(ApiError::state(Some("payment_method_unexpected_state"), message));
        }
        let object = method.to_json();
        self.publish("payment_method.detached", object.clone(), now);
        Ok(object)
    }
}
