//! Lessons that a learner marked as favorites.

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::learner;
use crate::lesson::{self, LessonMarkExport, MarkedLesson};

/// Lists one page of the learner's favorites, newest first, for all courses or one. Empty beyond
/// the last page.
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
            favorite.created,
            count(*) OVER () AS "count!"
        FROM favorite
        JOIN lesson ON lesson.id = favorite.lesson_id
        JOIN unit ON unit.id = lesson.unit_id
        JOIN chapter ON chapter.id = unit.chapter_id
        JOIN course ON course.id = lesson.course_id
        WHERE favorite.learner_id = $1 AND ($4::bigint IS NULL OR lesson.course_id = $4)
        ORDER BY favorite.created DESC, lesson.id DESC
        LIMIT $2 OFFSET $3
        "#,
        learner,
        page.limit(),
        page.offset(),
        course,
    )
    .fetch_all(connection)
    .instrument(span("SELECT favorite"))
    .await
}

/// Adds a favorite to a lesson of a course that the learner owns or owned. Changes nothing if it
/// exists.
pub(crate) async fn set(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
    limit: i64,
) -> Result<(), Error> {
    learner::lock(connection, learner).await?;
    lesson::find_owned(connection, learner, lesson).await?.ok_or(Error::NotFound)?;
    let state = sqlx::query!(
        r#"
        SELECT count(*) AS "count!", count(*) FILTER (WHERE lesson_id = $2) > 0 AS "is_set!"
        FROM favorite
        WHERE learner_id = $1
        "#,
        learner,
        lesson,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT favorite"))
    .await?;
    if state.is_set {
        return Ok(());
    }
    if state.count >= limit {
        return Err(Error::MarkLimit);
    }
    sqlx::query!(
        "INSERT INTO favorite (learner_id, lesson_id, created) VALUES ($1, $2, $3)",
        learner,
        lesson,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT favorite"))
    .await?;
    Ok(())
}

/// Removes a favorite. Changes nothing if it does not exist.
pub(crate) async fn clear(connection: &mut PgConnection, learner: Uuid, lesson: i64) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM favorite WHERE learner_id = $1 AND lesson_id = $2", learner, lesson)
        .execute(connection)
        .instrument(span("DELETE favorite"))
        .await?;
    Ok(())
}

/// Exports the learner's favorites, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<LessonMarkExport>> {
    sqlx::query_as!(
        LessonMarkExport,
        "
        SELECT course.name AS course, lesson.name AS lesson, favorite.created
        FROM favorite
        JOIN lesson ON lesson.id = favorite.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE favorite.learner_id = $1
        ORDER BY favorite.created, lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT favorite"))
    .await
}

/// Deletes the learner's favorites.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM favorite WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE favorite"))
        .await?;
    Ok(())
}
