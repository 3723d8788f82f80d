//! Success stories of learners.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::{Id, Query};

/// Exam results and voices of one year.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessYear {
    /// Year of the exams, in spring.
    #[schema(example = 2025)]
    year: i32,
    /// Date of the figures.
    #[schema(format = Date, example = "2025-05-31")]
    as_of: String,
    figures: Vec<SuccessFigure>,
    schools: Vec<SuccessSchool>,
    /// Voices whose publication is still permitted.
    voices: Vec<SuccessVoice>,
}

/// A figure: a part of a total.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessFigure {
    /// What is counted.
    label: String,
    /// Number of learners.
    count: u32,
    /// The total that `count` is a part of.
    of: u32,
    #[schema(example = "人")]
    unit: String,
}

/// A school, and the number of learners who passed its exam.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessSchool {
    name: String,
    #[schema(example = "公立高校")]
    kind: String,
    /// Number of learners who passed.
    count: u32,
}

/// A learner's account of their success.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessVoice {
    /// A pseudonym.
    name: String,
    /// School whose exam they passed.
    school: String,
    /// School year in which they learned here.
    #[schema(example = "中3")]
    school_year: String,
    /// Formatted like the body of a notice.
    text: String,
    /// Ids of the courses they took.
    course_ids: Vec<i64>,
}

impl From<desk::Voice> for SuccessVoice {
    fn from(voice: desk::Voice) -> Self {
        Self {
            name: voice.name,
            school: voice.school,
            school_year: voice.school_year,
            text: voice.text,
            course_ids: voice.course_ids,
        }
    }
}

/// Voices of learners.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessVoices {
    results: Vec<SuccessVoice>,
}

/// Returns the figures, schools and voices of a year.
#[utoipa::path(
    get,
    path = "/api/desk/success/{year}/",
    operation_id = "success",
    tag = "desk",
    params(("year" = i32, Path, description = "Year of the exams, in spring.", minimum = 1, example = 2025)),
    responses(
        (status = 200, description = "The year.", body = SuccessYear),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn year(
    State(edge): State<Edge>,
    Id(year): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let year = i32::try_from(year).map_err(|_| Error::NotFound)?;
    let found = edge.success().get_year(desk::GetYearRequest { year }).await?.into_inner();
    let figure = |figure: desk::Figure| SuccessFigure {
        label: figure.label,
        count: figure.count,
        of: figure.of,
        unit: figure.unit,
    };
    let school = |school: desk::PassedSchool| SuccessSchool {
        name: school.name,
        kind: school.kind,
        count: school.count,
    };
    public(
        &edge,
        &headers,
        &SuccessYear {
            year: found.year,
            as_of: found.as_of,
            figures: found.figures.into_iter().map(figure).collect(),
            schools: found.schools.into_iter().map(school).collect(),
            voices: found.voices.into_iter().map(SuccessVoice::from).collect(),
        },
    )
}

/// Lists voices of learners, newest year first.
#[utoipa::path(
    get,
    path = "/api/desk/success/voice/",
    operation_id = "voice_list",
    tag = "desk",
    params(("course" = Option<i64>, Query, description = "Filter by course id.", minimum = 1)),
    responses(
        (status = 200, description = "The voices.", body = SuccessVoices),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn voices(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let request = desk::ListVoicesRequest { course_id: query.id("course")? };
    let voices = edge.success().list_voices(request).await?.into_inner().voices;
    public(&edge, &headers, &SuccessVoices { results: voices.into_iter().map(SuccessVoice::from).collect() })
}
