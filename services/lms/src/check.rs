//! Checks of lessons as done. The learner sets them, or watching most of a lesson does.

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::lesson::{self, LessonMarkExport, MarkedLesson};
use crate::{learner, progress};

/// Lists one page of the learner's checks, newest first, for all courses or one. Empty beyond the
/// last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
    course: Option<i64>,
) -> sqlx::Result<Vec<MarkedLesson>> {
    sqlx::query_as!(
        MarkedLesson,
        r#"
        SELECT
            lesson.id,
            lesson.name,
            lesson.summary,
            lesson.duration,
            unit.id AS unit_id,
            unit.name AS unit_name,
            chapter.id AS chapter_id,
            chapter.name AS chapter_name,
            course.id AS course_id,
            course.name AS course_name,
            lesson_check.created,
            count(*) OVER () AS "count!"
        FROM lesson_check
        JOIN lesson ON lesson.id = lesson_check.lesson_id
        JOIN unit ON unit.id = lesson.unit_id
        JOIN chapter ON chapter.id = unit.chapter_id
        JOIN course ON course.id = lesson.course_id
        WHERE lesson_check.learner_id = $1 AND ($4::bigint IS NULL OR lesson.course_id = $4)
        ORDER BY lesson_check.created DESC, lesson.id DESC
        LIMIT $2 OFFSET $3
        "#,
        learner,
        page.limit(),
        page.offset(),
        course,
    )
    .fetch_all(connection)
    .instrument(span("SELECT lesson_check"))
    .await
}

/// Checks a lesson of a course that the learner owns or owned. Changes nothing if it is checked
/// already.
pub(crate) async fn set(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
    limit: i64,
) -> Result<(), Error> {
    learner::lock(connection, learner).await?;
    let owned = lesson::find_owned(connection, learner, lesson).await?.ok_or(Error::NotFound)?;
    let state = find_state(connection, learner, lesson).await?;
    if state.is_set {
        return Ok(());
    }
    if state.count >= limit {
        return Err(Error::MarkLimit);
    }
    insert(connection, learner, lesson, owned.course_id, now).await?;
    Ok(())
}

/// Removes a check. Changes nothing if it does not exist.
pub(crate) async fn clear(connection: &mut PgConnection, learner: Uuid, lesson: i64) -> sqlx::Result<()> {
    learner::lock(connection, learner).await?;
    let course = sqlx::query_scalar!(
        "
        DELETE FROM lesson_check
        USING lesson
        WHERE
            lesson_check.learner_id = $1
            AND lesson_check.lesson_id = $2
            AND lesson.id = lesson_check.lesson_id
        RETURNING lesson.course_id
        ",
        learner,
        lesson,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("DELETE lesson_check"))
    .await?;
    if let Some(course) = course {
        progress::remove_check(connection, learner, course).await?;
    }
    Ok(())
}

/// The number of a learner's checks, and whether one lesson has one.
pub(crate) struct CheckState {
    /// The number of checks on all lessons.
    pub(crate) count: i64,
    /// Whether the lesson is checked.
    pub(crate) is_set: bool,
}

/// Counts the learner's checks and finds that of `lesson`. Valid while the caller holds the
/// learner's lock.
pub(crate) async fn find_state(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<CheckState> {
    sqlx::query_as!(
        CheckState,
        r#"
        SELECT count(*) AS "count!", count(*) FILTER (WHERE lesson_id = $2) > 0 AS "is_set!"
        FROM lesson_check
        WHERE learner_id = $1
        "#,
        learner,
        lesson,
    )
    .fetch_one(connection)
    .instrument(span("SELECT lesson_check"))
    .await
}

/// Checks a lesson that is not checked, and counts it in the progress. The caller holds the
/// learner's lock.
pub(crate) async fn insert(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    course: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO lesson_check (learner_id, lesson_id, created) VALUES ($1, $2, $3)",
        learner,
        lesson,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT lesson_check"))
    .await?;
    progress::add_check(connection, learner, course, now).await
}

/// Exports the learner's checks, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<LessonMarkExport>> {
    sqlx::query_as!(
        LessonMarkExport,
        "
        SELECT course.name AS course, lesson.name AS lesson, lesson_check.created
        FROM lesson_check
        JOIN lesson ON lesson.id = lesson_check.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE lesson_check.learner_id = $1
        ORDER BY lesson_check.created, lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT lesson_check"))
    .await
}

/// Deletes the learner's checks.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM lesson_check WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE lesson_check"))
        .await?;
    Ok(())
}
