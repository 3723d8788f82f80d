//! Applications: what a learner does before an exam.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::exam as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::exams::{ExamCard, ExamDetail};
use super::forms::{BasicInfo, DeviceReport, SchoolChoice};
use super::incomplete;
use super::places::Places;
use super::schools::{Department, ExamSchool};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Id, IdAndSegment, JsonBody};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// The first step of an application that is not done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ApplicationStage {
    Seat,
    BasicInfo,
    DesiredSchools,
    DeviceCheck,
    Exam,
    /// Every paper is handed in.
    HandedIn,
}

impl ApplicationStage {
    fn new(stage: wire::ApplicationStage) -> Result<Self, Error> {
        match stage {
            wire::ApplicationStage::Seat => Ok(Self::Seat),
            wire::ApplicationStage::BasicInfo => Ok(Self::BasicInfo),
            wire::ApplicationStage::DesiredSchools => Ok(Self::DesiredSchools),
            wire::ApplicationStage::DeviceCheck => Ok(Self::DeviceCheck),
            wire::ApplicationStage::Exam => Ok(Self::Exam),
            wire::ApplicationStage::HandedIn => Ok(Self::HandedIn),
            wire::ApplicationStage::Unspecified => Err(incomplete("stage")),
        }
    }
}

/// State of an exam for the learner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ApplicationState {
    /// The learner can apply.
    Open,
    /// The learner has a seat or an application.
    Mine,
    /// The learner has a seat or an application, and the exam has ended.
    Past,
}

impl ApplicationState {
    fn new(state: wire::ApplicationState) -> Result<Self, Error> {
        match state {
            wire::ApplicationState::Open => Ok(Self::Open),
            wire::ApplicationState::Mine => Ok(Self::Mine),
            wire::ApplicationState::Past => Ok(Self::Past),
            wire::ApplicationState::Unspecified => Err(incomplete("state")),
        }
    }
}

/// An exam and the learner's progress in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ApplicationSummary {
    exam: ExamCard,
    state: ApplicationState,
    stage: ApplicationStage,
    has_seat: bool,
}

/// The exams of the learner, and those that can be applied for.
#[derive(Serialize, ToSchema)]
pub(crate) struct Applications {
    /// Soonest first.
    results: Vec<ApplicationSummary>,
}

/// A desired school.
#[derive(Serialize, ToSchema)]
pub(crate) struct DesiredSchool {
    #[schema(minimum = 1, maximum = 5)]
    rank: i32,
    school: ExamSchool,
    department: Department,
    /// 内申点; null: not given, or not counted.
    #[schema(required)]
    school_marks: Option<i32>,
}

impl DesiredSchool {
    pub(super) fn new(desired: wire::DesiredSchool) -> Result<Self, Error> {
        Ok(Self {
            rank: desired.rank,
            school: desired.school.ok_or_else(|| incomplete("school"))?.into(),
            department: desired.department.ok_or_else(|| incomplete("department"))?.into(),
            school_marks: desired.school_marks,
        })
    }
}

/// The last check of a device.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeviceCheck {
    #[schema(format = Uuid)]
    device_id: String,
    #[serde(with = "time::serde::rfc3339")]
    checked_at: OffsetDateTime,
    passed: bool,
}

impl DeviceCheck {
    pub(super) fn new(check: wire::DeviceCheck) -> Result<Self, Error> {
        let checked_at = parse_timestamp(check.checked_at)?;
        Ok(Self { device_id: check.device_id, checked_at, passed: check.passed })
    }
}

/// State of a paper for the learner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PaperState {
    NotStarted,
    Running,
    HandedIn,
}

/// A paper and the learner's progress in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperProgress {
    paper_id: i64,
    subject: String,
    minutes: i32,
    state: PaperState,
    /// Null: not started.
    #[schema(required, format = Uuid)]
    sitting_id: Option<String>,
    /// Null: not handed in.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    handed_in_at: Option<OffsetDateTime>,
}

impl PaperProgress {
    fn new(progress: wire::PaperProgress, papers: &[wire::Paper]) -> Result<Self, Error> {
        let state = match progress.state() {
            wire::PaperState::NotStarted => PaperState::NotStarted,
            wire::PaperState::Running => PaperState::Running,
            wire::PaperState::HandedIn => PaperState::HandedIn,
            wire::PaperState::Unspecified => return Err(incomplete("state")),
        };
        let paper = papers.iter().find(|paper| paper.id == progress.paper_id);
        let paper = paper.ok_or_else(|| incomplete("paper"))?;
        Ok(Self {
            paper_id: paper.id,
            subject: paper.subject.clone(),
            minutes: paper.minutes,
            state,
            sitting_id: progress.sitting_id,
            handed_in_at: parse_optional_timestamp(progress.handed_in_at)?,
        })
    }
}

