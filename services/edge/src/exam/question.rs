//! Questions of papers and free checks, and answers. A question has no key.

use proto::exam as wire;
use proto::exam::answer::Of;
use serde::Serialize;
use utoipa::ToSchema;

use super::incomplete;
use crate::error::Error;
use crate::lms::questions::{Answer, Choice, QuestionPicture};

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
    /// The answer is a longer text, which people mark. Only in a mock exam.
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
        })
    }
}

/// Decodes a given answer or a key.
pub(super) fn decode_answer(answer: wire::Answer) -> Result<Answer, Error> {
    Ok(match answer.of.ok_or_else(|| incomplete("answer"))? {
        Of::Choices(choices) => Answer::Choices(choices.ids),
        Of::Number(number) => Answer::Number(number),
        Of::Text(text) => Answer::Text(text),
    })
}

/// Encodes a given answer.
pub(super) fn encode_answer(answer: Answer) -> wire::Answer {
    let of = match answer {
        Answer::Choices(ids) => Of::Choices(wire::Choices { ids }),
        Answer::Number(number) => Of::Number(number),
        Answer::Text(text) => Of::Text(text),
    };
    wire::Answer { of: Some(of) }
}
