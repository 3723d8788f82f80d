//! Saves of answers during a sitting.

use axum::extract::State;
use axum::response::Response;
use proto::exam as wire;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::incomplete;
use super::question::{ExamAnswer, encode_answer};
use super::record::QuestionTime;
use super::sitting::{DeviceRequest, MAX_COUNT, SittingState};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody, Key, MAX_SAFE_INTEGER};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// Largest number of answers, and of questions with their times, in one save.
const MAX_ANSWERS: usize = 100;

/// An answer to store.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerToSave {
    #[schema(minimum = 1)]
    question_id: i64,
    /// Higher for each change of the question's answer or flag.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    sequence: i64,
    /// Null: blank.
    #[schema(required)]
    answer: Option<ExamAnswer>,
    is_flagged: bool,
    /// The device's clock when the answer was given.
    #[serde(with = "time::serde::rfc3339")]
    answered_at: OffsetDateTime,
}

/// Answers of a device.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveRequest {
    /// One browser.
    device_id: Uuid,
    /// The epoch in which these answers were given.
    #[schema(minimum = 1, maximum = 2_147_483_647_i64)]
    epoch: i32,
    /// The device's clock when it sends.
    device_time: OffsetDateTime,
    /// Number of answers that stay on the device unacknowledged, without these.
    #[schema(minimum = 0, maximum = 2_147_483_647_i64)]
    pending: i32,
    /// Seconds out of focus since the start; the highest value stays.
    #[schema(minimum = 0, maximum = 2_147_483_647_i64, required = false)]
    away_seconds: i32,
    /// Of each question the highest value stays.
    #[schema(max_items = 100, required = false)]
    question_times: Vec<QuestionTime>,
    #[schema(max_items = 100)]
    answers: Vec<AnswerToSave>,
}

impl Form for SaveRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (device_id, device_time) = (fields.uuid("device_id"), fields.time("device_time"));
        let (epoch, pending) = (fields.whole("epoch", MAX_COUNT), fields.whole("pending", MAX_COUNT));
        let away_seconds =
            if fields.has("away_seconds") { fields.whole("away_seconds", MAX_COUNT) } else { Some(0) };
        let question_times = if fields.has("question_times") {
            fields.nested::<Vec<QuestionTime>>("question_times")
        } else {
            Some(Vec::new())
        };
        let answers = fields.nested::<Vec<AnswerToSave>>("answers");
        if question_times.as_ref().is_some_and(|times| times.len() > MAX_ANSWERS) {
            fields.note("question_times", "TOO_LONG");
            return None;
        }
        if question_times.iter().flatten().any(|time| time.is_negative()) {
            fields.note("question_times", "OUT_OF_RANGE");
            return None;
        }
        if answers.as_ref().is_some_and(|answers| answers.len() > MAX_ANSWERS) {
            fields.note("answers", "TOO_LONG");
            return None;
        }
        if answers.iter().flatten().any(|row| !(1..=MAX_SAFE_INTEGER).contains(&row.sequence)) {
            fields.note("answers", "OUT_OF_RANGE");
            return None;
        }
        let count = |number: i64| i32::try_from(number).ok();
        Some(Self {
            device_id: device_id?,
            epoch: count(epoch?)?,
            device_time: device_time?,
            pending: count(pending?)?,
            away_seconds: count(away_seconds?)?,
            question_times: question_times?,
            answers: answers?,
        })
    }
}

/// An answer that is stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct Acknowledgement {
    question_id: i64,
    sequence: i64,
    /// As in the sitting's answers.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    digest: String,
}

/// Why an answer is refused.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum RefusalCode {
    /// A higher version is stored, or the same one with other content.
    Older,
    /// Given after the deadline.
    Late,
    /// Not an answer to a question of the paper.
    Invalid,
}

/// An answer that is not stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusedAnswer {
    question_id: i64,
    code: RefusalCode,
    /// That of the refused answer.
    sequence: i64,
}

impl RefusedAnswer {
    fn new(refused: wire::RefusedAnswer) -> Result<Self, Error> {
        let code = match refused.code() {
            wire::RefusalCode::Older => RefusalCode::Older,
            wire::RefusalCode::Late => RefusalCode::Late,
            wire::RefusalCode::Invalid => RefusalCode::Invalid,
            wire::RefusalCode::Unspecified => return Err(incomplete("code")),
        };
        Ok(Self { question_id: refused.question_id, code, sequence: refused.sequence })
    }
}

/// Outcome of a save.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaveReport {
    /// The server's clock.
    #[serde(with = "time::serde::rfc3339")]
    now: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    deadline_at: OffsetDateTime,
    state: SittingState,
    /// Stored answers. The device keeps an answer until it is acknowledged here.
    acks: Vec<Acknowledgement>,
    refused: Vec<RefusedAnswer>,
}

/// Stores answers. Each is acknowledged or refused on its own. Never 429: a save waits.
///
/// The version of an answer is its epoch, then its sequence; the higher one stays, and an equal one with equal content is
/// acknowledged again. After `deadline_at`, what the device stamped before it is taken for 120 s.
///
/// 409 `OTHER_DEVICE` with `sitting_id` for a device that is not active; its answers of an older epoch are stored where
/// the newer one has none, and the sitting shows which. 409 `HANDED_IN` with `sitting_id` and `digest`.
#[utoipa::path(
    put,
    path = "/api/exam/sitting/{id}/answers/",
    operation_id = "save_answers",
    tag = "exam",
    params(("id" = String, Path, description = "Id of the sitting.", format = Uuid)),
    request_body = SaveRequest,
    responses((status = 200, description = "The outcome of the save.", body = SaveReport))
)]
pub(crate) async fn save(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    JsonBody(form): JsonBody<SaveRequest>,
) -> Result<Response, Error> {
    let device = DeviceRequest { device_id: form.device_id, device_time: form.device_time };
    let answers = form.answers.into_iter().map(|row| wire::AnswerToSave {
        question_id: row.question_id,
        sequence: row.sequence,
        answer: row.answer.map(encode_answer),
        is_flagged: row.is_flagged,
        answered_at: Some(kit::timestamp::to_timestamp(row.answered_at)),
    });
    let request = wire::SaveAnswersRequest {
        id: id.to_string(),
        device: Some(device.wire()),
        epoch: form.epoch,
        pending: form.pending,
        answers: answers.collect(),
        away_seconds: form.away_seconds,
        question_times: form.question_times.into_iter().map(QuestionTime::into_wire).collect(),
    };
    let report = edge.sittings(&learner).save_answers(request).await?.into_inner();
    let acknowledged = report.acks.into_iter().map(|ack| Acknowledgement {
        question_id: ack.question_id,
        sequence: ack.sequence,
        digest: ack.digest,
    });
    Ok(json(&SaveReport {
        now: parse_timestamp(report.now)?,
        deadline_at: parse_timestamp(report.deadline_at)?,
        state: SittingState::new(report.state.try_into().unwrap_or_default())?,
        acks: acknowledged.collect(),
        refused: report.refused.into_iter().map(RefusedAnswer::new).collect::<Result<_, _>>()?,
    }))
}
