//! Passkeys: sign-in without a password.

pub(crate) mod challenge;

use kit_db::{constraint, span};
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;
use webauthn_rs::prelude::Passkey as Credential;

use crate::account::Account;
use crate::error::Error;

/// Maximum number of passkeys of an account.
const LIMIT: i64 = 10;
/// Maximum length of the name of a passkey, in characters.
pub(crate) const NAME_LIMIT: usize = 30;

/// A passkey, as its owner sees it.
pub(crate) struct Passkey {
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) created: OffsetDateTime,
    pub(crate) last_used_at: Option<OffsetDateTime>,
    /// Set while the passkey is suspended. The owner can keep it to sign in with it again.
    pub(crate) suspended_at: Option<OffsetDateTime>,
}

/// The passkeys of an account, oldest first.
pub(crate) async fn list(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<Passkey>> {
    sqlx::query_as!(
        Passkey,
        "SELECT id, name, created, last_used_at, suspended_at FROM passkey WHERE account = $1 ORDER BY id",
        account
    )
    .fetch_all(database)
    .instrument(span("SELECT passkey"))
    .await
}

/// The credential ids of an account. A device that holds one of them creates no second passkey.
pub(crate) async fn list_credential_ids(
    database: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<Vec<Vec<u8>>> {
    sqlx::query_scalar!("SELECT credential_id FROM passkey WHERE account = $1", account)
        .fetch_all(database)
        .instrument(span("SELECT passkey"))
        .await
}

/// Adds a passkey. The caller holds the lock of the account, so concurrent calls cannot exceed the limit.
pub(crate) async fn add(
    database: &mut PgConnection,
    account: &Account,
    name: &str,
    credential: &Credential,
    now: OffsetDateTime,
) -> Result<Passkey, Error> {
    let PasskeyCount { active, suspended } = count(database, account.id).await?;
    if active + suspended >= LIMIT {
        return Err(Error::PasskeysFull);
    }
    let id = Uuid::now_v7();
    let id_on_device: &[u8] = credential.cred_id();
    sqlx::query!(
        "INSERT INTO passkey (id, account, name, credential_id, credential, created) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        account.id,
        name,
        id_on_device,
        Json(credential) as _,
        now
    )
    .execute(database)
    .instrument(span("INSERT passkey"))
    .await
    .map_err(|error| match constraint(&error) {
        Some("passkey_credential_unique") => Error::PasskeyKnown,
        _ => error.into(),
    })?;
    Ok(Passkey { id, name: name.to_owned(), created: now, last_used_at: None, suspended_at: None })
}

/// Number of passkeys of an account.
pub(crate) struct PasskeyCount {
    /// Usable for sign-in.
    pub(crate) active: i64,
    /// Suspended until the owner keeps them.
    pub(crate) suspended: i64,
}

/// Counts the passkeys of an account.
pub(crate) async fn count(database: &mut PgConnection, account: Uuid) -> sqlx::Result<PasskeyCount> {
    sqlx::query_as!(
        PasskeyCount,
        r#"SELECT count(*) FILTER (WHERE suspended_at IS NULL) AS "active!",
            count(*) FILTER (WHERE suspended_at IS NOT NULL) AS "suspended!" FROM passkey WHERE account = $1"#,
        account
    )
    .fetch_one(database)
    .instrument(span("SELECT passkey"))
    .await
}

/// Renames a passkey of an account. False if the account has no such passkey.
pub(crate) async fn rename(
    database: &mut PgConnection,
    account: Uuid,
    id: Uuid,
    name: &str,
) -> sqlx::Result<bool> {
    let renamed =
        sqlx::query!("UPDATE passkey SET name = $3 WHERE id = $2 AND account = $1", account, id, name)
            .execute(database)
            .instrument(span("UPDATE passkey"))
            .await?;
    Ok(renamed.rows_affected() == 1)
}

/// Removes a passkey of an account; returns its name. `None` if the account has no such passkey.
pub(crate) async fn remove(
    database: &mut PgConnection,
    account: Uuid,
    id: Uuid,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("DELETE FROM passkey WHERE id = $2 AND account = $1 RETURNING name", account, id)
        .fetch_optional(database)
        .instrument(span("DELETE passkey"))
        .await
}

/// Suspends every passkey of an account.
pub(crate) async fn suspend_all(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE passkey SET suspended_at = COALESCE(suspended_at, $2) WHERE account = $1",
        account,
        now
    )
    .execute(database)
    .instrument(span("UPDATE passkey"))
    .await?;
    Ok(())
}

/// Ends the suspension of a passkey. False if the account has no such passkey.
pub(crate) async fn keep(database: &mut PgConnection, account: Uuid, id: Uuid) -> sqlx::Result<bool> {
    let kept =
        sqlx::query!("UPDATE passkey SET suspended_at = NULL WHERE id = $2 AND account = $1", account, id)
            .execute(database)
            .instrument(span("UPDATE passkey"))
            .await?;
    Ok(kept.rows_affected() == 1)
}

/// Removes the passkeys that an account got at `since` or later.
pub(crate) async fn remove_since(
    database: &mut PgConnection,
    account: Uuid,
    since: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM passkey WHERE account = $1 AND created >= $2", account, since)
        .execute(database)
        .instrument(span("DELETE passkey"))
        .await?;
    Ok(())
}

/// Finds a passkey that is not suspended, and locks it until the transaction ends because its counter changes.
pub(crate) async fn lock_by_credential(
    database: &mut PgConnection,
    account: Uuid,
    credential_id: &[u8],
) -> sqlx::Result<Option<(Uuid, Credential)>> {
    let found = sqlx::query!(
        r#"SELECT id, credential AS "credential!: Json<Credential>" FROM passkey
        WHERE account = $1 AND credential_id = $2 AND suspended_at IS NULL FOR UPDATE"#,
        account,
        credential_id
    )
    .fetch_optional(database)
    .instrument(span("SELECT passkey"))
    .await?;
    Ok(found.map(|row| (row.id, row.credential.0)))
}

/// Stores the new counter and the time of a sign-in.
pub(crate) async fn record_use(
    database: &mut PgConnection,
    id: Uuid,
    credential: &Credential,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE passkey SET credential = $2, last_used_at = $3 WHERE id = $1",
        id,
        Json(credential) as _,
        now
    )
    .execute(database)
    .instrument(span("UPDATE passkey"))
    .await?;
    Ok(())
}
