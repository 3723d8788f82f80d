//! Tokens: secrets that a browser holds.

use aws_lc_rs::{digest, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use subtle::ConstantTimeEq as _;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Error;
use crate::key::Signer;

/// The `typ` of access tokens (RFC 9068). No other token of the same key passes for one.
const TYPE: &str = "at+jwt";

const TOKEN_BYTES: usize = 32;
const SID_BYTES: usize = 16;
/// Length of the nonce of a refresh token, and of its tag: together 256 secret bits.
const PART_BYTES: usize = 16;
/// The same length in sessions from before tokens had 256 secret bits. They keep this form, because replicas of both
/// versions must compute the same successor.
const SHORT_PART_BYTES: usize = 8;

/// Defines a token of 32 random bytes. Each use has a type of its own, so the compiler rejects a mix-up.
macro_rules! random_token {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name([u8; TOKEN_BYTES]);

        impl $name {
            /// A new token.
            pub fn random() -> Result<Self, Error> {
                Ok(Self(random_bytes()?))
            }

            /// Parses a token in base64url; `None` for any other text.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
            }

            /// The token in base64url.
            #[must_use]
            pub fn encode(&self) -> String {
                URL_SAFE_NO_PAD.encode(self.0)
            }

            /// The SHA-256 hash of the token. Only this is stored.
            #[must_use]
            pub fn hash(&self) -> Vec<u8> {
                hash_token(&self.0)
            }
        }
    };
}

random_token! {
    /// The token of a link in a mail.
    LinkToken
}

random_token! {
    /// The handle by which a browser continues its sign-up.
    SignUpHandle
}

/// A refresh token: the id of its session, a nonce and a tag.
pub struct RefreshToken(Vec<u8>);

impl RefreshToken {
    /// Parses a token in base64url; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let token = URL_SAFE_NO_PAD.decode(text).ok()?;
        let parts = token.len().checked_sub(SID_BYTES)?;
        [PART_BYTES, SHORT_PART_BYTES].iter().any(|part| parts == 2 * part).then_some(Self(token))
    }

    /// The token in base64url.
    #[must_use]
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(&self.0)
    }

    /// The SHA-256 hash of the token. Only this is stored.
    #[must_use]
    pub fn hash(&self) -> Vec<u8> {
        hash_token(&self.0)
    }

    /// The first refresh token of a session with this key.
    pub(crate) fn first(sid: Uuid, refresh_key: &[u8]) -> Result<Self, Error> {
        let mut nonce = [0; PART_BYTES];
        aws_lc_rs::rand::fill(&mut nonce)?;
        Ok(Self::new(sid, refresh_key, &nonce))
    }

    /// The next refresh token of the session. It is always the same.
    pub(crate) fn successor(&self, sid: Uuid, refresh_key: &[u8]) -> Self {
        let nonce = sign(refresh_key, &self.0);
        Self::new(sid, refresh_key, &nonce.as_ref()[..self.part_length()])
    }

    /// The tag is as long as the nonce.
    fn new(sid: Uuid, refresh_key: &[u8], nonce: &[u8]) -> Self {
        let mut token = [sid.as_bytes(), nonce].concat();
        let tag = compute_tag(refresh_key, &token);
        token.extend_from_slice(&tag.as_ref()[..nonce.len()]);
        Self(token)
    }

    /// Length of the nonce, and of the tag.
    fn part_length(&self) -> usize {
        (self.0.len() - SID_BYTES) / 2
    }

    /// The session that a refresh token names. Verify it with [`is_issued_with`](Self::is_issued_with).
    pub(crate) fn named_session(&self) -> Uuid {
        let mut sid = [0; SID_BYTES];
        sid.copy_from_slice(&self.0[..SID_BYTES]);
        Uuid::from_bytes(sid)
    }

    /// Whether the session with this key issued the token at any time.
    pub(crate) fn is_issued_with(&self, refresh_key: &[u8]) -> bool {
        let (tagged, presented) = self.0.split_at(SID_BYTES + self.part_length());
        compute_tag(refresh_key, tagged).as_ref()[..self.part_length()].ct_eq(presented).into()
    }
}

