//! The secret address with which a person's calendar apps read their dates without a session. Each account has at most one.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kit::encryption::KeyedHash;
use kit_db::{erased_account, span};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner_contact;

const TOKEN_BYTES: usize = 32;
const PURPOSE: &str = "calendar address";

/// The secret of an address. Only its keyed hash is stored.
pub(crate) struct Token([u8; TOKEN_BYTES]);

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

impl Token {
    /// A new token.
    pub(crate) fn random() -> Result<Self, Error> {
        let mut bytes = [0; TOKEN_BYTES];
        aws_lc_rs::rand::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
        Ok(Self(bytes))
    }

    /// Parses a token in base64url. `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The token in base64url.
    pub(crate) fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    fn hash(&self, hash: &KeyedHash) -> Vec<u8> {
        hash.hash_bytes(PURPOSE, &self.0)
    }
}

/// Stores the token of an account. Replaces the previous token. Requires a transaction.
///
/// # Errors
///
/// [`Error::NotFound`] if the account was erased.
pub(crate) async fn replace(
    database: &mut PgConnection,
    account: Uuid,
    token: &Token,
    hash: &KeyedHash,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner_contact::lock(database, account).await?;
    if erased_account::contains(database, account).await? {
        return Err(Error::NotFound);
    }
    sqlx::query!(
        "INSERT INTO calendar_address (account, token_hash, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT ON CONSTRAINT calendar_address_pkey DO UPDATE SET \
             token_hash = excluded.token_hash, created_at = excluded.created_at",
        account,
        token.hash(hash),
        now
    )
    .execute(database)
    .instrument(span("INSERT calendar_address"))
    .await?;
    Ok(())
}

/// When the address of an account was made. `None` without one.
pub(crate) async fn find_created(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!("SELECT created_at FROM calendar_address WHERE account = $1", account)
        .fetch_optional(database)
        .instrument(span("SELECT calendar_address"))
        .await
}

/// Finds the account of a token.
pub(crate) async fn find_account(
    database: &mut PgConnection,
    token: &Token,
    hash: &KeyedHash,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT account FROM calendar_address WHERE token_hash = $1", token.hash(hash))
        .fetch_optional(database)
        .instrument(span("SELECT calendar_address"))
        .await
}

/// Ends the address of an account, if it has one. For an erasure, the caller holds the account's lock.
pub(crate) async fn end(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM calendar_address WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE calendar_address"))
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_256_bits_and_no_other_text_is_one() {
        let token = Token::random().unwrap();
        let text = token.encode();
        assert_eq!(text.len(), 43);
        assert_eq!(Token::parse(&text).unwrap().0, token.0);
        assert_ne!(text, Token::random().unwrap().encode());
        for junk in ["", "AAAA", &text[1..], &format!("{text}A"), &format!("{text}="), "トークン"] {
            assert!(Token::parse(junk).is_none(), "{junk}");
        }
        assert_eq!(format!("{token:?}"), "Token");
    }
}
