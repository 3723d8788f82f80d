//! The files of lessons. A signed URL opens the files of one lesson or course. The files in `open/` are public.

mod http_client;
mod name;
mod range;
mod signed_url;
mod store;

pub(crate) use range::{ByteRange, parse_range};
pub(crate) use signed_url::{Holder, Part, UrlSigner};
pub(crate) use store::Store;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, header};

use crate::Edge;
use crate::error::Error;

/// The folder of public files.
const OPEN: &str = "open";
/// Revalidated at each use, as the session may have ended.
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
    let Path((signed, path)) = path.map_err(|_| Error::NotFound)?;
    let url = edge.url_signer().verify(&signed).ok_or(Error::NotFound)?;
    edge.sessions().check_session(url.holder.session).await?;
    if edge.url_signer().has_expired(&url) {
        return Err(Error::MediaLinkExpired);
    }
    if let Part::Lesson { stream, .. } = url.part {
        edge.ended_streams().check(stream).await?;
    }
    let name = name::find_media_type(&path).filter(|_| url.part.holds(&path)).ok_or(Error::NotFound)?;
    let mut answer = edge.store().answer(&path, name, &method, &headers).await?;
    answer.headers_mut().insert(header::CACHE_CONTROL, PRIVATE);
    Ok(answer)
}

/// The holder of the live signed URL of a request.
pub(crate) async fn holder(edge: &Edge, head: &Parts) -> Option<Holder> {
    let signed = head.uri.path().strip_prefix("/api/media/")?.split('/').next()?;
    let url = edge.url_signer().verify(signed).filter(|url| !edge.url_signer().has_expired(url))?;
    edge.sessions().check_session(url.holder.session).await.ok()?;
    Some(url.holder)
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
    let name = name::find_media_type(&path).ok_or(Error::NotFound)?;
    let mut answer = edge.store().answer(&format!("{OPEN}/{path}"), name, &method, &headers).await?;
    let public = format!("public, max-age={}", edge.public_max_age());
    if let Ok(public) = public.try_into() {
        answer.headers_mut().insert(header::CACHE_CONTROL, public);
    }
    Ok(answer)
}
