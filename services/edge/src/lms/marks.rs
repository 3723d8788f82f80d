//! Marks: bookmarks of courses, favorites and checks of lessons.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::courses::{CourseSummary, incomplete};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Id, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// Query parameter that filters favorites and checks by course.
const COURSE: &str = "lesson__unit__chapter__course";

/// A bookmarked course.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bookmark {
    course: CourseSummary,
    /// Whether all its lessons are checked.
    is_check: bool,
    /// When the bookmark was added.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

impl Bookmark {
    fn new(bookmark: lms::Bookmark) -> Result<Self, Error> {
        Ok(Self {
            course: CourseSummary::new(bookmark.course)?,
            is_check: bookmark.is_check,
            created: parse_timestamp(bookmark.created)?,
        })
    }
}

/// A favorite or a check.
#[derive(Serialize, ToSchema)]
pub(crate) struct Mark {
    lesson: LessonRef,
    /// When the mark was added.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
}

/// A lesson with its unit, chapter and course.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonRef {
    id: i64,
    name: String,
    /// Length in seconds.
    duration: i32,
    unit: UnitRef,
}

/// A unit with its chapter and course.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnitRef {
    id: i64,
    name: String,
    chapter: ChapterRef,
}

/// A chapter with its course.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChapterRef {
    id: i64,
    name: String,
    course: CourseRef,
}

/// Id and name of a course.
#[derive(Serialize, ToSchema)]
pub(crate) struct CourseRef {
    pub(super) id: i64,
    pub(super) name: String,
}

impl Mark {
    fn new(mark: lms::LessonMark) -> Result<Self, Error> {
        let way = mark.lesson.ok_or_else(|| incomplete("lesson"))?;
        let lesson = way.lesson.ok_or_else(|| incomplete("lesson"))?;
        let course = CourseRef { id: way.course_id, name: way.course_name };
        let chapter = ChapterRef { id: way.chapter_id, name: way.chapter_name, course };
        let unit = UnitRef { id: way.unit_id, name: way.unit_name, chapter };
        Ok(Self {
            lesson: LessonRef { id: lesson.id, name: lesson.name, duration: lesson.duration, unit },
            created: parse_timestamp(mark.created)?,
        })
    }
}

/// Converts a page of favorites or checks, of one course or of all.
fn answer(
    edge: &Edge,
    path: &str,
    course: Option<i64>,
    page: u32,
    count: u32,
    marks: Vec<lms::LessonMark>,
) -> Result<Response, Error> {
    let filters: Vec<_> = course.map(|id| (COURSE, id.to_string())).into_iter().collect();
    let listing = List { path, filters: &filters, page, count };
    Ok(json(&Page::new(edge, &listing, marks, Mark::new)?))
}

/// Lists the caller's bookmarks, newest first.
#[utoipa::path(
    get,
    path = "/api/lms/bookmark/",
    operation_id = "bookmark_list",
    tag = "lms",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of bookmarks.", body = Page<Bookmark>))
)]
pub(crate) async fn bookmarks(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    let request = lms::ListBookmarksRequest { learner_id: learner.id(), page };
    let list = edge.marks(&learner).list_bookmarks(request).await?.into_inner();
    let listing = List { path: "/api/lms/bookmark/", filters: &[], page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.bookmarks, Bookmark::new)?))
}

