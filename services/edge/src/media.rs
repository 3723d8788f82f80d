//! The files of lessons: whoever holds a ticket loads those of one lesson or course; what stands open, anybody.

mod http_client;
mod name;
mod range;
mod store;
mod ticket;

pub(crate) use range::{Wanted, wanted};
pub(crate) use store::Store;
pub(crate) use ticket::{Holder, Part, Tickets};

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, header};

use crate::Edge;
use crate::error::Error;

/// Before everything that needs no ticket.
const OPEN: &str = "open";
/// Asked after at each use, as the session may have ended.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// A file of a lesson or a course, for whoever was given its address.
///
/// The address names its holder's session: it is 401 once that has ended, and 403 `MEDIA_LINK_EXPIRED` after two hours. The
/// address of a video names its stream too, and is 403 `STREAM_ENDED` once that has ended.
/// One range at a time is sent alone.
#[utoipa::path(
    get,
    path = "/api/media/{ticket}/{*path}",
    operation_id = "media",
    tag = "media",
    params(
        ("ticket" = String, Path, description = "As the address has it"),
        ("path" = String, Path, description = "The file, slashes and all")
    ),
    responses(
        (status = 200, description = "The file"),
        (status = 206, description = "The range of it"),
        (status = 304, description = "The file that is known")
    )
)]
pub(crate) async fn file(
    State(edge): State<Edge>,
    path: Result<Path<(String, String)>, PathRejection>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let Path((ticket, path)) = path.map_err(|_| Error::NotFound)?;
    let ticket = edge.tickets().read(&ticket).ok_or(Error::NotFound)?;
    edge.sessions().lives(ticket.holder.session).await?;
    if edge.tickets().has_expired(&ticket) {
        return Err(Error::MediaLinkExpired);
    }
    if let Part::Lesson { stream, .. } = ticket.part {
        edge.ended_streams().check(stream).await?;
    }
    let name = name::read(&path).filter(|_| ticket.part.holds(&path)).ok_or(Error::NotFound)?;
    let mut answer = edge.store().answer(&path, name, &method, &headers).await?;
    answer.headers_mut().insert(header::CACHE_CONTROL, PRIVATE);
    Ok(answer)
}

/// Who holds the live ticket that a request's path begins with.
pub(crate) async fn holder(edge: &Edge, head: &Parts) -> Option<Holder> {
    let ticket = head.uri.path().strip_prefix("/api/media/")?.split('/').next()?;
    let ticket = edge.tickets().read(ticket).filter(|ticket| !edge.tickets().has_expired(ticket))?;
    edge.sessions().lives(ticket.holder.session).await.ok()?;
    Some(ticket.holder)
}

/// A file that anybody may load: a sample, an introduction.
#[utoipa::path(
    get,
    path = "/api/media/open/{*path}",
    operation_id = "open_media",
    tag = "media",
    params(("path" = String, Path, description = "The file, slashes and all")),
    responses(
        (status = 200, description = "The file"),
        (status = 206, description = "The range of it"),
        (status = 304, description = "The file that is known")
    )
)]
pub(crate) async fn open(
    State(edge): State<Edge>,
    path: Result<Path<String>, PathRejection>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let Path(path) = path.map_err(|_| Error::NotFound)?;
    let name = name::read(&path).ok_or(Error::NotFound)?;
    let mut answer = edge.store().answer(&format!("{OPEN}/{path}"), name, &method, &headers).await?;
    let public = format!("public, max-age={}", edge.public_max_age());
    if let Ok(public) = public.try_into() {
        answer.headers_mut().insert(header::CACHE_CONTROL, public);
    }
    Ok(answer)
}
