//! The payment provider (Stripe): a client for the API calls that commerce makes, and the
//! verification of webhook signatures.
//!
//! A call is made once. The caller decides whether and when to repeat it, with the same idempotency
//! key.

mod answer;
mod card;
mod cash_balance;
mod client;
mod customer;
mod event;
mod intent;
mod returned;

pub use card::{CardIntent, CardIntentStatus, NewCharge, NewSetup, SavedCard, Setup, SetupSession};
pub use cash_balance::FundedTransfer;
pub use customer::NewCustomer;
pub use event::{SignatureError, VerifiedEvent};
pub use intent::{
    BankAccount, Instructions, Intent, IntentStatus, KonbiniInstructions, KonbiniStore, NewIntent,
};
pub use returned::{
    BalanceEntry, DisputeStatus, NewRefund, ProviderDispute, ProviderRefund, ProviderRefundState,
};

use std::fmt;

use http::Method;
use kit::Failure;
use time::OffsetDateTime;

use crate::config::ProviderArgs;
use client::{Call, Client};
use event::Verifier;

/// The API version that this crate expects. The webhook endpoint has the same `api_version`.
pub const API_VERSION: &str = "2026-07-29.dahlia";

/// The maximum length of an id in a path.
const ID_LIMIT: usize = 255;

/// The payment provider. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Provider {
    client: Client,
    verifier: Verifier,
}

impl Provider {
    /// Parses the settings. Connects on first use.
    ///
    /// # Errors
    ///
    /// If a setting is not a valid address or key. The error names the setting and never its value.
    pub fn new(settings: &ProviderArgs) -> Result<Self, Failure> {
        let key = settings.provider_key.as_str();
        let is_key = ["sk_", "rk_"].iter().any(|prefix| key.starts_with(prefix));
        if !is_key || key.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return Err("COMMERCE_PROVIDER_KEY must be a secret key, `sk_…` or `rk_…`".into());
        }
        let is_live = key.contains("_live_");
        Ok(Self {
            client: Client::new(&settings.provider_url, key, settings.provider_limit)?,
            verifier: Verifier::new(&settings.provider_webhook_secret, is_live)?,
        })
    }

    /// Creates a Checkout Session. The same key and session give the same response for 24 h.
    pub async fn create_session(&self, new: &NewSession<'_>) -> Result<Session, ProviderError> {
        let (amount, expires_at) = (new.amount.to_string(), new.expires_at.unix_timestamp().to_string());
        let mut form = vec![
            ("mode", "payment"),
            ("locale", "ja"),
            ("client_reference_id", new.reference),
            ("expires_at", &expires_at),
            ("success_url", new.success_url),
            ("cancel_url", new.cancel_url),
            ("adaptive_pricing[enabled]", "false"),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", answer::CURRENCY),
            ("line_items[0][price_data][unit_amount]", &amount),
            ("line_items[0][price_data][product_data][name]", new.description),
            ("metadata[order]", new.reference),
            ("metadata[number]", new.number),
            ("payment_intent_data[description]", new.number),
            ("payment_intent_data[metadata][order]", new.reference),
            ("payment_intent_data[metadata][number]", new.number),
            ("payment_method_types[0]", "card"),
            // Card payments in Japan need 3-D Secure.
            ("payment_method_options[card][request_three_d_secure]", "any"),
            ("expand[0]", "payment_intent"),
        ];
        match new.customer {
            // The card is saved for renewals.
            Some(customer) => {
                form.push(("customer", customer));
                form.push(("payment_intent_data[setup_future_usage]", "off_session"));
            }
            None => form.push(("customer_email", new.email)),
        }
        let call = Call::new(Method::POST, "/v1/checkout/sessions").form(&form).key(new.key);
        answer::parse_session(&self.client.send(call).await?)
    }

    /// Gets a Checkout Session.
    pub async fn find_session(&self, id: &str) -> Result<Session, ProviderError> {
        check_id(id)?;
        let call = Call::new(Method::GET, "/v1/checkout/sessions/{id}")
            .id(id)
            .form(&[("expand[0]", "payment_intent")]);
        answer::parse_session(&self.client.send(call).await?)
    }

    /// Finds the Checkout Session of a payment intent.
    pub async fn find_session_of_intent(&self, intent: &str) -> Result<Session, ProviderError> {
        let form = [("payment_intent", intent), ("limit", "1"), ("expand[0]", "data.payment_intent")];
        let call = Call::new(Method::GET, "/v1/checkout/sessions").form(&form);
        answer::parse_first_session(&self.client.send(call).await?)
    }

    /// Closes the page of an open Checkout Session. If it is not open, returns
    /// [`ProviderError::Refused`]: get its state.
    pub async fn expire_session(&self, id: &str) -> Result<Session, ProviderError> {
        check_id(id)?;
        // No idempotency key: a repeated call gets the refusal of a session that is not open.
        let form = [("expand[0]", "payment_intent")];
        let call = Call::new(Method::POST, "/v1/checkout/sessions/{id}/expire").id(id).form(&form);
        answer::parse_session(&self.client.send(call).await?)
    }

    /// Checks the signature of a webhook event: `body` as it arrived, and the header
    /// `Stripe-Signature`.
    pub fn verify_event(
        &self,
        body: &[u8],
        signature: &str,
        now: OffsetDateTime,
    ) -> Result<VerifiedEvent, SignatureError> {
        self.verifier.verify(body, signature, now)
    }
}

