//! Sittings of papers: start, find, take over, hand in. No response may be cached.

use axum::extract::State;
use axum::response::Response;
use http::request::Parts;
use proto::exam as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::incomplete;
use super::question::{ExamAnswer, ExamQuestion, decode_answer};
use super::record::QuestionTime;
use crate::Edge;
use crate::answer::json;
use crate::audience::Audience;
use crate::closure::Scope;
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, Key, Query};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Largest 32-bit number.
pub(super) const MAX_COUNT: i64 = i32::MAX as i64;

/// State of a sitting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SittingState {
    /// Before `deadline_at`.
    Running,
    /// The 120 s after `deadline_at`: answers that were given before it are still taken.
    Grace,
    /// Handed in.
    Sealed,
}

impl SittingState {
    pub(super) fn new(state: wire::SittingState) -> Result<Self, Error> {
        match state {
            wire::SittingState::Running => Ok(Self::Running),
            wire::SittingState::Grace => Ok(Self::Grace),
            wire::SittingState::Sealed => Ok(Self::Sealed),
            wire::SittingState::Unspecified => Err(incomplete("state")),
        }
    }
}

/// How a sitting was sealed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SealedBy {
    /// Handed in before `deadline_at`.
    Candidate,
    /// The time was over.
    Deadline,
}

/// The paper of a sitting.
#[derive(Serialize, ToSchema)]
pub(crate) struct SittingPaper {
    subject: String,
    /// Without extra time.
    minutes: i32,
    /// In order. Choices are in the candidate's own order.
    questions: Vec<ExamQuestion>,
}

/// A stored answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct SavedAnswer {
    question_id: i64,
    /// Epoch of the save.
    epoch: i32,
    sequence: i64,
    /// Null: blank.
    #[schema(required)]
    answer: Option<ExamAnswer>,
    is_flagged: bool,
    #[serde(with = "time::serde::rfc3339")]
    saved_at: OffsetDateTime,
    /// SHA-256 of the text `{"question_id":…,"answer":…}` without spaces.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    digest: String,
}

impl SavedAnswer {
    fn new(saved: wire::SavedAnswer) -> Result<Self, Error> {
        Ok(Self {
            question_id: saved.question_id,
            epoch: saved.epoch,
            sequence: saved.sequence,
            answer: saved.answer.map(decode_answer).transpose()?,
            is_flagged: saved.is_flagged,
            saved_at: parse_timestamp(saved.saved_at)?,
            digest: saved.digest,
        })
    }
}

/// The answer to one question in a transcript.
#[derive(Serialize, ToSchema)]
pub(crate) struct TranscriptAnswer {
    question_id: i64,
    /// Position in the paper, from 1.
    number: i32,
    /// Null: blank.
    #[schema(required)]
    answer: Option<ExamAnswer>,
    /// Null: never saved.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    saved_at: Option<OffsetDateTime>,
}

/// The answers that were handed in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Transcript {
    /// `deadline_at` if the deadline sealed it.
    #[serde(with = "time::serde::rfc3339")]
    handed_in_at: OffsetDateTime,
    sealed_by: SealedBy,
    /// SHA-256 of the stored transcript. It never changes.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    digest: String,
    /// One for each question, in order.
    answers: Vec<TranscriptAnswer>,
}

impl Transcript {
    fn new(transcript: wire::Transcript) -> Result<Self, Error> {
        let sealed_by = match transcript.sealed_by() {
            wire::SealedBy::Candidate => SealedBy::Candidate,
            wire::SealedBy::Deadline => SealedBy::Deadline,
            wire::SealedBy::Unspecified => return Err(incomplete("sealed_by")),
        };
        let answer = |row: wire::TranscriptAnswer| {
            Ok(TranscriptAnswer {
                question_id: row.question_id,
                number: row.number,
                answer: row.answer.map(decode_answer).transpose()?,
                saved_at: parse_optional_timestamp(row.saved_at)?,
            })
        };
        Ok(Self {
            handed_in_at: parse_timestamp(transcript.handed_in_at)?,
            sealed_by,
            digest: transcript.digest,
            answers: transcript.answers.into_iter().map(answer).collect::<Result<_, Error>>()?,
        })
    }
}

