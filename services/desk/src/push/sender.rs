//! Sends one message to a push service: encryption (RFC 8291), authorization (RFC 8292) and the meaning of its answer.

use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use time::OffsetDateTime;
use tokio::time::timeout;
use web_push_native::p256::PublicKey;
use web_push_native::{Auth, encrypt};

use super::EXPIRY;
use super::endpoint::parse_endpoint;
use super::resolver::PublicResolver;
use super::subscription::Keys;
use super::vapid::Vapid;

const CONNECT_LIMIT: Duration = Duration::from_secs(3);
const LIMIT: Duration = Duration::from_secs(10);
/// Idle connections are closed after this time.
const IDLE: Duration = Duration::from_secs(20);
/// The longest pause that a push service can ask for.
const LONGEST_PAUSE: i64 = 6 * 3_600;

/// How an attempt to send a push ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Accepted,
    /// The browser's subscription has ended (404, 410).
    Gone,
    /// Not now (429, 5xx), with the pause that the push service asks for.
    Later(Option<time::Duration>),
    /// Refused permanently, with this status.
    Refused(u16),
    /// The push service did not answer.
    Unreachable,
    /// The subscription or the message cannot be read or sent.
    Unreadable,
}

/// Sends messages.
#[derive(Clone)]
pub(super) struct Sender {
    http: legacy::Client<HttpsConnector<HttpConnector<PublicResolver>>, Full<Bytes>>,
    vapid: Vapid,
    allows_loopback: bool,
}

impl Sender {
    pub(super) fn new(vapid: Vapid, allows_loopback: bool) -> Self {
        let mut tcp = HttpConnector::new_with_resolver(PublicResolver);
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_LIMIT));
        let https = HttpsConnectorBuilder::new()
            .with_webpki_roots()
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(https);
        Self { http, vapid, allows_loopback }
    }

    /// Sends a message to a browser. Redirects are not followed.
    pub(super) async fn send(&self, keys: &Keys, message: Vec<u8>, now: OffsetDateTime) -> Outcome {
        let Some(request) = self.build(keys, message, now) else { return Outcome::Unreadable };
        match timeout(LIMIT, self.http.request(request)).await {
            Ok(Ok(answer)) => classify(answer.status(), answer.headers()),
            Ok(Err(_)) | Err(_) => Outcome::Unreachable,
        }
    }

    fn build(&self, keys: &Keys, message: Vec<u8>, now: OffsetDateTime) -> Option<Request<Full<Bytes>>> {
        let endpoint = parse_endpoint(&keys.endpoint, self.allows_loopback)?;
        let origin = format!("{}://{}", endpoint.scheme_str()?, endpoint.authority()?);
        let public = PublicKey::from_sec1_bytes(&keys.p256dh).ok()?;
        let auth: [u8; 16] = keys.auth.as_slice().try_into().ok()?;
        let body = encrypt(message, &public, &Auth::from(auth)).ok()?;
        Request::post(endpoint)
            .header(AUTHORIZATION, self.vapid.authorize(&origin, now)?)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("ttl", EXPIRY.whole_seconds())
            .header("urgency", "normal")
            .body(Full::new(body.into()))
            .ok()
    }
}

fn classify(status: StatusCode, headers: &HeaderMap) -> Outcome {
    match status.as_u16() {
        200..300 => Outcome::Accepted,
        404 | 410 => Outcome::Gone,
        429 | 500.. => Outcome::Later(find_pause(headers)),
        other => Outcome::Refused(other),
    }
}

/// The pause of a Retry-After header in seconds.
fn find_pause(headers: &HeaderMap) -> Option<time::Duration> {
    let seconds: i64 = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    (seconds > 0).then(|| time::Duration::seconds(seconds.min(LONGEST_PAUSE)))
}
