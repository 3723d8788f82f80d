//! Attendance: the live lessons that learners joined.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::live_lesson;
use crate::error::Error;
use crate::learner;

/// A live lesson that a learner joined.
pub(crate) struct AttendanceExport {
    pub(crate) class: String,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) joined_at: OffsetDateTime,
}

/// Records that the learner joins a live lesson. The first time counts. Fails with [`Error::NotFound`] unless the
/// learner can join now.
pub(crate) async fn record(
    connection: &mut PgConnection,
    learner: Uuid,
    live_lesson: i64,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner::lock(connection, learner).await?;
    live_lesson::find(connection, learner, live_lesson, now).await?.join_url(now).ok_or(Error::NotFound)?;
    sqlx::query!(
        "INSERT INTO attendance (learner_id, live_lesson_id, joined_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        learner,
        live_lesson,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT attendance"))
    .await?;
    Ok(())
}

/// Exports the learner's attendance, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<AttendanceExport>> {
    sqlx::query_as!(
        AttendanceExport,
        "
        SELECT class.name AS class, live_lesson.starts_at, attendance.joined_at
        FROM attendance
        JOIN live_lesson ON live_lesson.id = attendance.live_lesson_id
        JOIN class ON class.id = live_lesson.class_id
        WHERE attendance.learner_id = $1
        ORDER BY attendance.joined_at, live_lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT attendance"))
    .await
}

/// Deletes the learner's attendance.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM attendance WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE attendance"))
        .await?;
    Ok(())
}
