//! Everything that the sandbox holds, and what happens to it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::card::{Card, Refusal};
use crate::error::ApiError;
use crate::event::Event;
use crate::fault::{AnswerFault, WebhookFault};
use crate::intent::{Intent, IntentStatus};
use crate::refund::{Refund, RefundStatus};
use crate::session::{Session, SessionStatus};

/// How long an idempotency key is kept, in seconds.
const KEY_LIFETIME: i64 = 24 * 60 * 60;
/// How long everything else is kept, in seconds.
const LIFETIME: i64 = 30 * 24 * 60 * 60;

/// The state, in the order in which things were made.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) sessions: Vec<Session>,
    pub(crate) intents: Vec<Intent>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) events: Vec<Event>,
    pub(crate) webhook_fault: WebhookFault,
    pub(crate) answer_fault: AnswerFault,
    /// By idempotency key.
    pub(crate) answers: BTreeMap<String, StoredAnswer>,
}

/// The first answer to an idempotency key.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct StoredAnswer {
    pub(crate) created: i64,
    /// The SHA-256 of path and parameters.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// What came of a try to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Paid,
    /// 3-D Secure is asked for.
    Challenged,
    Refused,
    /// The session is not open.
    Closed,
}

impl State {
    pub(crate) fn session(&self, id: &str) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    pub(crate) fn intent(&self, id: &str) -> Option<&Intent> {
        self.intents.iter().find(|intent| intent.id == id)
    }

    pub(crate) fn intent_of(&self, session: &Session) -> Option<&Intent> {
        session.intent.as_deref().and_then(|id| self.intent(id))
    }

    /// The session as the API shows it, with its intent if it is `expanded`.
    pub(crate) fn session_json(&self, session: &Session, origin: &str, expanded: bool) -> Value {
        session.to_json(origin, self.intent_of(session).filter(|_| expanded))
    }

    /// Whether time has changed something that [`advance`](Self::advance) has not seen yet.
    pub(crate) fn is_due(&self, now: i64) -> bool {
        let expires = |session: &Session| session.status == SessionStatus::Open && session.expires_at <= now;
        let settles = |refund: &Refund| refund.next.is_some_and(|(at, _)| at <= now);
        self.sessions.iter().any(expires) || self.refunds.iter().any(settles)
    }

    /// Does what time does: closes sessions, settles refunds, forgets old things.
    pub(crate) fn advance(&mut self, origin: &str, now: i64) {
        let expired = self
            .sessions
            .iter()
            .filter(|session| session.status == SessionStatus::Open && session.expires_at <= now);
        let expired: Vec<_> = expired.map(|session| session.id.clone()).collect();
        for id in expired {
            self.close(&id, origin, now);
        }
        let mut settled = Vec::new();
        for refund in &mut self.refunds {
            if let Some((_, status)) = refund.next.filter(|(at, _)| *at <= now) {
                (refund.status, refund.next) = (status, None);
                let name = if status == RefundStatus::Failed { "refund.failed" } else { "refund.updated" };
                settled.push((name, refund.to_json()));
            }
        }
        for (name, object) in settled {
            self.publish(name, object, now);
        }
        self.answers.retain(|_, answer| now - answer.created < KEY_LIFETIME);
        self.sessions.retain(|session| now - session.created < LIFETIME);
        self.events.retain(|event| now - event.created < LIFETIME);
        let sessions = &self.sessions;
        self.intents.retain(|intent| sessions.iter().any(|session| session.id == intent.session));
        let intents = &self.intents;
        self.refunds.retain(|refund| intents.iter().any(|intent| intent.id == refund.intent));
    }

    /// Closes an open session by request.
    pub(crate) fn expire_session(&mut self, id: &str, origin: &str, now: i64) -> Result<(), ApiError> {
        let session = self.session(id).ok_or_else(|| ApiError::missing("checkout.session", id))?;
        if session.status != SessionStatus::Open {
            return Err(ApiError::state(
                None,
                "Only Checkout Sessions with a status in [\"open\"] can be expired.",
            ));
        }
        self.close(id, origin, now);
        Ok(())
    }

