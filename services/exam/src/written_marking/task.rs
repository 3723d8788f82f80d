//! The tasks of markers: one written answer each.

use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::MarkingError;
use crate::answer_picture;
use crate::question::{AnswerValue, Content, Figure, Key};

/// A written answer that a marker has to mark.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkingTask {
    /// The task.
    pub id: Uuid,
    /// The question's text.
    pub prompt: String,
    /// The model answer.
    pub model_answer: String,
    /// The figures of the question, in order.
    pub figures: Vec<TaskFigure>,
    /// How to give points.
    pub guide: String,
    /// The most points.
    pub full_points: i32,
    /// What the candidate answered.
    pub answer: TaskAnswer,
}

/// The answer of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskAnswer {
    /// A text.
    Text(String),
    /// A JPEG: drawn or photographed.
    Picture(Vec<u8>),
}

/// A figure of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskFigure {
    /// Its path on the site.
    pub path: String,
    /// The alternative text.
    pub alt: String,
}

/// Gives an answer to a marker who has not marked it. Returns the task. The lock of the answer's row and its counter keep
/// other markers from taking the same place.
pub(super) async fn take(
    connection: &mut PgConnection,
    marker: &str,
    now: OffsetDateTime,
    ended_before: OffsetDateTime,
) -> sqlx::Result<Option<Uuid>> {
    let answer = sqlx::query!(
        "
        SELECT sitting_id, question_id, markers_wanted
        FROM written_answer
        JOIN question ON question.id = question_id
        JOIN paper ON paper.id = paper_id
        JOIN exam ON exam.id = exam_id
        WHERE decided_at IS NULL AND markers_taken < markers_wanted AND ends_at <= $2
            AND NOT EXISTS (
                SELECT FROM marking_task
                WHERE marking_task.sitting_id = written_answer.sitting_id
                    AND marking_task.question_id = written_answer.question_id AND marker_id = $1
            )
        ORDER BY markers_wanted DESC, ends_at, question_id, sitting_id
        LIMIT 1
        FOR UPDATE OF written_answer SKIP LOCKED
        ",
        marker,
        ended_before,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT written_answer"))
    .await?;
    let Some(answer) = answer else { return Ok(None) };
    let task = Uuid::new_v4();
    sqlx::query!(
        "
        WITH taken AS (
            UPDATE written_answer SET markers_taken = markers_taken + 1
            WHERE sitting_id = $2 AND question_id = $3
        )
        INSERT INTO marking_task (id, sitting_id, question_id, marker_id, is_third, taken_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ",
        task,
        answer.sitting_id,
        answer.question_id,
        marker,
        answer.markers_wanted == 3,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT marking_task"))
    .await?;
    Ok(Some(task))
}

/// Finds what a marker sees of a task.
pub(super) async fn find(connection: &mut PgConnection, id: Uuid) -> Result<MarkingTask, MarkingError> {
    let row = sqlx::query!(
        r#"
        SELECT
            marking_task.sitting_id, marking_task.question_id, full_points, answer AS "answer!",
            content AS "content: Json<Content>"
        FROM marking_task
        JOIN written_answer USING (sitting_id, question_id)
        JOIN question ON question.id = question_id
        WHERE marking_task.id = $1
        "#,
        id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT marking_task"))
    .await?;
    let Json(content) = row.content;
    let model_answer = match content.key {
        Key::Texts(texts) => texts.into_iter().next().unwrap_or_default(),
        Key::Choices(_) | Key::Number(_) => String::new(),
    };
    let answer = match serde_json::from_str(&row.answer)? {
        AnswerValue::Picture(name) => {
            let digest = answer_picture::parse_name(&name).unwrap_or_default();
            let (sitting, question) = (row.sitting_id, row.question_id);
            TaskAnswer::Picture(
                answer_picture::find_by_sitting(connection, sitting, question, &digest).await?,
            )
        }
        AnswerValue::Text(text) | AnswerValue::Number(text) => TaskAnswer::Text(text),
        AnswerValue::Choices(_) => TaskAnswer::Text(String::new()),
    };
    Ok(MarkingTask {
        id,
        prompt: content.prompt,
        figures: content
            .figures
            .into_iter()
            .map(|Figure { url, alt }| TaskFigure { path: url, alt })
            .collect(),
        model_answer,
        guide: content.written.map(|written| written.guide).unwrap_or_default(),
        full_points: row.full_points,
        answer,
    })
}
