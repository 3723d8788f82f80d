//! Payments at a convenience store.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::macros::offset;
use time::{Duration, OffsetDateTime, Time};

use super::{IntentStatus, Method};
use crate::card::Refusal;
use crate::error::ApiError;
use crate::form::{Form, invalid};
use crate::id::new_digits;
use crate::state::State;

/// The default number of days until the codes expire.
const DEFAULT_DAYS: i64 = 3;
/// The maximum number of days until the codes expire.
const MOST_DAYS: i64 = 60;
/// The maximum length of the product description at the store.
const DESCRIPTION_LIMIT: usize = 22;
/// A confirmation number that the stores refuse.
const REFUSED_NUMBER: &str = "11111111110";
/// The stores, with the digits of their payment codes.
const STORES: [(&str, &str, u32); 4] = [
    ("familymart", "ファミリーマート", 11),
    ("lawson", "ローソン", 6),
    ("ministop", "ミニストップ", 6),
    ("seicomart", "セイコーマート", 6),
];

/// The payment codes of the stores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Konbini {
    pub(crate) expires_at: i64,
    pub(crate) name: String,
    pub(crate) email: String,
    confirmation_number: String,
    /// One per store.
    payment_codes: Vec<String>,
}

impl Konbini {
    pub(super) fn parse(form: &mut Form, now: i64) -> Result<Self, ApiError> {
        form.require_word("payment_method_data[type]", &["konbini"])?;
        let name = form.require("payment_method_data[billing_details][name]")?;
        let email = form.require("payment_method_data[billing_details][email]")?;
        form.take("payment_method_data[billing_details][phone]");
        let option = |name: &str| format!("payment_method_options[konbini][{name}]");
        let description = option("product_description");
        if form.take(&description).is_some_and(|text| text.chars().count() > DESCRIPTION_LIMIT) {
            return Err(invalid(&description));
        }
        let number = option("confirmation_number");
        let confirmation_number = match form.take(&number) {
            Some(digits) if digits == REFUSED_NUMBER => {
                let code = "payment_intent_konbini_rejected_confirmation_number";
                return Err(ApiError::parameter(code, &number, "The confirmation number was rejected"));
            }
            Some(digits) if !is_confirmation_number(&digits) => return Err(invalid(&number)),
            Some(digits) => digits,
            None => new_digits(11),
        };
        let expires_at = Self::parse_expiry(form, now, &option("expires_at"), &option("expires_after_days"))?;
        let payment_codes = STORES.iter().map(|(_, _, digits)| new_digits(*digits)).collect();
        Ok(Self { expires_at, name, email, confirmation_number, payment_codes })
    }

    fn parse_expiry(form: &mut Form, now: i64, at: &str, after: &str) -> Result<i64, ApiError> {
        let days: Option<i64> = form.take_number(after)?;
        if let Some(expires_at) = form.take_number(at)? {
            // The last moment of the last permitted day.
            let is_allowed = now < expires_at && expires_at <= end_of_day(now, MOST_DAYS);
            return if is_allowed && days.is_none() { Ok(expires_at) } else { Err(invalid(at)) };
        }
        let days = days.unwrap_or(DEFAULT_DAYS);
        if (1..=MOST_DAYS).contains(&days) { Ok(end_of_day(now, days)) } else { Err(invalid(after)) }
    }

    /// Lists the stores for people: name, payment code, confirmation number.
    pub(crate) fn codes(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        let stores = STORES.iter().zip(&self.payment_codes);
        stores.map(|((_, label, _), code)| (*label, code.as_str(), self.confirmation_number.as_str()))
    }

    /// The codes in the API's format.
    pub(super) fn details(&self, url: &str) -> Value {
        let mut stores = json!({});
        for ((name, ..), code) in STORES.iter().zip(&self.payment_codes) {
            stores[*name] = json!({"confirmation_number": self.confirmation_number, "payment_code": code});
        }
        json!({"expires_at": self.expires_at, "hosted_voucher_url": url, "stores": stores})
    }
}

fn is_confirmation_number(text: &str) -> bool {
    (10..=11).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte != b'0')
}

/// 23:59:59 of a day in Tokyo.
fn end_of_day(now: i64, days: i64) -> i64 {
    let end = OffsetDateTime::from_unix_timestamp(now).map(|now| {
        let day = now.to_offset(offset!(+9)) + Duration::days(days);
        day.replace_time(Time::MIDNIGHT) + Duration::DAY - Duration::SECOND
    });
    end.map_or(i64::MAX, OffsetDateTime::unix_timestamp)
}

impl State {
    /// The intents that await payment at a store, and when their codes expire.
    pub(crate) fn open_konbini(&self) -> impl Iterator<Item = (&str, i64)> {
        self.intents.iter().filter_map(|intent| match &intent.method {
            Method::Konbini(konbini) if intent.status == IntentStatus::RequiresAction => {
                Some((intent.id.as_str(), konbini.expires_at))
            }
            _ => None,
        })
    }

    /// Records a payment at a store.
    pub(crate) fn pay_konbini(&mut self, id: &str, now: i64) -> Result<(), ApiError> {
        self.check_konbini(id)?;
        self.succeed_intent(id, now);
        Ok(())
    }

    /// Expires the codes, even before their time.
    pub(crate) fn expire_konbini(&mut self, id: &str, now: i64) -> Result<(), ApiError> {
        self.check_konbini(id)?;
        self.refuse_intent(id, Refusal::expired(), now);
        Ok(())
    }

    fn check_konbini(&self, id: &str) -> Result<(), ApiError> {
        let intent = self.named_intent(id)?;
        if self.open_konbini().any(|(open, _)| open == id) {
            return Ok(());
        }
        let message = "The stores do not take money for this PaymentIntent.";
        Err(ApiError::intent_state(message, self.intent_json(intent)))
    }
}
