//! Questions that a learner answered wrong or left blank.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

/// A question without a right answer.
#[derive(Clone, Debug)]
pub(crate) struct MissedQuestion {
    pub(crate) paper_id: i64,
    pub(crate) subject: String,
    pub(crate) number: i32,
    pub(crate) points: i32,
}

/// Lists what a learner missed in the papers of an exam that they sat: what most candidates got right first.
pub(crate) async fn list(
    connection: &mut PgConnection,
    learner: Uuid,
    exam: i64,
) -> sqlx::Result<Vec<MissedQuestion>> {
    sqlx::query_as!(
        MissedQuestion,
        r#"
        SELECT paper.id AS paper_id, subject, number, (content ->> 'points')::integer AS "points!"
        FROM mark
        JOIN paper ON paper.id = mark.paper_id
        JOIN question ON question.paper_id = paper.id
        JOIN question_statistics ON question_id = question.id
        WHERE learner_id = $1 AND exam_id = $2 AND question.id <> ALL (right_question_ids)
        ORDER BY right_count DESC, position, number
        "#,
        learner,
        exam,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question"))
    .await
}

/// The first questions that together have at least `points`.
pub(crate) fn take_points(missed: &[MissedQuestion], points: i32) -> &[MissedQuestion] {
    let mut sum = 0;
    let enough = missed.iter().position(|question| {
        sum += question.points;
        sum >= points
    });
    enough.map_or(missed, |last| &missed[..=last])
}
