//! A child's results in mock exams, for a guardian. auth checks the link and records the view for the child.

use axum::extract::State;
use axum::response::Response;
use proto::{auth, exam};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::paper_result::FinalPaperResult;
use super::result::{ExamResult, Judgement, parse_department};
use crate::Edge;
use crate::answer::{attached_pdf, json};
use crate::child_link::check_link;
use crate::error::Error;
use crate::input::{Key, KeyAndId, Query};
use crate::session::Guardian;
use crate::timestamp::parse_timestamp;

/// An exam with a result of the child.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedResult {
    exam_id: i64,
    exam_name: String,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    is_final: bool,
}

impl ListedResult {
    pub(crate) fn new(listed: exam::ListedResult) -> Result<Self, Error> {
        Ok(Self {
            exam_id: listed.exam_id,
            exam_name: listed.exam_name,
            ends_at: parse_timestamp(listed.ends_at)?,
            is_final: listed.is_final,
        })
    }
}

/// The exams with a result of the child.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChildResults {
    /// Newest first.
    results: Vec<ListedResult>,
}

/// A child's result of an exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChildExamResult {
    /// Name of the child.
    child_name: String,
    result: ExamResult,
}

/// A child's final result of a paper.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChildPaperResult {
    /// Name of the child.
    child_name: String,
    result: FinalPaperResult,
}

/// Lists the exams in which a linked learner has handed in a paper. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/exam/children/{id}/result/",
    operation_id = "child_result_list",
    tag = "exam",
    params(("id" = uuid::Uuid, Path, description = "Account id of the learner.")),
    responses((status = 200, description = "The exams.", body = ChildResults))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    guardian: Guardian,
    Key(id): Key,
) -> Result<Response, Error> {
    let (relation, _) = check_link(&edge, &guardian, id, auth::ChildView::Unspecified).await?;
    let request = exam::ListChildResultsRequest {};
    let listed = edge.child_results(&relation).list_child_results(request).await?.into_inner();
    let results = listed.results.into_iter().map(ListedResult::new);
    Ok(json(&ChildResults { results: results.collect::<Result<_, _>>()? }))
}

/// Returns a linked learner's result of an exam, as the learner sees it. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/exam/children/{id}/result/{exam}/",
    operation_id = "child_exam_result",
    tag = "exam",
    params(
        ("id" = uuid::Uuid, Path, description = "Account id of the learner."),
        ("exam" = i64, Path, description = "Id of the exam.", minimum = 1)
    ),
    responses((status = 200, description = "The result.", body = ChildExamResult))
)]
pub(crate) async fn exam_result(
    State(edge): State<Edge>,
    guardian: Guardian,
    KeyAndId(id, exam_id): KeyAndId,
) -> Result<Response, Error> {
    let (relation, child) = check_link(&edge, &guardian, id, auth::ChildView::ExamResult).await?;
    let request = exam::GetChildExamResultRequest { exam_id };
    let found = edge.child_results(&relation).get_child_exam_result(request).await?.into_inner().result;
    let found = found.ok_or_else(|| incomplete("result"))?;
    Ok(json(&ChildExamResult { child_name: child.name, result: ExamResult::new(found)? }))
}

/// Returns a linked learner's result of an exam as the PDF that the learner gets. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/exam/children/{id}/result/{exam}/pdf/",
    operation_id = "child_exam_result_pdf",
    tag = "exam",
    params(
        ("id" = uuid::Uuid, Path, description = "Account id of the learner."),
        ("exam" = i64, Path, description = "Id of the exam.", minimum = 1)
    ),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn exam_result_pdf(
    State(edge): State<Edge>,
    guardian: Guardian,
    KeyAndId(id, exam_id): KeyAndId,
) -> Result<Response, Error> {
    let (relation, _) = check_link(&edge, &guardian, id, auth::ChildView::ExamResult).await?;
    let request = exam::GetChildExamResultPdfRequest { exam_id };
    let pdf = edge.child_results(&relation).get_child_exam_result_pdf(request).await?.into_inner().pdf;
    Ok(attached_pdf(&format!("mock-exam-{exam_id}"), pdf))
}

/// Judges a department for a linked learner. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/exam/children/{id}/result/{exam}/judgement/",
    operation_id = "child_exam_judgement",
    tag = "exam",
    params(
        ("id" = uuid::Uuid, Path, description = "Account id of the learner."),
        ("exam" = i64, Path, description = "Id of the exam.", minimum = 1),
        ("school_id" = i64, Query, description = "Id of the school.", minimum = 1),
        ("department_id" = i64, Query, description = "Id of its department.", minimum = 1)
    ),
    responses((status = 200, description = "The judgement.", body = Judgement))
)]
pub(crate) async fn judgement(
    State(edge): State<Edge>,
    guardian: Guardian,
    KeyAndId(id, exam_id): KeyAndId,
    query: Query,
) -> Result<Response, Error> {
    let (school_id, department_id) = parse_department(&query)?;
    let (relation, _) = check_link(&edge, &guardian, id, auth::ChildView::ExamResult).await?;
    let request = exam::JudgeChildDepartmentRequest { exam_id, school_id, department_id };
    let judged = edge.child_results(&relation).judge_child_department(request).await?.into_inner();
    let judgement = judged.judgement.ok_or_else(|| incomplete("judgement"))?;
    Ok(json(&Judgement::new(judgement)))
}

/// Returns a linked learner's final result of a paper, as the learner sees it. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/exam/children/{id}/paper/{paper}/result/",
    operation_id = "child_paper_result",
    tag = "exam",
    params(
        ("id" = uuid::Uuid, Path, description = "Account id of the learner."),
        ("paper" = i64, Path, description = "Id of the paper.", minimum = 1)
    ),
    responses((status = 200, description = "The result.", body = ChildPaperResult))
)]
pub(crate) async fn paper_result(
    State(edge): State<Edge>,
    guardian: Guardian,
    KeyAndId(id, paper_id): KeyAndId,
) -> Result<Response, Error> {
    let (relation, child) = check_link(&edge, &guardian, id, auth::ChildView::ExamResult).await?;
    let request = exam::GetChildPaperResultRequest { paper_id };
    let found = edge.child_results(&relation).get_child_paper_result(request).await?.into_inner().result;
    let found = found.ok_or_else(|| incomplete("result"))?;
    // Requested for the guardian, who can play no lesson.
    let result = FinalPaperResult::new(&edge, &guardian, found).await?;
    Ok(json(&ChildPaperResult { child_name: child.name, result }))
}
