//! Forged tokens, signed with a key that the edge accepts.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use proto::auth::PublicKey;
use serde_json::{Value, json};
use uuid::Uuid;

use super::NOW;

/// A key pair of the test.
pub(crate) struct Forge {
    pub(crate) public: PublicKey,
    key: EncodingKey,
}

impl Forge {
    pub(crate) fn new() -> Self {
        let pair = Ed25519KeyPair::generate().unwrap();
        let public = PublicKey { kid: "forged".to_owned(), ed25519: pair.public_key().as_ref().to_vec() };
        Self { public, key: EncodingKey::from_ed_der(pair.to_pkcs8v1().unwrap().as_ref()) }
    }

    /// Header of a valid token.
    pub(crate) fn header(&self) -> Header {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some(self.public.kid.clone());
        header
    }

    /// Claims of a valid token of the first learner.
    pub(crate) fn claims() -> Value {
        let now = NOW.unix_timestamp();
        json!({
            "iss": "konomana-auth",
            "aud": "konomana",
            "sub": "00000000-0000-7000-8000-000000000001",
            "sid": Uuid::from_u128(7),
            "scope": ["learner"],
            "iat": now,
            "nbf": now,
            "exp": now + 86_400,
            "jti": Uuid::from_u128(8),
        })
    }

    /// Claims of a valid token with one claim replaced; null removes it.
    pub(crate) fn claims_with(name: &str, value: Value) -> Value {
        let mut claims = Self::claims();
        let object = claims.as_object_mut().unwrap();
        if value.is_null() {
            object.remove(name);
        } else {
            object.insert(name.to_owned(), value);
        }
        claims
    }

    pub(crate) fn sign(&self, header: &Header, claims: &Value) -> String {
        jsonwebtoken::encode(header, claims, &self.key).unwrap()
    }

    /// Signs with HMAC, with the public key as the secret.
    pub(crate) fn sign_with_the_public_key(&self) -> String {
        let header = Header { alg: Algorithm::HS256, ..self.header() };
        jsonwebtoken::encode(&header, &Self::claims(), &EncodingKey::from_secret(&self.public.ed25519))
            .unwrap()
    }

    /// Unsigned tokens that declare `alg` none.
    pub(crate) fn unsigned(&self) -> [String; 2] {
        let header = json!({"alg": "none", "typ": "at+jwt", "kid": self.public.kid});
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = format!("{}.{}.", part(&header), part(&Self::claims()));
        [head.clone(), format!("{head}AAAA")]
    }
}