    fn close(&mut self, id: &str, origin: &str, now: i64) {
        let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) else { return };
        session.status = SessionStatus::Expired;
        let (intent, object) = (session.intent.clone(), session.to_json(origin, None));
        let intent = self.intents.iter_mut().find(|found| Some(&found.id) == intent.as_ref());
        let canceled = intent.map(|intent| {
            intent.status = IntentStatus::Canceled;
            intent.to_json()
        });
        if let Some(canceled) = canceled {
            self.publish("payment_intent.canceled", canceled, now);
        }
        self.publish("checkout.session.expired", object, now);
    }

    /// Pays a session with a card.
    pub(crate) fn pay(&mut self, id: &str, card: Card, origin: &str, now: i64) -> Outcome {
        let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) else {
            return Outcome::Closed;
        };
        if session.status != SessionStatus::Open {
            return Outcome::Closed;
        }
        if session.intent.is_none() {
            let (metadata, description) =
                (session.intent_metadata.clone(), session.intent_description.clone());
            let intent = Intent::new(id, session.amount, metadata, description, now);
            session.intent = Some(intent.id.clone());
            let object = intent.to_json();
            self.intents.push(intent);
            self.publish("payment_intent.created", object, now);
        }
        match card.refusal() {
            Some(refusal) => self.refuse(id, refusal, now),
            None if card == Card::Challenge => self.challenge(id, card, now),
            None => self.succeed(id, card, origin, now),
        }
    }

    /// Ends 3-D Secure.
    pub(crate) fn authenticate(&mut self, id: &str, succeeds: bool, origin: &str, now: i64) -> Outcome {
        let Some(session) = self.session(id).filter(|session| session.status == SessionStatus::Open) else {
            return Outcome::Closed;
        };
        let waiting = self.intent_of(session).filter(|intent| intent.status == IntentStatus::RequiresAction);
        let Some(card) = waiting.and_then(|intent| intent.card) else { return Outcome::Refused };
        if succeeds {
            self.succeed(id, card, origin, now)
        } else {
            self.refuse(id, Refusal::authentication(), now)
        }
    }

    fn refuse(&mut self, session: &str, refusal: Refusal, now: i64) -> Outcome {
        self.change_intent(session, "payment_intent.payment_failed", now, |intent| {
            intent.status = IntentStatus::RequiresPaymentMethod;
            intent.refusal = Some(refusal);
            intent.card = None;
        });
        Outcome::Refused
    }

    fn challenge(&mut self, session: &str, card: Card, now: i64) -> Outcome {
        self.change_intent(session, "payment_intent.requires_action", now, |intent| {
            intent.status = IntentStatus::RequiresAction;
            intent.refusal = None;
            intent.card = Some(card);
        });
        Outcome::Challenged
    }

    fn succeed(&mut self, session: &str, card: Card, origin: &str, now: i64) -> Outcome {
        self.change_intent(session, "payment_intent.succeeded", now, |intent| {
            intent.status = IntentStatus::Succeeded;
            intent.refusal = None;
            intent.card = Some(card);
        });
        let found = self.sessions.iter_mut().find(|found| found.id == session);
        let object = found.map(|session| {
            session.status = SessionStatus::Complete;
            session.to_json(origin, None)
        });
        if let Some(object) = object {
            self.publish("checkout.session.completed", object, now);
        }
        Outcome::Paid
    }

    /// Changes the intent of a session and publishes it.
    fn change_intent(&mut self, session: &str, event: &str, now: i64, change: impl FnOnce(&mut Intent)) {
        let intent = self.intents.iter_mut().find(|intent| intent.session == session);
        let object = intent.map(|intent| {
            change(intent);
            intent.to_json()
        });
        if let Some(object) = object {
            self.publish(event, object, now);
        }
    }

    /// Returns money. Without an amount: all that is left.
    pub(crate) fn create_refund(
        &mut self,
        intent: &str,
        amount: Option<i64>,
        metadata: BTreeMap<String, String>,
        now: i64,
    ) -> Result<Refund, ApiError> {
        let paid = self.intent(intent).ok_or_else(|| ApiError::missing("payment_intent", intent))?;
        if paid.status != IntentStatus::Succeeded {
            return Err(ApiError::state(
                None,
                "This PaymentIntent does not have a successful charge to refund.",
            ));
        }
        let returned = self.refunds.iter().filter(|refund| refund.intent == intent);
        let returned = returned.filter(|refund| refund.status != RefundStatus::Failed);
        let left = paid.amount - returned.map(|refund| refund.amount).sum::<i64>();
        if left == 0 {
            return Err(ApiError::state(
                Some("charge_already_refunded"),
                "Charge has already been refunded.",
            ));
        }
        let amount = amount.unwrap_or(left);
        if !(1..=left).contains(&amount) {
            return Err(ApiError::state(None, "Refund amount is greater than unrefunded amount on charge."));
        }
        let refund = Refund::new(intent, amount, paid.card, metadata, now);
        self.refunds.push(refund.clone());
        self.publish("refund.created", refund.to_json(), now);
        Ok(refund)
    }

    fn publish(&mut self, r#type: &str, object: Value, now: i64) {
        let event = Event::new(r#type, object, self.webhook_fault, now);
        if let Some(until) = event.next_at.filter(|_| self.webhook_fault == WebhookFault::OutOfOrder) {
            // All of them are due together, so that the newest goes first.
            self.events.iter_mut().for_each(|held| held.hold(until));
        }
        self.events.push(event);
    }
}
