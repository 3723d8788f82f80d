//! Converts sittings from and to messages.

use std::collections::BTreeMap;

use kit::error::FieldError;
use kit::timestamp::{from_timestamp, to_timestamp};
use prost_types::Timestamp;
use proto::exam as wire;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::answer::{Acknowledgement, AnswerToSave, Refusal, RefusalCode, SavedAnswer};
use crate::error::Error;
use crate::question::AnswerValue;
use crate::rpc::question::{decode_answer, encode_answer, encode_for_candidate};
use crate::sitting::{Device, Save, SealedBy, Sitting, SittingPaper, SittingState, StoredTranscript};

/// The maximum number of answers, and of questions with seconds, in one message.
const ANSWER_LIMIT: usize = 100;

pub(in crate::rpc) fn parse_uuid(field: &'static str, text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::Field(FieldError::new(field, "INVALID_FORMAT")))
}

fn parse_time(field: &'static str, time: Option<Timestamp>) -> Result<OffsetDateTime, Error> {
    let time = time.ok_or(Error::Field(FieldError::new(field, "REQUIRED")))?;
    from_timestamp(time).map_err(|_| Error::Field(FieldError::new(field, "OUT_OF_RANGE")))
}

pub(super) fn decode_device(device: Option<wire::Device>) -> Result<Device, Error> {
    let device = device.ok_or(Error::Field(FieldError::new("device_id", "REQUIRED")))?;
    Ok(Device { id: parse_uuid("device_id", &device.id)?, time: parse_time("device_time", device.time)? })
}

pub(super) fn decode_save(request: wire::SaveAnswersRequest) -> Result<Save, Error> {
    if request.answers.len() > ANSWER_LIMIT {
        return Err(Error::Field(FieldError::new("answers", "TOO_LONG")));
    }
    if request.question_times.len() > ANSWER_LIMIT {
        return Err(Error::Field(FieldError::new("question_times", "TOO_LONG")));
    }
    let seconds = request.question_times.iter().map(|row| ("question_times", row.seconds));
    let counts = [("pending", request.pending), ("away_seconds", request.away_seconds)];
    for (field, number) in counts.into_iter().chain(seconds) {
        if number < 0 {
            return Err(Error::Field(FieldError::new(field, "OUT_OF_RANGE")));
        }
    }
    Ok(Save {
        sitting: parse_uuid("id", &request.id)?,
        device: decode_device(request.device)?,
        epoch: request.epoch,
        pending: request.pending,
        answers: request.answers.into_iter().map(decode_row).collect::<Result<_, _>>()?,
        away_seconds: request.away_seconds,
        question_seconds: request
            .question_times
            .into_iter()
            .map(|row| (row.question_id, row.seconds))
            .collect(),
    })
}

fn decode_row(row: wire::AnswerToSave) -> Result<AnswerToSave, Error> {
    if row.sequence < 1 {
        return Err(Error::Field(FieldError::new("answers", "OUT_OF_RANGE")));
    }
    Ok(AnswerToSave {
        question_id: row.question_id,
        sequence: row.sequence,
        answer: row.answer.and_then(decode_answer),
        is_flagged: row.is_flagged,
        answered_at: parse_time("answers", row.answered_at)?,
    })
}

pub(super) fn encode_state(state: SittingState) -> wire::SittingState {
    match state {
        SittingState::Running => wire::SittingState::Running,
        SittingState::Grace => wire::SittingState::Grace,
        SittingState::Sealed => wire::SittingState::Sealed,
    }
}

pub(super) fn encode_sitting(
    sitting: &Sitting,
    paper: &SittingPaper,
    answers: Vec<SavedAnswer>,
    seconds: BTreeMap<i64, i32>,
    device: Option<Uuid>,
    now: OffsetDateTime,
) -> Result<wire::Sitting, Error> {
    let questions = paper.questions.iter().map(|question| encode_for_candidate(sitting.learner_id, question));
    Ok(wire::Sitting {
        id: sitting.id.to_string(),
        paper_id: sitting.paper_id,
        exam_id: paper.exam_id,
        state: encode_state(sitting.state(now)).into(),
        now: Some(to_timestamp(now)),
        started_at: Some(to_timestamp(sitting.started_at)),
        deadline_at: Some(to_timestamp(sitting.deadline_at)),
        epoch: sitting.epoch,
        is_active_device: device == Some(sitting.device_id),
        subject: paper.subject.clone(),
        minutes: paper.minutes,
        questions: questions.collect(),
        answers: answers.into_iter().map(encode_saved).collect::<Result<_, _>>()?,
        away_seconds: sitting.away_seconds,
        question_times: seconds.into_iter().map(encode_seconds).collect(),
        transcript: sitting.transcript.as_ref().map(encode_transcript).transpose()?,
    })
}

/// Encodes the seconds of a question.
pub(in crate::rpc) fn encode_seconds((question_id, seconds): (i64, i32)) -> wire::QuestionTime {
    wire::QuestionTime { question_id, seconds }
}

fn encode_saved(saved: SavedAnswer) -> Result<wire::SavedAnswer, Error> {
    let answer = saved.answer;
    let value = answer.content.answer.map(|text| serde_json::from_str::<AnswerValue>(&text));
    Ok(wire::SavedAnswer {
        question_id: answer.question_id,
        epoch: answer.version.epoch,
        sequence: answer.version.sequence,
        answer: value.transpose()?.map(encode_answer),
        is_flagged: answer.content.is_flagged,
        saved_at: Some(to_timestamp(saved.saved_at)),
        digest: hex::encode(answer.content.digest),
    })
}

pub(super) fn encode_transcript(stored: &StoredTranscript) -> Result<wire::Transcript, Error> {
    let transcript = stored.parse_transcript()?;
    let sealed_by = match transcript.sealed_by {
        SealedBy::Candidate => wire::SealedBy::Candidate,
        SealedBy::Deadline => wire::SealedBy::Deadline,
    };
    let answers = transcript.answers.into_iter().map(|row| wire::TranscriptAnswer {
        question_id: row.question_id,
        number: row.number,
        answer: row.answer.map(encode_answer),
        saved_at: row.saved_at.map(to_timestamp),
    });
    Ok(wire::Transcript {
        handed_in_at: Some(to_timestamp(transcript.handed_in_at)),
        sealed_by: sealed_by.into(),
        digest: stored.digest_text(),
        answers: answers.collect(),
    })
}

impl From<Acknowledgement> for wire::AcknowledgedAnswer {
    fn from(acknowledged: Acknowledgement) -> Self {
        Self {
            question_id: acknowledged.question_id,
            sequence: acknowledged.sequence,
            digest: hex::encode(acknowledged.digest),
        }
    }
}

impl From<Refusal> for wire::RefusedAnswer {
    fn from(refused: Refusal) -> Self {
        let code = match refused.code {
            RefusalCode::Older => wire::RefusalCode::Older,
            RefusalCode::Late => wire::RefusalCode::Late,
            RefusalCode::Invalid => wire::RefusalCode::Invalid,
        };
        Self { question_id: refused.question_id, code: code.into(), sequence: refused.sequence }
    }
}