/// A learner's sitting of a paper.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sitting {
    id: String,
    paper_id: i64,
    exam_id: i64,
    state: SittingState,
    /// The server's clock.
    #[serde(with = "time::serde::rfc3339")]
    now: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    /// Never changes.
    #[serde(with = "time::serde::rfc3339")]
    deadline_at: OffsetDateTime,
    /// From 1. Each take-over adds 1.
    epoch: i32,
    /// Whether the device of the request may save.
    is_active_device: bool,
    /// Seconds out of focus so far.
    away_seconds: i32,
    /// At most one for each question. Empty if no device reported them.
    question_times: Vec<QuestionTime>,
    paper: SittingPaper,
    /// At most one for each question.
    answers: Vec<SavedAnswer>,
    /// Null until the sitting is sealed.
    #[schema(required)]
    transcript: Option<Transcript>,
}

impl Sitting {
    fn new(sitting: Option<wire::Sitting>) -> Result<Self, Error> {
        let sitting = sitting.ok_or_else(|| incomplete("sitting"))?;
        Ok(Self {
            state: SittingState::new(sitting.state())?,
            id: sitting.id,
            paper_id: sitting.paper_id,
            exam_id: sitting.exam_id,
            now: parse_timestamp(sitting.now)?,
            started_at: parse_timestamp(sitting.started_at)?,
            deadline_at: parse_timestamp(sitting.deadline_at)?,
            epoch: sitting.epoch,
            is_active_device: sitting.is_active_device,
            away_seconds: sitting.away_seconds,
            question_times: sitting.question_times.into_iter().map(QuestionTime::from_wire).collect(),
            paper: SittingPaper {
                subject: sitting.subject,
                minutes: sitting.minutes,
                questions: sitting.questions.into_iter().map(ExamQuestion::new).collect::<Result<_, _>>()?,
            },
            answers: sitting.answers.into_iter().map(SavedAnswer::new).collect::<Result<_, _>>()?,
            transcript: sitting.transcript.map(Transcript::new).transpose()?,
        })
    }
}

/// A device and its clock.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeviceRequest {
    /// One browser.
    pub(super) device_id: Uuid,
    /// The device's clock when it sends.
    pub(super) device_time: OffsetDateTime,
}

impl Form for DeviceRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (device_id, device_time) = (fields.uuid("device_id"), fields.time("device_time"));
        Some(Self { device_id: device_id?, device_time: device_time? })
    }
}

impl DeviceRequest {
    pub(super) fn wire(&self) -> wire::Device {
        wire::Device {
            id: self.device_id.to_string(),
            time: Some(kit::timestamp::to_timestamp(self.device_time)),
        }
    }
}

/// Starts the sitting of a paper, or returns the running one to its active device. Never 429: it waits, as a save does.
///
/// Maintenance of exams closes new sittings only. A running one is returned, and can be taken over.
///
/// 403 `NO_SEAT`. 409 `STEP_NOT_OPEN`, `NOT_OPEN_YET`, `EXAM_ENDED`; `OTHER_DEVICE` with `sitting_id` if another device
/// is active; `PAPER_RUNNING` with `sitting_id` if another paper runs; `HANDED_IN` with `sitting_id` and `digest`.
#[utoipa::path(
    post,
    path = "/api/exam/paper/{id}/sitting/",
    operation_id = "start_sitting",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the paper.", minimum = 1)),
    request_body = DeviceRequest,
    responses((status = 200, description = "The running sitting.", body = Sitting))
)]
pub(crate) async fn start(
    State(edge): State<Edge>,
    learner: Learner,
    Id(paper_id): Id,
    head: Parts,
    JsonBody(form): JsonBody<DeviceRequest>,
) -> Result<Response, Error> {
    let opening = edge.maintenance().check(Some(Scope::Exam), Audience::Learner, &head, &edge).await;
    let request =
        wire::StartSittingRequest { paper_id, device: Some(form.wire()), resume_only: opening.is_err() };
    let started = match edge.sittings(&learner).start_sitting(request).await {
        Err(status) if status.code() == tonic::Code::NotFound => {
            // Without a sitting to go on with, the paper is closed.
            opening?;
            return Err(status.into());
        }
        started => started?,
    };
    Ok(json(&Sitting::new(started.into_inner().sitting)?))
}

