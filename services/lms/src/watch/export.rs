//! The watch history in a learner's export.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// The watch history of a lesson in a learner's export.
pub(crate) struct WatchExport {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) position: i32,
    pub(crate) covered: i32,
    pub(crate) times: i32,
    pub(crate) first_seen: OffsetDateTime,
    pub(crate) last_seen: OffsetDateTime,
}

/// Exports the learner's watch history, oldest first.
pub(crate) async fn export(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<WatchExport>> {
    sqlx::query_as!(
        WatchExport,
        "
        SELECT
            course.name AS course,
            lesson.name AS lesson,
            watch.position,
            watch.covered,
            watch.times,
            watch.first_seen,
            watch.last_seen
        FROM watch
        JOIN lesson ON lesson.id = watch.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE watch.learner_id = $1
        ORDER BY watch.first_seen, lesson.id
        ",
        learner,
    )
    .fetch_all(connection)
    .instrument(span("SELECT watch"))
    .await
}
