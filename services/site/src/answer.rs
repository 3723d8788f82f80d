//! A request's answer.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header};

use crate::file::File;
use crate::tree::{HASHED, Place, Tree};

/// The name changes with the content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Kept, and asked about each time.
const ASK: HeaderValue = HeaderValue::from_static("no-cache");
const X_ROBOTS_TAG: header::HeaderName = header::HeaderName::from_static("x-robots-tag");

/// Answers every request there can be. For HEAD the server leaves the body away.
pub(crate) async fn answer(State(tree): State<Arc<Tree>>, request: Request<Body>) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refused = words(StatusCode::METHOD_NOT_ALLOWED, "method not allowed\n");
        refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let (uri, headers) = (request.uri(), request.headers());
    match tree.find(uri.path()) {
        Place::File(file) => {
            whole(file, headers, if uri.path().starts_with(HASHED) { FOR_EVER } else { ASK })
        }
        Place::Client(shell) => {
            let mut page = whole(shell, headers, ASK);
            page.headers_mut().insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
            page
        }
        Place::Elsewhere(path) => moved(path, uri),
        Place::Nothing => words(StatusCode::NOT_FOUND, "not found\n"),
        Place::Nowhere(shell) => {
            let mut page = body(shell, headers);
            *page.status_mut() = StatusCode::NOT_FOUND;
            page.headers_mut().insert(header::CACHE_CONTROL, ASK);
            page
        }
    }
}

/// A file, or that the caller has it already.
fn whole(file: &File, headers: &HeaderMap, cache: HeaderValue) -> Response<Body> {
    let form = file.form(headers);
    let mut response = body(file, headers);
    if form.is_known(headers) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_ENCODING);
    }
    response.headers_mut().insert(header::ETAG, form.etag.clone());
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    response
}

/// A file in the form that the caller likes best.
fn body(file: &File, headers: &HeaderMap) -> Response<Body> {
    let form = file.form(headers);
    let mut response = Response::new(Body::from(form.bytes.clone()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, file.kind.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = form.encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

pub(crate) fn moved(path: &str, uri: &Uri) -> Response<Body> {
    let target = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    // What came in as a URI goes out as one.
    let Ok(target) = HeaderValue::try_from(target) else {
        return words(StatusCode::NOT_FOUND, "not found\n");
    };
    let mut response = words(StatusCode::PERMANENT_REDIRECT, "");
    response.headers_mut().insert(header::LOCATION, target);
    response
}

fn words(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response.headers_mut().insert(header::CACHE_CONTROL, ASK);
    response
}
