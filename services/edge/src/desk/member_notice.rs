//! The notices for the caller: for everyone, for their kind of account, their courses, their school year, and for them
//! alone.

use axum::extract::State;
use axum::response::Response;
use kit::caller::Scope;
use proto::{desk, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::own_account::find_own_account;
use crate::page::{List, Page};
use crate::session::Caller;
use crate::timestamp::parse_timestamp;

/// A notice for the caller, without its body.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemberNoticeSummary {
    id: i64,
    /// お知らせ, 講座, イベント or メンテナンス.
    #[schema(example = "お知らせ")]
    category: String,
    /// One line.
    title: String,
    /// One or two sentences.
    summary: String,
    #[serde(with = "time::serde::rfc3339")]
    published_at: OffsetDateTime,
    /// Whether the notice is listed before the others.
    is_pinned: bool,
    /// Whether the caller has not opened it yet.
    is_unread: bool,
    /// Whether it is for the caller alone.
    is_personal: bool,
}

/// A notice for the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemberNotice {
    #[serde(flatten)]
    summary: MemberNoticeSummary,
    /// Paragraphs and lists, separated by empty lines. `## ` starts a heading, `- ` a list item. Links are
    /// `[words](/path or https://…)`.
    body: String,
    /// When the notice last changed.
    #[serde(with = "time::serde::rfc3339")]
    modified_at: OffsetDateTime,
}

impl MemberNotice {
    fn new(notice: desk::MemberNotice) -> Result<Self, Error> {
        Ok(Self {
            summary: MemberNoticeSummary {
                id: notice.id,
                category: notice.category,
                title: notice.title,
                summary: notice.summary,
                published_at: parse_timestamp(notice.published_at)?,
                is_pinned: notice.is_pinned,
                is_unread: notice.is_unread,
                is_personal: notice.is_personal,
            },
            body: notice.body,
            modified_at: parse_timestamp(notice.modified_at)?,
        })
    }
}

/// The unread notices of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnreadNotices {
    unread: u32,
}

/// When the caller first opened a notice.
#[derive(Serialize, ToSchema)]
pub(crate) struct NoticeReading {
    notice: i64,
    #[serde(with = "time::serde::rfc3339")]
    read_at: OffsetDateTime,
}

/// What is stored about the caller's notices.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedNotices {
    /// Those for the caller alone, oldest first; also withdrawn ones.
    personal: Vec<MemberNotice>,
    /// Oldest first.
    readings: Vec<NoticeReading>,
}

impl ExportedNotices {
    /// Fetches what is stored about the caller.
    pub(crate) async fn fetch(edge: &Edge, caller: &Caller) -> Result<Self, Error> {
        let request = desk::ExportMemberNoticesRequest {};
        let stored = edge.member_notices(caller).export_member_notices(request).await?.into_inner();
        let readings = stored.readings.into_iter().map(|reading| {
            Ok(NoticeReading { notice: reading.notice_id, read_at: parse_timestamp(reading.read_at)? })
        });
        Ok(Self {
            personal: stored.notices.into_iter().map(MemberNotice::new).collect::<Result<_, _>>()?,
            readings: readings.collect::<Result<_, Error>>()?,
        })
    }
}

/// Lists the notices for the caller: unread ones first, then pinned ones, then the newest.
#[utoipa::path(
    get,
    path = "/api/desk/notice/mine/",
    operation_id = "member_notice_list",
    tag = "desk",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of notices.", body = Page<MemberNoticeSummary>))
)]
pub(crate) async fn list(State(edge): State<Edge>, caller: Caller, query: Query) -> Result<Response, Error> {
    let page = query.page()?;
    let reader = Some(find_reader(&edge, &caller).await?);
    let request = desk::ListMemberNoticesRequest { page, reader };
    let list = edge.member_notices(&caller).list_member_notices(request).await?.into_inner();
    let summary = |notice| Ok(MemberNotice::new(notice)?.summary);
    let listing = List { path: "/api/desk/notice/mine/", filters: &[], page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.notices, summary)?))
}

/// Returns a notice for the caller, which then counts as read. 404 for a notice for others.
#[utoipa::path(
    get,
    path = "/api/desk/notice/mine/{id}/",
    operation_id = "member_notice",
    tag = "desk",
    params(("id" = i64, Path, description = "Id of the notice.", minimum = 1)),
    responses((status = 200, description = "The notice.", body = MemberNotice))
)]
pub(crate) async fn notice(State(edge): State<Edge>, caller: Caller, Id(id): Id) -> Result<Response, Error> {
    let reader = Some(find_reader(&edge, &caller).await?);
    let request = desk::OpenMemberNoticeRequest { id, reader };
    let found = edge.member_notices(&caller).open_member_notice(request).await?.into_inner().notice;
    Ok(json(&MemberNotice::new(found.ok_or_else(|| incomplete("notice"))?)?))
}

/// Counts the unread notices for the caller.
#[utoipa::path(
    get,
    path = "/api/desk/notice/mine/unread/",
    operation_id = "unread_notices",
    tag = "desk",
    responses((status = 200, description = "The count.", body = UnreadNotices))
)]
pub(crate) async fn unread(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = desk::CountUnreadNoticesRequest {};
    let counts = edge.member_notices(&caller).count_unread_notices(request).await?.into_inner();
    let (courses, school_year) = tokio::try_join!(
        find_courses(&edge, &caller, !counts.courses.is_empty()),
        find_school_year(&edge, &caller, !counts.school_years.is_empty())
    )?;
    let of_courses = counts.courses.iter().filter(|of| courses.contains(&of.course_id)).map(|of| of.unread);
    let of_year = counts.school_years.iter().filter(|of| school_year.as_ref() == Some(&of.school_year));
    let unread = counts.unread + of_courses.sum::<u32>() + of_year.map(|of| of.unread).sum::<u32>();
    Ok(json(&UnreadNotices { unread }))
}

/// Looks up what desk does not know about the caller.
async fn find_reader(edge: &Edge, caller: &Caller) -> Result<desk::NoticeReader, Error> {
    let is_learner = caller.scopes().contains(Scope::Learner);
    let (course_ids, school_year) =
        tokio::try_join!(find_courses(edge, caller, is_learner), find_school_year(edge, caller, is_learner))?;
    Ok(desk::NoticeReader { course_ids, school_year })
}

/// The courses that a learner can use now. None unless `is_needed`.
async fn find_courses(edge: &Edge, caller: &Caller, is_needed: bool) -> Result<Vec<i64>, Error> {
    if !is_needed {
        return Ok(Vec::new());
    }
    let request = lms::ListUsableCoursesRequest {};
    Ok(edge.inventory(caller).list_usable_courses(request).await?.into_inner().course_ids)
}

/// The school year of a learner. None unless `is_needed`.
async fn find_school_year(edge: &Edge, caller: &Caller, is_needed: bool) -> Result<Option<String>, Error> {
    if !is_needed {
        return Ok(None);
    }
    Ok(find_own_account(edge, caller, caller.user().to_string()).await?.school_year)
}
