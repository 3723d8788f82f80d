//! Setup intents: saving a card on the page of a session.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::card::{Card, CardFace, Refusal, TypedCard};
use crate::error::ApiError;
use crate::id::new_id;
use crate::state::State;

/// A setup intent.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SetupIntent {
    pub(crate) id: String,
    pub(crate) customer: String,
    pub(crate) created: i64,
    pub(crate) status: SetupStatus,
    /// The last refusal.
    pub(crate) refusal: Option<Refusal>,
    /// The card that waits for 3-D Secure.
    waiting: Option<(Card, CardFace)>,
    /// The saved card.
    payment_method: Option<String>,
    metadata: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SetupStatus {
    RequiresPaymentMethod,
    /// 3-D Secure is in progress.
    RequiresAction,
    Succeeded,
    Canceled,
}

impl SetupIntent {
    pub(crate) fn new(customer: &str, metadata: BTreeMap<String, String>, now: i64) -> Self {
        Self {
            id: new_id("seti"),
            customer: customer.to_owned(),
            created: now,
            status: SetupStatus::RequiresPaymentMethod,
            refusal: None,
            waiting: None,
            payment_method: None,
            metadata,
        }
    }

    /// The setup intent in the API's format.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "setup_intent",
            "cancellation_reason": null,
            "created": self.created,
            "customer": self.customer,
            "description": null,
            "last_setup_error": self.refusal.as_ref().map(Refusal::to_json),
            "livemode": false,
            "metadata": self.metadata,
            "next_action": null,
            "payment_method": self.payment_method,
            "payment_method_types": ["card"],
            "status": self.status,
            "usage": "off_session",
        })
    }
}

impl State {
    pub(crate) fn setup_intent(&self, id: &str) -> Result<&SetupIntent, ApiError> {
        let found = self.setup_intents.iter().find(|setup| setup.id == id);
        found.ok_or_else(|| ApiError::missing("setup_intent", id))
    }

    /// Changes a setup intent and publishes it.
    pub(crate) fn change_setup(
        &mut self,
        id: &str,
        event: &str,
        now: i64,
        change: impl FnOnce(&mut SetupIntent),
    ) {
        let setup = self.setup_intents.iter_mut().find(|setup| setup.id == id);
        let object = setup.map(|setup| {
            change(setup);
            setup.to_json()
        });
        if let Some(object) = object {
            self.publish(event, object, now);
        }
    }

    /// Tries to save a card. Returns whether it was saved.
    pub(crate) fn set_up(&mut self, id: &str, typed: TypedCard, now: i64) -> bool {
        if let Some(refusal) = typed.card.refusal_at_setup() {
            self.refuse_setup(id, refusal, now);
            return false;
        }
        if typed.card.is_challenged_at_setup() {
            self.change_setup(id, "setup_intent.requires_action", now, |setup| {
                setup.status = SetupStatus::RequiresAction;
                setup.refusal = None;
                setup.waiting = Some((typed.card, typed.face));
            });
            return false;
        }
        self.succeed_setup(id, typed, now);
        true
    }

    /// Ends 3-D Secure. Returns whether the card was saved.
    pub(crate) fn authenticate_setup(&mut self, id: &str, succeeds: bool, now: i64) -> bool {
        let setup = self.setup_intent(id).ok();
        let waiting = setup.filter(|setup| setup.status == SetupStatus::RequiresAction);
        let Some((card, face)) = waiting.and_then(|setup| setup.waiting.clone()) else { return false };
        if succeeds {
            self.succeed_setup(id, TypedCard { card, face }, now);
        } else {
            self.refuse_setup(id, Refusal::setup_authentication(), now);
        }
        succeeds
    }

    fn refuse_setup(&mut self, id: &str, refusal: Refusal, now: i64) {
        self.change_setup(id, "setup_intent.setup_failed", now, |setup| {
            setup.status = SetupStatus::RequiresPaymentMethod;
            setup.refusal = Some(refusal);
            setup.waiting = None;
        });
    }

    fn succeed_setup(&mut self, id: &str, typed: TypedCard, now: i64) {
        let Ok(customer) = self.setup_intent(id).map(|setup| setup.customer.clone()) else { return };
        let card = self.save_card(&customer, typed, now);
        self.change_setup(id, "setup_intent.succeeded", now, |setup| {
            setup.status = SetupStatus::Succeeded;
            setup.refusal = None;
            setup.waiting = None;
            setup.payment_method = Some(card);
        });
    }
}
