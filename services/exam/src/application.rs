//! Applications: what a learner does before an exam.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

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
