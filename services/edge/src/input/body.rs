//! The body of a request: JSON, raw bytes or a picture.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{HeaderMap, header};

use super::form::{Fields, Form, parse_form};
use crate::error::Error;

/// The body of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RequestBody {
    /// How the body is read.
    pub(crate) kind: BodyKind,
    /// Limits of size and time.
    pub(crate) limits: BodyLimits,
}

/// How a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// The body is not read.
    Unused,
    /// A JSON object.
    Json,
    /// Bytes as received, for example because a provider signed them.
    Raw,
    /// A file. It counts against the uploads of the client's address and the memory for uploads.
    Upload,
}

/// Limits of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyLimits {
    /// Size in bytes.
    pub(crate) size: usize,
    /// Time from the end of the head to the end of the body.
    pub(crate) time: Duration,
}

/// 64 KiB, in the same time as the head.
pub(crate) const SMALL: BodyLimits = BodyLimits { size: 64 * 1024, time: Duration::from_secs(5) };
/// A route that takes no body.
pub(crate) const NO_BODY: RequestBody = RequestBody { kind: BodyKind::Unused, limits: SMALL };
/// A small JSON object.
pub(crate) const JSON: RequestBody = RequestBody { kind: BodyKind::Json, limits: SMALL };
/// A picture of at most 5 MiB. Its time limit leaves enough of the request's deadline to decode it.
pub(crate) const PICTURE: RequestBody = RequestBody {
    kind: BodyKind::Upload,
    limits: BodyLimits { size: 5 * 1024 * 1024, time: Duration::from_secs(7) },
};
/// A small form from a mail client.
pub(crate) const FORM: RequestBody = RequestBody { kind: BodyKind::Raw, limits: SMALL };
/// An event of a provider, as it signed it.
pub(crate) const EVENT: RequestBody = RequestBody {
    kind: BodyKind::Raw,
    limits: BodyLimits { size: 256 * 1024, time: Duration::from_secs(5) },
};

impl RequestBody {
    /// Returns the error for a larger body.
    pub(crate) fn too_large(self) -> Error {
        match self.kind {
            BodyKind::Upload => Error::PictureTooLarge,
            BodyKind::Unused | BodyKind::Json | BodyKind::Raw => Error::BodyTooLarge,
        }
    }
}

/// A JSON object with exactly the fields of a form.
pub(crate) struct JsonBody<Parsed>(pub(crate) Parsed);

impl<Parsed: Form, State: Sync> FromRequest<State> for JsonBody<Parsed> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = collect(body, usize::MAX).await?;
        require_type(&parts.headers, &["application/json"])?;
        parse_form(&body).map(Self)
    }
}

/// A JSON object with exactly the fields of a form, all of which may be left out; an absent body is `{}`.
pub(crate) struct OptionalBody<Parsed>(pub(crate) Parsed);

impl<Parsed: Form, State: Sync> FromRequest<State> for OptionalBody<Parsed> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = collect(body, usize::MAX).await?;
        if body.is_empty() {
            return parse_form(b"{}").map(Self);
        }
        require_type(&parts.headers, &["application/json"])?;
        parse_form(&body).map(Self)
    }
}

/// A body with the media type of a picture. The content is checked when it is decoded.
pub(crate) struct PictureBody(pub(crate) Bytes);

impl<State: Sync> FromRequest<State> for PictureBody {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = collect(body, usize::MAX).await?;
        require_type(&parts.headers, &["image/png", "image/jpeg", "image/webp"])?;
        if body.is_empty() { Err(Error::field("picture", "REQUIRED")) } else { Ok(Self(body)) }
    }
}

/// The bytes of a body as received.
pub(crate) struct RawBody(pub(crate) Bytes);

impl<State: Sync> FromRequest<State> for RawBody {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        collect(request.into_body(), usize::MAX).await.map(Self)
    }
}

/// An absent body, or `{}`.
pub(crate) struct Empty;

impl Form for Empty {
    fn from_fields(_: &mut Fields) -> Option<Self> {
        Some(Self)
    }
}

impl<State: Sync> FromRequest<State> for Empty {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = collect(body, usize::MAX).await?;
        if body.is_empty() {
            return Ok(Self);
        }
        require_type(&parts.headers, &["application/json"])?;
        parse_form(&body)
    }
}

/// A request to end mails: the form `List-Unsubscribe=One-Click` of a mail client (RFC 8058), URL-encoded or multipart, or
/// `{}` from the site.
pub(crate) struct OneClick;

impl<State: Sync> FromRequest<State> for OneClick {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = collect(body, usize::MAX).await?;
        if require_type(&parts.headers, &["application/json"]).is_ok() {
            return parse_form::<Empty>(&body).map(|_| Self);
        }
        require_type(&parts.headers, &["application/x-www-form-urlencoded", "multipart/form-data"])?;
        let text = String::from_utf8_lossy(&body);
        let is_encoded = text.split('&').any(|pair| pair.trim() == "List-Unsubscribe=One-Click");
        let is_part = text.contains("name=\"List-Unsubscribe\"") && text.contains("\nOne-Click");
        if is_encoded || is_part { Ok(Self) } else { Err(Error::field("List-Unsubscribe", "REQUIRED")) }
    }
}

/// Receives a whole body, so that a slow client holds no permit while it sends.
pub(crate) async fn receive_body(body: Body, limits: BodyLimits) -> Result<Body, Error> {
    let received = tokio::time::timeout(limits.time, collect(body, limits.size)).await;
    Ok(Body::from(received.map_err(|_| Error::BodyTooSlow)??))
}

/// Reads the body. Fails if the connection breaks, or beyond `limit` bytes. The middleware has limited what
/// handlers get.
async fn collect(body: Body, limit: usize) -> Result<Bytes, Error> {
    to_bytes(body, limit).await.map_err(|_| Error::MalformedJson)
}

fn require_type(headers: &HeaderMap, taken: &[&str]) -> Result<(), Error> {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(media_type), None) = (types.next(), types.next()) else {
        return Err(Error::UnsupportedMediaType);
    };
    let essence = media_type.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let is_taken = taken.iter().any(|taken| essence.eq_ignore_ascii_case(taken));
    if is_taken { Ok(()) } else { Err(Error::UnsupportedMediaType) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_is_json() {
        const JSON: &[&str] = &["application/json"];
        let of = |value: &str| HeaderMap::from_iter([(header::CONTENT_TYPE, value.parse().unwrap())]);
        for json in ["application/json", "Application/JSON; charset=utf-8", "application/json;"] {
            assert!(require_type(&of(json), JSON).is_ok(), "{json}");
        }
        for other in ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", ""] {
            assert!(require_type(&of(other), JSON).is_err(), "{other}");
        }
        assert!(require_type(&HeaderMap::new(), JSON).is_err());
    }
}
