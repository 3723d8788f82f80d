//! The audit of guardians who read a learner's data.
//!
//! Staff read it after an incident. Learners and their export show the views that auth stores.

use kit::caller::GuardianOf;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

/// Calls of one rpc by one guardian for one child within this time are one entry. This limits the
/// size of the table.
const ONCE_IN: Duration = Duration::minutes(10);

/// Records a call of the rpc at path `rpc`. Call it in the transaction that reads the data.
pub(crate) async fn record(
    connection: &mut PgConnection,
    relation: GuardianOf,
    rpc: &str,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO audit_entry (learner_id, actor_id, rpc, at)
        SELECT $1, $2, $3, $4
        WHERE NOT EXISTS (
            SELECT FROM audit_entry WHERE learner_id = $1 AND actor_id = $2 AND rpc = $3 AND at > $5
        )
        ",
        relation.child,
        relation.guardian,
        rpc,
        now,
        now - ONCE_IN,
    )
    .execute(connection)
    .instrument(span("INSERT audit_entry"))
    .await?;
    Ok(())
}

/// Deletes at most `limit` entries older than `oldest`. Returns the number of deleted entries.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    oldest: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM audit_entry
        WHERE id IN (SELECT id FROM audit_entry WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        ",
        oldest,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE audit_entry"))
    .await?;
    Ok(deleted.rows_affected())
}

/// Deletes the entries that name the account, as learner or as guardian.
pub(crate) async fn erase(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM audit_entry WHERE learner_id = $1 OR actor_id = $1", account)
        .execute(connection)
        .instrument(span("DELETE audit_entry"))
        .await?;
    Ok(())
}
