//! Links in mails: single-use tokens for one purpose. Only their hashes are stored.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::token::LinkToken;

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Verifies the address of a sign-up; the subject is the sign-up.
    Verify,
    /// Sets a new password.
    Reset,
    /// Confirms a new e-mail address.
    Email,
    /// Stops unconfirmed changes of the e-mail address.
    EmailStop,
    /// Restores the old e-mail address.
    EmailUndo,
    /// Gives a guardian's consent.
    Consent,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 6] =
        [Self::Verify, Self::Reset, Self::Email, Self::EmailStop, Self::EmailUndo, Self::Consent];

    /// Whether recovery of the account ends such a link. The link that restores the old e-mail address stays: an
    /// attacker who took the account over controls the password, and must not be able to remove the owner's way back.
    fn ends_at_recovery(self) -> bool {
        match self {
            Self::Verify | Self::Reset | Self::Email | Self::EmailStop | Self::Consent => true,
            Self::EmailUndo => false,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
            Self::Email => "email",
            Self::EmailStop => "email_stop",
            Self::EmailUndo => "email_undo",
            Self::Consent => "consent",
        }
    }
}

/// A valid link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The account that it belongs to.
    pub account: Option<Uuid>,
    /// The id of another object, which depends on the purpose.
    pub subject: Option<Uuid>,
}

/// Issues a link that is valid until `expires_at`. The token cannot be read again.
pub async fn issue(
    database: &mut PgConnection,
    purpose: Purpose,
    account: Option<Uuid>,
    subject: Option<Uuid>,
    expires_at: OffsetDateTime,
) -> Result<LinkToken, Error> {
    let token = LinkToken::random()?;
    sqlx::query!(
        "INSERT INTO link (hash, purpose, account, subject, expires_at) VALUES ($1, $2, $3, $4, $5)",
        token.hash(),
        purpose.name(),
        account,
        subject,
        expires_at
    )
    .execute(database)
    .instrument(span("INSERT link"))
    .await?;
    Ok(token)
}

/// Finds a valid link without using it.
pub async fn find(
    database: &mut PgConnection,
    purpose: Purpose,
    token: &LinkToken,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Link>> {
    sqlx::query_as!(
        Link,
        "SELECT account, subject FROM link \
         WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3",
        token.hash(),
        purpose.name(),
        now
    )
    .fetch_optional(database)
    .instrument(span("SELECT link"))
    .await
}

/// Uses a valid link. One statement: of several calls at the same time only one succeeds.
pub async fn take(
    database: &mut PgConnection,
    purpose: Purpose,
    token: &LinkToken,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Link>> {
    sqlx::query_as!(
        Link,
        "UPDATE link SET used_at = $3 \
         WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3 RETURNING account, subject",
        token.hash(),
        purpose.name(),
        now
    )
    .fetch_optional(database)
    .instrument(span("UPDATE link"))
    .await
}

/// Ends all links of an account that recovery ends.
pub(crate) async fn end_at_recovery(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let purposes = Purpose::ALL.into_iter().filter(|purpose| purpose.ends_at_recovery());
    let purposes: Vec<_> = purposes.map(|purpose| purpose.name().to_owned()).collect();
    sqlx::query!(
        "UPDATE link SET used_at = $3 WHERE account = $1 AND purpose = ANY($2) AND used_at IS NULL",
        account,
        &purposes,
        now
    )
    .execute(database)
    .instrument(span("UPDATE link"))
    .await?;
    Ok(())
}

/// Ends all links of an account for one purpose.
pub async fn end_all(
    database: &mut PgConnection,
    purpose: Purpose,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE link SET used_at = $3 WHERE account = $1 AND purpose = $2 AND used_at IS NULL",
        account,
        purpose.name(),
        now
    )
    .execute(database)
    .instrument(span("UPDATE link"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` expired links; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM link WHERE hash IN (SELECT hash FROM link WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE link"))
    .await?;
    Ok(swept.rows_affected())
}
