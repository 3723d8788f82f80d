//! Converts questions and answers from and to messages.

use proto::exam as wire;
use proto::exam::answer::Of;
use uuid::Uuid;

use crate::question::{AnswerInput, AnswerValue, Figure, Key, Question, QuestionKind};
use crate::sitting::shuffle_choices;

fn encode_kind(kind: QuestionKind) -> wire::QuestionKind {
    match kind {
        QuestionKind::Single => wire::QuestionKind::Single,
        QuestionKind::Multiple => wire::QuestionKind::Multiple,
        QuestionKind::Number => wire::QuestionKind::Number,
        QuestionKind::Text => wire::QuestionKind::Text,
        QuestionKind::Written => wire::QuestionKind::Written,
    }
}

impl From<Question> for wire::Question {
    /// Omits the key, the explanation and the marking guide.
    fn from(question: Question) -> Self {
        let content = question.content;
        let figure = |Figure { url, alt }| wire::Figure { url, alt };
        Self {
            id: question.id,
            number: question.number,
            kind: encode_kind(content.kind).into(),
            prompt: content.prompt,
            figures: content.figures.into_iter().map(figure).collect(),
            choices: (1..).zip(content.choices).map(|(id, text)| wire::Choice { id, text }).collect(),
            points: content.points,
            character_limit: content.written.as_ref().map(|written| written.character_limit),
            takes_picture: content.written.is_some_and(|written| written.takes_picture),
        }
    }
}

/// Encodes a question. Its choices are in the candidate's order, unless the author fixed the order.
pub(super) fn encode_for_candidate(learner: Uuid, question: &Question) -> wire::Question {
    let mut encoded = wire::Question::from(question.clone());
    if !question.content.is_ordered {
        let count = i32::try_from(encoded.choices.len()).unwrap_or(i32::MAX);
        let order = shuffle_choices(learner, question.id, count);
        encoded.choices.sort_by_key(|choice| order.iter().position(|id| *id == choice.id));
    }
    encoded
}

/// Encodes an answer.
pub(super) fn encode_answer(given: AnswerValue) -> wire::Answer {
    let of = match given {
        AnswerValue::Choices(ids) => Of::Choices(wire::Choices { ids }),
        AnswerValue::Number(typed) => Of::Number(typed),
        AnswerValue::Text(typed) => Of::Text(typed),
        AnswerValue::Picture(name) => Of::Picture(name),
    };
    wire::Answer { of: Some(of) }
}

/// Encodes the key of a question. Of several texts, encodes the first.
pub(super) fn encode_key(key: Key) -> wire::Answer {
    let of = match key {
        Key::Choices(ids) => Of::Choices(wire::Choices { ids }),
        Key::Number(right) => Of::Number(right),
        Key::Texts(right) => Of::Text(right.into_iter().next().unwrap_or_default()),
    };
    wire::Answer { of: Some(of) }
}

/// Decodes a given answer. `None` if it has no known form.
pub(super) fn decode_answer(answer: wire::Answer) -> Option<AnswerInput> {
    Some(match answer.of? {
        Of::Choices(choices) => AnswerInput::Choices(choices.ids),
        Of::Number(typed) => AnswerInput::Number(typed),
        Of::Text(typed) => AnswerInput::Text(typed),
        Of::Picture(name) => AnswerInput::Picture(name),
    })
}
