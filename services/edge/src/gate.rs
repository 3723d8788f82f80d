//! What every request passes before it is served, and every answer before it is sent.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};

use crate::Edge;
use crate::answer::seal;
use crate::error::Error;
use crate::input::{BODY_LIMIT, arrived};

/// Lets a request pass, or answers in its place.
pub(crate) async fn guard(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let cookie = sets_cookie(&head).then(|| edge.csrf().new_cookie(&head.headers)).flatten();
    let mut answer = contained(edge.time_limit(), async {
        body_is_bounded(&head.headers)?;
        edge.csrf().check(&head)?;
        edge.maintenance().check(&head, edge.sessions()).await?;
        let body = arrived(body).await?;
        let _place = edge.rooms().enter(&head).await?;
        Ok(next.run(Request::from_parts(head, body)).await)
    })
    .await;
    if let Some(cookie) = cookie {
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

/// Every body of ours is small and its length known before it is sent.
fn body_is_bounded(headers: &HeaderMap) -> Result<(), Error> {
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(Error::LengthRequired);
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    // A number that does not fit is larger than any limit; the server has refused what is no number.
    let fits = length.is_none_or(|length| length.parse().is_ok_and(|length: usize| length <= BODY_LIMIT));
    if fits { Ok(()) } else { Err(Error::BodyTooLarge) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn a_panic_is_a_problem_of_ours() {
        let answer = contained(LIMIT, async { panic!("for the test") }).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
    }

    #[tokio::test(start_paused = true)]
    async fn what_never_ends_is_out_of_time() {
        assert_eq!(contained(LIMIT, std::future::pending()).await.status(), StatusCode::GATEWAY_TIMEOUT);
    }

    #[test]
    fn bodies_must_say_their_length_and_be_small() {
        let headers = |name: &str, value: &str| {
            HeaderMap::from_iter([(name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap())])
        };
        assert!(body_is_bounded(&headers("content-length", "65536")).is_ok());
        for length in ["65537", "99999999999999999999999999"] {
            let outcome = body_is_bounded(&headers("content-length", length));
            assert!(matches!(outcome, Err(Error::BodyTooLarge)), "{length}");
        }
        let chunked = body_is_bounded(&headers("transfer-encoding", "chunked"));
        assert!(matches!(chunked, Err(Error::LengthRequired)));
    }
}
