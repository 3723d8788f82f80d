//! Webhook events and their delivery.

use std::cmp::Reverse;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fault::WebhookFault;

/// The delay of an event of [`WebhookFault::Late`], in seconds.
const LATE: i64 = 15;
/// How long an event of [`WebhookFault::OutOfOrder`] waits for newer ones, in seconds.
const HELD: i64 = 3;
/// The pauses after failed deliveries, in seconds. The last one repeats.
const PAUSES: [i64; 6] = [5, 30, 120, 600, 1_800, 3_600];
/// After this time in seconds, no retry of an event is scheduled.
const GIVEN_UP: i64 = 3 * 24 * 60 * 60;

/// A webhook event.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) r#type: String,
    pub(crate) created: i64,
    /// When the event happened, in real time. Delivery uses real time.
    #[serde(default)]
    pub(crate) made_at: i64,
    /// The object at the time of the event.
    object: Value,
    /// The number of remaining deliveries.
    pub(crate) copies: u32,
    pub(crate) tries: usize,
    /// When the next delivery is due, in real time. `None` if the event is delivered, lost or given
    /// up.
    pub(crate) next_at: Option<i64>,
    /// Whether newer events are delivered first.
    is_reversed: bool,
    /// Events of a queue are sent one after another.
    #[serde(default)]
    queue: String,
    /// The result of the last delivery.
    pub(crate) result: Option<String>,
}

impl Event {
    /// An event of a payer's queue. All events of [`WebhookFault::OutOfOrder`] share a queue.
    pub(crate) fn new(
        r#type: &str,
        object: Value,
        payer: &str,
        fault: WebhookFault,
        now: i64,
        real_now: i64,
    ) -> Self {
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
            queue: if fault == WebhookFault::OutOfOrder { fault.name() } else { payer }.to_owned(),
            result: None,
        }
    }

    pub(crate) fn queue(&self) -> &str {
        &self.queue
    }

    /// The body of the request, the same for every delivery.
    pub(crate) fn body(&self, api_version: &str) -> String {
        self.to_json(api_version).to_string()
    }

    /// The event in the API's format.
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

    /// Records the result of a delivery. `now` is the real time.
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

    /// Makes the event due now, in real time, even if it was lost or delivered.
    pub(crate) fn send_again(&mut self, now: i64) {
        self.copies = self.copies.max(1);
        self.next_at = Some(now);
    }

    /// Delays an event that waits for newer ones until `until`.
    pub(crate) fn hold(&mut self, until: i64) {
        if self.is_reversed && self.tries == 0 && self.next_at.is_some() {
            self.next_at = Some(until);
        }
    }
}

/// The next event to send, of a queue that is not in `busy`.
pub(crate) fn next_due<'event>(
    events: &'event [Event],
    busy: &HashSet<String>,
    now: i64,
) -> Option<&'event Event> {
    let is_due = |event: &Event| event.next_at.is_some_and(|at| at <= now) && !busy.contains(&event.queue);
    let newest_first =
        |place: usize, event: &Event| if event.is_reversed { Reverse(place) } else { Reverse(0) };
    let due = events.iter().enumerate().filter(|(_, event)| is_due(event));
    let first = due.min_by_key(|(place, event)| (event.next_at, newest_first(*place, event), *place));
    first.map(|(_, event)| event)
}
