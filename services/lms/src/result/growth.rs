//! The share of right graded answers, by subject and day.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::course::SUBJECTS;

/// The graded answers in one subject.
pub(crate) struct SubjectGrowth {
    /// One of [`SUBJECTS`].
    pub(crate) subject: String,
    /// Oldest first.
    pub(crate) points: Vec<GrowthPoint>,
}

/// The graded answers of one day.
pub(crate) struct GrowthPoint {
    /// E.g. `2026-11-20`.
    pub(crate) date: String,
    pub(crate) right_count: i32,
    pub(crate) answer_count: i32,
}

/// The maximum number of days for each subject.
const DAYS: i64 = 60;

/// Finds the last days with graded answers, oldest first. Subjects are in the catalogue's order.
///
/// A day begins at 04:00 in Tokyo, five hours before a UTC day ends.
pub(crate) async fn find_growth(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<SubjectGrowth>> {
    let rows = sqlx::query!(
        r#"
        WITH day AS (
            SELECT
                course.category,
                (answer.created AT TIME ZONE 'UTC' + interval '5 hours')::date AS day,
                count(*) FILTER (WHERE answer.is_right) AS right_count,
                count(*) AS answer_count
            FROM result
            JOIN answer ON answer.learner_id = $1 AND answer.result_id = result.id
            JOIN lesson ON lesson.id = result.lesson_id
            JOIN course ON course.id = lesson.course_id
            WHERE result.learner_id = $1 AND result.kind = 'graded'
            GROUP BY 1, 2
        ),
        numbered AS (
            SELECT *, row_number() OVER (PARTITION BY category ORDER BY day DESC) AS place FROM day
        )
        SELECT
            category,
            to_char(day, 'YYYY-MM-DD') AS "date!",
            right_count::integer AS "right!",
            answer_count::integer AS "of!"
        FROM numbered
        WHERE place <= $2
        ORDER BY array_position($3::text[], category), day
        "#,
        learner,
        DAYS,
        &SUBJECTS.map(str::to_owned),
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    let mut subjects: Vec<SubjectGrowth> = Vec::new();
    for row in rows {
        let point = GrowthPoint { date: row.date, right_count: row.right, answer_count: row.of };
        match subjects.last_mut().filter(|last| last.subject == row.category) {
            Some(last) => last.points.push(point),
            None => subjects.push(SubjectGrowth { subject: row.category, points: vec![point] }),
        }
    }
    Ok(subjects)
}
