//! How an account ends: for a while it can be taken up again, then all of it is erased.
//!
//! Everything that is personal here goes with the row of the account. What others hold goes by the event `AccountErased`.
//! What the law wants kept, that is orders, will be kept by the service that sells, under the account's id alone. There
//! are no orders yet.

use kit::db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Begins to close an account, if its password is still the one with this hash.
pub(crate) async fn close(
    database: &mut PgConnection,
    account: Uuid,
    password_hash: &str,
    erase_at: OffsetDateTime,
) -> sqlx::Result<bool> {
    let begun = sqlx::query!(
        "UPDATE account SET erase_at = $3 WHERE id = $1 AND password_hash = $2",
        account,
        password_hash,
        erase_at
    )
    .execute(database)
    .instrument(span("UPDATE account"))
    .await?;
    Ok(begun.rows_affected() > 0)
}

/// Takes the closing of an account back, if its password is still the one with this hash; whether it was closing.
pub(crate) async fn reopen(
    database: &mut PgConnection,
    account: Uuid,
    password_hash: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let kept = sqlx::query!(
        "UPDATE account SET erase_at = NULL WHERE id = $1 AND password_hash = $2 AND erase_at > $3",
        account,
        password_hash,
        now
    )
    .execute(database)
    .instrument(span("UPDATE account"))
    .await?;
    Ok(kept.rows_affected() > 0)
}

/// Erases at most `limit` accounts whose time is up; gives their ids. Replicas may do it side by side.
pub(crate) async fn erase_due(
    database: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "DELETE FROM account WHERE id IN (SELECT id FROM account WHERE erase_at <= $1 LIMIT $2 \
         FOR UPDATE SKIP LOCKED) RETURNING id",
        now,
        limit
    )
    .fetch_all(database)
    .instrument(span("DELETE account"))
    .await
}
