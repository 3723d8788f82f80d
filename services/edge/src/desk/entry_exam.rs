//! Dates of entrance exams.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::Query;

/// An entrance exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntryExam {
    id: i64,
    /// 都道府県, or 全国.
    #[schema(example = "東京都")]
    prefecture: String,
    /// 公立高校, 私立高校 or 大学.
    #[schema(example = "公立高校")]
    kind: String,
    /// Name of the exam.
    name: String,
    /// First day of the application period.
    #[schema(format = Date)]
    apply_from: String,
    /// Last day of the application period.
    #[schema(format = Date)]
    apply_until: String,
    /// First day of the exam.
    #[schema(format = Date)]
    exam_on: String,
    /// Day on which the results are announced.
    #[schema(format = Date)]
    result_on: String,
    /// Subjects of the exam.
    subjects: Vec<String>,
    /// Further information; may be empty.
    note: String,
}

impl From<desk::EntryExam> for EntryExam {
    fn from(exam: desk::EntryExam) -> Self {
        Self {
            id: exam.id,
            prefecture: exam.prefecture,
            kind: exam.kind,
            name: exam.name,
            apply_from: exam.apply_from,
            apply_until: exam.apply_until,
            exam_on: exam.exam_on,
            result_on: exam.result_on,
            subjects: exam.subjects,
            note: exam.note,
        }
    }
}

/// Entrance exams.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntryExams {
    results: Vec<EntryExam>,
}

/// Lists the entrance exams of this school year and later, by exam day.
#[utoipa::path(
    get,
    path = "/api/desk/entry-exam/",
    operation_id = "entry_exam_list",
    tag = "desk",
    params(("prefecture" = Option<String>, Query, description = "Filter by prefecture. Nationwide exams (全国) are always included.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$", example = "東京都")),
    responses(
        (status = 200, description = "The entrance exams.", body = EntryExams),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let request = desk::ListEntryExamsRequest { prefecture: query.text("prefecture")? };
    let exams = edge.entry_exams().list_entry_exams(request).await?.into_inner().exams;
    public(&edge, &headers, &EntryExams { results: exams.into_iter().map(EntryExam::from).collect() })
}
