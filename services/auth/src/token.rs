//! Tokens: what a browser holds.

use aws_lc_rs::{digest, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use subtle::ConstantTimeEq as _;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Error;
use crate::key::Signer;

/// The `typ` of access tokens (RFC 9068), so that no other token of the same key passes for one.
const TYPE: &str = "at+jwt";

const TOKEN_BYTES: usize = 32;
const SID_BYTES: usize = 16;
const NONCE_BYTES: usize = 8;
const TAG_BYTES: usize = 8;
const TAGGED_BYTES: usize = SID_BYTES + NONCE_BYTES;

/// An opaque token: 32 bytes, on the wire in base64url. Those of links are random; those of sessions name their session,
/// and half of their bytes are a secret.
pub struct Token([u8; TOKEN_BYTES]);

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

    /// The first refresh token of a session with this key.
    pub(crate) fn first(sid: Uuid, refresh_key: &[u8]) -> Result<Self, Error> {
        let mut nonce = [0; NONCE_BYTES];
        aws_lc_rs::rand::fill(&mut nonce)?;
        Ok(Self::refresh(sid, refresh_key, nonce))
    }

    /// The refresh token that follows it in the session: the same, however often it is asked for.
    pub(crate) fn successor(&self, sid: Uuid, refresh_key: &[u8]) -> Self {
        Self::refresh(sid, refresh_key, start(&sign(refresh_key, &self.0)))
    }

    /// A refresh token is the id of its session, a nonce and a tag.
    fn refresh(sid: Uuid, refresh_key: &[u8], nonce: [u8; NONCE_BYTES]) -> Self {
        let mut token = [0; TOKEN_BYTES];
        token[..SID_BYTES].copy_from_slice(sid.as_bytes());
        token[SID_BYTES..TAGGED_BYTES].copy_from_slice(&nonce);
        let tag = tag(refresh_key, &token[..TAGGED_BYTES]);
        token[TAGGED_BYTES..].copy_from_slice(&tag);
        Self(token)
    }

    /// The session that a refresh token names. Believe it only where [`is_of`](Self::is_of) holds.
    pub(crate) fn named_session(&self) -> Uuid {
        Uuid::from_bytes(start(&self.0))
    }

    /// Whether the session with this key issued it, however long ago.
    pub(crate) fn is_of(&self, refresh_key: &[u8]) -> bool {
        tag(refresh_key, &self.0[..TAGGED_BYTES]).ct_eq(&self.0[TAGGED_BYTES..]).into()
    }
}

fn sign(key: &[u8], message: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message)
}

fn tag(refresh_key: &[u8], tagged: &[u8]) -> [u8; TAG_BYTES] {
    start(&sign(refresh_key, &[b"refresh token tag", tagged].concat()))
}

/// The first bytes of what has more of them.
fn start<const BYTES: usize>(bytes: &(impl AsRef<[u8]> + ?Sized)) -> [u8; BYTES] {
    let mut start = [0; BYTES];
    start.iter_mut().zip(bytes.as_ref()).for_each(|(to, from)| *to = *from);
    start
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
        let successor = |sid, key: u8| token.successor(Uuid::from_u128(sid), &[key; 32]).encode();
        assert_eq!(successor(1, 1), successor(1, 1));
        assert_ne!(successor(1, 1), successor(1, 2));
        assert_ne!(successor(1, 1), successor(2, 1));
        assert_ne!(successor(1, 1), token.encode());
    }

    #[test]
    fn a_session_knows_every_token_that_it_issued_and_no_other() {
        let (sid, key) = (Uuid::from_u128(7), [1; 32]);
        let mut token = RefreshToken::first(sid, &key).unwrap();
        for _ in 0..100 {
            assert_eq!(token.named_session(), sid);
            assert!(token.is_of(&key));
            assert!(!token.is_of(&[2; 32]));
            for byte in 0..TOKEN_BYTES {
                let mut forged = token.0;
                forged[byte] ^= 1;
                assert!(!Token(forged).is_of(&key), "{byte}");
            }
            token = token.successor(sid, &key);
        }
        assert!(!RefreshToken::random().unwrap().is_of(&key));
    }
}
