//! Checkout Sessions: a page for a card payment or for saving a card.

mod checkout;

pub(crate) use checkout::Outcome;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::form::{Form, check_url, invalid};
use crate::id::new_id;
use crate::state::State;

/// The minimum time that a page is open, in seconds.
const LEAST_LIFETIME: i64 = 30 * 60;
/// The maximum time that a page is open, in seconds, and the default without `expires_at`.
const MOST_LIFETIME: i64 = 24 * 60 * 60;
/// The permitted amounts of a card payment in yen.
const AMOUNTS: std::ops::RangeInclusive<i64> = 50..=99_999_999;

/// A Checkout Session.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) expires_at: i64,
    pub(crate) status: SessionStatus,
    #[serde(default)]
    pub(crate) mode: SessionMode,
    /// Yen, or 0 if a card is saved.
    pub(crate) amount: i64,
    /// The name of the product.
    pub(crate) name: String,
    reference: Option<String>,
    pub(crate) customer: Option<String>,
    email: Option<String>,
    success_url: String,
    pub(crate) cancel_url: Option<String>,
    metadata: BTreeMap<String, String>,
    intent_metadata: BTreeMap<String, String>,
    intent_description: Option<String>,
    /// Whether the card of the payment is saved too.
    #[serde(default)]
    saves_card: bool,
    /// Its payment intent, created with the first payment attempt.
    pub(crate) intent: Option<String>,
    /// Its setup intent, if it saves a card.
    pub(crate) setup_intent: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SessionStatus {
    Open,
    Complete,
    Expired,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SessionMode {
    #[default]
    Payment,
    /// Saves a card and takes no money.
    Setup,
}

impl Session {
    /// Parses the parameters of a new session, including those without an effect here.
    pub(crate) fn parse(form: &mut Form, now: i64) -> Result<Self, ApiError> {
        let mode = match form.take_word("mode", &["payment", "setup"])?.as_deref() {
            Some("payment") => SessionMode::Payment,
            Some("setup") => SessionMode::Setup,
            _ => return Err(invalid("mode")),
        };
        form.take_word("locale", &["ja", "auto"])?;
        form.take_word("payment_method_types[0]", &["card"])?;
        let secure = "payment_method_options[card][request_three_d_secure]";
        form.take_word(secure, &["any", "automatic", "challenge"])?;
        let expires_at = form.take_number("expires_at")?.unwrap_or(now + MOST_LIFETIME);
        if !(LEAST_LIFETIME..=MOST_LIFETIME).contains(&(expires_at - now)) {
            return Err(invalid("expires_at"));
        }
        let success_url = form.require("success_url")?;
        let cancel_url = form.take("cancel_url");
        check_url("success_url", Some(&success_url))?;
        check_url("cancel_url", cancel_url.as_deref())?;
        let (customer, email) = (form.take("customer"), form.take("customer_email"));
        if customer.is_some() && email.is_some() {
            return Err(invalid("customer_email"));
        }
        let session = Self {
            id: new_id("cs_test"),
            created: now,
            expires_at,
            status: SessionStatus::Open,
            mode,
            amount: 0,
            name: String::new(),
            reference: form.take("client_reference_id"),
            customer,
            email,
            success_url,
            cancel_url,
            metadata: form.take_map("metadata"),
            intent_metadata: BTreeMap::new(),
            intent_description: None,
            saves_card: false,
            intent: None,
            setup_intent: None,
        };
        match mode {
            SessionMode::Payment => session.with_payment(form),
            SessionMode::Setup => session.with_setup(form),
        }
    }

    fn with_payment(self, form: &mut Form) -> Result<Self, ApiError> {
        form.take_word("adaptive_pricing[enabled]", &["true", "false"])?;
        form.take_word("line_items[0][quantity]", &["1"])?
            .ok_or_else(|| invalid("line_items[0][quantity]"))?;
        let currency = "line_items[0][price_data][currency]";
        form.take_word(currency, &["jpy"])?.ok_or_else(|| invalid(currency))?;
        let unit_amount = "line_items[0][price_data][unit_amount]";
        let amount = form.take_number(unit_amount)?.unwrap_or_default();
        if !AMOUNTS.contains(&amount) {
            return Err(invalid(unit_amount));
        }
        let future = "payment_intent_data[setup_future_usage]";
        let saves_card = form.take_word(future, &["off_session"])?.is_some();
        if saves_card && self.customer.is_none() {
            // The provider would create a customer itself.
            return Err(ApiError::parameter("parameter_missing", "customer", "Missing required param"));
        }
        Ok(Self {
            amount,
            name: form.require("line_items[0][price_data][product_data][name]")?,
            intent_metadata: form.take_map("payment_intent_data[metadata]"),
            intent_description: form.take("payment_intent_data[description]"),
            saves_card,
            ..self
        })
    }

    fn with_setup(self, form: &mut Form) -> Result<Self, ApiError> {
        form.require_word("currency", &["jpy"])?;
        if self.customer.is_none() {
            return Err(ApiError::parameter("parameter_missing", "customer", "Missing required param"));
        }
        let intent_metadata = form.take_map("setup_intent_data[metadata]");
        Ok(Self { intent_metadata, ..self })
    }

    /// The redirect URL after the payment.
    pub(crate) fn success_url(&self) -> String {
        self.success_url.replace("{CHECKOUT_SESSION_ID}", &self.id)
    }

    /// The order number, for people.
    pub(crate) fn number(&self) -> &str {
        let number = self.metadata.get("number").or(self.reference.as_ref());
        number.unwrap_or(&self.id)
    }

    /// The session in the API's format. `origin` is that of the payment page.
    pub(crate) fn to_json(&self, origin: &str) -> Value {
        let is_open = self.status == SessionStatus::Open;
        let is_payment = self.mode == SessionMode::Payment;
        let payment_status = match self.status {
            _ if !is_payment => "no_payment_required",
            SessionStatus::Complete => "paid",
            SessionStatus::Open | SessionStatus::Expired => "unpaid",
        };
        let amount = is_payment.then_some(self.amount);
        json!({
            "id": self.id,
            "object": "checkout.session",
            "amount_subtotal": amount,
            "amount_total": amount,
            "cancel_url": self.cancel_url,
            "client_reference_id": self.reference,
            "created": self.created,
            "currency": "jpy",
            "customer": self.customer,
            "customer_email": self.email,
            "expires_at": self.expires_at,
            "livemode": false,
            "locale": "ja",
            "metadata": self.metadata,
            "mode": self.mode,
            "payment_intent": self.intent,
            "payment_method_types": ["card"],
            "payment_status": payment_status,
            "setup_intent": self.setup_intent,
            "status": self.status,
            "success_url": self.success_url,
            "url": is_open.then(|| format!("{origin}/pay/{}", self.id)),
        })
    }
}

impl State {
    pub(crate) fn session(&self, id: &str) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    /// The session that a path names.
    pub(crate) fn named_session(&self, id: &str) -> Result<&Session, ApiError> {
        self.session(id).ok_or_else(|| ApiError::missing("checkout.session", id))
    }
}
