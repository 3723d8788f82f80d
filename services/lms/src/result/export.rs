//! Results and answers in a learner's export.

use kit_content::question::AnswerValue;
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::ResultKind;

/// A result in a learner's export.
pub(crate) struct ResultExport {
    pub(crate) id: i64,
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) kind: ResultKind,
    pub(crate) question_count: i32,
    pub(crate) answered_count: i32,
    pub(crate) right_count: i32,
    pub(crate) started_at: OffsetDateTime,
    pub(crate) finished_at: Option<OffsetDateTime>,
}

/// Exports at most `limit` of the learner's results after the id `after`, oldest first.
pub(crate) async fn export_results(
    connection: &mut PgConnection,
    learner: Uuid,
    after: i64,
    limit: i64,
) -> sqlx::Result<Vec<ResultExport>> {
    sqlx::query_as!(
        ResultExport,
        r#"
        SELECT
            result.id,
            course.name AS course,
            lesson.name AS lesson,
            result.kind AS "kind: ResultKind",
            result.question_count,
            result.answered_count,
            result.right_count,
            result.started_at,
            result.finished_at
        FROM result
        JOIN lesson ON lesson.id = result.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE result.learner_id = $1 AND result.id > $2
        ORDER BY result.id
        LIMIT $3
        "#,
        learner,
        after,
        limit,
    )
    .fetch_all(connection)
    .instrument(span("SELECT result"))
    .await
}

/// An answer in a learner's export.
pub(crate) struct AnswerExport {
    pub(crate) result_id: i64,
    pub(crate) question_id: i64,
    pub(crate) course: String,
    pub(crate) lesson: String,
    pub(crate) question: String,
    pub(crate) kind: ResultKind,
    /// The texts of the choices, or the text as typed.
    pub(crate) given: String,
    pub(crate) is_right: bool,
    pub(crate) created: OffsetDateTime,
}

/// Exports at most `limit` of the learner's answers after `after`, a result and a question. Ordered
/// by result.
pub(crate) async fn export_answers(
    connection: &mut PgConnection,
    learner: Uuid,
    after: Option<(i64, i64)>,
    limit: i64,
) -> sqlx::Result<Vec<AnswerExport>> {
    let (result_id, question_id) = after.unwrap_or((0, 0));
    let rows = sqlx::query!(
        r#"
        SELECT
            answer.result_id,
            answer.question_id,
            course.name AS course,
            lesson.name AS lesson,
            question.prompt,
            question.choices,
            result.kind AS "kind: ResultKind",
            answer.given AS "given: Json<AnswerValue>",
            answer.is_right,
            answer.created
        FROM answer
        JOIN result ON result.id = answer.result_id
        JOIN question ON question.id = answer.question_id
        JOIN lesson ON lesson.id = question.lesson_id
        JOIN course ON course.id = lesson.course_id
        WHERE answer.learner_id = $1 AND (answer.result_id, answer.question_id) > ($2::bigint, $3::bigint)
        ORDER BY answer.result_id, answer.question_id
        LIMIT $4
        "#,
        learner,
        result_id,
        question_id,
        limit,
    )
    .fetch_all(connection)
    .instrument(span("SELECT answer"))
    .await?;
    let answers = rows.into_iter().map(|row| AnswerExport {
        result_id: row.result_id,
        question_id: row.question_id,
        course: row.course,
        lesson: row.lesson,
        question: row.prompt,
        kind: row.kind,
        given: row.given.0.to_words(&row.choices),
        is_right: row.is_right,
        created: row.created,
    });
    Ok(answers.collect())
}
