//! The last time a learner opened a lesson: its video or its handouts. Refunds depend on the number
//! of opened lessons.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// A course that a learner bought.
pub(crate) struct BoughtCourse {
    pub(crate) learner: Uuid,
    pub(crate) course: i64,
    /// Only lessons that were opened at this time or later count.
    pub(crate) since: OffsetDateTime,
}

/// The lessons of a course, and how many were opened.
pub(crate) struct OpenedLessons {
    pub(crate) lessons: i64,
    /// The number of opened lessons.
    pub(crate) opened: i64,
}

/// Records that the learner opens a lesson.
pub(crate) async fn record(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO lesson_opening (learner_id, lesson_id, opened_at) VALUES ($1, $2, $3)
        ON CONFLICT ON CONSTRAINT lesson_opening_pkey DO UPDATE
        SET opened_at = greatest(lesson_opening.opened_at, excluded.opened_at)
        ",
        learner,
        lesson,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT lesson_opening"))
    .await?;
    Ok(())
}

/// Counts the lessons of each course, and those that its learner opened or watched.
pub(crate) async fn count(
    connection: &mut PgConnection,
    courses: &[BoughtCourse],
) -> sqlx::Result<Vec<OpenedLessons>> {
    let learners: Vec<_> = courses.iter().map(|bought| bought.learner).collect();
    let ids: Vec<_> = courses.iter().map(|bought| bought.course).collect();
    let since: Vec<_> = courses.iter().map(|bought| bought.since).collect();
    sqlx::query_as!(
        OpenedLessons,
        r#"
        SELECT
            count(lesson.id) AS "lessons!",
            count(lesson.id) FILTER (
                WHERE lesson_opening.opened_at >= bought.since OR watch.last_seen >= bought.since
            ) AS "opened!"
        FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[])
            WITH ORDINALITY AS bought (learner, course, since, n)
        LEFT JOIN lesson ON lesson.course_id = bought.course
        LEFT JOIN lesson_opening
            ON lesson_opening.learner_id = bought.learner AND lesson_opening.lesson_id = lesson.id
        LEFT JOIN watch ON watch.learner_id = bought.learner AND watch.lesson_id = lesson.id
        GROUP BY bought.n
        ORDER BY bought.n
        "#,
        &learners,
        &ids,
        &since,
    )
    .fetch_all(connection)
    .instrument(span("SELECT lesson"))
    .await
}

/// Deletes the learner's rows.
pub(crate) async fn erase(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM lesson_opening WHERE learner_id = $1", learner)
        .execute(connection)
        .instrument(span("DELETE lesson_opening"))
        .await?;
    Ok(())
}