/// Keeps the keys out of logs.
impl fmt::Debug for Provider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Provider")
    }
}

/// A Checkout Session to create. Every attempt with one key has the same fields.
#[derive(Clone, Copy)]
pub struct NewSession<'a> {
    /// The idempotency key.
    pub key: &'a str,
    /// The order's id.
    pub reference: &'a str,
    /// The order's number, for people.
    pub number: &'a str,
    /// The description of the payment on the page.
    pub description: &'a str,
    /// Yen.
    pub amount: i32,
    /// The buyer's email address.
    pub email: &'a str,
    /// The provider's customer if the card is to be saved.
    pub customer: Option<&'a str>,
    /// When the page closes: 30 minutes to 24 hours from now.
    pub expires_at: OffsetDateTime,
    /// Where the page sends the buyer after the payment.
    pub success_url: &'a str,
    /// The target of the page's back link.
    pub cancel_url: &'a str,
}

/// A Checkout Session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// `cs_…`.
    pub id: String,
    /// The order's id: [`NewSession::reference`].
    pub reference: Option<String>,
    /// Whether the buyer can pay.
    pub status: SessionStatus,
    /// Whether the payment succeeded.
    pub is_paid: bool,
    /// The provider's page; only while the session is open.
    pub page_url: Option<String>,
    /// The id of the payment intent, once the buyer has tried to pay.
    pub intent: Option<String>,
    /// Yen.
    pub amount: i32,
    /// Why the last card was refused, e.g. `insufficient_funds`. Reasons that could help a thief
    /// are replaced by `card_declined`.
    pub decline_code: Option<String>,
    /// The id of the card, once the buyer has tried to pay.
    pub card: Option<String>,
}

/// The state of a Checkout Session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionStatus {
    /// The buyer can pay.
    Open,
    /// The buyer has finished.
    Complete,
    /// The page is closed.
    Expired,
    /// Unknown to this version of the API.
    Other,
}

/// An error of a call to the provider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The object does not exist.
    #[error("the provider does not know the object")]
    NotFound,
    /// The provider refused the request. It would refuse the same request again.
    #[error("the provider refused the request: {status} {code}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The provider's `code`, or else its `type`.
        code: String,
    },
    /// The buyer's bank refused a saved card. It can be charged again with another idempotency key.
    #[error("the card was refused: {reason}")]
    Declined {
        /// The reason to show to the buyer, e.g. `insufficient_funds`, or `authentication_required`
        /// for 3-D Secure.
        reason: String,
        /// The id of the payment intent.
        intent: Option<String>,
    },
    /// No answer, or an answer that leaves the result unknown. The call may have had its effect:
    /// repeat it with the same key.
    #[error("the provider gave no answer: {0}")]
    Unreachable(String),
}

/// Refuses an id that would change the path.
fn check_id(id: &str) -> Result<(), ProviderError> {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if id.is_empty() || id.len() > ID_LIMIT || !id.bytes().all(is_id) {
        return Err(ProviderError::NotFound);
    }
    Ok(())
}