fn hash_token(token: &[u8]) -> Vec<u8> {
    digest::digest(&digest::SHA256, token).as_ref().to_vec()
}

fn sign(key: &[u8], message: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message)
}

fn compute_tag(refresh_key: &[u8], tagged: &[u8]) -> hmac::Tag {
    sign(refresh_key, &[b"refresh token tag", tagged].concat())
}

/// 256 random bits.
pub(crate) fn random_bytes() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes)?;
    Ok(bytes)
}

/// The claims of an access token. Times are in seconds since 1970.
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
    /// Claims of a token issued at `now` that is valid until `expires_at`.
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

    /// Signs the token.
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

    const SID: Uuid = Uuid::from_u128(7);
    const KEY: [u8; 32] = [1; 32];

    /// The first token of a session in both forms.
    fn forms() -> [RefreshToken; 2] {
        [RefreshToken::first(SID, &KEY).unwrap(), RefreshToken::new(SID, &KEY, &[9; SHORT_PART_BYTES])]
    }

    #[test]
    fn a_token_survives_the_wire_and_junk_is_none() {
        let token = LinkToken::random().unwrap();
        let text = token.encode();
        assert_eq!(text.len(), 43);
        assert_eq!(LinkToken::parse(&text).unwrap().hash(), token.hash());
        for junk in ["", "x", &text[1..], &format!("{text}="), &format!("{text}A"), "\0", &"Ａ".repeat(43)] {
            assert!(LinkToken::parse(junk).is_none(), "{junk:?}");
        }
    }

    #[test]
    fn a_refresh_token_has_256_secret_bits_survives_the_wire_and_junk_is_none() {
        let [token, short] = forms();
        assert_eq!((token.0.len() - SID_BYTES) * 8, 256);
        assert_ne!(token.0, RefreshToken::first(SID, &KEY).unwrap().0);
        for token in [token, short] {
            let text = token.encode();
            assert_eq!(RefreshToken::parse(&text).unwrap().hash(), token.hash());
            for junk in ["", "x", &text[1..], &text[4..], &format!("{text}="), &format!("{text}AAAA"), "\0"] {
                assert!(RefreshToken::parse(junk).is_none(), "{junk:?}");
            }
        }
    }

    /// As the previous version computes it: one of its replicas may get the token as well.
    #[test]
    fn the_successor_of_a_short_token_is_what_it_always_was() {
        let [_, short] = forms();
        assert_eq!(short.encode(), "AAAAAAAAAAAAAAAAAAAABwkJCQkJCQkJRMxUW03IGHs");
        assert_eq!(short.successor(SID, &KEY).encode(), "AAAAAAAAAAAAAAAAAAAABxNuYkXMYsnFpvGpBpVdcjc");
    }

    #[test]
    fn a_successor_is_the_same_each_time_and_another_in_another_session() {
        let [token, _] = forms();
        let successor = |sid, key: u8| token.successor(Uuid::from_u128(sid), &[key; 32]).encode();
        assert_eq!(successor(1, 1), successor(1, 1));
        assert_ne!(successor(1, 1), successor(1, 2));
        assert_ne!(successor(1, 1), successor(2, 1));
        assert_ne!(successor(1, 1), token.encode());
    }

    #[test]
    fn a_session_knows_every_token_that_it_issued_and_no_other() {
        for mut token in forms() {
            let length = token.0.len();
            for _ in 0..100 {
                assert_eq!((token.named_session(), token.0.len()), (SID, length));
                assert!(token.is_issued_with(&KEY));
                assert!(!token.is_issued_with(&[2; 32]));
                for byte in 0..length {
                    let mut forged = token.0.clone();
                    forged[byte] ^= 1;
                    assert!(!RefreshToken(forged).is_issued_with(&KEY), "{byte}");
                }
                token = token.successor(SID, &KEY);
            }
        }
    }
}
