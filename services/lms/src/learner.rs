//! A learner, as this service knows one: an id from the caller assertion.

use kit::db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

/// Holds everything that `learner` marks and watches to this transaction, until it ends.
///
/// Limits, counts and coverage stay exact whatever else happens at the same time; other learners are not held up.
pub(crate) async fn lock(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0))", learner)
        .execute(connection)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    Ok(())
}
