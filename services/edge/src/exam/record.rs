//! What is recorded while a paper is sat. Learners see it with their result; nothing is decided by it.

use proto::exam as wire;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::Error;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// How long a question was shown.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionTime {
    #[schema(minimum = 1)]
    question_id: i64,
    /// Seconds that it was on the screen and in focus since the start of the sitting, on all devices.
    #[schema(minimum = 0)]
    seconds: i32,
}

impl QuestionTime {
    pub(crate) fn from_wire(time: wire::QuestionTime) -> Self {
        Self { question_id: time.question_id, seconds: time.seconds }
    }

    pub(super) fn into_wire(self) -> wire::QuestionTime {
        wire::QuestionTime { question_id: self.question_id, seconds: self.seconds }
    }

    pub(super) fn is_negative(self) -> bool {
        self.seconds < 0
    }
}

/// What was recorded while a paper was sat. Nothing is decided by it, and the PDF for school does not contain it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SittingRecord {
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    handed_in_at: OffsetDateTime,
    /// Seconds out of focus.
    away_seconds: i32,
    /// By time: the device that started, then one for each take-over. Empty without a take-over.
    devices: Vec<ActiveDevice>,
    /// In order.
    questions: Vec<QuestionRecord>,
}

impl SittingRecord {
    pub(super) fn new(record: wire::SittingRecord) -> Result<Self, Error> {
        Ok(Self {
            started_at: parse_timestamp(record.started_at)?,
            handed_in_at: parse_timestamp(record.handed_in_at)?,
            away_seconds: record.away_seconds,
            devices: record.devices.into_iter().map(ActiveDevice::new).collect::<Result<_, _>>()?,
            questions: record.questions.into_iter().map(QuestionRecord::new).collect::<Result<_, _>>()?,
        })
    }
}

/// A device that was active from a time on.
#[derive(Serialize, ToSchema)]
struct ActiveDevice {
    /// From 1, in the order of first use.
    number: i32,
    #[serde(with = "time::serde::rfc3339")]
    since: OffsetDateTime,
}

impl ActiveDevice {
    fn new(device: wire::ActiveDevice) -> Result<Self, Error> {
        Ok(Self { number: device.number, since: parse_timestamp(device.since)? })
    }
}

/// What was recorded of a question.
#[derive(Serialize, ToSchema)]
struct QuestionRecord {
    number: i32,
    /// When the handed-in answer reached the server. Null: never saved.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    saved_at: Option<OffsetDateTime>,
    /// Seconds on the screen and in focus. Null: not reported.
    #[schema(required)]
    seconds: Option<i32>,
}

impl QuestionRecord {
    fn new(question: wire::QuestionRecord) -> Result<Self, Error> {
        Ok(Self {
            number: question.number,
            saved_at: parse_optional_timestamp(question.saved_at)?,
            seconds: question.seconds,
        })
    }
}
