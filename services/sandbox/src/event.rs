//! Webhook events and their delivery.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fault::WebhookFault;

/// How late an event of [`WebhookFault::Late`] is, in seconds.
const LATE: i64 = 15;
/// How long an event of [`WebhookFault::OutOfOrder`] waits for a newer one, in seconds.
const HELD: i64 = 3;
/// The pauses after failed tries, in seconds; the last one repeats.
const PAUSES: [i64; 6] = [5, 30, 120, 600, 1_800, 3_600];
/// An event is given up after so many seconds.
const GIVEN_UP: i64 = 3 * 24 * 60 * 60;

/// A webhook event.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) r#type: String,
    pub(crate) created: i64,
    /// When it happened by the real clock, which its delivery follows.
    #[serde(default)]
    pub(crate) made_at: i64,
    /// The object as it was.
    object: Value,
    /// How often it still has to be delivered.
    pub(crate) copies: u32,
    pub(crate) tries: usize,
    /// When it is sent next, by the real clock; `None` if it is delivered, lost or given up.
    pub(crate) next_at: Option<i64>,
    /// Newer events go first.
    is_reversed: bool,
    /// The result of the last try.
    pub(crate) result: Option<String>,
}

impl Event {
    pub(crate) fn new(r#type: &str, object: Value, fault: WebhookFault, now: i64, real_now: i64) -> Self {
        let next_at = match fault {
            WebhookFault::None | WebhookFault::Doubled => Some(real_now),
            WebhookFault::Lost => None,
            WebhookFault::Late => Some(real_now + LATE),
            WebhookFault::OutOfOrder => Some(real_now + HELD),
        };
        Self {
            id: format!("evt_{}", Uuid::new_v4().simple()),
            r#type: r#type.to_owned(),
            created: now,
            made_at: real_now,
            object,
            copies: if fault == WebhookFault::Doubled { 2 } else { 1 },
            tries: 0,
            next_at,
            is_reversed: fault == WebhookFault::OutOfOrder,
            result: None,
        }
    }

    /// The bytes that are sent, the same at every try.
    pub(crate) fn body(&self, api_version: &str) -> String {
        self.to_json(api_version).to_string()
    }

    /// The event as the API shows it.
    pub(crate) fn to_json(&self, api_version: &str) -> Value {
        json!({
            "id": self.id,
            "object": "event",
            "api_version": api_version,
            "created": self.created,
            "data": {"object": self.object},
            "livemode": false,
            "pending_webhooks": 1,
            "request": {"id": null, "idempotency_key": null},
            "type": self.r#type,
        })
    }

    /// Takes the result of a try. `now` is the real time.
    pub(crate) fn record(&mut self, is_delivered: bool, result: String, now: i64) {
        self.tries += 1;
        self.result = Some(result);
        if is_delivered {
            self.copies = self.copies.saturating_sub(1);
            self.next_at = (self.copies > 0).then_some(now);
            return;
        }
        let pause = PAUSES[(self.tries - 1).min(PAUSES.len() - 1)];
        self.next_at = Some(now + pause).filter(|at| at - self.made_at < GIVEN_UP);
    }

    /// Sends it now, by the real clock; also a lost or delivered one.
    pub(crate) fn send_again(&mut self, now: i64) {
        self.copies = self.copies.max(1);
        self.next_at = Some(now);
    }

    /// Makes it wait until `until`, if it waits for a newer one.
    pub(crate) fn hold(&mut self, until: i64) {
        if self.is_reversed && self.tries == 0 && self.next_at.is_some() {
            self.next_at = Some(until);
        }
    }
}

/// The event that is sent next.
pub(crate) fn next_due(events: &[Event], now: i64) -> Option<&Event> {
    let due = events.iter().enumerate().filter(|(_, event)| event.next_at.is_some_and(|at| at <= now));
    let newest_first =
        |place: usize, event: &Event| if event.is_reversed { Reverse(place) } else { Reverse(0) };
    let first = due.min_by_key(|(place, event)| (event.next_at, newest_first(*place, event), *place));
    first.map(|(_, event)| event)
}
