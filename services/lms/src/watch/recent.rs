//! Recently watched lessons.

use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A watched lesson.
pub(crate) struct RecentLesson {
    pub(crate) lesson_id: i64,
    pub(crate) lesson_name: String,
    pub(crate) duration: i32,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    pub(crate) position: i32,
    pub(crate) covered: i32,
    pub(crate) is_check: bool,
    /// Whether the learner has no active entitlement to the course.
    pub(crate) is_expired: bool,
    pub(crate) last_seen: OffsetDateTime,
    /// The number of lessons on all pages.
    pub(crate) count: i64,
}

/// Lists one page of the learner's watched lessons, the last watched first, for all courses or one.
/// Empty beyond the last page.
pub(crate) async fn list_recent(
    connection: &mut PgConnection,
    learner: Uuid,
    course: Option<i64>,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<RecentLesson>> {
    sqlx::query_as!(
        RecentLesson,
        r#"
        SELECT
            lesson.id AS lesson_id,
            lesson.name AS lesson_name,
            lesson.duration,
            course.id AS course_id,
            course.name AS course_name,
            watch.position,
            watch.covered,
            EXISTS (
                SELECT
                FROM lesson_check
                WHERE lesson_check.learner_id = $1 AND lesson_check.lesson_id = lesson.id
            ) AS "is_check!",
            NOT EXISTS (
                SELECT
                FROM entitlement
                WHERE
                    entitlement.learner_id = $1
                    AND entitlement.course_id = course.id
                    AND entitlement.active_until > $4
            ) AS "is_expired!",
            watch.last_seen,
            count(*) OVER () AS "count!"
        FROM watch
        JOIN lesson ON lesson.id = watch.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE watch.learner_id = $1 AND ($5::bigint IS NULL OR lesson.course_id = $5)
        ORDER BY watch.last_seen DESC, lesson.id DESC
        LIMIT $2 OFFSET $3
        "#,
        learner,
        page.limit(),
        page.offset(),
        now,
        course,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch"))
    .await
}
