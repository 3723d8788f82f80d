//! Questions of papers and free checks, and answers. A question has no key.

use proto::exam as wire;
use proto::exam::answer::Of;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::incomplete;
use crate::error::Error;
use crate::lms::questions::{Choice, QuestionPicture};

/// Form of the answer to a question of a mock exam or a free check.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExamQuestionKind {
    /// One choice is right.
    Single,
    /// Several choices are right; all of them must be chosen.
    Multiple,
    /// The answer is a number.
    Number,
    /// The answer is a short text.
    Text,
    /// The answer is a longer text or a picture, which people mark. Only in a mock exam.
    Written,
}

/// A question of a mock exam or a free check, without its answer. Texts may contain TeX between dollar signs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamQuestion {
    id: i64,
    /// Position in the paper or check, from 1.
    number: i32,
    kind: ExamQuestionKind,
    prompt: String,
    figures: Vec<QuestionPicture>,
    /// In the order to show; empty unless something is chosen.
    choices: Vec<Choice>,
    points: i32,
    /// The most characters of a written answer; null for other kinds.
    #[schema(required)]
    character_limit: Option<i32>,
    /// Whether a picture may answer it, drawn or photographed, in place of a text.
    takes_picture: bool,
}

/// An answer: a given one or the key.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExamAnswer {
    /// Ids of the choices.
    Choices(Vec<i32>),
    /// A number of any width: sign, thousands separators, a decimal point or a fraction.
    Number(String),
    /// A text.
    Text(String),
    /// The name of a stored picture: SHA-256 of the bytes that were sent, in lower-case hex.
    Picture(String),
}

impl ExamQuestion {
    pub(super) fn new(question: wire::Question) -> Result<Self, Error> {
        let kind = match question.kind() {
            wire::QuestionKind::Single => ExamQuestionKind::Single,
            wire::QuestionKind::Multiple => ExamQuestionKind::Multiple,
            wire::QuestionKind::Number => ExamQuestionKind::Number,
            wire::QuestionKind::Text => ExamQuestionKind::Text,
            wire::QuestionKind::Written => ExamQuestionKind::Written,
            wire::QuestionKind::Unspecified => return Err(incomplete("kind")),
        };
        let figure = |wire::Figure { url, alt }| QuestionPicture { url, alt };
        let choice = |wire::Choice { id, text }| Choice { id, text };
        Ok(Self {
            id: question.id,
            number: question.number,
            kind,
            prompt: question.prompt,
            figures: question.figures.into_iter().map(figure).collect(),
            choices: question.choices.into_iter().map(choice).collect(),
            points: question.points,
            character_limit: question.character_limit,
            takes_picture: question.takes_picture,
        })
    }
}

/// Decodes a given answer or a key.
pub(super) fn decode_answer(answer: wire::Answer) -> Result<ExamAnswer, Error> {
    Ok(match answer.of.ok_or_else(|| incomplete("answer"))? {
        Of::Choices(choices) => ExamAnswer::Choices(choices.ids),
        Of::Number(number) => ExamAnswer::Number(number),
        Of::Text(text) => ExamAnswer::Text(text),
        Of::Picture(name) => ExamAnswer::Picture(name),
    })
}

/// Encodes a given answer.
pub(super) fn encode_answer(answer: ExamAnswer) -> wire::Answer {
    let of = match answer {
        ExamAnswer::Choices(ids) => Of::Choices(wire::Choices { ids }),
        ExamAnswer::Number(number) => Of::Number(number),
        ExamAnswer::Text(text) => Of::Text(text),
        ExamAnswer::Picture(name) => Of::Picture(name),
    };
    wire::Answer { of: Some(of) }
}
