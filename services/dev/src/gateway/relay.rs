//! One request: on to its process, and the answer back.

use std::net::IpAddr;
use std::time::Duration;

use ::http::header::{
    CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION,
    TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use ::http::uri::{PathAndQuery, Scheme};
use ::http::{Method, Request, Response, StatusCode, Uri, Version, request};
use bytes::Bytes;
use http_body_util::{Either, Empty, Full};
use hyper::body::{Body as _, Incoming};
use hyper_util::client::legacy;
use tokio::time::Instant;

use super::Upstreams;
use super::upstream::{Pool, is_broken, pool};

/// A little longer than the edge's own ten seconds: only an edge that stands still is out of time here.
const LIMIT: Duration = Duration::from_millis(10_150);
/// How often a request that may be repeated is sent at most.
const TRIES: usize = 3;

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
/// What concerns one connection only (RFC 9110 §7.6.1).
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

/// A process's answer, or ours.
type Answer = Response<Either<Incoming, Full<Bytes>>>;

/// Knows the processes.
pub(super) struct Relay {
    edge: (Pool, Uri),
    site: Option<(Pool, Uri)>,
}

impl Relay {
    /// With a pool of connections to each.
    pub(super) fn new(upstreams: Upstreams) -> Self {
        let to = |address| {
            let base =
                Uri::builder().scheme(Scheme::HTTP).authority(format!("{address}")).path_and_query("/");
            // An address is an authority.
            (pool(address), base.build().unwrap_or_default())
        };
        Self { edge: to(upstreams.edge), site: upstreams.site.map(to) }
    }

    /// Sends `request` on, and says 502 or 504 itself when nothing comes back.
    pub(super) async fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let (mut head, body) = request.into_parts();
        let trace = trace_id(&head.headers);
        let is_api = head.uri.path().starts_with("/api/");
        let Some((pool, base)) = (if is_api { Some(&self.edge) } else { self.site.as_ref() }) else {
            return problem(StatusCode::BAD_GATEWAY, "the site is not running", &trace);
        };
        prepare(&mut head, base, peer);
        match tokio::time::timeout_at(Instant::now() + LIMIT, send(pool, head, body)).await {
            Ok(Ok(answer)) => {
                let mut answer = answer.map(Either::Left);
                remove_hop_by_hop(answer.headers_mut());
                answer
            }
            Ok(Err(error)) => {
                let detail = if error.is_connect() {
                    "the process behind the gateway could not be reached"
                } else {
                    "the process behind the gateway broke off"
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

async fn send(
    pool: &Pool,
    head: request::Parts,
    body: Incoming,
) -> Result<Response<Incoming>, legacy::Error> {
    let repeatable = body.is_end_stream()
        && matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE);
    if !repeatable {
        return pool.request(Request::from_parts(head, Either::Right(body))).await;
    }
    let mut tries = 1;
    loop {
        let request = Request::from_parts(head.clone(), Either::Left(Empty::new()));
        match pool.request(request).await {
            Err(error) if tries < TRIES && !error.is_connect() && is_broken(&error) => tries += 1,
            outcome => return outcome,
        }
    }
}

/// Makes a browser's request ours: for the process at `base`, without what concerned the browser's connection, with
/// the browser's address.
fn prepare(head: &mut request::Parts, base: &Uri, peer: IpAddr) {
    let mut uri = base.clone().into_parts();
    uri.path_and_query =
        Some(head.uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/")));
    // Its parts come from two valid addresses.
    head.uri = Uri::from_parts(uri).unwrap_or_default();
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

/// The trace that the browser began, or a new one.
fn trace_id(headers: &HeaderMap) -> String {
    headers
        .get(TRACEPARENT)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split('-').nth(1))
        .filter(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .map_or_else(|| uuid::Uuid::now_v7().simple().to_string(), str::to_owned)
}

/// The same shape as the edge's errors.
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
