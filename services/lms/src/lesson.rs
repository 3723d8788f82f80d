//! A lesson with a learner's marks and watch history.

pub(crate) mod opening;

use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::course::{Handout, VideoMark};
use crate::entitlement;
use crate::error::Error;

/// A lesson of a course that the learner owns or owned.
pub(crate) struct OwnedLesson {
    pub(crate) course_id: i64,
    /// Seconds.
    pub(crate) duration: i32,
    /// When the course can no longer be used. `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
}

/// Finds the lesson if the learner has an entitlement to its course, active or not.
pub(crate) async fn find_owned(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<Option<OwnedLesson>> {
    // With the subquery the planner reads only the entitlements of one course.
    sqlx::query_as!(
        OwnedLesson,
        r#"
        SELECT lesson.course_id, lesson.duration, entitlement.expire_at
        FROM lesson
        JOIN entitlement
            ON entitlement.learner_id = $1
            AND entitlement.course_id = (SELECT course_id FROM lesson WHERE id = $2)
        WHERE lesson.id = $2
        "#,
        learner,
        lesson,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT lesson"))
    .await
}

/// Finds the lesson if the learner has an active entitlement to its course.
///
/// Fails with [`Error::NotFound`] without an entitlement, and with [`Error::ExpiredItem`] if all
/// entitlements have ended.
pub(crate) async fn find_usable(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
) -> Result<OwnedLesson, Error> {
    let owned = find_owned(connection, learner, lesson).await?.ok_or(Error::NotFound)?;
    if entitlement::is_active(owned.expire_at, now) { Ok(owned) } else { Err(Error::ExpiredItem) }
}

/// A lesson for its player.
pub(crate) struct PlayerLesson {
    pub(crate) place: LessonPath,
    /// The item with the latest end.
    pub(crate) inventory_id: i64,
    pub(crate) product_id: i64,
    /// Its number within the course, from 1.
    pub(crate) number: i64,
    pub(crate) lesson_count: i64,
    pub(crate) previous: Option<LessonSummary>,
    pub(crate) next: Option<LessonSummary>,
    /// When the course can no longer be used. `None` for no end.
    pub(crate) expire_at: Option<OffsetDateTime>,
    pub(crate) is_favorite: bool,
    pub(crate) is_check: bool,
    /// `None` if it was never watched.
    pub(crate) watch: Option<LessonWatch>,
    pub(crate) marks: Vec<VideoMark>,
    pub(crate) handouts: Vec<Handout>,
    pub(crate) has_video: bool,
    pub(crate) question_count: i32,
}

/// A lesson in a list.
pub(crate) struct LessonSummary {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) summary: String,
    /// Seconds.
    pub(crate) duration: i32,
}

/// A lesson with the unit, the chapter and the course that it belongs to.
pub(crate) struct LessonPath {
    pub(crate) lesson: LessonSummary,
    pub(crate) unit_id: i64,
    pub(crate) unit_name: String,
    pub(crate) chapter_id: i64,
    pub(crate) chapter_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
}

/// What the learner has watched of a lesson.
pub(crate) struct LessonWatch {
    /// The position to resume at, in seconds.
    pub(crate) position: i32,
    /// The furthest position ever, in seconds.
    pub(crate) furthest: i32,
    /// Covered seconds.
    pub(crate) covered: i32,
    /// The number of sittings.
    pub(crate) times: i32,
    pub(crate) last_seen: OffsetDateTime,
}

/// The lesson with which a learner continues.
pub(crate) struct NextLesson {
    pub(crate) lesson_name: String,
    pub(crate) course_name: String,
}

/// Finds the lesson with which the learner continues, in a course with an active entitlement.
pub(crate) async fn find_next(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<NextLesson>> {
    sqlx::query_file_as!(NextLesson, "src/lesson/next.sql", learner, now)
        .fetch_optional(connection)
        .instrument(span("SELECT lesson"))
        .await
}

/// Finds the lesson for its player if the learner has an entitlement to its course, active or not.
pub(crate) async fn find_for_player(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<Option<PlayerLesson>> {
    let row = sqlx::query_file!("src/lesson/player.sql", learner, lesson)
        .fetch_optional(connection)
        .instrument(span("SELECT lesson"))
        .await?;
    Ok(row.map(|row| PlayerLesson {
        place: LessonPath {
            lesson: LessonSummary {
                id: row.id,
                name: row.name,
                summary: row.summary,
                duration: row.duration,
            },
            unit_id: row.unit_id,
            unit_name: row.unit_name,
            chapter_id: row.chapter_id,
            chapter_name: row.chapter_name,
            course_id: row.course_id,
            course_name: row.course_name,
        },
        inventory_id: row.inventory_id,
        product_id: row.product_id,
        number: row.number,
        lesson_count: row.lesson_count,
        previous: summary_from_columns(
            row.previous_id,
            row.previous_name,
            row.previous_summary,
            row.previous_duration,
        ),
        next: summary_from_columns(row.next_id, row.next_name, row.next_summary, row.next_duration),
        expire_at: row.expire_at,
        is_favorite: row.is_favorite,
        is_check: row.is_check,
        watch: row.position.zip(row.furthest).zip(row.covered.zip(row.times)).zip(row.last_seen).map(
            |(((position, furthest), (covered, times)), last_seen)| LessonWatch {
                position,
                furthest,
                covered,
                times,
                last_seen,
            },
        ),
        marks: row.marks.0,
        handouts: row.handouts.0,
        has_video: row.has_video,
        question_count: row.question_count,
    }))
}

/// Lists the handouts of the lesson.
pub(crate) async fn list_handouts(connection: &mut PgConnection, lesson: i64) -> sqlx::Result<Vec<Handout>> {
    let handouts = sqlx::query_scalar!(
        r#"SELECT handouts AS "handouts: Json<Vec<Handout>>" FROM lesson WHERE id = $1"#,
        lesson,
    )
    .fetch_one(connection)
    .instrument(span("SELECT lesson"))
    .await?;
    Ok(handouts.0)
}

fn summary_from_columns(
    id: Option<i64>,
    name: Option<String>,
    summary: Option<String>,
    duration: Option<i32>,
) -> Option<LessonSummary> {
    Some(LessonSummary { id: id?, name: name?, summary: summary?, duration: duration? })
}

/// The names of a lesson and its course.
pub(crate) struct NamedLesson {
    pub(crate) lesson_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
}

/// Finds the names if the learner has an entitlement to the course, active or not.
pub(crate) async fn find_named(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<Option<NamedLesson>> {
    sqlx::query_as!(
        NamedLesson,
        "
        SELECT lesson.name AS lesson_name, course.id AS course_id, course.name AS course_name
        FROM lesson
        JOIN course ON course.id = lesson.course_id
        JOIN entitlement
            ON entitlement.learner_id = $1
            AND entitlement.course_id = (SELECT course_id FROM lesson WHERE id = $2)
        WHERE lesson.id = $2
        ",
        learner,
        lesson,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT lesson"))
    .await
}

/// A lesson with its course.
pub(crate) struct LessonCourse {
    pub(crate) lesson_id: i64,
    pub(crate) lesson_name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    /// Whether the learner has an active entitlement to the course.
    pub(crate) is_usable: bool,
}

/// Lists the lessons among `ids` that exist. Without a learner, no lesson is usable.
pub(crate) async fn list_courses(
    connection: &mut PgConnection,
    learner: Option<Uuid>,
    ids: &[i64],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<LessonCourse>> {
    sqlx::query_as!(
        LessonCourse,
        r#"
        SELECT
            lesson.id AS lesson_id, lesson.name AS lesson_name,
            course.id AS course_id, course.name AS course_name,
            EXISTS (
                SELECT FROM entitlement
                WHERE entitlement.learner_id = $1
                    AND entitlement.course_id = course.id
                    AND entitlement.active_until > $3
            ) AS "is_usable!"
        FROM lesson
        JOIN course ON course.id = lesson.course_id
        WHERE lesson.id = ANY ($2)
        ORDER BY lesson.id
        "#,
        learner,
        ids,
        now,
    )
    .fetch_all(connection)
    .instrument(span("SELECT lesson"))
    .await
}

/// A marked lesson with its unit, chapter and course.
pub(crate) struct MarkedLesson {
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
    /// The number of marks on all pages.
    pub(crate) count: i64,
}

/// A mark on a lesson in a learner's export.
pub(crate) struct LessonMarkExport {
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) created: OffsetDateTime,
}
