//! Questions and answers, converted from and to messages.

use proto::exam as wire;
use proto::exam::answer::Of;

use crate::question::{AnswerInput, AnswerValue, Figure, Question, QuestionKind};

impl From<QuestionKind> for wire::QuestionKind {
    fn from(kind: QuestionKind) -> Self {
        match kind {
            QuestionKind::Single => Self::Single,
            QuestionKind::Multiple => Self::Multiple,
            QuestionKind::Number => Self::Number,
            QuestionKind::Text => Self::Text,
        }
    }
}

impl From<Question> for wire::Question {
    /// Leaves out the key and the explanation.
    fn from(question: Question) -> Self {
        let content = question.content;
        let figure = |Figure { url, alt }| wire::Figure { url, alt };
        Self {
            id: question.id,
            number: question.number,
            kind: wire::QuestionKind::from(content.kind).into(),
            prompt: content.prompt,
            figures: content.figures.into_iter().map(figure).collect(),
            choices: (1..).zip(content.choices).map(|(id, text)| wire::Choice { id, text }).collect(),
            points: content.points,
        }
    }
}

/// Encodes an answer.
pub(super) fn encode_answer(given: AnswerValue) -> wire::Answer {
    let of = match given {
        AnswerValue::Choices(ids) => Of::Choices(wire::Choices { ids }),
        AnswerValue::Number(typed) => Of::Number(typed),
        AnswerValue::Text(typed) => Of::Text(typed),
    };
    wire::Answer { of: Some(of) }
}

/// Decodes a given answer. An unknown form is none.
pub(super) fn decode_answer(answer: wire::Answer) -> Option<AnswerInput> {
    Some(match answer.of? {
        Of::Choices(choices) => AnswerInput::Choices(choices.ids),
        Of::Number(typed) => AnswerInput::Number(typed),
        Of::Text(typed) => AnswerInput::Text(typed),
    })
}
