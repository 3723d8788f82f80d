//! Extra time of learners.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

/// The percentage without extra time.
const NONE: i32 = 100;

/// Finds the learner's time as a percentage of a paper's minutes.
pub(crate) async fn find_percent(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<i32> {
    let percent = sqlx::query_scalar!("SELECT percent FROM extra_time WHERE learner_id = $1", learner)
        .fetch_optional(connection)
        .instrument(span("SELECT extra_time"))
        .await?;
    Ok(percent.unwrap_or(NONE))
}

/// Grants extra time for sittings that start from now on. `None` withdraws it.
pub async fn set(connection: &mut PgConnection, learner: Uuid, percent: Option<i32>) -> sqlx::Result<()> {
    let Some(percent) = percent else { return erase(connection, learner).await };
    sqlx::query!(
        "
        INSERT INTO extra_time (learner_id, percent) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT extra_time_pkey DO UPDATE SET percent = excluded.percent
        ",
        learner,
        percent,
    )
    .execute(connection)
    .instrument(span("INSERT extra_time"))
    .await?;
    Ok(())
}

/// Deletes the learner's extra time.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM extra_time WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE extra_time"))
        .await?;
    Ok(())
}
