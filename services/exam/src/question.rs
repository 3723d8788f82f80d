//! A question of a paper or of a free check. The key and the explanation of a paper's question are
//! sent only with a final result.

pub(crate) use kit_content::question::Key;

use kit_content::question::{
    AnswerInput as GradedInput, AnswerValue as GradedValue, QuestionKind as GradedKind,
};
use kit_db::span;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use sqlx::types::Json;
use tracing::Instrument as _;

/// How a question is answered.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuestionKind {
    /// Exactly one choice is right.
    Single,
    /// All right choices and no others are required.
    Multiple,
    /// A number.
    Number,
    /// A short text.
    Text,
    /// A longer text or a picture, which people mark.
    Written,
}

impl QuestionKind {
    /// Returns the kind of a question with a key that grades it. `None` for one that people mark.
    pub(crate) fn to_graded(self) -> Option<GradedKind> {
        match self {
            Self::Single => Some(GradedKind::Single),
            Self::Multiple => Some(GradedKind::Multiple),
            Self::Number => Some(GradedKind::Number),
            Self::Text => Some(GradedKind::Text),
            Self::Written => None,
        }
    }
}

/// What only a written question has.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Written {
    /// How to give points. Only markers see it.
    pub(crate) guide: String,
    /// The most characters of an answer.
    pub(crate) character_limit: i32,
    /// Whether a picture may take the place of the text.
    #[serde(default)]
    pub(crate) takes_picture: bool,
}

/// An answer as a candidate sent it.
#[derive(Debug)]
pub(crate) enum AnswerInput {
    /// Ids of choices.
    Choices(Vec<i32>),
    /// As typed.
    Number(String),
    /// As typed.
    Text(String),
    /// The name of a picture.
    Picture(String),
}

impl AnswerInput {
    /// Returns an answer that a key can grade. `None` for a picture.
    pub(crate) fn into_graded(self) -> Option<GradedInput> {
        match self {
            Self::Choices(ids) => Some(GradedInput::Choices(ids)),
            Self::Number(typed) => Some(GradedInput::Number(typed)),
            Self::Text(typed) => Some(GradedInput::Text(typed)),
            Self::Picture(_) => None,
        }
    }
}

/// A valid answer to its question. Its JSON is in transcripts and answers.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerValue {
    /// Ids of choices in ascending order, each once.
    Choices(Vec<i32>),
    /// A number as typed. It may be half typed.
    Number(String),
    /// A text as typed. It is not blank.
    Text(String),
    /// The name of a stored picture: SHA-256 in hex.
    Picture(String),
}

impl AnswerValue {
    /// Whether a key admits the answer.
    pub(crate) fn is_admitted_by(&self, key: &Key) -> bool {
        let graded = match self.clone() {
            Self::Choices(ids) => GradedValue::Choices(ids),
            Self::Number(typed) => GradedValue::Number(typed),
            Self::Text(typed) => GradedValue::Text(typed),
            Self::Picture(_) => return false,
        };
        key.admits(&graded)
    }
}

impl From<GradedValue> for AnswerValue {
    fn from(value: GradedValue) -> Self {
        match value {
            GradedValue::Choices(ids) => Self::Choices(ids),
            GradedValue::Number(typed) => Self::Number(typed),
            GradedValue::Text(typed) => Self::Text(typed),
        }
    }
}

/// A figure of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Figure {
    pub(crate) url: String,
    /// The alternative text.
    pub(crate) alt: String,
}

/// The authored content of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Content {
    pub(crate) kind: QuestionKind,
    pub(crate) prompt: String,
    pub(crate) figures: Vec<Figure>,
    /// The id of a choice is its position, from 1.
    pub(crate) choices: Vec<String>,
    /// Whether every candidate sees the choices in the author's order.
    pub(crate) is_ordered: bool,
    pub(crate) points: i32,
    /// Of a written question: its model answer.
    pub(crate) key: Key,
    /// Present for a written question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<Written>,
    pub(crate) explanation: String,
    /// The lesson of lms that teaches the topic.
    pub(crate) lesson_id: Option<i64>,
    /// The position in the lesson's video at which the topic is taught, in seconds.
    pub(crate) watch_again_at: Option<i32>,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Question {
    pub(crate) id: i64,
    /// Its number in the paper or check, from 1.
    pub(crate) number: i32,
    pub(crate) content: Content,
}

impl Question {
    /// Whether its answer may be a picture.
    pub(crate) fn takes_picture(&self) -> bool {
        self.content.written.as_ref().is_some_and(|written| written.takes_picture)
    }
}

/// Lists the questions of a paper in order.
pub(crate) async fn list_by_paper(connection: &mut PgConnection, paper: i64) -> sqlx::Result<Vec<Question>> {
    let rows = sqlx::query!(
        r#"SELECT id, number, content AS "content: Json<Content>" FROM question WHERE paper_id = $1 ORDER BY number"#,
        paper,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question"))
    .await?;
    let questions =
        rows.into_iter().map(|row| Question { id: row.id, number: row.number, content: row.content.0 });
    Ok(questions.collect())
}

/// Lists the questions of a free check in order.
pub(crate) async fn list_by_check(connection: &mut PgConnection, check: i64) -> sqlx::Result<Vec<Question>> {
    let rows = sqlx::query!(
        r#"SELECT id, number, content AS "content: Json<Content>" FROM question WHERE check_id = $1 ORDER BY number"#,
        check,
    )
    .fetch_all(connection)
    .instrument(span("SELECT question"))
    .await?;
    let questions =
        rows.into_iter().map(|row| Question { id: row.id, number: row.number, content: row.content.0 });
    Ok(questions.collect())
}

/// Finds the paper of a question. `None` if the question does not exist or belongs to a free check.
pub(crate) async fn find_paper(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<i64>> {
    let paper = sqlx::query_scalar!("SELECT paper_id FROM question WHERE id = $1", id)
        .fetch_optional(connection)
        .instrument(span("SELECT question"))
        .await?;
    Ok(paper.flatten())
}
