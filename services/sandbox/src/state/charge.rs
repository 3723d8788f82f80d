//! Charges: the successful payments of payment intents.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::card::CardFace;
use crate::id::new_id;
use crate::state::State;
use crate::state::balance::BalanceKind;
use crate::state::dispute::DisputeStatus;
use crate::state::intent::Method;
use crate::state::payment_method::card_json;

/// A charge that succeeded.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Charge {
    pub(crate) id: String,
    pub(crate) intent: String,
    pub(crate) created: i64,
    /// Yen.
    pub(crate) amount: i64,
    customer: Option<String>,
    payment_method: Option<String>,
    /// `card`, `konbini` or `customer_balance`.
    method: String,
    face: Option<CardFace>,
    balance_transaction: String,
}

impl State {
    pub(crate) fn charge(&self, id: &str) -> Option<&Charge> {
        self.charges.iter().find(|charge| charge.id == id)
    }

    /// The charge in the API's format.
    pub(crate) fn charge_json(&self, charge: &Charge) -> Value {
        let refunded = self.refunded(&charge.intent);
        let mut details = json!({"type": charge.method});
        details[&charge.method] = charge.face.as_ref().map_or_else(|| json!({}), card_json);
        json!({
            "id": charge.id,
            "object": "charge",
            "amount": charge.amount,
            "amount_captured": charge.amount,
            "amount_refunded": refunded,
            "balance_transaction": charge.balance_transaction,
            "captured": true,
            "created": charge.created,
            "currency": "jpy",
            "customer": charge.customer,
            "disputed": self.disputes.iter().any(|dispute| dispute.charge == charge.id),
            "failure_code": null,
            "failure_message": null,
            "livemode": false,
            "metadata": {},
            "paid": true,
            "payment_intent": charge.intent,
            "payment_method": charge.payment_method,
            "payment_method_details": details,
            "refunded": refunded == charge.amount,
            "status": "succeeded",
        })
    }

    /// Books the payment of a payment intent, and returns the charge's id.
    pub(crate) fn create_charge(&mut self, intent: &str, now: i64) -> Option<String> {
        let intent = self.intent(intent)?.clone();
        let (prefix, kind) = match intent.method {
            Method::Card => ("ch", BalanceKind::Charge),
            Method::Konbini(_) | Method::Transfer(_) => ("py", BalanceKind::Payment),
        };
        let id = new_id(prefix);
        let fee = intent.method.fee(intent.amount);
        let balance_transaction = self.record_balance(kind, intent.amount, fee, &id, now);
        self.charges.push(Charge {
            id: id.clone(),
            created: now,
            amount: intent.amount,
            customer: intent.customer,
            payment_method: intent.payment_method,
            method: intent.method.name().to_owned(),
            face: intent.face,
            intent: intent.id,
            balance_transaction,
        });
        Some(id)
    }

    /// Whether a charge has an open or lost dispute.
    pub(crate) fn is_disputed(&self, charge: &str) -> bool {
        let disputes = self.disputes.iter().filter(|dispute| dispute.charge == charge);
        disputes.into_iter().any(|dispute| dispute.status != DisputeStatus::Won)
    }
}
