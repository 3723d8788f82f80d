//! Changes of an e-mail address: requested, confirmed at the new address, and undone from the old one.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::account::Account;

/// A requested or confirmed change.
pub(crate) struct EmailChange {
    pub(crate) new_email: String,
    pub(crate) asked_at: OffsetDateTime,
    /// The password version of the account at the time of the request.
    pub(crate) password_version: Option<Vec<u8>>,
    /// Set when the change is confirmed.
    pub(crate) old_email: Option<String>,
    pub(crate) confirmed_at: Option<OffsetDateTime>,
}

/// Stores a request until its link expires. An earlier unconfirmed request is deleted.
pub(crate) async fn add(
    database: &mut PgConnection,
    account: &Account,
    new_email: &str,
    now: OffsetDateTime,
    forget_at: OffsetDateTime,
) -> sqlx::Result<Uuid> {
    delete_unconfirmed(database, account.id).await?;
    let id = Uuid::now_v7();
    sqlx::query!(
        "INSERT INTO email_change (id, account, new_email, asked_at, forget_at, password_version) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        account.id,
        new_email,
        now,
        forget_at,
        account.password_version()
    )
    .execute(database)
    .instrument(span("INSERT email_change"))
    .await?;
    Ok(id)
}

/// Deletes the unconfirmed change of an account.
pub(crate) async fn delete_unconfirmed(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM email_change WHERE account = $1 AND confirmed_at IS NULL", account)
        .execute(database)
        .instrument(span("DELETE email_change"))
        .await?;
    Ok(())
}

/// Finds a change and locks it until the transaction ends.
pub(crate) async fn lock(database: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<EmailChange>> {
    sqlx::query_as!(
        EmailChange,
        "SELECT new_email, asked_at, password_version, old_email, confirmed_at FROM email_change \
         WHERE id = $1 FOR UPDATE",
        id
    )
    .fetch_optional(database)
    .instrument(span("SELECT email_change"))
    .await
}

/// Marks a change as confirmed. It can be undone until `forget_at`.
pub(crate) async fn confirm(
    database: &mut PgConnection,
    id: Uuid,
    old_email: &str,
    now: OffsetDateTime,
    forget_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE email_change SET old_email = $2, confirmed_at = $3, forget_at = $4 WHERE id = $1",
        id,
        old_email,
        now,
        forget_at
    )
    .execute(database)
    .instrument(span("UPDATE email_change"))
    .await?;
    Ok(())
}

/// Deletes an undone change and all later ones: an address in between must not be restored.
pub(crate) async fn delete_since(
    database: &mut PgConnection,
    account: Uuid,
    confirmed_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM email_change WHERE account = $1 AND (confirmed_at IS NULL OR confirmed_at >= $2)",
        account,
        confirmed_at
    )
    .execute(database)
    .instrument(span("DELETE email_change"))
    .await?;
    Ok(())
}

/// The changes of an account, oldest first.
pub(crate) async fn export(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<EmailChange>> {
    sqlx::query_as!(
        EmailChange,
        "SELECT new_email, asked_at, password_version, old_email, confirmed_at FROM email_change \
         WHERE account = $1 ORDER BY asked_at",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT email_change"))
    .await
}

/// Masks an address so that its owner recognizes it and others don't: `n***@demo.example`.
pub(crate) fn mask_email(email: &str) -> String {
    let (local, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// Deletes at most `limit` changes that can no longer be confirmed or undone; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM email_change WHERE id IN (SELECT id FROM email_change WHERE forget_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE email_change"))
    .await?;
    Ok(swept.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::mask_email;

    #[test]
    fn a_masked_address_shows_its_first_letter_and_its_domain() {
        assert_eq!(mask_email("new@demo.example"), "n***@demo.example");
        assert_eq!(mask_email("\"a@b\"@demo.example"), "\"***@demo.example");
    }
}
