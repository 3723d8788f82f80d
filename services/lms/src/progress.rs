//! What a learner's checks and beats amount to for a course. Kept in the transaction that writes them, under the
//! learner's lock, so that a page of the inventory need not count.
//!
//! A course is complete from the moment its last unchecked lesson is checked. Lessons added later by an import leave it
//! complete; a learner who takes a check off again makes it incomplete.

use kit::db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// One lesson more of the course is checked.
pub(crate) async fn checked(
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

/// One lesson less of the course is checked.
pub(crate) async fn unchecked(connection: &mut PgConnection, learner: Uuid, course: i64) -> sqlx::Result<()> {
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

/// A lesson of the course was open just now.
pub(crate) async fn watched(
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

/// The progress in a course in a learner's export.
pub(crate) struct ExportRow {
    pub(crate) course: String,
    pub(crate) check_count: i32,
    pub(crate) completed_at: Option<OffsetDateTime>,
    pub(crate) opened_at: Option<OffsetDateTime>,
    pub(crate) last_watched_at: Option<OffsetDateTime>,
}

/// Exports the learner's progress, by course.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<ExportRow>> {
    sqlx::query_as!(
        ExportRow,
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
