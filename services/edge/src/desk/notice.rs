//! Public notices: the list and single notices.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::desk;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::page::{List, Page};
use crate::timestamp::parse_timestamp;

/// A notice without its body.
#[derive(Serialize, ToSchema)]
pub(crate) struct NoticeSummary {
    pub(super) id: i64,
    /// お知らせ, 講座, イベント or メンテナンス.
    #[schema(example = "お知らせ")]
    pub(super) category: String,
    /// One line.
    pub(super) title: String,
    /// One or two sentences.
    pub(super) summary: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) published_at: OffsetDateTime,
    /// Whether the notice is listed before the others.
    is_pinned: bool,
}

/// A notice.
#[derive(Serialize, ToSchema)]
pub(crate) struct Notice {
    #[serde(flatten)]
    pub(super) summary: NoticeSummary,
    /// Paragraphs and lists, separated by empty lines. `## ` starts a heading, `- ` a list item. Links are
    /// `[words](/path or https://…)`.
    body: String,
    /// When the notice last changed.
    #[serde(with = "time::serde::rfc3339")]
    pub(super) modified_at: OffsetDateTime,
}

impl Notice {
    pub(super) fn new(notice: desk::Notice) -> Result<Self, Error> {
        Ok(Self {
            summary: NoticeSummary {
                id: notice.id,
                category: notice.category,
                title: notice.title,
                summary: notice.summary,
                published_at: parse_timestamp(notice.published_at)?,
                is_pinned: notice.is_pinned,
            },
            body: notice.body,
            modified_at: parse_timestamp(notice.modified_at)?,
        })
    }
}

/// Lists the notices: pinned ones first, then newest first.
#[utoipa::path(
    get,
    path = "/api/desk/notice/",
    operation_id = "notice_list",
    tag = "desk",
    params(
        ("category" = Option<String>, Query, description = "Filter by category.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$", example = "イベント"),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of notices.", body = Page<NoticeSummary>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (page, category) = (query.page()?, query.text("category")?);
    let filters: Vec<_> = category.iter().map(|category| ("category", category.clone())).collect();
    let request = desk::ListNoticesRequest { page, category };
    let list = edge.notices().list_notices(request).await?.into_inner();
    let summary = |notice| Ok(Notice::new(notice)?.summary);
    let listing = List { path: "/api/desk/notice/", filters: &filters, page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &listing, list.notices, summary)?)
}

/// Returns a notice.
#[utoipa::path(
    get,
    path = "/api/desk/notice/{id}/",
    operation_id = "notice",
    tag = "desk",
    params(("id" = i64, Path, description = "Id of the notice.", minimum = 1)),
    responses(
        (status = 200, description = "The notice.", body = Notice),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn notice(
    State(edge): State<Edge>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let found = edge.notices().get_notice(desk::GetNoticeRequest { id }).await?.into_inner().notice;
    public(&edge, &headers, &Notice::new(found.ok_or_else(|| incomplete("notice"))?)?)
}
