//! One video of a course, seen from a learner.

use kit::db::span;
use proto::lms;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A lesson of a course that the learner owns or owned.
pub(crate) struct Owned {
    pub(crate) course_id: i64,
    /// Seconds.
    pub(crate) duration: i32,
    /// Whether an item of the course has not run out.
    pub(crate) is_active: bool,
}

/// The lesson, if the learner has an item of its course, run out or not.
pub(crate) async fn owned(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Owned>> {
    sqlx::query_as!(
        Owned,
        r#"
        SELECT
            lesson.course_id,
            lesson.duration,
            bool_or(inventory.expire_at IS NULL OR inventory.expire_at > $3) AS "is_active!"
        FROM lesson
        JOIN inventory ON inventory.course_id = lesson.course_id
        WHERE lesson.id = $2 AND inventory.learner_id = $1
        GROUP BY lesson.id
        "#,
        learner,
        lesson,
        now,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT lesson"))
    .await
}

/// A mark on a lesson, with the way to the lesson.
pub(crate) struct Marked {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) duration: i32,
    pub(crate) unit_id: i64,
    pub(crate) unit_name: String,
    pub(crate) chapter_id: i64,
    pub(crate) chapter_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    /// When the mark was set.
    pub(crate) created: OffsetDateTime,
    /// How many marks there are on all pages.
    pub(crate) count: i64,
}

impl From<Marked> for lms::LessonMark {
    fn from(marked: Marked) -> Self {
        Self {
            lesson: Some(lms::LessonRef {
                lesson: Some(lms::Lesson {
                    id: marked.id,
                    name: marked.name,
                    summary: marked.summary,
                    duration: marked.duration,
                }),
                unit_id: marked.unit_id,
                unit_name: marked.unit_name,
                chapter_id: marked.chapter_id,
                chapter_name: marked.chapter_name,
                course_id: marked.course_id,
                course_name: marked.course_name,
            }),
            created: Some(crate::rpc::timestamp(marked.created)),
        }
    }
}
