//! Applications: what a learner does before an exam.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// Fails unless every step before the exam is done.
pub(crate) async fn require_exam_step(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> Result<(), Error> {
    let is_done = sqlx::query_scalar!(
        r#"
        SELECT
            EXISTS (SELECT FROM desired_school WHERE learner_id = $1 AND exam_id = $2)
            AND EXISTS (SELECT FROM device_check WHERE learner_id = $1 AND exam_id = $2 AND passed)
            AS "is_done!"
        "#,
        learner,
        exam,
    )
    .fetch_one(connection)
    .instrument(span("SELECT desired_school"))
    .await?;
    if is_done { Ok(()) } else { Err(Error::StepNotOpen) }
}

/// Deletes the learner's applications.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM device_check WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE device_check"))
        .await?;
    sqlx::query!("DELETE FROM desired_school WHERE learner_id = $1", learner)
        .execute(&mut *connection)
        .instrument(span("DELETE desired_school"))
        .await?;
    sqlx::query!("DELETE FROM application WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE application"))
        .await?;
    Ok(())
}
