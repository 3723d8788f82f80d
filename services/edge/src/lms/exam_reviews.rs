//! Questions of mock exams that are due for review.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// A question of a mock exam that is due for review. `/api/exam/question/{id}/result/` has the question.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamReview {
    question_id: i64,
    exam_id: i64,
    /// Review step, 1 to 4: an interval of 1, 3, 7 or 14 days.
    step: i32,
    /// When the review became due.
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
}

impl ExamReview {
    fn new(review: lms::ExamReview) -> Result<Self, Error> {
        Ok(Self {
            question_id: review.question_id,
            exam_id: review.exam_id,
            step: review.step,
            due_at: parse_timestamp(review.due_at)?,
        })
    }
}

/// Lists the questions of mock exams that are due for review, longest due first.
#[utoipa::path(
    get,
    path = "/api/lms/exam-review/",
    operation_id = "exam_review_list",
    tag = "lms",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of due reviews.", body = Page<ExamReview>))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    let request = lms::ListExamReviewsRequest { page };
    let found = edge.exam_reviews(&learner).list_exam_reviews(request).await?.into_inner();
    let list = List { path: "/api/lms/exam-review/", filters: &[], page, count: found.count };
    Ok(json(&Page::new(&edge, &list, found.reviews, ExamReview::new)?))
}

/// How a review went.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExamReviewRequest {
    /// Whether the caller solved the question this time.
    is_solved: bool,
}

impl Form for ExamReviewRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { is_solved: fields.flag("is_solved")? })
    }
}

/// The next review of a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct NextExamReview {
    /// Null: there is none.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    due_at: Option<OffsetDateTime>,
}

/// Records how a review went. A solved question comes back after the next interval, any other after a day.
///
/// The same answer again changes nothing. 409 `NOT_DUE` for a question that is not due.
#[utoipa::path(
    post,
    path = "/api/lms/exam-review/{id}/",
    operation_id = "record_exam_review",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the question.", minimum = 1)),
    request_body = ExamReviewRequest,
    responses((status = 200, description = "When it comes back.", body = NextExamReview))
)]
pub(crate) async fn record(
    State(edge): State<Edge>,
    learner: Learner,
    Id(question_id): Id,
    JsonBody(form): JsonBody<ExamReviewRequest>,
) -> Result<Response, Error> {
    let request = lms::RecordExamReviewRequest { question_id, is_solved: form.is_solved };
    let recorded = edge.exam_reviews(&learner).record_exam_review(request).await?.into_inner();
    Ok(json(&NextExamReview { due_at: parse_optional_timestamp(recorded.due_at)? }))
}
