//! Closing of an account: the owner can reopen it for a while, then it is erased.
//!
//! All personal data in this database is deleted with the row of the account by foreign keys. Other services delete
//! theirs on the event `AccountErased`. commerce keeps orders for as long as the law asks, but not whose account they are
//! of.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Starts to close an account if it still has this password hash; returns whether it did.
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

/// Reopens a closing account if it still has this password hash; returns whether it did.
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

/// Erases at most `limit` accounts that are due; returns their ids. Replicas may do so at the same time.
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
