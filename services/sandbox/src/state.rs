//! The state of the sandbox, and its changes over time. The changes of an object are in the file of
//! its type.

pub(crate) mod balance;
pub(crate) mod cash_balance;
pub(crate) mod charge;
pub(crate) mod customer;
pub(crate) mod dispute;
pub(crate) mod intent;
pub(crate) mod payment_method;
pub(crate) mod refund;
pub(crate) mod session;
pub(crate) mod setup;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::card::Refusal;
use crate::event::Event;
use crate::fault::{AnswerFault, WebhookFault};

use balance::BalanceTransaction;
use cash_balance::CashTransaction;
use charge::Charge;
use customer::Customer;
use dispute::Dispute;
use intent::Intent;
use payment_method::PaymentMethod;
use refund::Refund;
use session::{Session, SessionStatus};
use setup::SetupIntent;

/// Retention of an idempotency key, in seconds.
const KEY_LIFETIME: i64 = 24 * 60 * 60;
/// Retention of an event, in seconds of real time.
const EVENT_LIFETIME: i64 = 30 * 24 * 60 * 60;
/// Retention of payments and their objects, in seconds. It is longer than the time limit of any
/// refund, and than a year of renewals with the clock turned forward.
const LIFETIME: i64 = 400 * 24 * 60 * 60;

/// The state. Objects are in the order of their creation.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct State {
    pub(crate) customers: Vec<Customer>,
    pub(crate) payment_methods: Vec<PaymentMethod>,
    pub(crate) cash_transactions: Vec<CashTransaction>,
    pub(crate) sessions: Vec<Session>,
    pub(crate) setup_intents: Vec<SetupIntent>,
    pub(crate) intents: Vec<Intent>,
    pub(crate) charges: Vec<Charge>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) disputes: Vec<Dispute>,
    pub(crate) balance_transactions: Vec<BalanceTransaction>,
    pub(crate) events: Vec<Event>,
    pub(crate) webhook_fault: WebhookFault,
    pub(crate) answer_fault: AnswerFault,
    /// By idempotency key.
    pub(crate) answers: BTreeMap<String, StoredAnswer>,
    /// How many seconds the clock is ahead of real time.
    pub(crate) clock_offset: i64,
    /// The origin of the pages.
    #[serde(skip)]
    pub(crate) origin: String,
}

/// The stored response to an idempotency key.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct StoredAnswer {
    pub(crate) created: i64,
    /// The SHA-256 of path and parameters.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl State {
    /// Whether [`advance`](Self::advance) has something to do.
    pub(crate) fn is_due(&self, now: i64) -> bool {
        let expires = |session: &Session| session.status == SessionStatus::Open && session.expires_at <= now;
        let settles = |refund: &Refund| refund.next.is_some_and(|(at, _)| at <= now);
        self.sessions.iter().any(expires)
            || self.refunds.iter().any(settles)
            || self.open_konbini().any(|(_, expires_at)| expires_at <= now)
    }

    /// Applies what is due: closes sessions and expires konbini codes, settles refunds, and deletes
    /// old objects.
    pub(crate) fn advance(&mut self, now: i64) {
        let expired = self
            .sessions
            .iter()
            .filter(|session| session.status == SessionStatus::Open && session.expires_at <= now);
        let expired: Vec<_> = expired.map(|session| session.id.clone()).collect();
        for id in expired {
            self.close_session(&id, now);
        }
        let unpaid = self.open_konbini().filter(|(_, expires_at)| *expires_at <= now);
        let unpaid: Vec<_> = unpaid.map(|(id, _)| id.to_owned()).collect();
        for id in unpaid {
            self.refuse_intent(&id, Refusal::expired(), now);
        }
        let due = self.refunds.iter().filter_map(|refund| {
            let (_, status) = refund.next.filter(|(at, _)| *at <= now)?;
            Some((refund.id.clone(), status))
        });
        let due: Vec<_> = due.collect();
        for (id, status) in due {
            self.settle_refund(&id, status, now);
        }
        self.forget(now);
    }

    fn forget(&mut self, now: i64) {
        let is_young = |created: i64| now - created < LIFETIME;
        self.answers.retain(|_, answer| now - answer.created < KEY_LIFETIME);
        self.sessions.retain(|session| is_young(session.created));
        self.setup_intents.retain(|setup| is_young(setup.created));
        self.intents.retain(|intent| is_young(intent.created));
        self.charges.retain(|charge| is_young(charge.created));
        self.refunds.retain(|refund| is_young(refund.created));
        self.disputes.retain(|dispute| is_young(dispute.created));
        let real_now = now - self.clock_offset;
        self.events.retain(|event| real_now - event.made_at < EVENT_LIFETIME);
    }

    /// Queues an event for delivery.
    pub(crate) fn publish(&mut self, r#type: &str, object: Value, now: i64) {
        let payer = self.find_payer(&object).to_owned();
        let event = Event::new(r#type, object, &payer, self.webhook_fault, now, now - self.clock_offset);
        if let Some(until) = event.next_at.filter(|_| self.webhook_fault == WebhookFault::OutOfOrder) {
            // All waiting events are due together, so the newest is sent first.
            self.events.iter_mut().for_each(|held| held.hold(until));
        }
        self.events.push(event);
    }

    /// The customer of an event's object, or the payment without one, or the object itself.
    fn find_payer<'object>(&'object self, object: &'object Value) -> &'object str {
        let text = |name: &str| object[name].as_str();
        let intent = text("payment_intent");
        let payment = || self.intents.iter().find(|known| Some(known.id.as_str()) == intent);
        text("customer")
            .or_else(|| payment()?.customer.as_deref())
            .or(intent)
            .or_else(|| text("id"))
            .unwrap_or_default()
    }
}
