//! Answers of candidates to the questions of a sitting: their versions, their merging and their
//! digests.

mod stored;

pub(crate) use stored::{list_by_questions, list_by_sitting, store, store_late};

use std::collections::HashMap;

use aws_lc_rs::digest::{SHA256, digest};
use time::OffsetDateTime;

use crate::answer_picture;
use crate::question::{AnswerInput, AnswerValue, Question, QuestionKind};

/// The maximum length of a typed answer, in characters, unless the question has its own limit.
const LONGEST: usize = 200;

/// A SHA-256 digest.
pub(crate) type Digest = [u8; 32];

/// The version of an answer: a newer epoch wins, then a higher sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    pub(crate) epoch: i32,
    pub(crate) sequence: i64,
}

/// An answer as a device sent it.
#[derive(Debug)]
pub(crate) struct AnswerToSave {
    pub(crate) question_id: i64,
    pub(crate) sequence: i64,
    /// `None` for a blank answer.
    pub(crate) answer: Option<AnswerInput>,
    pub(crate) is_flagged: bool,
    /// By the server's clock, corrected as far as the device's clock is known.
    pub(crate) answered_at: OffsetDateTime,
}

/// The content of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    /// JSON. `None` for a blank answer.
    pub(crate) answer: Option<String>,
    pub(crate) is_flagged: bool,
    /// Digest of the question id and the answer.
    pub(crate) digest: Digest,
}

/// An answer with its version.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) question_id: i64,
    pub(crate) version: Version,
    pub(crate) content: Content,
}

/// A stored answer.
#[derive(Clone, Debug)]
pub(crate) struct SavedAnswer {
    pub(crate) answer: Answer,
    pub(crate) saved_at: OffsetDateTime,
}

/// An answer that was given too late.
#[derive(Debug)]
pub(crate) struct LateAnswer {
    pub(crate) answer: Answer,
    pub(crate) answered_at: OffsetDateTime,
}

/// The acknowledgement of a stored answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Acknowledgement {
    pub(crate) question_id: i64,
    pub(crate) sequence: i64,
    pub(crate) digest: Digest,
}

/// The reason why an answer is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalCode {
    /// A higher version is stored, or the same one with other content.
    Older,
    /// The answer was given after the deadline.
    Late,
    /// The answer is not valid for any question of the paper.
    Invalid,
}

/// The refusal of an answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) question_id: i64,
    pub(crate) sequence: i64,
    pub(crate) code: RefusalCode,
}

/// The outcome of the answers of one message.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    /// At most one for each question.
    pub(crate) to_store: Vec<Answer>,
    /// At most one for each question.
    pub(crate) late: Vec<LateAnswer>,
    pub(crate) acknowledged: Vec<Acknowledgement>,
    pub(crate) refused: Vec<Refusal>,
}

/// Merges the answers of a message of `epoch` into the stored ones. Answers for which `is_in_time`
/// returns false are stored as late, unless they are stored already.
pub(crate) fn merge(
    questions: &[Question],
    stored: Vec<SavedAnswer>,
    epoch: i32,
    mut given: Vec<AnswerToSave>,
    is_in_time: impl Fn(OffsetDateTime) -> bool,
) -> Merge {
    let mut current: HashMap<i64, Answer> =
        stored.into_iter().map(|saved| (saved.answer.question_id, saved.answer)).collect();
    let (mut changed, mut late) = (Vec::new(), HashMap::new());
    let mut merge = Merge::default();
    // In order, so that an older answer of the same message does not replace a newer one.
    given.sort_by_key(|given| given.sequence);
    for given in given {
        let AnswerToSave { question_id, sequence, answered_at, .. } = given;
        let mut refuse = |code| merge.refused.push(Refusal { question_id, sequence, code });
        let question = questions.iter().find(|question| question.id == question_id);
        let content = question.and_then(|question| Content::parse(question, given.answer, given.is_flagged));
        let Some(content) = content else {
            refuse(RefusalCode::Invalid);
            continue;
        };
        let answer = Answer { question_id, version: Version { epoch, sequence }, content };
        let known = current.get(&question_id);
        let is_stored =
            known.is_some_and(|known| known.version == answer.version && known.content == answer.content);
        if is_stored {
            // Acknowledged again below, because the first acknowledgement may be lost.
        } else if known.is_some_and(|known| known.version >= answer.version) {
            refuse(RefusalCode::Older);
            continue;
        } else if !is_in_time(answered_at) {
            refuse(RefusalCode::Late);
            late.insert(question_id, LateAnswer { answer, answered_at });
            continue;
        } else {
            if !changed.contains(&question_id) {
                changed.push(question_id);
            }
            current.insert(question_id, answer.clone());
        }
        let digest = answer.content.digest;
        merge.acknowledged.push(Acknowledgement { question_id, sequence, digest });
    }
    merge.to_store = changed.iter().filter_map(|id| current.remove(id)).collect();
    merge.late = late.into_values().collect();
    merge
}

