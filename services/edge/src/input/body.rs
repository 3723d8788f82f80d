//! The body of a request: JSON, but for one path a picture.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{HeaderMap, header};

use super::form::{Fields, Form, read};
use crate::error::Error;

/// How large a body may be, and how long it may take from the end of the head to its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// 64 KiB in as long as the head itself may take.
    Json,
    /// 5 MiB, which leave a request's time but enough to look at them.
    Picture,
}

impl Bounds {
    /// Bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Json => 64 * 1024,
            Self::Picture => 5 * 1024 * 1024,
        }
    }

    /// From the end of the head.
    pub(crate) fn time(self) -> Duration {
        match self {
            Self::Json => Duration::from_secs(5),
            Self::Picture => Duration::from_secs(7),
        }
    }

    /// What to say of a body that is larger.
    pub(crate) fn too_large(self) -> Error {
        match self {
            Self::Json => Error::BodyTooLarge,
            Self::Picture => Error::PictureTooLarge,
        }
    }
}

/// A JSON object with just the fields of a form.
pub(crate) struct JsonBody<Read>(pub(crate) Read);

impl<Read: Form, State: Sync> FromRequest<State> for JsonBody<Read> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = whole(body, Bounds::Json).await?;
        require_type(&parts.headers, &["application/json"])?;
        read(&body).map(Self)
    }
}

/// A body that says it is a picture; whether it is, only decoding it can tell.
pub(crate) struct PictureBody(pub(crate) Bytes);

impl<State: Sync> FromRequest<State> for PictureBody {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = whole(body, Bounds::Picture).await?;
        require_type(&parts.headers, &["image/png", "image/jpeg", "image/webp"])?;
        if body.is_empty() { Err(Error::field("picture", "REQUIRED")) } else { Ok(Self(body)) }
    }
}

/// No body, or `{}`.
pub(crate) struct Empty;

impl Form for Empty {
    fn read(_: &mut Fields) -> Option<Self> {
        Some(Self)
    }
}

impl<State: Sync> FromRequest<State> for Empty {
    type Rejection = Error;

    async fn from_request(request: Request, _: &State) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = whole(body, Bounds::Json).await?;
        if body.is_empty() {
            return Ok(Self);
        }
        require_type(&parts.headers, &["application/json"])?;
        read(&body)
    }
}

/// A whole body, so that nobody takes up room while theirs trickles in.
pub(crate) async fn arrived(body: Body, bounds: Bounds) -> Result<Body, Error> {
    let arriving = tokio::time::timeout(bounds.time(), whole(body, bounds));
    let body = arriving.await.map_err(|_| Error::BodyTooSlow)??;
    Ok(Body::from(body))
}

/// Fails on a connection that broke; the length was looked at before.
async fn whole(body: Body, bounds: Bounds) -> Result<Bytes, Error> {
    to_bytes(body, bounds.size()).await.map_err(|_| Error::MalformedJson)
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
