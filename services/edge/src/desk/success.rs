//! What became of learners.

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

/// What became of the learners of a year.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessYear {
    /// The spring in which they passed.
    #[schema(example = 2025)]
    year: i32,
    /// As of which day.
    #[schema(format = Date, example = "2025-05-31")]
    as_of: String,
    figures: Vec<SuccessFigure>,
    schools: Vec<SuccessSchool>,
    /// Only those that may still be shown.
    voices: Vec<SuccessVoice>,
}

/// A number, and of how many it is.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessFigure {
    /// What is counted.
    label: String,
    /// How many.
    count: u32,
    /// Of how many.
    of: u32,
    #[schema(example = "人")]
    unit: String,
}

/// A school and how many passed there.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessSchool {
    name: String,
    #[schema(example = "公立高校")]
    kind: String,
    /// How many.
    count: u32,
}

/// What a learner tells.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessVoice {
    /// Not their own.
    name: String,
    /// Where they passed.
    school: String,
    /// In which they learned here.
    #[schema(example = "中3")]
    school_year: String,
    /// Written as a notice's body is.
    text: String,
    /// What they learned with.
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

/// Voices.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessVoices {
    results: Vec<SuccessVoice>,
}

/// A year's figures, schools and voices.
#[utoipa::path(
    get,
    path = "/api/desk/success/{year}/",
    operation_id = "success",
    tag = "desk",
    params(("year" = i32, Path, description = "The spring in which they passed", minimum = 1, example = 2025)),
    responses(
        (status = 200, description = "The year", body = SuccessYear),
        (status = 304, description = "As the ETag says")
    )
)]
pub(crate) async fn year(
    State(edge): State<Edge>,
    Id(year): Id,
    asked: HeaderMap,
) -> Result<Response, Error> {
    let year = i32::try_from(year).map_err(|_| Error::NotFound)?;
    let told = edge.success().get_year(desk::GetYearRequest { year }).await?.into_inner();
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
        &asked,
        &SuccessYear {
            year: told.year,
            as_of: told.as_of,
            figures: told.figures.into_iter().map(figure).collect(),
            schools: told.schools.into_iter().map(school).collect(),
            voices: told.voices.into_iter().map(SuccessVoice::from).collect(),
        },
    )
}

/// What learners tell, those of the newest year first.
#[utoipa::path(
    get,
    path = "/api/desk/success/voice/",
    operation_id = "voice_list",
    tag = "desk",
    params(("course" = Option<i64>, Query, description = "Only those who learned with this course", minimum = 1)),
    responses(
        (status = 200, description = "All of them", body = SuccessVoices),
        (status = 304, description = "As the ETag says")
    )
)]
pub(crate) async fn voices(
    State(edge): State<Edge>,
    query: Query,
    asked: HeaderMap,
) -> Result<Response, Error> {
    let request = desk::ListVoicesRequest { course_id: query.id("course")? };
    let voices = edge.success().list_voices(request).await?.into_inner().voices;
    public(&edge, &asked, &SuccessVoices { results: voices.into_iter().map(SuccessVoice::from).collect() })
}
