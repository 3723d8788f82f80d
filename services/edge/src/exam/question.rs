//! Questions of papers and free checks, and answers. A question has no key.

use proto::exam as wire;
use proto::exam::answer::Of;
use serde::Serialize;
use utoipa::ToSchema;

use super::incomplete;
use crate::error::Error;
use crate::lms::questions::{Answer, Choice, QuestionKind, QuestionPicture};

/// A question of a mock exam or a free check, without its answer. Texts may contain TeX between dollar signs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamQuestion {
    id: i64,
    /// Position in the paper or check, from 1.
    number: i32,
    kind: QuestionKind,
    prompt: String,
    figures: Vec<QuestionPicture>,
    /// In the order to show; empty for numbers and texts.
    choices: Vec<Choice>,
    points: i32,
}

impl ExamQuestion {
    pub(super) fn new(question: wire::Question) -> Result<Self, Error> {
        let kind = match question.kind() {
            wire::QuestionKind::Single => QuestionKind::Single,
            wire::QuestionKind::Multiple => QuestionKind::Multiple,
            wire::QuestionKind::Number => QuestionKind::Number,
            wire::QuestionKind::Text => QuestionKind::Text,
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
