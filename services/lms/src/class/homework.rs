//! Homework of live lessons, and the marks of learners who did it.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::live_lesson;
use crate::error::Error;
use crate::learner;

/// Homework that a learner marked as done.
pub(crate) struct HomeworkMarkExport {
    pub(crate) class: String,
    pub(crate) homework: String,
    pub(crate) due_at: Option<OffsetDateTime>,
    pub(crate) done_at: OffsetDateTime,
}

/// Marks the homework of a live lesson as done. The first time counts. Fails with [`Error::NotFound`] unless the live
/// lesson has started and has homework.
pub(crate) async fn set_mark(
    connection: &mut PgConnection,
    learner: Uuid,
    live_lesson: i64,
    now: OffsetDateTime,
) -> Result<(), Error> {
    learner::lock(connection, learner).await?;
    live_lesson::find(connection, learner, live_lesson, now).await?.homework(now).ok_or(Error::NotFound)?;
    sqlx::query!(
        "INSERT INTO homework_mark (learner_id, live_lesson_id, done_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        learner,
        live_lesson,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT homework_mark"))
    .await?;
    Ok(())
}

/// Removes the mark. Changes nothing if there is none.
pub(crate) async fn clear_mark(
    connection: &mut PgConnection,
    learner: Uuid,
    live_lesson: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM homework_mark WHERE learner_id = $1 AND live_lesson_id = $2",
        learner,
        live_lesson,
    )
    .execute(connection)
    .instrument(span("DELETE homework_mark"))
    .await?;
    Ok(())
}

/// Exports the learner's marks, oldest first. A mark stays when the homework is withdrawn: its text is empty then.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<HomeworkMarkExport>> {
    sqlx::query_as!(
        HomeworkMarkExport,
        r#"
        SELECT
            class.name AS class,
            coalesce(live_lesson.homework, '') AS "homework!",
            live_lesson.homework_due_at AS due_at,
            homework_mark.done_at
        FROM homework_mark
        JOIN live_lesson ON live_lesson.id = homework_mark.live_lesson_id
        JOIN class ON class.id = live_lesson.class_id
        WHERE homework_mark.learner_id = $1
        ORDER BY homework_mark.done_at, live_lesson.id
        "#,
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT homework_mark"))
    .await
}

/// Deletes the learner's marks.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM homework_mark WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE homework_mark"))
        .await?;
    Ok(())
}
