//! A learner's results in a mock exam.

use axum::extract::State;
use axum::response::Response;
use proto::exam;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::record::SittingRecord;
use crate::Edge;
use crate::answer::{attached_pdf, json};
use crate::error::Error;
use crate::input::{Id, Query};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// The result of an exam. It is provisional until the exam's end.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamResult {
    exam_id: i64,
    exam_name: String,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    is_final: bool,
    /// When the figures were computed; null before the first time.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    computed_at: Option<OffsetDateTime>,
    /// In order.
    papers: Vec<PaperResult>,
    /// All papers together; null unless each is marked.
    #[schema(required)]
    total: Option<Standing>,
    /// The desired schools, by rank.
    judgements: Vec<Judgement>,
}

impl ExamResult {
    pub(super) fn new(result: exam::GetExamResultResponse) -> Result<Self, Error> {
        Ok(Self {
            exam_id: result.exam_id,
            exam_name: result.exam_name,
            ends_at: parse_timestamp(result.ends_at)?,
            is_final: result.is_final,
            computed_at: parse_optional_timestamp(result.computed_at)?,
            papers: result.papers.into_iter().map(PaperResult::new).collect::<Result<_, _>>()?,
            total: result.total.map(Standing::new),
            judgements: result.judgements.into_iter().map(Judgement::new).collect(),
        })
    }
}

/// State of a paper's result.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PaperResultState {
    /// Not sat, or not handed in yet.
    Absent,
    /// Handed in. The points will be there within a minute, or once people have marked the written answers.
    Marking,
    Marked,
}

/// The result of one paper.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperResult {
    paper_id: i64,
    #[schema(example = "数学")]
    subject: String,
    full_points: i32,
    state: PaperResultState,
    /// Null unless marked.
    #[schema(required)]
    standing: Option<Standing>,
    /// Null until handed in.
    #[schema(required)]
    record: Option<SittingRecord>,
    /// Null unless written answers are being marked.
    #[schema(required)]
    written_in_marking: Option<WrittenInMarking>,
}

/// A paper whose written answers are being marked, after the end of the exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct WrittenInMarking {
    /// Written answers that are not decided.
    open_answers: i32,
    /// Points of all other questions.
    points: i32,
    /// Most points of all other questions.
    full_points: i32,
}

impl WrittenInMarking {
    fn new(marking: exam::WrittenInMarking) -> Self {
        let exam::WrittenInMarking { open_answers, points, full_points } = marking;
        Self { open_answers, points, full_points }
    }
}

impl PaperResult {
    fn new(result: exam::PaperResult) -> Result<Self, Error> {
        let state = match result.state() {
            exam::PaperResultState::Absent => PaperResultState::Absent,
            exam::PaperResultState::Marking => PaperResultState::Marking,
            exam::PaperResultState::Marked => PaperResultState::Marked,
            exam::PaperResultState::Unspecified => return Err(incomplete("state")),
        };
        Ok(Self {
            paper_id: result.paper_id,
            subject: result.subject,
            full_points: result.full_points,
            state,
            standing: result.standing.map(Standing::new),
            record: result.record.map(SittingRecord::new).transpose()?,
            written_in_marking: result.written_in_marking.map(WrittenInMarking::new),
        })
    }
}

/// How points compare with those of the other candidates.
#[derive(Serialize, ToSchema)]
pub(crate) struct Standing {
    points: i32,
    full_points: i32,
    /// One decimal.
    #[schema(example = 56.2)]
    average: f64,
    /// 偏差値, one decimal; null with fewer than two candidates.
    #[schema(required, example = 61.4)]
    deviation_score: Option<f64>,
    /// From 1. Equal points share a rank.
    rank: i64,
    candidate_count: i64,
    /// Whether there are fewer than 30 candidates, so that the figures are only a reference.
    is_reference: bool,
    /// Candidates by points, in ascending ranges without gaps.
    distribution: Vec<PointRange>,
}

impl Standing {
    pub(super) fn new(standing: exam::Standing) -> Self {
        Self {
            points: standing.points,
            full_points: standing.full_points,
            average: from_tenths(standing.average_tenths),
            deviation_score: standing.deviation_score_tenths.map(from_tenths),
            rank: standing.rank,
            candidate_count: standing.candidate_count,
            is_reference: standing.is_reference,
            distribution: standing.distribution.into_iter().map(PointRange::new).collect(),
        }
    }
}

/// The candidates within a range of points.
#[derive(Serialize, ToSchema)]
pub(crate) struct PointRange {
    from: i32,
    /// Inclusive.
    to: i32,
    candidate_count: i64,
}

impl PointRange {
    fn new(range: exam::PointRange) -> Self {
        Self { from: range.from, to: range.to, candidate_count: range.candidate_count }
    }
}

/// Chance of passing, from A (80 % and more) to E (less than 20 %), in steps of 20 %.
#[derive(Serialize, ToSchema)]
pub(crate) enum Grade {
    A,
    B,
    C,
    D,
    E,
}

impl Grade {
    fn new(grade: exam::Grade) -> Option<Self> {
        match grade {
            exam::Grade::A => Some(Self::A),
            exam::Grade::B => Some(Self::B),
            exam::Grade::C => Some(Self::C),
            exam::Grade::D => Some(Self::D),
            exam::Grade::E => Some(Self::E),
            exam::Grade::Unspecified => None,
        }
    }
}

/// Name of a school or of a department.
#[derive(Serialize, ToSchema)]
pub(crate) struct SchoolRef {
    id: i64,
    name: String,
}

