//! The middleware of all routes: load shedding, then the checks that the policy of the route requires.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::Edge;
use crate::answer::seal;
use crate::audience::Audience;
use crate::client;
use crate::device_cookie;
use crate::error::Error;
use crate::input::{BodyKind, RequestBody, receive_body};
use crate::route::XsrfCookie;

/// Load shedding: refuses a request without a free permit before it costs a span, a log line or a token
/// check. If most requests are refused, each refusal takes time from the requests that are served.
pub(crate) async fn shed_load(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let policy = edge.policies().find(request.method(), request.extensions());
    if policy.bulkhead.is_unbounded() {
        return next.run(request).await;
    }
    let address = client::address_of(&edge, request.headers(), request.extensions());
    let slot = edge.in_flight().enter(address);
    if slot.is_some() && edge.bulkheads().has_room(policy.bulkhead) {
        return next.run(request).await;
    }
    let began = Instant::now();
    let (head, body) = request.into_parts();
    // A service may hang during maintenance. `handle_request` responds with the maintenance message.
    if edge.maintenance().closes(policy.maintenance, &head.method) {
        return next.run(Request::from_parts(head, body)).await;
    }
    // If the connection is closed while a client sends, the client may never read the response, so a small
    // body is received first. A large body, or one without a length, is not.
    let is_small = policy.body.kind != BodyKind::Upload && check_length(&head.headers, policy.body).is_ok();
    let is_received = is_small && receive_body(body, policy.body.limits).await.is_ok();
    let mut answer = Error::Overloaded.answer(kit::trace::id_of(&head.headers));
    if !is_received {
        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    kit::trace::count_untraced(&head, answer.status(), began.elapsed());
    seal(&mut answer);
    answer
}

/// Checks a request against the policy of its route, receives its body, takes a permit and calls the handler.
pub(crate) async fn handle_request(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    let policy = edge.policies().find(&head.method, &head.extensions);
    let is_issued = policy.xsrf_cookie == XsrfCookie::Issued;
    let cookie = is_issued.then(|| edge.csrf().new_cookie(&head.headers)).flatten();
    let mut answer = run_within(edge.time_limit(), async {
        check_length(&head.headers, policy.body)?;
        if policy.audience.uses_browsers() {
            edge.csrf().check(&head)?;
        }
        edge.maintenance().check(policy.maintenance, policy.audience, &head, &edge).await?;
        let is_upload = policy.body.kind == BodyKind::Upload;
        if is_upload && policy.bulkhead.is_unbounded() {
            admit(&edge, policy.audience, &mut head).await?;
        }
        // The body is received before a permit is taken, so a slow client holds none.
        let (_upload, body) = if !is_upload {
            (None, receive_body(body, policy.body.limits).await?)
        } else if policy.bulkhead.is_unbounded() {
            let length = length_of(&head.headers).unwrap_or(policy.body.limits.size);
            let (upload, body) = edge.uploads().receive_from_candidate(length, policy.body, body).await?;
            (Some(upload), body)
        } else {
            let address = client::address_of(&edge, &head.headers, &head.extensions);
            let (upload, body) = edge.uploads().receive(address, policy.body, body).await?;
            (Some(upload), body)
        };
        if !is_upload && policy.bulkhead.is_unbounded() {
            admit(&edge, policy.audience, &mut head).await?;
        }
        let _permit = edge.bulkheads().acquire(policy.bulkhead).await?;
        if !policy.bulkhead.is_unbounded() {
            admit(&edge, policy.audience, &mut head).await?;
        }
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

/// Fails unless the request comes from the audience. Stores a caller with a token in the extensions.
async fn admit(edge: &Edge, audience: Audience, head: &mut Parts) -> Result<(), Error> {
    if let Audience::Webhook(provider) = audience {
        let signatures = head.headers.get_all(provider.signature_header).iter().count();
        return if signatures == 1 { Ok(()) } else { Err(Error::SignatureInvalid) };
    }
    if !audience.needs_token() {
        return Ok(());
    }
    let caller = edge.sessions().caller(&head.headers).await?;
    if !audience.admits(caller.scopes()) {
        return Err(Error::Forbidden);
    }
    head.extensions.insert(caller);
    Ok(())
}

/// Runs `work` within `limit`. A panic, a timeout and the router's own 405 become errors of the API.
async fn run_within(limit: Duration, work: impl Future<Output = Result<Response, Error>>) -> Response {
    let answer = match tokio::time::timeout(limit, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(Ok(answer))) => answer,
        Ok(Ok(Err(error))) => error.into_response(),
        Ok(Err(_)) => {
            tracing::error!("a handler panicked");
            Error::Internal.into_response()
        }
        Err(_) => Error::DeadlineExceeded.into_response(),
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

/// The declared length of a body that `check_length` has admitted.
fn length_of(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Fails for a body without a known length, or with one above the limit.
fn check_length(headers: &HeaderMap, body: RequestBody) -> Result<(), Error> {
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(Error::LengthRequired);
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    // A length that does not fit in a `u64` is above any limit. The server has already refused malformed
    // lengths.
    let fits =
        length.is_none_or(|length| length.parse().is_ok_and(|length: usize| length <= body.limits.size));
    if fits { Ok(()) } else { Err(body.too_large()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{JSON, PICTURE};

    #[tokio::test]
    async fn a_panic_is_a_problem_of_ours() {
        let answer = run_within(Duration::from_secs(10), async { panic!("for the test") }).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
    }

    #[tokio::test]
    async fn work_that_never_ends_exceeds_the_deadline() {
        let limit = Duration::from_millis(1);
        assert_eq!(run_within(limit, std::future::pending()).await.status(), StatusCode::GATEWAY_TIMEOUT);
    }

    #[test]
    fn bodies_must_say_their_length_and_be_small() {
        let headers = |name: &str, value: &str| {
            HeaderMap::from_iter([(name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap())])
        };
        let check_json = |headers| check_length(&headers, JSON);
        assert!(check_json(headers("content-length", "65536")).is_ok());
        for length in ["65537", "99999999999999999999999999"] {
            let outcome = check_json(headers("content-length", length));
            assert!(matches!(outcome, Err(Error::BodyTooLarge)), "{length}");
        }
        let chunked = check_json(headers("transfer-encoding", "chunked"));
        assert!(matches!(chunked, Err(Error::LengthRequired)));
        assert!(check_length(&headers("content-length", "5242880"), PICTURE).is_ok());
        let picture = check_length(&headers("content-length", "5242881"), PICTURE);
        assert!(matches!(picture, Err(Error::PictureTooLarge)));
    }
}
