//! Responses.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header};

use crate::file::File;
use crate::tree::{HASHED, Place, Tree};

/// For files whose name contains a hash of their content.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The cache must revalidate each time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");
const X_ROBOTS_TAG: header::HeaderName = header::HeaderName::from_static("x-robots-tag");

/// Answers every request. For HEAD, the server omits the body.
pub(crate) async fn answer_request(State(tree): State<Arc<Tree>>, request: Request<Body>) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refused = respond_with_text(StatusCode::METHOD_NOT_ALLOWED, "method not allowed\n");
        refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let (uri, headers) = (request.uri(), request.headers());
    match tree.find_place(uri.path()) {
        Place::File(file) => respond_with_file(
            file,
            headers,
            if uri.path().starts_with(HASHED) { IMMUTABLE } else { REVALIDATE },
        ),
        Place::ClientPage(shell) => {
            let mut page = respond_with_file(shell, headers, REVALIDATE);
            page.headers_mut().insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
            page
        }
        Place::Redirect(path) => redirect(path, uri),
        Place::MissingFile => respond_with_text(StatusCode::NOT_FOUND, "not found\n"),
        Place::MissingPage(shell) => {
            let mut page = build_response(shell, headers);
            *page.status_mut() = StatusCode::NOT_FOUND;
            page.headers_mut().insert(header::CACHE_CONTROL, REVALIDATE);
            page
        }
    }
}

/// Responds with a file, or 304 if the client has it.
fn respond_with_file(file: &File, headers: &HeaderMap, cache: HeaderValue) -> Response<Body> {
    let form = file.select_form(headers);
    let mut response = build_response(file, headers);
    if form.is_cached(headers) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_ENCODING);
    }
    response.headers_mut().insert(header::ETAG, form.etag.clone());
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    response
}

/// Builds a response with a file in the preferred encoding.
fn build_response(file: &File, headers: &HeaderMap) -> Response<Body> {
    let form = file.select_form(headers);
    let mut response = Response::new(Body::from(form.bytes.clone()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, file.kind.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = form.encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Redirects to `path` and keeps the query.
pub(crate) fn redirect(path: &str, uri: &Uri) -> Response<Body> {
    let target = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    // Fails only if the URI is no valid header value.
    let Ok(target) = HeaderValue::try_from(target) else {
        return respond_with_text(StatusCode::NOT_FOUND, "not found\n");
    };
    let mut response = respond_with_text(StatusCode::PERMANENT_REDIRECT, "");
    response.headers_mut().insert(header::LOCATION, target);
    response
}

fn respond_with_text(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response.headers_mut().insert(header::CACHE_CONTROL, REVALIDATE);
    response
}
