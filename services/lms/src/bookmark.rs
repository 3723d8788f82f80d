//! Bookmarked courses. A learner can bookmark any course.

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::course::CourseVersion;
use crate::error::Error;
use crate::learner;

/// A bookmarked course.
pub(crate) struct Bookmark {
    pub(crate) course: CourseVersion,
    /// Whether the learner has completed the course.
    pub(crate) is_check: bool,
    pub(crate) created: OffsetDateTime,
}

/// Lists one page of the learner's bookmarks, newest first. Counts all of them. Empty beyond the
/// last page.
pub(crate) async fn list_page(
    connection: &mut PgConnection,
    learner: Uuid,
    page: Page,
) -> sqlx::Result<(i64, Vec<Bookmark>)> {
    let rows = sqlx::query!(
        r#"
        SELECT
            course.id,
            course.revision,
            progress.completed_at IS NOT NULL AS "is_check!",
            bookmark.created,
            count(*) OVER () AS "count!"
        FROM bookmark
        JOIN course ON course.id = bookmark.course_id
        LEFT JOIN progress
            ON progress.learner_id = bookmark.learner_id AND progress.course_id = bookmark.course_id
        WHERE bookmark.learner_id = $1
        ORDER BY bookmark.created DESC, bookmark.course_id DESC
        LIMIT $2 OFFSET $3
        "#,
        learner,
        page.limit(),
        page.offset(),
    )
    .fetch_all(connection)
    .instrument(span("SELECT bookmark"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let bookmarks = rows.into_iter().map(|row| Bookmark {
        course: CourseVersion { id: row.id, revision: row.revision },
        is_check: row.is_check,
        created: row.created,
    });
    Ok((count, bookmarks.collect()))
}

/// Adds a bookmark. Changes nothing if it exists.
pub(crate) async fn set(
    connection: &mut PgConnection,
    learner: Uuid,
    course: i64,
    now: OffsetDateTime,
    limit: i64,
) -> Result<(), Error> {
    learner::lock(connection, learner).await?;
    let state = sqlx::query!(
        r#"
        SELECT count(*) AS "count!", count(*) FILTER (WHERE course_id = $2) > 0 AS "is_set!"
        FROM bookmark
        WHERE learner_id = $1
        "#,
        learner,
        course,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT bookmark"))
    .await?;
    if state.is_set {
        return Ok(());
    }
    if state.count >= limit {
        return Err(Error::MarkLimit);
    }
    sqlx::query!(
        "INSERT INTO bookmark (learner_id, course_id, created) VALUES ($1, $2, $3)",
        learner,
        course,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT bookmark"))
    .await
    .map_err(|error| match kit_db::constraint(&error) {
        Some("bookmark_course_id_fkey") => Error::NotFound,
        _ => error.into(),
    })?;
    Ok(())
}

/// Removes a bookmark. Changes nothing if it does not exist.
pub(crate) async fn clear(connection: &mut PgConnection, learner: Uuid, course: i64) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM bookmark WHERE learner_id = $1 AND course_id = $2", learner, course)
        .execute(connection)
        .instrument(span("DELETE bookmark"))
        .await?;
    Ok(())
}

/// A bookmark in a learner's export.
pub(crate) struct BookmarkExport {
    pub(crate) course: String,
    pub(crate) created: OffsetDateTime,
}

/// Exports the learner's bookmarks, oldest first.
pub(crate) async fn export(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<BookmarkExport>> {
    sqlx::query_as!(
        BookmarkExport,
        "
        SELECT course.name AS course, bookmark.created
        FROM bookmark JOIN course ON course.id = bookmark.course_id
        WHERE bookmark.learner_id = $1
        ORDER BY bookmark.created, course.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT bookmark"))
    .await
}

/// Deletes the learner's bookmarks.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM bookmark WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE bookmark"))
        .await?;
    Ok(())
}
