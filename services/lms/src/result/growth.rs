//! How a learner's graded tries went, by subject and day.

use kit::db::span;
use proto::lms as wire;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::course::SUBJECTS;

/// Days with answers, for each subject.
const DAYS: i64 = 60;

/// The last days on which the learner answered something for the first time, oldest first; subjects in the catalogue's
/// order.
///
/// A day begins at 04:00 in Tokyo, which is five hours before a day of UTC ends.
pub(crate) async fn of(
    connection: &mut PgConnection,
    learner: Uuid,
) -> sqlx::Result<Vec<wire::SubjectGrowth>> {
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
    let mut subjects: Vec<wire::SubjectGrowth> = Vec::new();
    for row in rows {
        let point = wire::GrowthPoint { date: row.date, right: row.right, of: row.of };
        match subjects.last_mut().filter(|last| last.subject == row.category) {
            Some(last) => last.points.push(point),
            None => subjects.push(wire::SubjectGrowth { subject: row.category, points: vec![point] }),
        }
    }
    Ok(subjects)
}
