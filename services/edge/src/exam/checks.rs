//! Free checks: questions that anyone answers, graded at once and never stored.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::exam as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::exams::ExamCard;
use super::incomplete;
use super::places::Places;
use super::question::{ExamAnswer, ExamQuestion, decode_answer, encode_answer};
use crate::Edge;
use crate::answer::{json, public};
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, Query};
use crate::page::{List, Page};

/// Largest number of answers.
const MAX_ANSWERS: usize = 99;

/// A free check.
#[derive(Serialize, ToSchema)]
pub(crate) struct Check {
    id: i64,
    #[schema(example = "中3")]
    school_year: String,
    #[schema(example = "数学")]
    subject: String,
    title: String,
    question_count: i32,
}

impl From<wire::Check> for Check {
    fn from(check: wire::Check) -> Self {
        let wire::Check { id, school_year, subject, title, question_count } = check;
        Self { id, school_year, subject, title, question_count }
    }
}

/// A free check with its questions.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckDetail {
    #[serde(flatten)]
    check: Check,
    questions: Vec<ExamQuestion>,
}

/// The answer to a question of a free check.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckAnswer {
    question_id: i64,
    /// Null: not answered.
    #[schema(required)]
    answer: Option<ExamAnswer>,
}

/// The answers to a free check.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckAnswers {
    /// At most one for each question.
    #[schema(max_items = 99)]
    answers: Vec<CheckAnswer>,
}

impl Form for CheckAnswers {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let answers = fields.nested::<Vec<CheckAnswer>>("answers")?;
        if answers.len() > MAX_ANSWERS {
            fields.note("answers", "TOO_LONG");
            return None;
        }
        Some(Self { answers })
    }
}

/// Outcome of an answer to a question of a free check.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckOutcome {
    question_id: i64,
    is_right: bool,
    /// As given; null: not answered.
    #[schema(required)]
    answer: Option<ExamAnswer>,
    key: ExamAnswer,
    explanation: String,
}

impl CheckOutcome {
    fn new(outcome: wire::CheckOutcome) -> Result<Self, Error> {
        Ok(Self {
            question_id: outcome.question_id,
            is_right: outcome.is_right,
            answer: outcome.answer.map(decode_answer).transpose()?,
            key: decode_answer(outcome.key.ok_or_else(|| incomplete("key"))?)?,
            explanation: outcome.explanation,
        })
    }
}

/// A course that teaches the content of a check.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuggestedCourse {
    id: i64,
    name: String,
}

/// The result of a free check.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckResult {
    /// Number of right answers.
    score: i32,
    question_count: i32,
    /// In order.
    questions: Vec<CheckOutcome>,
    /// Courses that teach the content of the check.
    courses: Vec<SuggestedCourse>,
    /// The next exam of the school year; null: none.
    #[schema(required)]
    exam: Option<ExamCard>,
}

/// Lists the free checks, by school year and subject.
#[utoipa::path(
    get,
    path = "/api/exam/check/",
    operation_id = "free_check_list",
    tag = "exam",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses(
        (status = 200, description = "A page of free checks.", body = Page<Check>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let list = edge.checks().list_checks(wire::ListChecksRequest { page }).await?.into_inner();
    let listing = List { path: "/api/exam/check/", filters: &[], page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &listing, list.checks, |check| Ok(Check::from(check)))?)
}

/// Returns a free check with its questions.
#[utoipa::path(
    get,
    path = "/api/exam/check/{id}/",
    operation_id = "free_check",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the check.", minimum = 1)),
    responses(
        (status = 200, description = "The check.", body = CheckDetail),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn check(
    State(edge): State<Edge>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let found = edge.checks().get_check(wire::GetCheckRequest { id }).await?.into_inner();
    let check = found.check.ok_or_else(|| incomplete("check"))?.into();
    let questions = found.questions.into_iter().map(ExamQuestion::new).collect::<Result<_, _>>()?;
    public(&edge, &headers, &CheckDetail { check, questions })
}

/// Grades the answers to a free check. Nothing is stored.
#[utoipa::path(
    post,
    path = "/api/exam/check/{id}/result/",
    operation_id = "grade_free_check",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the check.", minimum = 1)),
    request_body = CheckAnswers,
    responses((status = 200, description = "The result.", body = CheckResult))
)]
pub(crate) async fn grade(
    State(edge): State<Edge>,
    Id(id): Id,
    JsonBody(form): JsonBody<CheckAnswers>,
) -> Result<Response, Error> {
    let answer = |given: CheckAnswer| wire::CheckAnswer {
        question_id: given.question_id,
        answer: given.answer.map(encode_answer),
    };
    let request = wire::GradeCheckRequest { id, answers: form.answers.into_iter().map(answer).collect() };
    let graded = edge.checks().grade_check(request).await?.into_inner();
    let courses = find_courses(&edge, &graded.course_ids).await?;
    let exam = match &graded.exam {
        Some(exam) => Some(ExamCard::new(exam, &Places::fetch(&edge, std::slice::from_ref(exam)).await)?),
        None => None,
    };
    let questions = graded.outcomes.into_iter().map(CheckOutcome::new).collect::<Result<Vec<_>, _>>()?;
    Ok(json(&CheckResult {
        score: graded.right_count,
        question_count: i32::try_from(questions.len()).unwrap_or(i32::MAX),
        questions,
        courses,
        exam,
    }))
}

/// Names courses, in the order of `ids`. A course that lms does not know is left out.
async fn find_courses(edge: &Edge, ids: &[i64]) -> Result<Vec<SuggestedCourse>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let request = proto::lms::GetCoursesRequest { ids: ids.to_vec() };
    let found = edge.catalogue().get_courses(request).await?.into_inner().courses;
    let summaries: Vec<_> = found.into_iter().filter_map(|course| course.summary).collect();
    let named = ids.iter().filter_map(|id| summaries.iter().find(|summary| summary.id == *id));
    Ok(named.map(|summary| SuggestedCourse { id: summary.id, name: summary.name.clone() }).collect())
}
