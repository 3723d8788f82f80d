//! Tokens: what a browser holds.

use aws_lc_rs::{digest, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Error;
use crate::key::Signer;

/// The `typ` of access tokens (RFC 9068), so that no other token of the same key passes for one.
const TYPE: &str = "at+jwt";

/// An opaque token: 256 bits, on the wire in base64url.
pub struct Token([u8; 32]);

pub(crate) use Token as RefreshToken;

impl Token {
    /// One that nobody can guess.
    pub fn random() -> Result<Self, Error> {
        Ok(Self(random()?))
    }

    /// Reads one from the wire; `None` for what cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// As it goes on the wire.
    #[must_use]
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// As it is stored.
    #[must_use]
    pub fn hash(&self) -> Vec<u8> {
        digest::digest(&digest::SHA256, &self.0).as_ref().to_vec()
    }

    /// The one that follows it in a session with this key: the same, however often it is asked for.
    pub(crate) fn successor(&self, refresh_key: &[u8]) -> Result<Self, Error> {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, refresh_key), &self.0);
        Ok(Self(tag.as_ref().try_into().map_err(|_| aws_lc_rs::error::Unspecified)?))
    }
}

/// 256 random bits.
pub(crate) fn random() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes)?;
    Ok(bytes)
}

/// The claims of an access token; times in seconds since 1970.
#[derive(Serialize)]
pub(crate) struct Claims<'a> {
    pub(crate) iss: &'a str,
    pub(crate) aud: &'a str,
    /// The account.
    pub(crate) sub: Uuid,
    /// The session.
    pub(crate) sid: Uuid,
    pub(crate) scope: &'a [String],
    iat: i64,
    nbf: i64,
    exp: i64,
    jti: Uuid,
}

impl<'a> Claims<'a> {
    /// For a token issued `now` that lives until `expires_at`.
    pub(crate) fn new(
        (iss, aud): (&'a str, &'a str),
        (sub, sid): (Uuid, Uuid),
        scope: &'a [String],
        now: OffsetDateTime,
        expires_at: OffsetDateTime,
    ) -> Self {
        let iat = now.unix_timestamp();
        Self {
            iss,
            aud,
            sub,
            sid,
            scope,
            iat,
            nbf: iat,
            exp: expires_at.unix_timestamp(),
            jti: Uuid::now_v7(),
        }
    }

    /// The signed token.
    pub(crate) fn sign(&self, signer: &Signer) -> Result<String, Error> {
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::EdDSA);
        header.typ = Some(TYPE.to_owned());
        header.kid = Some(signer.kid.clone());
        Ok(jsonwebtoken::encode(&header, self, &signer.key)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_token_survives_the_wire_and_junk_is_none() {
        let token = RefreshToken::random().unwrap();
        let text = token.encode();
        assert_eq!(text.len(), 43);
        assert_eq!(RefreshToken::parse(&text).unwrap().hash(), token.hash());
        for junk in ["", "x", &text[1..], &format!("{text}="), &format!("{text}A"), "\0", &"Ａ".repeat(43)] {
            assert!(RefreshToken::parse(junk).is_none(), "{junk:?}");
        }
    }

    #[test]
    fn a_successor_is_the_same_each_time_and_another_in_another_session() {
        let token = RefreshToken::random().unwrap();
        let successor = |key: u8| token.successor(&[key; 32]).unwrap().encode();
        assert_eq!(successor(1), successor(1));
        assert_ne!(successor(1), successor(2));
        assert_ne!(successor(1), token.encode());
    }
}
