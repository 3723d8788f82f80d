//! Mock exams in the export of an account.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proto::exam as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::applications::{DesiredSchool, DeviceCheck};
use super::forms::BasicInfo;
use super::incomplete;
use super::question::ExamAnswer;
use super::record::QuestionTime;
use crate::error::Error;
use crate::timestamp::parse_timestamp;

/// An application for an exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedApplication {
    exam_id: i64,
    exam_name: String,
    has_seat: bool,
    /// Null: not filled in.
    #[schema(required)]
    basic_info: Option<BasicInfo>,
    /// 受験番号. Null: not given yet.
    #[schema(required)]
    candidate_number: Option<String>,
    /// By rank.
    desired_schools: Vec<DesiredSchool>,
    /// Newest first.
    device_checks: Vec<DeviceCheck>,
}

impl ExportedApplication {
    pub(crate) fn new(application: wire::Application) -> Result<Self, Error> {
        let exam = application.exam.ok_or_else(|| incomplete("exam"))?;
        let (desired, checks) = (application.desired_schools, application.device_checks);
        Ok(Self {
            exam_id: exam.id,
            exam_name: exam.name,
            has_seat: application.has_seat,
            basic_info: application.basic_info.map(BasicInfo::from),
            candidate_number: application.candidate_number,
            desired_schools: desired.into_iter().map(DesiredSchool::new).collect::<Result<_, _>>()?,
            device_checks: checks.into_iter().map(DeviceCheck::new).collect::<Result<_, _>>()?,
        })
    }
}

/// A sitting of a paper.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedSitting {
    exam_name: String,
    subject: String,
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    /// In the order of the questions.
    answers: Vec<ExportedExamAnswer>,
    /// Seconds out of focus.
    away_seconds: i32,
    /// By time. Empty without a take-over.
    devices: Vec<ExportedDevice>,
    /// By question.
    question_times: Vec<QuestionTime>,
}

impl ExportedSitting {
    pub(crate) fn new(sitting: wire::ExportedSitting) -> Result<Self, Error> {
        let answers = sitting.answers.into_iter().map(ExportedExamAnswer::new);
        Ok(Self {
            exam_name: sitting.exam_name,
            subject: sitting.subject,
            started_at: parse_timestamp(sitting.started_at)?,
            answers: answers.collect::<Result<_, _>>()?,
            away_seconds: sitting.away_seconds,
            devices: sitting.devices.into_iter().map(ExportedDevice::new).collect::<Result<_, _>>()?,
            question_times: sitting.question_times.into_iter().map(QuestionTime::from_wire).collect(),
        })
    }
}

/// A device that was active in a sitting from a time on.
#[derive(Serialize, ToSchema)]
struct ExportedDevice {
    device_id: String,
    #[serde(with = "time::serde::rfc3339")]
    since: OffsetDateTime,
}

impl ExportedDevice {
    fn new(device: wire::ExportedDevice) -> Result<Self, Error> {
        Ok(Self { device_id: device.device_id, since: parse_timestamp(device.since)? })
    }
}

/// A stored answer.
#[derive(Serialize, ToSchema)]
struct ExportedExamAnswer {
    question_id: i64,
    /// Null: blank.
    #[schema(required)]
    answer: Option<ExamAnswer>,
    #[serde(with = "time::serde::rfc3339")]
    saved_at: OffsetDateTime,
    /// The points of a written answer. Null: another kind of question, or the result is not final.
    #[schema(required)]
    points: Option<i32>,
    /// What each marker gave for a written answer with a final result.
    marks: Vec<ExportedMark>,
    /// The picture that the answer names: a JPEG in base64; null for other answers.
    #[schema(required)]
    picture: Option<String>,
}

/// What a marker gave for a written answer.
#[derive(Serialize, ToSchema)]
struct ExportedMark {
    points: i32,
    /// May be empty.
    comment: String,
}

impl ExportedMark {
    fn from_wire(wire::ExportedMark { points, comment }: wire::ExportedMark) -> Self {
        Self { points, comment }
    }
}

impl ExportedExamAnswer {
    fn new(saved: wire::ExportedExamAnswer) -> Result<Self, Error> {
        let answer = saved.answer.map(|answer| serde_json::from_str(&answer)).transpose();
        Ok(Self {
            question_id: saved.question_id,
            answer: answer.map_err(|_| incomplete("an answer that can be decoded"))?,
            saved_at: parse_timestamp(saved.saved_at)?,
            points: saved.points,
            marks: saved.marks.into_iter().map(ExportedMark::from_wire).collect(),
            picture: saved.picture.map(|jpeg| STANDARD.encode(jpeg)),
        })
    }
}
