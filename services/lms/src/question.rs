//! A question of a lesson. Learners get its key and explanation only after their graded try.

use kit_content::question::{Key, QuestionKind};
use kit_db::span;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use sqlx::types::Json;
use tracing::Instrument as _;
use uuid::Uuid;

/// A picture of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Picture {
    pub(crate) url: String,
    /// The alternative text.
    pub(crate) alt: String,
}

/// The authored content of a question.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Question {
    pub(crate) id: i64,
    pub(crate) lesson_id: i64,
    /// Its number in the lesson, from 1.
    pub(crate) position: i32,
    pub(crate) kind: QuestionKind,
    pub(crate) prompt: String,
    pub(crate) picture: Option<Picture>,
    /// The id of a choice is its position, from 1.
    pub(crate) choices: Vec<String>,
    pub(crate) key: Key,
    pub(crate) hint: Option<String>,
    pub(crate) explanation: String,
    pub(crate) is_required: bool,
    /// Seconds from the start of the lesson.
    pub(crate) watch_again_at: Option<i32>,
}

/// Finds the lesson of a question.
pub(crate) async fn find_lesson_id(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!("SELECT lesson_id FROM question WHERE id = $1", id)
        .fetch_optional(connection)
        .instrument(span("SELECT question"))
        .await
}

/// Lists the questions of a lesson in order.
pub(crate) async fn list_by_lesson(
    connection: &mut PgConnection,
    lesson: i64,
) -> sqlx::Result<Vec<Question>> {
    list_by_lessons(connection, &[lesson]).await
}

/// Lists the questions of lessons, by lesson and position.
pub(crate) async fn list_by_lessons(
    connection: &mut PgConnection,
    lessons: &[i64],
) -> sqlx::Result<Vec<Question>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            id,
            lesson_id,
            position,
            kind AS "kind: QuestionKind",
            prompt,
            picture AS "picture: Json<Picture>",
            choices,
            key AS "key: Json<Key>",
            hint,
            explanation,
            is_required,
            watch_again_at
        FROM question
        WHERE lesson_id = ANY ($1)
        ORDER BY lesson_id, position
        "#,
        lessons,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question"))
    .await?;
    let questions = rows.into_iter().map(|row| Question {
        id: row.id,
        lesson_id: row.lesson_id,
        position: row.position,
        kind: row.kind,
        prompt: row.prompt,
        picture: row.picture.map(|picture| picture.0),
        choices: row.choices,
        key: row.key.0,
        hint: row.hint,
        explanation: row.explanation,
        is_required: row.is_required,
        watch_again_at: row.watch_again_at,
    });
    Ok(questions.collect())
}

/// Inserts or replaces a question.
pub(crate) async fn put(connection: &mut PgConnection, question: &Question) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO question (
            id, lesson_id, position, kind, prompt, picture, choices, key, hint, explanation, is_required, watch_again_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (id) DO UPDATE SET
            position = excluded.position,
            kind = excluded.kind,
            prompt = excluded.prompt,
            picture = excluded.picture,
            choices = excluded.choices,
            key = excluded.key,
            hint = excluded.hint,
            explanation = excluded.explanation,
            is_required = excluded.is_required,
            watch_again_at = excluded.watch_again_at
        ",
        question.id,
        question.lesson_id,
        question.position,
        question.kind as QuestionKind,
        question.prompt,
        question.picture.as_ref().map(Json) as Option<Json<&Picture>>,
        &question.choices,
        Json(&question.key) as Json<&Key>,
        question.hint,
        question.explanation,
        question.is_required,
        question.watch_again_at,
    )
    .execute(connection)
    .instrument(span("INSERT question"))
    .await?;
    Ok(())
}

/// Whether a required question of the lesson has no graded answer of the learner. The lesson is not
/// done then.
pub(crate) async fn has_open_required(
    connection: &mut PgConnection,
    learner: Uuid,
    lesson: i64,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT
            FROM question
            WHERE
                question.lesson_id = $2
                AND question.is_required
                AND NOT EXISTS (
                    SELECT
                    FROM result
                    JOIN answer ON answer.learner_id = $1 AND answer.result_id = result.id
                    WHERE
                        result.learner_id = $1
                        AND result.lesson_id = $2
                        AND result.kind = 'graded'
                        AND answer.question_id = question.id
                )
        ) AS "is_open!"
        "#,
        learner,
        lesson,
    )
    .fetch_one(connection)
    .instrument(span("SELECT question"))
    .await
}
