//! A learner is an id from the caller assertion.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

/// Locks the marks and the watch history of `learner` until the transaction ends.
///
/// Limits, counts and coverage stay exact under concurrent calls. Does not block other learners.
pub(crate) async fn lock(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0))", learner)
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}
