//! The buyer's actions on the page of a session, and the end of the session.

use super::{Session, SessionMode, SessionStatus};
use crate::card::{Refusal, TypedCard};
use crate::error::ApiError;
use crate::state::State;
use crate::state::intent::{Intent, Method};
use crate::state::setup::{SetupIntent, SetupStatus};

/// The result of a card on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The card paid or was saved.
    Complete,
    /// 3-D Secure is required.
    Challenged,
    Refused,
    /// The session is not open.
    Closed,
}

impl State {
    /// Stores a new session.
    pub(crate) fn create_session(&mut self, mut session: Session, now: i64) -> Result<String, ApiError> {
        let customer = session.customer.as_deref().map(|id| self.referenced_customer(id)).transpose()?;
        if session.mode == SessionMode::Setup
            && let Some(customer) = customer
        {
            let setup = SetupIntent::new(&customer.id, session.intent_metadata.clone(), now);
            session.setup_intent = Some(setup.id.clone());
            self.setup_intents.push(setup);
        }
        let id = session.id.clone();
        self.sessions.push(session);
        Ok(id)
    }

    /// Why the last card on the page was refused.
    pub(crate) fn refusal_of(&self, session: &Session) -> Option<&Refusal> {
        match (&session.intent, &session.setup_intent) {
            (Some(intent), _) => self.intent(intent)?.refusal.as_ref(),
            (None, Some(setup)) => self.setup_intent(setup).ok()?.refusal.as_ref(),
            (None, None) => None,
        }
    }

    /// Whether the page must show 3-D Secure.
    pub(crate) fn is_challenged(&self, session: &Session) -> bool {
        let intent = session.intent.as_deref().and_then(|id| self.intent(id));
        let setup = session.setup_intent.as_deref().and_then(|id| self.setup_intent(id).ok());
        intent.is_some_and(Intent::is_challenged)
            || setup.is_some_and(|setup| setup.status == SetupStatus::RequiresAction)
    }

    /// Closes an open session on request.
    pub(crate) fn expire_session(&mut self, id: &str, now: i64) -> Result<(), ApiError> {
        if self.named_session(id)?.status != SessionStatus::Open {
            return Err(ApiError::state(
                None,
                "Only Checkout Sessions with a status in [\"open\"] can be expired.",
            ));
        }
        self.close_session(id, now);
        Ok(())
    }

    pub(crate) fn close_session(&mut self, id: &str, now: i64) {
        let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) else { return };
        session.status = SessionStatus::Expired;
        let (intent, setup) = (session.intent.clone(), session.setup_intent.clone());
        let object = session.to_json(&self.origin);
        if let Some(intent) = intent {
            self.end_intent(&intent, None, now);
        }
        if let Some(setup) = setup {
            self.change_setup(&setup, "setup_intent.canceled", now, |setup| {
                setup.status = SetupStatus::Canceled;
            });
        }
        self.publish("checkout.session.expired", object, now);
    }

    /// Pays a session with a card, or saves the card.
    pub(crate) fn submit_card(&mut self, id: &str, typed: TypedCard, now: i64) -> Outcome {
        let Some(session) = self.session(id).filter(|session| session.status == SessionStatus::Open) else {
            return Outcome::Closed;
        };
        if let Some(setup) = session.setup_intent.clone() {
            let is_saved = self.set_up(&setup, typed, now);
            return self.conclude(id, is_saved, now);
        }
        let intent = self.intent_for(id, now);
        let card = typed.card;
        if let Some(intent) = self.intents.iter_mut().find(|found| found.id == intent) {
            (intent.card, intent.face) = (Some(card), Some(typed.face));
        }
        if card.is_challenged_on_session() {
            self.challenge_intent(&intent, now);
            return Outcome::Challenged;
        }
        let is_paid = self.charge_card(&intent, now);
        self.conclude(id, is_paid, now)
    }

    /// Ends 3-D Secure on the page.
    pub(crate) fn authenticate_session(&mut self, id: &str, succeeds: bool, now: i64) -> Outcome {
        let Some(session) = self.session(id).filter(|session| session.status == SessionStatus::Open) else {
            return Outcome::Closed;
        };
        let (intent, setup) = (session.intent.clone(), session.setup_intent.clone());
        if let Some(setup) = setup {
            let is_saved = self.authenticate_setup(&setup, succeeds, now);
            return self.conclude(id, is_saved, now);
        }
        let waiting = intent.filter(|id| self.intent(id).is_some_and(Intent::is_challenged));
        let Some(intent) = waiting else { return Outcome::Refused };
        let is_paid = if succeeds {
            self.charge_card(&intent, now)
        } else {
            self.refuse_intent(&intent, Refusal::authentication(), now);
            false
        };
        self.conclude(id, is_paid, now)
    }

    /// The intent of a session. The first payment attempt creates it.
    fn intent_for(&mut self, id: &str, now: i64) -> String {
        let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) else {
            return String::new();
        };
        if let Some(intent) = &session.intent {
            return intent.clone();
        }
        let (metadata, description) = (session.intent_metadata.clone(), session.intent_description.clone());
        let mut intent = Intent::new(session.amount, Method::Card, metadata, description, now);
        intent.session = Some(session.id.clone());
        intent.customer.clone_from(&session.customer);
        intent.saves_card = session.saves_card;
        let id = intent.id.clone();
        session.intent = Some(id.clone());
        self.add_intent(intent, now);
        id
    }

    /// Charges the card of an intent. Returns whether it paid. If it did and the session requires
    /// it, the card is saved.
    fn charge_card(&mut self, id: &str, now: i64) -> bool {
        let Some(intent) = self.intent(id) else { return false };
        let (Some(card), Some(face)) = (intent.card, intent.face.clone()) else { return false };
        if let Some(refusal) = card.refusal() {
            self.refuse_intent(id, refusal, now);
            return false;
        }
        if let Some(customer) = intent.customer.clone().filter(|_| intent.saves_card) {
            let saved = self.save_card(&customer, TypedCard { card, face }, now);
            if let Some(intent) = self.intents.iter_mut().find(|intent| intent.id == id) {
                intent.payment_method = Some(saved);
            }
        }
        self.succeed_intent(id, now);
        true
    }

    /// Completes a session whose card paid or was saved.
    fn conclude(&mut self, id: &str, is_done: bool, now: i64) -> Outcome {
        let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) else {
            return Outcome::Closed;
        };
        if !is_done {
            let session = session.clone();
            return if self.is_challenged(&session) { Outcome::Challenged } else { Outcome::Refused };
        }
        session.status = SessionStatus::Complete;
        let object = session.to_json(&self.origin);
        self.publish("checkout.session.completed", object, now);
        Outcome::Complete
    }
}