/// Adds a bookmark. Idempotent. 409 `MARK_LIMIT` beyond 500.
#[utoipa::path(
    put,
    path = "/api/lms/bookmark/{course}/",
    operation_id = "set_bookmark",
    tag = "lms",
    params(("course" = i64, Path, description = "Id of the course.", minimum = 1)),
    responses((status = 204, description = "The course is bookmarked."))
)]
pub(crate) async fn set_bookmark(
    State(edge): State<Edge>,
    learner: Learner,
    Id(course_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.marks(&learner)
        .set_bookmark(lms::SetBookmarkRequest { learner_id: learner.id(), course_id })
        .await?;
    Ok(done())
}

/// Removes a bookmark. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/lms/bookmark/{course}/",
    operation_id = "remove_bookmark",
    tag = "lms",
    params(("course" = i64, Path, description = "Id of the course.", minimum = 1)),
    responses((status = 204, description = "The bookmark was removed."))
)]
pub(crate) async fn remove_bookmark(
    State(edge): State<Edge>,
    learner: Learner,
    Id(course_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.marks(&learner)
        .clear_bookmark(lms::ClearBookmarkRequest { learner_id: learner.id(), course_id })
        .await?;
    Ok(done())
}

/// Lists the caller's favorites, newest first.
#[utoipa::path(
    get,
    path = "/api/lms/favorite/",
    operation_id = "favorite_list",
    tag = "lms",
    params(
        ("lesson__unit__chapter__course" = Option<i64>, Query, description = "Filter by course id.", minimum = 1),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of favorites.", body = Page<Mark>))
)]
pub(crate) async fn favorites(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let (page, course_id) = (query.page()?, query.id(COURSE)?);
    let request = lms::ListFavoritesRequest { learner_id: learner.id(), page, course_id };
    let list = edge.marks(&learner).list_favorites(request).await?.into_inner();
    answer(&edge, "/api/lms/favorite/", course_id, page, list.count, list.favorites)
}

/// Adds a favorite: a lesson of an owned course. Idempotent. 409 `MARK_LIMIT` beyond 500.
#[utoipa::path(
    put,
    path = "/api/lms/favorite/{lesson}/",
    operation_id = "set_favorite",
    tag = "lms",
    params(("lesson" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 204, description = "The lesson is a favorite."))
)]
pub(crate) async fn set_favorite(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.marks(&learner)
        .set_favorite(lms::SetFavoriteRequest { learner_id: learner.id(), lesson_id })
        .await?;
    Ok(done())
}

/// Removes a favorite. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/lms/favorite/{lesson}/",
    operation_id = "remove_favorite",
    tag = "lms",
    params(("lesson" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 204, description = "The favorite was removed."))
)]
pub(crate) async fn remove_favorite(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.marks(&learner)
        .clear_favorite(lms::ClearFavoriteRequest { learner_id: learner.id(), lesson_id })
        .await?;
    Ok(done())
}

/// Lists the caller's checks, newest first.
#[utoipa::path(
    get,
    path = "/api/lms/check/",
    operation_id = "check_list",
    tag = "lms",
    params(
        ("lesson__unit__chapter__course" = Option<i64>, Query, description = "Filter by course id.", minimum = 1),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of checks.", body = Page<Mark>))
)]
pub(crate) async fn checks(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let (page, course_id) = (query.page()?, query.id(COURSE)?);
    let request = lms::ListChecksRequest { learner_id: learner.id(), page, course_id };
    let list = edge.marks(&learner).list_checks(request).await?.into_inner();
    answer(&edge, "/api/lms/check/", course_id, page, list.count, list.checks)
}

/// Checks a lesson of an owned course. Idempotent. 409 `MARK_LIMIT` beyond 500.
#[utoipa::path(
    put,
    path = "/api/lms/check/{lesson}/",
    operation_id = "set_check",
    tag = "lms",
    params(("lesson" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 204, description = "The lesson is checked."))
)]
pub(crate) async fn set_check(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.marks(&learner).set_check(lms::SetCheckRequest { learner_id: learner.id(), lesson_id }).await?;
    Ok(done())
}

/// Removes a check. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/lms/check/{lesson}/",
    operation_id = "remove_check",
    tag = "lms",
    params(("lesson" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 204, description = "The check was removed."))
)]
pub(crate) async fn remove_check(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    edge.marks(&learner).clear_check(lms::ClearCheckRequest { learner_id: learner.id(), lesson_id }).await?;
    Ok(done())
}

fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