/// Returns a sitting in any state. Never 429: it waits, as a save does.
#[utoipa::path(
    get,
    path = "/api/exam/sitting/{id}/",
    operation_id = "sitting",
    tag = "exam",
    params(
        ("id" = String, Path, description = "Id of the sitting.", format = Uuid),
        ("device_id" = Option<String>, Query, description = "The device that asks.", format = Uuid)
    ),
    responses((status = 200, description = "The sitting.", body = Sitting))
)]
pub(crate) async fn find(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    query: Query,
) -> Result<Response, Error> {
    let device_id = query.text("device_id")?;
    let request = wire::FindSittingRequest { id: id.to_string(), device_id };
    let sitting = edge.sittings(&learner).find_sitting(request).await?.into_inner().sitting;
    Ok(json(&Sitting::new(sitting)?))
}

/// Makes a device the active one, in a new epoch. For the active device nothing changes. Never 429: it waits, as a save
/// does.
///
/// 409 `HANDED_IN` with `sitting_id` and `digest`.
#[utoipa::path(
    post,
    path = "/api/exam/sitting/{id}/take-over/",
    operation_id = "take_over_sitting",
    tag = "exam",
    params(("id" = String, Path, description = "Id of the sitting.", format = Uuid)),
    request_body = DeviceRequest,
    responses((status = 200, description = "The sitting in its new epoch.", body = Sitting))
)]
pub(crate) async fn take_over(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    JsonBody(form): JsonBody<DeviceRequest>,
) -> Result<Response, Error> {
    let request = wire::TakeOverSittingRequest { id: id.to_string(), device: Some(form.wire()) };
    let sitting = edge.sittings(&learner).take_over_sitting(request).await?.into_inner().sitting;
    Ok(json(&Sitting::new(sitting)?))
}

/// The device that hands in.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandInRequest {
    device_id: Uuid,
    #[schema(minimum = 1, maximum = 2_147_483_647_i64)]
    epoch: i32,
}

impl Form for HandInRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (device_id, epoch) = (fields.uuid("device_id"), fields.whole("epoch", MAX_COUNT));
        Some(Self { device_id: device_id?, epoch: i32::try_from(epoch?).ok()? })
    }
}

/// Hands a sitting in. Again, and of a sealed sitting, it returns the same transcript.
///
/// 409 `OTHER_DEVICE` with `sitting_id` for a device that is not active.
#[utoipa::path(
    post,
    path = "/api/exam/sitting/{id}/hand-in/",
    operation_id = "hand_in_sitting",
    tag = "exam",
    params(("id" = String, Path, description = "Id of the sitting.", format = Uuid)),
    request_body = HandInRequest,
    responses((status = 200, description = "What was handed in.", body = Transcript))
)]
pub(crate) async fn hand_in(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    JsonBody(form): JsonBody<HandInRequest>,
) -> Result<Response, Error> {
    let request = wire::HandInSittingRequest {
        id: id.to_string(),
        device_id: form.device_id.to_string(),
        epoch: form.epoch,
    };
    let transcript = edge.sittings(&learner).hand_in_sitting(request).await?.into_inner().transcript;
    Ok(json(&Transcript::new(transcript.ok_or_else(|| incomplete("transcript"))?)?))
}