/// 合格判定 of a department.
#[derive(Serialize, ToSchema)]
pub(crate) struct Judgement {
    /// From 1; null for a department that the learner did not name.
    #[schema(required)]
    desired_rank: Option<i32>,
    school: SchoolRef,
    department: SchoolRef,
    /// The 偏差値 of an even chance, one decimal.
    #[schema(example = 58.0)]
    border: f64,
    /// Null if no judgement is possible: a paper is missing, or there are fewer than two candidates.
    #[schema(required)]
    grade: Option<Grade>,
    /// In percent, rounded down; null without a grade.
    #[schema(required)]
    probability: Option<i32>,
    /// What the next better grade needs; null for A, without a grade, and where no points reach it.
    #[schema(required)]
    next: Option<NextGrade>,
}

impl Judgement {
    pub(super) fn new(judgement: exam::Judgement) -> Self {
        Self {
            grade: Grade::new(judgement.grade()),
            desired_rank: judgement.desired_rank,
            school: SchoolRef { id: judgement.school_id, name: judgement.school_name },
            department: SchoolRef { id: judgement.department_id, name: judgement.department_name },
            border: from_tenths(judgement.border_tenths),
            probability: judgement.probability,
            next: judgement.next.and_then(NextGrade::new),
        }
    }
}

/// What a better grade needs.
#[derive(Serialize, ToSchema)]
pub(crate) struct NextGrade {
    grade: Grade,
    /// The lowest 偏差値 with that grade.
    deviation_score: f64,
    /// Points that are missing, at least 1.
    missing_points: i32,
    /// Wrong answers that would have brought these points, those that most candidates got right first. Empty before
    /// the result is final.
    questions: Vec<MissedQuestion>,
}

impl NextGrade {
    fn new(next: exam::NextGrade) -> Option<Self> {
        Some(Self {
            grade: Grade::new(next.grade())?,
            deviation_score: from_tenths(next.deviation_score_tenths),
            missing_points: next.missing_points,
            questions: next.questions.into_iter().map(MissedQuestion::new).collect(),
        })
    }
}

/// A question that was answered wrong or left blank.
#[derive(Serialize, ToSchema)]
pub(crate) struct MissedQuestion {
    paper_id: i64,
    subject: String,
    number: i32,
    points: i32,
}

impl MissedQuestion {
    fn new(question: exam::MissedQuestion) -> Self {
        Self {
            paper_id: question.paper_id,
            subject: question.subject,
            number: question.number,
            points: question.points,
        }
    }
}

/// Returns the caller's result of an exam. 409 `NOTHING_HANDED_IN` while no paper is handed in.
#[utoipa::path(
    get,
    path = "/api/exam/application/{id}/result/",
    operation_id = "exam_result",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the exam.", minimum = 1)),
    responses((status = 200, description = "The result.", body = ExamResult))
)]
pub(crate) async fn exam_result(
    State(edge): State<Edge>,
    learner: Learner,
    Id(exam_id): Id,
) -> Result<Response, Error> {
    let request = exam::GetExamResultRequest { exam_id };
    let found = edge.exam_results(&learner).get_exam_result(request).await?.into_inner();
    Ok(json(&ExamResult::new(found)?))
}

/// Returns the caller's result of an exam as a PDF for school. 409 `NOTHING_HANDED_IN` while no paper is handed in.
#[utoipa::path(
    get,
    path = "/api/exam/application/{id}/result/pdf/",
    operation_id = "exam_result_pdf",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the exam.", minimum = 1)),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn exam_result_pdf(
    State(edge): State<Edge>,
    learner: Learner,
    Id(exam_id): Id,
) -> Result<Response, Error> {
    let request = exam::GetExamResultPdfRequest { exam_id };
    let pdf = edge.exam_results(&learner).get_exam_result_pdf(request).await?.into_inner().pdf;
    Ok(attached_pdf(&format!("mock-exam-{exam_id}"), pdf))
}

/// Judges a department that the caller need not have named. 409 `NOTHING_HANDED_IN` while no paper is handed in.
#[utoipa::path(
    get,
    path = "/api/exam/application/{id}/judgement/",
    operation_id = "exam_judgement",
    tag = "exam",
    params(
        ("id" = i64, Path, description = "Id of the exam.", minimum = 1),
        ("school_id" = i64, Query, description = "Id of the school.", minimum = 1),
        ("department_id" = i64, Query, description = "Id of its department.", minimum = 1)
    ),
    responses((status = 200, description = "The judgement.", body = Judgement))
)]
pub(crate) async fn judgement(
    State(edge): State<Edge>,
    learner: Learner,
    Id(exam_id): Id,
    query: Query,
) -> Result<Response, Error> {
    let (school_id, department_id) = parse_department(&query)?;
    let request = exam::JudgeDepartmentRequest { exam_id, school_id, department_id };
    let judged = edge.exam_results(&learner).judge_department(request).await?.into_inner();
    let judgement = judged.judgement.ok_or_else(|| incomplete("judgement"))?;
    Ok(json(&Judgement::new(judgement)))
}

/// Returns the ids of the school and of its department.
pub(super) fn parse_department(query: &Query) -> Result<(i64, i64), Error> {
    let required = |name| query.id(name)?.ok_or_else(|| Error::field(name, "REQUIRED"));
    Ok((required("school_id")?, required("department_id")?))
}

pub(super) fn from_tenths(tenths: i32) -> f64 {
    f64::from(tenths) / 10.0
}
