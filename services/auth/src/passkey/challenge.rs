//! Challenges for a browser to sign. They are stored in the database, because the next call may reach another replica.
//! Each is used once.

use kit_db::span;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::account::Account;

/// The time that browsers give a person.
const LIFETIME: Duration = Duration::minutes(5);

/// Stores `state` until the browser has signed. `account` is the owner of a new passkey; `None` at a login, where the
/// account is not known yet.
pub(crate) async fn add(
    database: &mut PgConnection,
    account: Option<&Account>,
    state: &(impl Serialize + Sync),
    now: OffsetDateTime,
) -> sqlx::Result<Uuid> {
    let id = Uuid::new_v4();
    sqlx::query!(
        "INSERT INTO passkey_challenge (id, account, state, expires_at, password_version) \
         VALUES ($1, $2, $3, $4, $5)",
        id,
        account.map(|account| account.id),
        Json(state) as _,
        now + LIFETIME,
        account.map(Account::password_version)
    )
    .execute(database)
    .instrument(span("INSERT passkey_challenge"))
    .await?;
    Ok(id)
}

/// A stored challenge.
pub(crate) struct Challenge<State> {
    pub(crate) state: Json<State>,
    /// The password version of the account at that time; `None` at a login.
    pub(crate) password_version: Option<Vec<u8>>,
}

/// Deletes the challenges of an account.
pub(crate) async fn delete_all(database: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM passkey_challenge WHERE account = $1", account)
        .execute(database)
        .instrument(span("DELETE passkey_challenge"))
        .await?;
    Ok(())
}

/// Takes a challenge that was stored for the same account and has not expired.
pub(crate) async fn take<State: DeserializeOwned + Send + Unpin + 'static>(
    database: &mut PgConnection,
    id: Uuid,
    account: Option<Uuid>,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Challenge<State>>> {
    sqlx::query_as!(
        Challenge::<State>,
        r#"DELETE FROM passkey_challenge WHERE id = $1 AND account IS NOT DISTINCT FROM $2 AND expires_at > $3
        RETURNING state AS "state!: Json<State>", password_version"#,
        id,
        account,
        now
    )
    .fetch_optional(database)
    .instrument(span("DELETE passkey_challenge"))
    .await
}

/// Deletes at most `limit` expired challenges; returns their number.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM passkey_challenge WHERE id IN (SELECT id FROM passkey_challenge WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit
    )
    .execute(database)
    .instrument(span("DELETE passkey_challenge"))
    .await?;
    Ok(swept.rows_affected())
}
