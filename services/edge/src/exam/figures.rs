//! Figures of questions.

use axum::extract::Path;
use axum::extract::State;
use axum::extract::rejection::PathRejection;
use axum::response::Response;
use http::HeaderMap;
use proto::exam as wire;

use crate::Edge;
use crate::answer::public_response;
use crate::error::Error;

/// `max-age` in seconds: a year, as the content of an address never changes.
const MAX_AGE: u32 = 31_536_000;

/// Returns a figure. The address in a question names its content, which never changes.
#[utoipa::path(
    get,
    path = "/api/exam/figure/{name}/",
    operation_id = "exam_figure",
    tag = "exam",
    params(("name" = String, Path, description = "SHA-256 of the figure in hex.", pattern = "^[0-9a-f]{64}$")),
    responses(
        (status = 200, description = "The figure.", content_type = "image/svg+xml", body = String),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn figure(
    State(edge): State<Edge>,
    name: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let Path(name) = name.map_err(|_| Error::NotFound)?;
    let svg = edge.exams().get_figure(wire::GetFigureRequest { name }).await?.into_inner().svg;
    Ok(public_response(&headers, MAX_AGE, "image/svg+xml", svg.into_bytes()))
}
