//! Converts questions, answers and results from and to messages.

use kit::timestamp::to_timestamp;
use kit_content::question::{AnswerInput, AnswerValue, Key, QuestionKind};
use proto::lms as wire;
use proto::lms::answer::Of;

use crate::answer::Outcome;
use crate::question::{Picture, Question};
use crate::result::growth::{GrowthPoint, SubjectGrowth};
use crate::result::{self, LessonResult, ResultProgress};

impl From<result::ResultKind> for wire::ResultKind {
    fn from(kind: result::ResultKind) -> Self {
        match kind {
            result::ResultKind::Graded => Self::Graded,
            result::ResultKind::Practice => Self::Practice,
        }
    }
}

impl From<LessonResult> for wire::Result {
    fn from(found: LessonResult) -> Self {
        Self {
            id: found.id,
            kind: wire::ResultKind::from(found.kind).into(),
            lesson: Some(wire::NamedRef { id: found.lesson_id, name: found.lesson_name }),
            course: Some(wire::NamedRef { id: found.course_id, name: found.course_name }),
            subject: found.subject,
            question_count: found.question_count,
            answered_count: found.answered_count,
            right_count: found.right_count,
            started_at: Some(to_timestamp(found.started_at)),
            finished_at: found.finished_at.map(to_timestamp),
        }
    }
}

impl From<ResultProgress> for wire::Standing {
    fn from(progress: ResultProgress) -> Self {
        Self {
            id: progress.id,
            answered: progress.answered_count,
            of: progress.question_count,
            is_finished: progress.answered_count >= progress.question_count,
        }
    }
}

fn encode_kind(kind: QuestionKind) -> wire::QuestionKind {
    match kind {
        QuestionKind::Single => wire::QuestionKind::Single,
        QuestionKind::Multiple => wire::QuestionKind::Multiple,
        QuestionKind::Number => wire::QuestionKind::Number,
        QuestionKind::Text => wire::QuestionKind::Text,
    }
}

impl From<Question> for wire::Question {
    /// Omits the key, the hint and the explanation.
    fn from(question: Question) -> Self {
        let choice = |(id, text)| wire::Choice { id, text };
        Self {
            id: question.id,
            number: question.position,
            kind: encode_kind(question.kind).into(),
            prompt: question.prompt,
            picture: question.picture.map(|Picture { url, alt }| wire::Picture { url, alt }),
            choices: (1..).zip(question.choices).map(choice).collect(),
            is_required: question.is_required,
        }
    }
}

/// Encodes an answer.
fn encode_answer(given: AnswerValue) -> wire::Answer {
    let of = match given {
        AnswerValue::Choices(ids) => Of::Choices(wire::Choices { ids }),
        AnswerValue::Number(typed) => Of::Number(typed),
        AnswerValue::Text(typed) => Of::Text(typed),
    };
    wire::Answer { of: Some(of) }
}

/// Encodes a key. Of several texts, encodes the first.
fn encode_key(key: Key) -> wire::Answer {
    let of = match key {
        Key::Choices(ids) => Of::Choices(wire::Choices { ids }),
        Key::Number(right) => Of::Number(right),
        Key::Texts(right) => Of::Text(right.into_iter().next().unwrap_or_default()),
    };
    wire::Answer { of: Some(of) }
}

impl From<Outcome> for wire::Outcome {
    fn from(outcome: Outcome) -> Self {
        Self {
            is_right: outcome.is_right,
            given: Some(encode_answer(outcome.given)),
            key: Some(encode_key(outcome.question.key)),
            explanation: outcome.question.explanation,
            watch_again_at: outcome.question.watch_again_at,
            result: outcome.progress.map(Into::into),
        }
    }
}

impl From<SubjectGrowth> for wire::SubjectGrowth {
    fn from(growth: SubjectGrowth) -> Self {
        let point = |point: GrowthPoint| wire::GrowthPoint {
            date: point.date,
            right: point.right_count,
            of: point.answer_count,
        };
        Self { subject: growth.subject, points: growth.points.into_iter().map(point).collect() }
    }
}

/// Decodes a given answer. `None` if it has no known form.
pub(super) fn decode_answer(answer: wire::Answer) -> Option<AnswerInput> {
    Some(match answer.of? {
        Of::Choices(chosen) => AnswerInput::Choices(chosen.ids),
        Of::Number(typed) => AnswerInput::Number(typed),
        Of::Text(typed) => AnswerInput::Text(typed),
    })
}
