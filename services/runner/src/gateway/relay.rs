//! Forwards one request and its answer.

use std::net::IpAddr;
use std::time::Duration;

use ::http::header::{
    CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION,
    TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use ::http::uri::PathAndQuery;
use ::http::{Method, Request, Response, StatusCode, Uri, Version, request};
use bytes::Bytes;
use http_body_util::{Either, Empty, Full};
use hyper::body::{Body as _, Incoming};
use hyper_util::client::legacy;
use tokio::time::Instant;

use super::Upstreams;
use super::processes::Processes;
use super::upstream::{Body, SharedBody, Upstream, is_broken};

/// Maximum number of attempts for a request.
const MAX_ATTEMPTS: usize = 3;

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
/// Hop-by-hop headers (RFC 9110 §7.6.1).
const HOP_BY_HOP: [HeaderName; 8] = [
    CONNECTION,
    KEEP_ALIVE,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// The answer of a process or of the gateway.
type Answer = Response<Either<Incoming, Full<Bytes>>>;

/// Forwards requests to the upstreams.
pub(crate) struct Relay {
    edge: Processes,
    site: Processes,
    limit: Duration,
}

impl Relay {
    /// Creates a relay with its own connections.
    pub(crate) fn new(upstreams: &Upstreams) -> Self {
        Self {
            edge: Processes::new(&upstreams.edges),
            site: Processes::new(upstreams.site.as_slice()),
            limit: upstreams.limit,
        }
    }

    /// Checks the readiness of several edges. Returns at once if there is only one.
    pub(crate) async fn watch(&self) {
        self.edge.watch().await;
    }

    /// Forwards `request`. Answers 502 or 504 if no answer arrives.
    pub(crate) async fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let (mut head, body) = request.into_parts();
        let trace = trace_id(&head.headers);
        let processes = if head.uri.path().starts_with("/api/") { &self.edge } else { &self.site };
        prepare(&mut head, peer);
        match tokio::time::timeout_at(Instant::now() + self.limit, send(processes, head, body)).await {
            Ok(Ok(answer)) => {
                let mut answer = answer.map(Either::Left);
                remove_hop_by_hop(answer.headers_mut());
                answer
            }
            Ok(Err(error)) => {
                let detail = match error {
                    None => "the site is not running",
                    Some(error) if error.is_connect() => {
                        "the process behind the gateway could not be reached"
                    }
                    Some(_) => "the process behind the gateway closed the connection",
                };
                problem(StatusCode::BAD_GATEWAY, detail, &trace)
            }
            Err(_) => problem(
                StatusCode::GATEWAY_TIMEOUT,
                "the process behind the gateway did not answer in time",
                &trace,
            ),
        }
    }
}

/// Sends a request to one of `processes`, and to the next one if the connection fails. An idempotent request is also
/// sent again if the connection breaks before the answer. `Err(None)`: no process runs.
async fn send(
    processes: &Processes,
    head: request::Parts,
    body: Incoming,
) -> Result<Response<Incoming>, Option<legacy::Error>> {
    let repeatable = body.is_end_stream()
        && matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE);
    let body = if repeatable { Either::Left(Empty::new()) } else { Either::Right(SharedBody::new(body)) };
    let is_alone = processes.count() == 1;
    let mut tries = 1;
    loop {
        let process = processes.next().ok_or(None)?;
        let request = request_to(process, head.clone(), body.clone());
        // A kept connection may close at any moment: when its process stops, or when the process answered before it had
        // read a whole body. Only a request that can be sent again uses one, at its first attempt.
        let client = if repeatable && tries == 1 { &process.pool } else { &process.fresh };
        match client.request(request).await {
            // The connector already waited for the only process.
            Err(error) if error.is_connect() && !is_alone && tries < MAX_ATTEMPTS => tries += 1,
            Err(error) if !error.is_connect() && repeatable && is_broken(&error) && tries < MAX_ATTEMPTS => {
                tries += 1;
            }
            outcome => return outcome.map_err(Some),
        }
    }
}

/// Builds the request to `process`.
fn request_to(process: &Upstream, mut head: request::Parts, body: Body) -> Request<Body> {
    let mut uri = process.base.clone().into_parts();
    uri.path_and_query =
        Some(head.uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/")));
    // Both parts come from valid URIs.
    head.uri = Uri::from_parts(uri).unwrap_or_default();
    Request::from_parts(head, body)
}

/// Turns a request of a browser into one of the gateway: removes hop-by-hop headers and adds the browser's address.
fn prepare(head: &mut request::Parts, peer: IpAddr) {
    head.version = Version::HTTP_11;
    remove_hop_by_hop(&mut head.headers);
    let before = head.headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let chain = before.map(str::to_owned).chain([peer.to_string()]).collect::<Vec<_>>().join(", ");
    if let Ok(chain) = HeaderValue::from_str(&chain) {
        head.headers.insert(FORWARDED_FOR, chain);
    }
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
}

/// The trace id of the browser, or a new one.
fn trace_id(headers: &HeaderMap) -> String {
    headers
        .get(TRACEPARENT)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split('-').nth(1))
        .filter(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .map_or_else(|| uuid::Uuid::now_v7().simple().to_string(), str::to_owned)
}

/// The error format of the edge.
fn problem(status: StatusCode, detail: &str, trace: &str) -> Answer {
    let code = if status == StatusCode::GATEWAY_TIMEOUT { "OUT_OF_TIME" } else { "UPSTREAM_UNAVAILABLE" };
    let body = serde_json::json!({
        "type": "about:blank",
        "title": status.canonical_reason(),
        "status": status.as_u16(),
        "detail": detail,
        "code": code,
        "trace_id": trace,
    });
    let mut answer = Response::new(Either::Right(Full::new(Bytes::from(body.to_string()))));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    let timing = format!("traceparent;desc=\"00-{trace}-0000000000000001-00\"");
    if let Ok(timing) = HeaderValue::from_str(&timing) {
        answer.headers_mut().insert(SERVER_TIMING, timing);
    }
    answer
}
