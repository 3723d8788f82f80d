//! Responses: JSON, public JSON with an `ETag`, and the headers of every response.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::Serialize;

use crate::Edge;
use crate::error::Error;

/// Serializes `value` as JSON.
pub(crate) fn json(value: &impl Serialize) -> Response {
    json_of(StatusCode::OK, "application/json", value)
}

/// Serializes `value` as JSON with this status and media type.
pub(crate) fn json_of(status: StatusCode, media_type: &'static str, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => build_response(status, media_type, body.into()),
        Err(error) => serialization_error(&error).into_response(),
    }
}

/// Logs that a response could not be serialized.
pub(crate) fn serialization_error(error: &serde_json::Error) -> Error {
    tracing::error!(%error, "a response could not be serialized");
    Error::Internal
}

/// Creates a response with this body.
pub(crate) fn build_response(status: StatusCode, media_type: &'static str, body: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(media_type))], body).into_response()
}

/// Creates a response with a JPEG.
pub(crate) fn jpeg(content: Vec<u8>) -> Response {
    build_response(StatusCode::OK, "image/jpeg", content.into())
}

/// Creates a response with a PDF that a browser saves as `name.pdf`.
pub(crate) fn attached_pdf(name: &str, pdf: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        // The name has letters, digits and hyphens.
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.pdf\"")),
    ];
    (headers, pdf).into_response()
}

/// Serializes `value` as public JSON, cacheable for the configured time.
pub(crate) fn public(
    edge: &Edge,
    request_headers: &HeaderMap,
    value: &impl Serialize,
) -> Result<Response, Error> {
    let body = serde_json::to_vec(value).map_err(|error| serialization_error(&error))?;
    Ok(public_json(request_headers, edge.public_max_age(), body))
}

/// Creates a response of public JSON. Caches may keep it for `max_age` seconds, then revalidate it by its
/// `ETag`.
pub(crate) fn public_json(request_headers: &HeaderMap, max_age: u32, body: Vec<u8>) -> Response {
    public_response(request_headers, max_age, "application/json", body)
}

/// As [`public_json`], with any media type.
pub(crate) fn public_response(
    request_headers: &HeaderMap,
    max_age: u32,
    media_type: &'static str,
    body: Vec<u8>,
) -> Response {
    let etag = etag_of(&body);
    let mut answer = if is_known(request_headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        build_response(StatusCode::OK, media_type, body.into())
    };
    let headers = answer.headers_mut();
    for (name, value) in [(header::ETAG, etag), (header::CACHE_CONTROL, format!("public, max-age={max_age}"))]
    {
        if let Ok(value) = value.try_into() {
            headers.insert(name, value);
        }
    }
    answer
}

/// The `ETag` of a body.
pub(crate) fn etag_of(body: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, body);
    format!("\"{}\"", crate::base64url(&digest.as_ref()[..16]))
}

/// Whether If-None-Match names this `ETag` (weakly compared) or any.
pub(crate) fn is_known(request_headers: &HeaderMap, etag: &str) -> bool {
    request_headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// Whether a method only reads.
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Sets the headers of every response: no caching unless the response allows it, no content sniffing, no
/// framing.
pub(crate) fn seal(answer: &mut Response) {
    let headers = answer.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(etag: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::IF_NONE_MATCH, etag.parse().unwrap())])
    }

    #[test]
    fn a_current_etag_is_answered_with_304() {
        let first = public_json(&HeaderMap::new(), 60, b"{}".to_vec());
        assert_eq!(first.status(), StatusCode::OK);
        let etag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
        for known in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
            let again = public_json(&asking(&known), 60, b"{}".to_vec());
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(again.headers()[header::ETAG].to_str().unwrap(), etag);
            assert_eq!(again.headers()[header::CACHE_CONTROL], "public, max-age=60");
        }
        assert_eq!(public_json(&asking(&etag), 60, b"[]".to_vec()).status(), StatusCode::OK);
    }
}
