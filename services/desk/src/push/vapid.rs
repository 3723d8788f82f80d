//! The key that identifies this server to push services (RFC 8292).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use kit::Failure;
use serde::Serialize;
use time::{Duration, OffsetDateTime};
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;
use web_push_native::p256::pkcs8::EncodePrivateKey as _;

/// How long a signature is valid. At most 24 hours.
const VALIDITY: Duration = Duration::hours(12);

/// The key pair.
#[derive(Clone)]
pub(crate) struct Vapid {
    key: EncodingKey,
    /// The public key in base64url, for browsers.
    public: String,
    /// Where push services reach the operator.
    contact: String,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    sub: &'a str,
}

impl Vapid {
    /// Uses 32 bytes as private key.
    pub(crate) fn new(bytes: &[u8; 32], contact: &str) -> Result<Self, Failure> {
        let key =
            SecretKey::from_slice(bytes).map_err(|_| "DESK_PUSH_SECRET gives no key: generate another")?;
        let public = URL_SAFE_NO_PAD.encode(key.public_key().to_encoded_point(false).as_bytes());
        let document = key.to_pkcs8_der().map_err(|_| "the key of Web Push could not be encoded")?;
        Ok(Self {
            key: EncodingKey::from_ec_der(document.as_bytes()),
            public,
            contact: format!("mailto:{contact}"),
        })
    }

    pub(crate) fn public(&self) -> &str {
        &self.public
    }

    /// The Authorization header for the push service at `origin`; `None` if signing fails.
    pub(super) fn authorize(&self, origin: &str, now: OffsetDateTime) -> Option<String> {
        let claims = Claims { aud: origin, exp: (now + VALIDITY).unix_timestamp(), sub: &self.contact };
        let token = encode(&Header::new(Algorithm::ES256), &claims, &self.key).ok()?;
        Some(format!("vapid t={token}, k={}", self.public))
    }
}
