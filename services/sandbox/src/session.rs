//! Checkout Sessions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::ApiError;
use crate::form::{Form, invalid};
use crate::intent::Intent;

/// A page is open for at least so many seconds.
const LEAST_LIFETIME: i64 = 30 * 60;
/// And at most for so many; also without `expires_at`.
const MOST_LIFETIME: i64 = 24 * 60 * 60;
/// Least and most yen of a card payment.
const AMOUNTS: std::ops::RangeInclusive<i64> = 50..=99_999_999;

/// A Checkout Session.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) expires_at: i64,
    pub(crate) status: SessionStatus,
    /// Yen.
    pub(crate) amount: i64,
    /// What is paid.
    pub(crate) name: String,
    reference: Option<String>,
    email: Option<String>,
    success_url: String,
    pub(crate) cancel_url: Option<String>,
    metadata: BTreeMap<String, String>,
    pub(crate) intent_metadata: BTreeMap<String, String>,
    pub(crate) intent_description: Option<String>,
    /// Its payment intent, from the first try to pay on.
    pub(crate) intent: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SessionStatus {
    Open,
    Complete,
    Expired,
}

impl Session {
    /// Reads the parameters of a new session, also those that change nothing here.
    pub(crate) fn create(form: &mut Form, now: i64) -> Result<Self, ApiError> {
        form.take_word("mode", &["payment"])?.ok_or_else(|| invalid("mode"))?;
        form.take_word("locale", &["ja", "auto"])?;
        form.take_word("adaptive_pricing[enabled]", &["true", "false"])?;
        form.take_word("payment_method_types[0]", &["card"])?;
        let secure = "payment_method_options[card][request_three_d_secure]";
        form.take_word(secure, &["any", "automatic", "challenge"])?;
        form.take_word("line_items[0][quantity]", &["1"])?
            .ok_or_else(|| invalid("line_items[0][quantity]"))?;
        let currency = "line_items[0][price_data][currency]";
        form.take_word(currency, &["jpy"])?.ok_or_else(|| invalid(currency))?;
        let unit_amount = "line_items[0][price_data][unit_amount]";
        let amount = form.take_number(unit_amount)?.unwrap_or_default();
        if !AMOUNTS.contains(&amount) {
            return Err(invalid(unit_amount));
        }
        let expires_at = form.take_number("expires_at")?.unwrap_or(now + MOST_LIFETIME);
        if !(LEAST_LIFETIME..=MOST_LIFETIME).contains(&(expires_at - now)) {
            return Err(invalid("expires_at"));
        }
        let success_url = form.require("success_url")?;
        let cancel_url = form.take("cancel_url");
        for (name, url) in [("success_url", Some(&success_url)), ("cancel_url", cancel_url.as_ref())] {
            if url.is_some_and(|url| !url.starts_with("https://") && !url.starts_with("http://")) {
                return Err(invalid(name));
            }
        }
        Ok(Self {
            id: format!("cs_test_{}", Uuid::new_v4().simple()),
            created: now,
            expires_at,
            status: SessionStatus::Open,
            amount,
            name: form.require("line_items[0][price_data][product_data][name]")?,
            reference: form.take("client_reference_id"),
            email: form.take("customer_email"),
            success_url,
            cancel_url,
            metadata: form.take_map("metadata"),
            intent_metadata: form.take_map("payment_intent_data[metadata]"),
            intent_description: form.take("payment_intent_data[description]"),
            intent: None,
        })
    }

    /// Where the browser goes after the payment.
    pub(crate) fn success_url(&self) -> String {
        self.success_url.replace("{CHECKOUT_SESSION_ID}", &self.id)
    }

    /// What people know the order by.
    pub(crate) fn number(&self) -> &str {
        let number = self.metadata.get("number").or(self.reference.as_ref());
        number.unwrap_or(&self.id)
    }

    /// The session as the API shows it. `origin` is that of the payment page.
    pub(crate) fn to_json(&self, origin: &str, expanded: Option<&Intent>) -> Value {
        let is_open = self.status == SessionStatus::Open;
        let is_paid = self.status == SessionStatus::Complete;
        let intent = match expanded {
            Some(intent) => intent.to_json(),
            None => self.intent.clone().into(),
        };
        json!({
            "id": self.id,
            "object": "checkout.session",
            "amount_subtotal": self.amount,
            "amount_total": self.amount,
            "cancel_url": self.cancel_url,
            "client_reference_id": self.reference,
            "created": self.created,
            "currency": "jpy",
            "customer": null,
            "customer_email": self.email,
            "expires_at": self.expires_at,
            "livemode": false,
            "locale": "ja",
            "metadata": self.metadata,
            "mode": "payment",
            "payment_intent": intent,
            "payment_method_types": ["card"],
            "payment_status": if is_paid { "paid" } else { "unpaid" },
            "status": self.status,
            "success_url": self.success_url,
            "url": is_open.then(|| format!("{origin}/pay/{}", self.id)),
        })
    }
}
