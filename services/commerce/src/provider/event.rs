//! Webhook events: `Stripe-Signature: t=…,v1=…[,v1=…]`, an HMAC-SHA256 of `t.body` with the
//! endpoint's secret.

use aws_lc_rs::hmac;
use kit::Failure;
use serde::Deserialize;
use time::{Duration, OffsetDateTime};

/// The maximum difference between a signature's time and ours, in both directions.
const TOLERANCE: Duration = Duration::seconds(300);

/// An event whose signature is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedEvent {
    /// `evt_…`. A repeated event has the same id.
    pub id: String,
    /// E.g. `checkout.session.completed`.
    pub r#type: String,
    /// The id of the object that the event is about; empty if it has none.
    pub object_id: String,
    /// The type of that object, e.g. `checkout.session`.
    pub object_type: String,
    /// The customer of that object, if it names one.
    pub customer: Option<String>,
}

/// Why an event is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The header has no time or no `v1` signature.
    #[error("the signature header cannot be read")]
    Malformed,
    /// The signature is more than 300 s old, or from the future.
    #[error("the signature is too old")]
    Old,
    /// No signature in the header matches the body.
    #[error("the signature is wrong")]
    Wrong,
    /// The body is not an event.
    #[error("the body is not an event")]
    NotAnEvent,
    /// The event belongs to another mode (test, live) or to a connected account.
    #[error("the event is of another mode or account")]
    Foreign,
}

impl SignatureError {
    /// All reasons.
    pub(crate) const ALL: [Self; 5] =
        [Self::Malformed, Self::Old, Self::Wrong, Self::NotAnEvent, Self::Foreign];

    /// The label of the reason in metrics.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Old => "old",
            Self::Wrong => "wrong_signature",
            Self::NotAnEvent => "not_an_event",
            Self::Foreign => "foreign",
        }
    }
}

/// Checks events with the secret of an endpoint.
#[derive(Clone)]
pub(super) struct Verifier {
    key: hmac::Key,
    is_live: bool,
}

impl Verifier {
    /// `is_live` selects whether events of the live mode or of the test mode are accepted.
    pub(super) fn new(secret: &str, is_live: bool) -> Result<Self, Failure> {
        // The key is the whole secret, with its prefix.
        if secret.strip_prefix("whsec_").is_none_or(str::is_empty) {
            return Err(
                "COMMERCE_PROVIDER_WEBHOOK_SECRET must be the secret of an endpoint, `whsec_…`".into()
            );
        }
        Ok(Self { key: hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), is_live })
    }

    pub(super) fn verify(
        &self,
        body: &[u8],
        header: &str,
        now: OffsetDateTime,
    ) -> Result<VerifiedEvent, SignatureError> {
        let signature = Signature::parse(header).ok_or(SignatureError::Malformed)?;
        let signed = [signature.time.as_bytes(), b".", body].concat();
        // Compares in constant time.
        if !signature.tags.iter().any(|tag| hmac::verify(&self.key, &signed, tag).is_ok()) {
            return Err(SignatureError::Wrong);
        }
        if (now - signature.at).abs() > TOLERANCE {
            return Err(SignatureError::Old);
        }
        let event: WireEvent = serde_json::from_slice(body).map_err(|_| SignatureError::NotAnEvent)?;
        if event.livemode != self.is_live || event.account.is_some() {
            return Err(SignatureError::Foreign);
        }
        Ok(VerifiedEvent {
            id: event.id,
            r#type: event.r#type,
            object_id: event.data.object.id,
            object_type: event.data.object.object,
            customer: event.data.object.customer.as_str().map(str::to_owned),
        })
    }
}

/// A signature header.
struct Signature<'a> {
    /// The text that was signed.
    time: &'a str,
    at: OffsetDateTime,
    /// During the rotation of a secret, there is one tag per secret.
    tags: Vec<Vec<u8>>,
}

impl<'a> Signature<'a> {
    fn parse(header: &'a str) -> Option<Self> {
        let fields = || header.split(',').filter_map(|field| field.trim().split_once('='));
        let (_, time) = fields().find(|(name, _)| *name == "t")?;
        let at = OffsetDateTime::from_unix_timestamp(time.parse().ok()?).ok()?;
        let tags = fields().filter(|(name, _)| *name == "v1");
        let tags: Vec<_> = tags.filter_map(|(_, tag)| hex::decode(tag).ok()).collect();
        if tags.is_empty() { None } else { Some(Self { time, at, tags }) }
    }
}

#[derive(Deserialize)]
struct WireEvent {
    id: String,
    r#type: String,
    livemode: bool,
    account: Option<String>,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: EventObject,
}

#[derive(Deserialize)]
struct EventObject {
    #[serde(default)]
    id: String,
    #[serde(default)]
    object: String,
    /// An id, or the expanded object for some types.
    #[serde(default)]
    customer: serde_json::Value,
}
