//! What every request passes before it is served, and every answer before it is sent.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::Edge;
use crate::answer::seal;
use crate::client;
use crate::device_cookie;
use crate::error::Error;
use crate::input::{Bounds, arrived};
use crate::limits::PICTURES;

/// Turns away what there is no room for before it costs a span, a log line or a look at its token: where most are turned
/// away, whatever they cost is taken from those who are served.
pub(crate) async fn door(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let address = client::address_of(&edge, request.headers(), request.extensions());
    let slot = edge.in_flight().enter(address);
    if slot.is_some() && edge.rooms().have_place(request.method(), request.extensions()) {
        return next.run(request).await;
    }
    let began = Instant::now();
    let (head, body) = request.into_parts();
    // Where a service hangs and the site is closed for that, people have to read so: `guard` tells them.
    if edge.maintenance().closes(&head) {
        return next.run(Request::from_parts(head, body)).await;
    }
    // Whoever is cut off while sending might never read the answer; what has no end, or is large, is cut all the same.
    let bounds = bounds(&head);
    let is_small = bounds == Bounds::Json && is_bounded(&head.headers, bounds).is_ok();
    let is_read = is_small && arrived(body, bounds).await.is_ok();
    let mut answer = Error::Overloaded.answer(kit::trace::id_of(&head.headers));
    if !is_read {
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    kit::trace::count_untraced(&head, answer.status(), began.elapsed());
    seal(&mut answer);
    answer
}

/// Lets a request pass, or answers in its place.
pub(crate) async fn guard(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let cookie = sets_cookie(&head).then(|| edge.csrf().new_cookie(&head.headers)).flatten();
    let mut answer = contained(edge.time_limit(), async {
        let bounds = bounds(&head);
        is_bounded(&head.headers, bounds)?;
        edge.csrf().check(&head)?;
        edge.maintenance().check(&head, &edge).await?;
        // The body is read before a permit is taken, so a slow client holds none.
        let (_upload, body) = match bounds {
            Bounds::Picture => {
                let address = client::address_of(&edge, &head.headers, &head.extensions);
                let (upload, body) = edge.uploads().receive(address, body).await?;
                (Some(upload), body)
            }
            Bounds::Json => (None, arrived(body, bounds).await?),
        };
        let _place = edge.rooms().enter(&head).await?;
        Ok(next.run(Request::from_parts(head, body)).await)
    })
    .await;
    let device = device_cookie::header(&mut answer, edge.csrf().is_secure());
    for cookie in cookie.into_iter().chain(device) {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
    seal(&mut answer);
    answer
}

/// The answer of `work`: in time, whatever happens, and a problem where the router had only a status to say.
async fn contained(limit: Duration, work: impl Future<Output = Result<Response, Error>>) -> Response {
    let answer = match tokio::time::timeout(limit, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(Ok(answer))) => answer,
        Ok(Ok(Err(error))) => error.into_response(),
        Ok(Err(_)) => {
            tracing::error!("a handler panicked");
            Error::Internal.into_response()
        }
        Err(_) => Error::OutOfTime.into_response(),
    };
    if answer.status() == StatusCode::METHOD_NOT_ALLOWED {
        let mut problem = Error::MethodNotAllowed.into_response();
        if let Some(allow) = answer.headers().get(header::ALLOW) {
            problem.headers_mut().insert(header::ALLOW, allow.clone());
        }
        return problem;
    }
    answer
}

/// The cookie is given where a browser signs in, and where one without it asks first.
fn sets_cookie(head: &Parts) -> bool {
    let route = head.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    route.is_some_and(|route| route.starts_with("/api/accounts/") || route == "/api/maintenance/")
}

/// One path takes pictures, all others small JSON.
fn bounds(head: &Parts) -> Bounds {
    match head.extensions.get::<MatchedPath>().map(MatchedPath::as_str) {
        Some(PICTURES) => Bounds::Picture,
        _ => Bounds::Json,
    }
}

/// Every body of ours has an end that is known before it is sent.
fn is_bounded(headers: &HeaderMap, bounds: Bounds) -> Result<(), Error> {
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(Error::LengthRequired);
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    // A number that does not fit is larger than any limit; the server has refused what is no number.
    let fits = length.is_none_or(|length| length.parse().is_ok_and(|length: usize| length <= bounds.size()));
    if fits { Ok(()) } else { Err(bounds.too_large()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_problem_of_ours() {
        let answer = contained(Duration::from_secs(10), async { panic!("for the test") }).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
    }

    #[tokio::test]
    async fn what_never_ends_is_out_of_time() {
        let limit = Duration::from_millis(1);
        assert_eq!(contained(limit, std::future::pending()).await.status(), StatusCode::GATEWAY_TIMEOUT);
    }

    #[test]
    fn bodies_must_say_their_length_and_be_small() {
        let headers = |name: &str, value: &str| {
            HeaderMap::from_iter([(name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap())])
        };
        let body_is_bounded = |headers| is_bounded(&headers, Bounds::Json);
        assert!(body_is_bounded(headers("content-length", "65536")).is_ok());
        for length in ["65537", "99999999999999999999999999"] {
            let outcome = body_is_bounded(headers("content-length", length));
            assert!(matches!(outcome, Err(Error::BodyTooLarge)), "{length}");
        }
        let chunked = body_is_bounded(headers("transfer-encoding", "chunked"));
        assert!(matches!(chunked, Err(Error::LengthRequired)));
        assert!(is_bounded(&headers("content-length", "5242880"), Bounds::Picture).is_ok());
        let picture = is_bounded(&headers("content-length", "5242881"), Bounds::Picture);
        assert!(matches!(picture, Err(Error::PictureTooLarge)));
    }
}
