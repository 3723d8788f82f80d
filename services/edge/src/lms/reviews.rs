//! Questions that are due for review.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::questions::Named;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::Query;
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// A question that is due for review.
#[derive(Serialize, ToSchema)]
pub(crate) struct Review {
    question_id: i64,
    prompt: String,
    lesson: Named,
    course: Named,
    /// When the review became due.
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
    /// Review step, 1 to 4: an interval of 1, 3, 7 or 14 days.
    step: i32,
}

impl Review {
    fn new(review: lms::Review) -> Result<Self, Error> {
        Ok(Self {
            question_id: review.question_id,
            prompt: review.prompt,
            lesson: Named::new(review.lesson, "lesson")?,
            course: Named::new(review.course, "course")?,
            due_at: parse_timestamp(review.due_at)?,
            step: review.step,
        })
    }
}

/// Lists the questions that are due for review, longest due first.
#[utoipa::path(
    get,
    path = "/api/lms/review/",
    operation_id = "review_list",
    tag = "lms",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of due reviews.", body = Page<Review>))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    let request = lms::ListReviewsRequest { learner_id: learner.id(), page };
    let found = edge.questions(&learner).list_reviews(request).await?.into_inner();
    let list = List { path: "/api/lms/review/", filters: &[], page, count: found.count };
    Ok(json(&Page::new(&edge, &list, found.reviews, Review::new)?))
}
