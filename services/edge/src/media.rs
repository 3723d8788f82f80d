//! Files of lessons and courses. A signed URL opens the files of one lesson or course. Files in `open/` are
//! public.

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

/// Folder of the public files.
const OPEN: &str = "open";
/// Caches must revalidate at each use, because the session may have ended.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Returns a file of a lesson or a course by a signed URL.
///
/// A signed URL belongs to a session: 401 once the session has ended, 403 `MEDIA_LINK_EXPIRED` after two
/// hours. The URL of a video belongs to a stream too: 403 `STREAM_ENDED` once the stream has ended. A request
/// for several ranges gets the whole file.
#[utoipa::path(
    get,
    path = "/api/media/{ticket}/{*path}",
    operation_id = "media",
    tag = "media",
    params(
        ("ticket" = String, Path, description = "Signed part of the URL."),
        ("path" = String, Path, description = "Path of the file, with slashes.")
    ),
    responses(
        (status = 200, description = "The file."),
        (status = 206, description = "The requested range of the file."),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
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

/// Returns the holder of the valid signed URL of a request.
pub(crate) async fn holder(edge: &Edge, head: &Parts) -> Option<Holder> {
    let signed = head.uri.path().strip_prefix("/api/media/")?.split('/').next()?;
    let url = edge.url_signer().verify(signed).filter(|url| !edge.url_signer().has_expired(url))?;
    edge.sessions().check_session(url.holder.session).await.ok()?;
    Some(url.holder)
}

/// Returns a public file: a sample or an introduction.
#[utoipa::path(
    get,
    path = "/api/media/open/{*path}",
    operation_id = "open_media",
    tag = "media",
    params(("path" = String, Path, description = "Path of the file, with slashes.")),
    responses(
        (status = 200, description = "The file."),
        (status = 206, description = "The requested range of the file."),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
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