impl Content {
    /// Checks an answer to a question. Returns `None` if it is invalid.
    ///
    /// A number is stored as typed, because it may be saved while it is being typed. Marking parses
    /// it.
    pub(crate) fn parse(question: &Question, answer: Option<AnswerInput>, is_flagged: bool) -> Option<Self> {
        let answer = match answer {
            None => None,
            Some(answer) => Some(serde_json::to_string(&parse_value(question, answer)?).ok()?),
        };
        let digest = digest_answer(question.id, answer.as_deref());
        Some(Self { answer, is_flagged, digest })
    }
}

/// Returns the digest of an answer. The documentation of `SavedAnswer` shows the JSON text that is
/// hashed.
fn digest_answer(question_id: i64, answer: Option<&str>) -> Digest {
    let text = format!("{{\"question_id\":{question_id},\"answer\":{}}}", answer.unwrap_or("null"));
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
    bytes
}

fn parse_value(question: &Question, answer: AnswerInput) -> Option<AnswerValue> {
    match (answer, question.content.kind) {
        (AnswerInput::Choices(mut ids), kind @ (QuestionKind::Single | QuestionKind::Multiple)) => {
            ids.sort_unstable();
            ids.dedup();
            let count = question.content.choices.len();
            let is_known = |id: &i32| usize::try_from(*id).is_ok_and(|id| (1..=count).contains(&id));
            let is_right_many = if kind == QuestionKind::Single { ids.len() == 1 } else { !ids.is_empty() };
            (is_right_many && ids.iter().all(is_known)).then_some(AnswerValue::Choices(ids))
        }
        (AnswerInput::Number(typed), QuestionKind::Number) => {
            is_typed(&typed, LONGEST).then_some(AnswerValue::Number(typed))
        }
        (AnswerInput::Text(typed), QuestionKind::Text) => {
            is_typed(&typed, LONGEST).then_some(AnswerValue::Text(typed))
        }
        (AnswerInput::Text(typed), QuestionKind::Written) => {
            let limit = question.content.written.as_ref().map(|written| written.character_limit);
            let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(LONGEST);
            // Only a written answer has several lines. Pasted text may have tabs.
            is_typed(&typed.replace(['\n', '\t'], " "), limit).then_some(AnswerValue::Text(typed))
        }
        // The caller has checked that it is stored.
        (AnswerInput::Picture(name), QuestionKind::Written) => (question.takes_picture()
            && answer_picture::parse_name(&name).is_some())
        .then_some(AnswerValue::Picture(name)),
        _ => None,
    }
}

/// Whether a typed answer is not blank, not too long, and without control characters.
fn is_typed(text: &str, longest: usize) -> bool {
    !text.chars().all(char::is_whitespace)
        && text.chars().count() <= longest
        && !text.chars().any(char::is_control)
}
