//! The part of the catalogue that the front page shows.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::lms;
use serde::Serialize;
use utoipa::ToSchema;

use super::courses::OfferedSummary;
use super::teachers::TeacherSummary;
use crate::Edge;
use crate::answer::public;
use crate::error::Error;

/// Teachers on the front page.
const TEACHERS: usize = 6;

/// The catalogue in short.
#[derive(Serialize, ToSchema)]
pub(crate) struct Home {
    /// Every school year and subject with a course, in order.
    shelves: Vec<Shelf>,
    /// Of different subjects where there are some.
    #[schema(max_items = 6)]
    featured: Vec<OfferedSummary>,
    /// By the kana of their names.
    #[schema(max_items = 6)]
    teachers: Vec<TeacherSummary>,
}

/// The courses of one subject in one school year.
#[derive(Serialize, ToSchema)]
pub(crate) struct Shelf {
    #[schema(example = "中3")]
    school_year: String,
    /// The subject.
    #[schema(example = "数学")]
    category: String,
    #[schema(minimum = 1)]
    course_count: u32,
    /// Over these courses.
    lesson_count: u32,
    /// Seconds, over these lessons.
    duration_sum: u32,
}

impl From<lms::Shelf> for Shelf {
    fn from(shelf: lms::Shelf) -> Self {
        let lms::Shelf { school_year, category, course_count, lesson_count, duration_sum } = shelf;
        Self { school_year, category, course_count, lesson_count, duration_sum }
    }
}

/// Returns the part of the catalogue that the front page shows.
#[utoipa::path(
    get,
    path = "/api/lms/home/",
    operation_id = "home",
    tag = "lms",
    responses(
        (status = 200, description = "The overview of the catalogue.", body = Home),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn home(State(edge): State<Edge>, headers: HeaderMap) -> Result<Response, Error> {
    let (overview, teachers) =
        tokio::try_join!(async { edge.catalogue().get_overview(lms::GetOverviewRequest {}).await }, async {
            edge.teachers().list_teachers(lms::ListTeachersRequest { page: 1 }).await
        },)?;
    let overview = overview.into_inner();
    let on_sale = edge.offers().now().await?;
    let featured = overview.featured.into_iter().map(|course| OfferedSummary::new(course, &on_sale));
    let teachers = teachers.into_inner().teachers.into_iter().take(TEACHERS);
    let home = Home {
        shelves: overview.shelves.into_iter().map(Shelf::from).collect(),
        featured: featured.collect::<Result<_, _>>()?,
        teachers: teachers.map(TeacherSummary::from).collect(),
    };
    public(&edge, &headers, &home)
}
