//! A learner's progress in a course, summed up from checks and heartbeats.
//!
//! The transaction that writes a check or a heartbeat also writes the progress, under the learner's
//! lock. A page of the inventory then needs no counting.
//!
//! A course is complete once its last unchecked lesson is checked. It stays complete if an import
//! adds lessons later. It becomes incomplete if the learner removes a check.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// Counts one more checked lesson.
pub(crate) async fn add_check(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO progress (learner_id, course_id, check_count, completed_at)
        SELECT $1, course.id, 1, CASE WHEN course.lesson_count <= 1 THEN $3::timestamptz END
        FROM course
        WHERE course.id = $2
        ON CONFLICT (learner_id, course_id) DO UPDATE SET
            check_count = progress.check_count + 1,
            completed_at = coalesce(
                progress.completed_at,
                (
                    SELECT $3::timestamptz
                    FROM course
                    WHERE course.id = $2 AND course.lesson_count <= progress.check_count + 1
                )
            )
        ",
        learner,
        course,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT progress"))
    .await?;
    Ok(())
}

/// Counts one checked lesson less.
pub(crate) async fn remove_check(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE progress
        SET check_count = check_count - 1, completed_at = NULL
        WHERE learner_id = $1 AND course_id = $2
        ",
        learner,
        course,
    )
    .execute(connection)
    .instrument(span("UPDATE progress"))
    .await?;
    Ok(())
}

/// Records that a lesson of the course was watched at `now`.
pub(crate) async fn record_watch(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO progress (learner_id, course_id, opened_at, last_watched_at)
        VALUES ($1, $2, $3, $3)
        ON CONFLICT (learner_id, course_id) DO UPDATE SET
            opened_at = coalesce(progress.opened_at, excluded.opened_at),
            last_watched_at = greatest(progress.last_watched_at, excluded.last_watched_at)
        ",
        learner,
        course,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT progress"))
    .await?;
    Ok(())
}

/// A course's progress in a learner's export.
pub(crate) struct ProgressExport {
    pub(crate) course: String,
    pub(crate) check_count: i32,
    pub(crate) completed_at: Option<OffsetDateTime>,
    pub(crate) opened_at: Option<OffsetDateTime>,
    pub(crate) last_watched_at: Option<OffsetDateTime>,
}

/// Exports the learner's progress, by course.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<ProgressExport>> {
    sqlx::query_as!(
        ProgressExport,
        "
        SELECT
            course.name AS course,
            progress.check_count,
            progress.completed_at,
            progress.opened_at,
            progress.last_watched_at
        FROM progress JOIN course ON course.id = progress.course_id
        WHERE progress.learner_id = $1
        ORDER BY course.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT progress"))
    .await
}

/// Deletes the learner's progress.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM progress WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE progress"))
        .await?;
    Ok(())
}
