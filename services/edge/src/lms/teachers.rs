//! Public teachers.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::lms;
use serde::Serialize;
use utoipa::ToSchema;

use super::courses::{OfferedSummary, incomplete};
use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::page::{List, Page};

/// A teacher without their courses.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeacherSummary {
    id: i64,
    #[schema(example = "佐倉みのり")]
    name: String,
    /// Name in katakana.
    #[schema(example = "サクラ ミノリ")]
    kana: String,
    /// What the teacher teaches; not limited to the subjects of courses.
    subjects: Vec<String>,
    /// Greeting to learners.
    message: String,
}

/// A teacher with their courses.
#[derive(Serialize, ToSchema)]
pub(crate) struct Teacher {
    #[serde(flatten)]
    summary: TeacherSummary,
    /// Career before teaching here.
    career: String,
    /// Ordered by school year and subject.
    courses: Vec<OfferedSummary>,
}

impl From<lms::Teacher> for TeacherSummary {
    fn from(lms::Teacher { id, name, kana, subjects, message, .. }: lms::Teacher) -> Self {
        Self { id, name, kana, subjects, message }
    }
}

/// Lists the teachers by the kana of their names.
#[utoipa::path(
    get,
    path = "/api/lms/teacher/",
    operation_id = "teacher_list",
    tag = "lms",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses(
        (status = 200, description = "A page of teachers.", body = Page<TeacherSummary>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let list = edge.teachers().list_teachers(lms::ListTeachersRequest { page }).await?.into_inner();
    let listing = List { path: "/api/lms/teacher/", filters: &[], page, count: list.count };
    public(
        &edge,
        &headers,
        &Page::new(&edge, &listing, list.teachers, |teacher| Ok(TeacherSummary::from(teacher)))?,
    )
}

/// Returns a teacher with their courses.
#[utoipa::path(
    get,
    path = "/api/lms/teacher/{id}/",
    operation_id = "teacher",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the teacher.", minimum = 1)),
    responses(
        (status = 200, description = "The teacher.", body = Teacher),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn teacher(
    State(edge): State<Edge>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let found = edge.teachers().get_teacher(lms::GetTeacherRequest { id }).await?.into_inner();
    let teacher = found.teacher.ok_or_else(|| incomplete("teacher"))?;
    let on_sale = edge.offers().now().await?;
    let courses = found.courses.into_iter().map(|course| OfferedSummary::new(course, &on_sale));
    let teacher = Teacher {
        career: teacher.career.clone(),
        summary: teacher.into(),
        courses: courses.collect::<Result<_, _>>()?,
    };
    public(&edge, &headers, &teacher)
}