/// The application of the learner for an exam, also one that is not begun.
#[derive(Serialize, ToSchema)]
pub(crate) struct ApplicationSheet {
    exam: ExamDetail,
    state: ApplicationState,
    has_seat: bool,
    stage: ApplicationStage,
    /// Null: not filled in.
    #[schema(required)]
    basic_info: Option<BasicInfo>,
    /// 受験番号, unique in the exam. Null: not given yet.
    #[schema(required)]
    candidate_number: Option<String>,
    /// By rank.
    desired_schools: Vec<DesiredSchool>,
    /// Newest first.
    device_checks: Vec<DeviceCheck>,
    /// In the order of the exam.
    papers: Vec<PaperProgress>,
    /// Percentage of a paper's minutes that the learner has: 100, or 130 or 150 with extra time.
    time_percent: i32,
}

impl ApplicationSheet {
    /// Converts an application. `places` has the prices of sold exams.
    fn new(application: wire::Application, places: &Places) -> Result<Self, Error> {
        let state = ApplicationState::new(application.state())?;
        let current = ApplicationStage::new(application.stage())?;
        let exam = application.exam.ok_or_else(|| incomplete("exam"))?;
        let papers = application.papers.into_iter();
        let papers = papers.map(|paper| PaperProgress::new(paper, &exam.papers)).collect::<Result<_, _>>()?;
        let (desired, checks) = (application.desired_schools, application.device_checks);
        Ok(Self {
            papers,
            time_percent: application.time_percent,
            state,
            has_seat: application.has_seat,
            stage: current,
            basic_info: application.basic_info.map(BasicInfo::from),
            candidate_number: application.candidate_number,
            desired_schools: desired.into_iter().map(DesiredSchool::new).collect::<Result<_, _>>()?,
            device_checks: checks.into_iter().map(DeviceCheck::new).collect::<Result<_, _>>()?,
            exam: ExamDetail::new(exam, places)?,
        })
    }
}

/// The outcome of a device check.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeviceOutcome {
    /// Whether storage, place and connection are fine.
    passed: bool,
}

/// Lists the exams of the learner, and those that can be applied for, soonest first.
#[utoipa::path(
    get,
    path = "/api/exam/application/",
    operation_id = "application_list",
    tag = "exam",
    responses((status = 200, description = "The exams.", body = Applications))
)]
pub(crate) async fn list(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let request = wire::ListApplicationsRequest {};
    let found = edge.applications(&learner).list_applications(request).await?.into_inner().applications;
    let exams: Vec<wire::Exam> = found.iter().filter_map(|application| application.exam.clone()).collect();
    let places = Places::fetch(&edge, &exams).await;
    let summary = |application: wire::Application| {
        Ok::<_, Error>(ApplicationSummary {
            state: ApplicationState::new(application.state())?,
            stage: ApplicationStage::new(application.stage())?,
            has_seat: application.has_seat,
            exam: ExamCard::new(&application.exam.ok_or_else(|| incomplete("exam"))?, &places)?,
        })
    };
    Ok(json(&Applications { results: found.into_iter().map(summary).collect::<Result<_, _>>()? }))
}

/// Returns the learner's application for an exam, also one that is not begun.
#[utoipa::path(
    get,
    path = "/api/exam/application/{id}/",
    operation_id = "application",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the exam.", minimum = 1)),
    responses((status = 200, description = "The application.", body = ApplicationSheet))
)]
pub(crate) async fn application(
    State(edge): State<Edge>,
    learner: Learner,
    Id(exam_id): Id,
) -> Result<Response, Error> {
    let request = wire::GetApplicationRequest { exam_id };
    let found = edge.applications(&learner).get_application(request).await?.into_inner().application;
    let found = found.ok_or_else(|| incomplete("application"))?;
    let places = Places::fetch(&edge, found.exam.as_slice()).await;
    Ok(json(&ApplicationSheet::new(found, &places)?))
}

