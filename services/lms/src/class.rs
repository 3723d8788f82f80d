//! Classes (クラス): live lessons of a course by a timetable.
//!
//! The members of a class are the learners who can use its course now. For everyone else a class does not exist.

pub(crate) mod attendance;
pub(crate) mod content;
pub(crate) mod homework;
pub(crate) mod live_lesson;
pub(crate) mod timetable;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A class of a learner.
pub(crate) struct Class {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    /// The learner's inventory item of the course.
    pub(crate) item_id: i64,
    pub(crate) teacher_id: i64,
    pub(crate) teacher_name: String,
}

/// Lists the classes of which the learner is a member, by name.
pub(crate) async fn list(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Class>> {
    sqlx::query_as!(
        Class,
        r#"
        SELECT
            class.id,
            class.name,
            class.course_id,
            course.name AS course_name,
            entitlement.inventory_id AS "item_id!",
            class.teacher_id,
            teacher.name AS teacher_name
        FROM class
        JOIN course ON course.id = class.course_id
        JOIN teacher ON teacher.id = class.teacher_id
        JOIN entitlement ON entitlement.course_id = class.course_id
        WHERE entitlement.learner_id = $1 AND entitlement.active_until > $2
        ORDER BY class.name COLLATE "ja-x-icu", class.id
        "#,
        learner,
        now,
    )
    .fetch_all(connection)
    .instrument(span("SELECT class"))
    .await
}
