//! Erased accounts. Events may arrive in any order, so a grant may arrive after the erasure of its
//! account. It must not write rows of the account again.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// Retention of an erased account, the same as that of events in the inbox. If a sender is down for
/// longer, its events need manual repair.
const RETENTION: Duration = kit_db::inbox::REMEMBERED;

/// Remembers that the account was erased. The caller holds the lock of [`learner::lock`](crate::learner::lock).
pub(crate) async fn add(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO erased_account (id, erased_at) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT erased_account_pkey DO UPDATE SET erased_at = excluded.erased_at
        ",
        account,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT erased_account"))
    .await?;
    Ok(())
}

/// Whether the account was erased. The caller holds the lock of [`learner::lock`](crate::learner::lock), so a concurrent
/// erasure is either finished or begins later.
pub(crate) async fn contains(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM erased_account WHERE id = $1) AS "is_erased!""#,
        account
    )
    .fetch_one(connection)
    .instrument(span("SELECT erased_account"))
    .await
}

/// Forgets at most `limit` accounts whose retention is over. Returns their number.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM erased_account
        WHERE id IN (
            SELECT id FROM erased_account WHERE erased_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - RETENTION,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE erased_account"))
    .await?;
    Ok(deleted.rows_affected())
}