/// Takes a seat of a free exam. Idempotent.
///
/// 409 `SEATS_GONE`, `APPLICATION_CLOSED`, or `SEAT_FOR_SALE` for an exam that is sold.
#[utoipa::path(
    post,
    path = "/api/exam/application/{id}/seat/",
    operation_id = "take_seat",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the exam.", minimum = 1)),
    responses((status = 204, description = "The learner has a seat."))
)]
pub(crate) async fn take_seat(
    State(edge): State<Edge>,
    learner: Learner,
    Id(exam_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.applications(&learner).take_seat(wire::TakeSeatRequest { exam_id }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Replaces the basic info of an application.
///
/// 403 `NO_SEAT`. 409 `EXAM_STARTED` once a paper was started, `EXAM_ENDED`.
#[utoipa::path(
    put,
    path = "/api/exam/application/{id}/basic-info/",
    operation_id = "set_basic_info",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the exam.", minimum = 1)),
    request_body = BasicInfo,
    responses((status = 204, description = "The basic info was stored."))
)]
pub(crate) async fn set_basic_info(
    State(edge): State<Edge>,
    learner: Learner,
    Id(exam_id): Id,
    JsonBody(info): JsonBody<BasicInfo>,
) -> Result<Response, Error> {
    let request = wire::SetBasicInfoRequest { exam_id, basic_info: Some(info.into()) };
    edge.applications(&learner).set_basic_info(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Adds or replaces the desired school of a rank.
///
/// 403 `NO_SEAT`. 409 `STEP_NOT_OPEN` before the basic info, `RANK_GAP`, `SCHOOL_TWICE`, `EXAM_STARTED` once a paper was
/// started, `EXAM_ENDED`.
#[utoipa::path(
    put,
    path = "/api/exam/application/{id}/desired-school/{rank}/",
    operation_id = "set_desired_school",
    tag = "exam",
    params(
        ("id" = i64, Path, description = "Id of the exam.", minimum = 1),
        ("rank" = i32, Path, description = "Rank, from 1.", minimum = 1, maximum = 5)
    ),
    request_body = SchoolChoice,
    responses((status = 204, description = "The desired school was stored."))
)]
pub(crate) async fn set_desired_school(
    State(edge): State<Edge>,
    learner: Learner,
    IdAndSegment(exam_id, rank): IdAndSegment,
    JsonBody(choice): JsonBody<SchoolChoice>,
) -> Result<Response, Error> {
    let request = wire::SetDesiredSchoolRequest {
        exam_id,
        rank: parse_rank(&rank)?,
        school_id: choice.school_id,
        department_id: choice.department_id,
        school_marks: choice.school_marks,
    };
    edge.applications(&learner).set_desired_school(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Deletes the desired school of a rank. Those behind it move up. 404 if there is none.
#[utoipa::path(
    delete,
    path = "/api/exam/application/{id}/desired-school/{rank}/",
    operation_id = "clear_desired_school",
    tag = "exam",
    params(
        ("id" = i64, Path, description = "Id of the exam.", minimum = 1),
        ("rank" = i32, Path, description = "Rank, from 1.", minimum = 1, maximum = 5)
    ),
    responses((status = 204, description = "The desired school was deleted."))
)]
pub(crate) async fn clear_desired_school(
    State(edge): State<Edge>,
    learner: Learner,
    IdAndSegment(exam_id, rank): IdAndSegment,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::ClearDesiredSchoolRequest { exam_id, rank: parse_rank(&rank)? };
    edge.applications(&learner).clear_desired_school(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Stores the check of a device.
///
/// 403 `NO_SEAT`. 409 `STEP_NOT_OPEN` before the first desired school, `EXAM_ENDED`.
#[utoipa::path(
    put,
    path = "/api/exam/application/{id}/device-check/{device}/",
    operation_id = "set_device_check",
    tag = "exam",
    params(
        ("id" = i64, Path, description = "Id of the exam.", minimum = 1),
        ("device" = uuid::Uuid, Path, description = "Id of the device, chosen by it.")
    ),
    request_body = DeviceReport,
    responses((status = 200, description = "The outcome.", body = DeviceOutcome))
)]
pub(crate) async fn set_device_check(
    State(edge): State<Edge>,
    learner: Learner,
    IdAndSegment(exam_id, device_id): IdAndSegment,
    JsonBody(report): JsonBody<DeviceReport>,
) -> Result<Response, Error> {
    let request = wire::SetDeviceCheckRequest {
        exam_id,
        device_id,
        browser: report.browser,
        clock_offset_ms: report.clock_offset_ms,
        storage_kept: report.storage_kept,
        round_trip_ms: report.round_trip_ms,
        sound: report.sound,
        quiet_place: report.quiet_place,
        browser_fits: report.browser_fits,
    };
    let passed = edge.applications(&learner).set_device_check(request).await?.into_inner().passed;
    Ok(json(&DeviceOutcome { passed }))
}

/// A rank in ASCII digits. Anything else is 404.
fn parse_rank(text: &str) -> Result<i32, Error> {
    let is_rank = matches!(text.as_bytes(), [b'1'..=b'5']);
    is_rank.then(|| text.parse().ok()).flatten().ok_or(Error::NotFound)
}
