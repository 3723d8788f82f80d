//! Schools to apply to.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::exam as wire;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::Query;
use crate::page::{List, Page};

/// A school to apply to.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamSchool {
    id: i64,
    name: String,
    /// Name in katakana.
    kana: String,
    #[schema(example = "東京都")]
    prefecture: String,
    /// In order.
    departments: Vec<Department>,
    /// Whether it counts the marks of the learner's own school (内申点).
    counts_school_marks: bool,
}

/// A department of a school.
#[derive(Serialize, ToSchema)]
pub(crate) struct Department {
    id: i64,
    #[schema(example = "普通科")]
    name: String,
}

impl From<wire::School> for ExamSchool {
    fn from(school: wire::School) -> Self {
        Self {
            id: school.id,
            name: school.name,
            kana: school.kana,
            prefecture: school.prefecture,
            departments: school.departments.into_iter().map(Department::from).collect(),
            counts_school_marks: school.counts_school_marks,
        }
    }
}

impl From<wire::Department> for Department {
    fn from(wire::Department { id, name }: wire::Department) -> Self {
        Self { id, name }
    }
}

/// Lists the schools that match, by kana.
#[utoipa::path(
    get,
    path = "/api/exam/school/",
    operation_id = "exam_school_list",
    tag = "exam",
    params(
        ("q" = Option<String>, Query, description = "Search words; every word must be in the name, the kana or the prefecture. Width, case and kind of kana are ignored.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "青葉"),
        ("prefecture" = Option<String>, Query, description = "Filter by prefecture.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$", example = "東京都"),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of schools.", body = Page<ExamSchool>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (page, words, prefecture) = (query.page()?, query.words("q")?, query.text("prefecture")?);
    let filters = [("q", words.clone()), ("prefecture", prefecture.clone())];
    let filters: Vec<_> =
        filters.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect();
    let request = wire::ListSchoolsRequest { page, query: words, prefecture };
    let list = edge.schools().list_schools(request).await?.into_inner();
    let listing = List { path: "/api/exam/school/", filters: &filters, page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &listing, list.schools, |school| Ok(ExamSchool::from(school)))?)
}
