//! Frequently asked questions.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode};
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::public;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, Query};
use crate::page::{List, Page};

/// A question and its answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct Faq {
    id: i64,
    /// Category of the question.
    #[schema(example = "料金・お支払い")]
    category: String,
    /// One line.
    question: String,
    /// Formatted like the body of a notice.
    answer: String,
    /// Number of votes that the answer helped.
    helpful_count: u32,
}

impl From<desk::Faq> for Faq {
    fn from(faq: desk::Faq) -> Self {
        Self {
            id: faq.id,
            category: faq.category,
            question: faq.question,
            answer: faq.answer,
            helpful_count: faq.helpful_count,
        }
    }
}

/// A question with its answer and related questions.
#[derive(Serialize, ToSchema)]
pub(crate) struct FaqWithRelated {
    #[serde(flatten)]
    faq: Faq,
    /// Related questions.
    related: Vec<FaqRef>,
}

/// A question without its answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct FaqRef {
    id: i64,
    question: String,
}

/// Lists frequently asked questions in the school's order.
#[utoipa::path(
    get,
    path = "/api/desk/faq/",
    operation_id = "faq_list",
    tag = "desk",
    params(
        ("category" = Option<String>, Query, description = "Filter by category.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$", example = "料金・お支払い"),
        ("q" = Option<String>, Query, description = "Search words; every word must match. Width and kind of kana are ignored.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$", example = "解約"),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of questions with their answers.", body = Page<Faq>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let (category, q) = (query.text("category")?, query.text("q")?);
    let filters: Vec<_> = [("category", &category), ("q", &q)]
        .into_iter()
        .filter_map(|(name, value)| value.clone().map(|value| (name, value)))
        .collect();
    let list = edge.faqs().list_faqs(desk::ListFaqsRequest { page, category, q }).await?.into_inner();
    let listing = List { path: "/api/desk/faq/", filters: &filters, page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &listing, list.faqs, |faq| Ok(Faq::from(faq)))?)
}

/// Returns a frequently asked question, its answer and related questions.
#[utoipa::path(
    get,
    path = "/api/desk/faq/{id}/",
    operation_id = "faq",
    tag = "desk",
    params(("id" = i64, Path, description = "Id of the question.", minimum = 1)),
    responses(
        (status = 200, description = "The question.", body = FaqWithRelated),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn faq(State(edge): State<Edge>, Id(id): Id, headers: HeaderMap) -> Result<Response, Error> {
    let found = edge.faqs().get_faq(desk::GetFaqRequest { id }).await?.into_inner();
    let faq = found.faq.ok_or_else(|| incomplete("faq"))?.into();
    let related = found.related.into_iter().map(|near| FaqRef { id: near.id, question: near.question });
    public(&edge, &headers, &FaqWithRelated { faq, related: related.collect() })
}

/// A vote on an answer.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FaqVote {
    /// Whether the answer helped.
    helpful: bool,
}

impl Form for FaqVote {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { helpful: fields.flag("helpful")? })
    }
}

/// Votes on an answer. Only the first vote of a visitor on a day counts. No account is needed.
#[utoipa::path(
    post,
    path = "/api/desk/faq/{id}/vote/",
    operation_id = "voteForFaq",
    tag = "desk",
    params(("id" = i64, Path, description = "Id of the question.", minimum = 1)),
    request_body = FaqVote,
    responses((status = 204, description = "The vote is accepted."))
)]
pub(crate) async fn vote(
    State(edge): State<Edge>,
    Id(id): Id,
    client: Client,
    JsonBody(FaqVote { helpful }): JsonBody<FaqVote>,
) -> Result<Response, Error> {
    let request = desk::VoteRequest { id, helpful, client_address: client.address };
    edge.faqs().vote(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
