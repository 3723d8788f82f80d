//! Deletes lines from carts: those of an erased account, and expired ones.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// Retention of a line that is not changed.
const RETENTION: Duration = Duration::days(90);

/// Deletes the lines of an erased account, and the lines that other accounts have for it. Lines
/// that it asked others to pay for, and that are now for another learner, stay.
pub(crate) async fn erase(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    let lines = sqlx::query_scalar!(
        "
        SELECT id FROM cart_line WHERE account_id = $1 OR learner_id = $1 OR asked_by = $1
        ORDER BY id FOR UPDATE
        ",
        account,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT cart_line"))
    .await?;
    sqlx::query!(
        "DELETE FROM cart_line WHERE id = ANY ($1) AND (account_id = $2 OR learner_id = $2)",
        &lines,
        account,
    )
    .execute(&mut *connection)
    .instrument(span("DELETE cart_line"))
    .await?;
    sqlx::query!("UPDATE cart_line SET asked_by = NULL WHERE id = ANY ($1)", &lines)
        .execute(connection)
        .instrument(span("UPDATE cart_line"))
        .await?;
    Ok(())
}

/// Deletes at most `limit` lines that were not changed for 90 days. Those of an account with an
/// open order stay. Returns the number of deleted rows.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM cart_line WHERE id IN (
            SELECT id FROM cart_line
            WHERE touched_at <= $1 AND NOT EXISTS (
                SELECT FROM orders WHERE account_id = cart_line.account_id AND state = 'awaiting_payment'
            )
            LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - RETENTION,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE cart_line"))
    .await?;
    Ok(deleted.rows_affected())
}
