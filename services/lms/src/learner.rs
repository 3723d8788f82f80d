//! A learner, as this service knows one: an id from the caller assertion.

pub(crate) mod export;

use kit::db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::entitlement;

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

/// Erases all that belongs to the account, which may be a guardian's: then that is what they did for others.
pub(crate) async fn forget(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    lock(connection, learner).await?;
    sqlx::query!("DELETE FROM review WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE review"))
        .await?;
    sqlx::query!("DELETE FROM answer WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE answer"))
        .await?;
    sqlx::query!("DELETE FROM result WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE result"))
        .await?;
    entitlement::erase(connection, learner).await?;
    sqlx::query!("DELETE FROM inventory WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE inventory"))
        .await?;
    sqlx::query!("DELETE FROM bookmark WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE bookmark"))
        .await?;
    sqlx::query!("DELETE FROM favorite WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE favorite"))
        .await?;
    sqlx::query!("DELETE FROM lesson_check WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE lesson_check"))
        .await?;
    sqlx::query!("DELETE FROM watch WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE watch"))
        .await?;
    sqlx::query!("DELETE FROM watch_credit WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE watch_credit"))
        .await?;
    sqlx::query!("DELETE FROM stream WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE stream"))
        .await?;
    sqlx::query!("DELETE FROM watch_day WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE watch_day"))
        .await?;
    sqlx::query!("DELETE FROM note WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE note"))
        .await?;
    sqlx::query!("DELETE FROM audit_entry WHERE learner_id = $1 OR actor_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE audit_entry"))
        .await?;
    sqlx::query!("DELETE FROM progress WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE progress"))
        .await?;
    Ok(())
}
