//! HTTP calls to the provider: form bodies, a deadline, and the classification of errors.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use kit::deadline::{self, MARGIN};
use kit::error::chain;
use kit::{Failure, trace};
use tokio::time::timeout;
use tracing::{Instrument as _, Span};

use super::answer::{parse_decline, parse_problem};
use super::{API_VERSION, ProviderError};

const CONNECT_LIMIT: Duration = Duration::from_secs(2);
/// Idle connections are closed before the provider closes them.
const IDLE: Duration = Duration::from_secs(20);
/// Size limit of a response in bytes. A session with its payment intent has about 8 KiB.
const ANSWER_LIMIT: usize = 1024 * 1024;

const VERSION: HeaderName = HeaderName::from_static("stripe-version");
const SHOULD_RETRY: HeaderName = HeaderName::from_static("stripe-should-retry");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

/// The client of one account at the provider.
#[derive(Clone)]
pub(super) struct Client {
    http: legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Scheme and host.
    origin: Arc<str>,
    address: Arc<str>,
    /// Signed, because an unsigned number is exported as text.
    port: i64,
    authorization: HeaderValue,
    limit: Duration,
}

impl Client {
    /// Fails if `url` is not an origin.
    pub(super) fn new(url: &str, key: &str, limit: Duration) -> Result<Self, Failure> {
        let wrong = "COMMERCE_PROVIDER_URL must be a scheme and a host, like https://api.stripe.com";
        let uri: Uri = url.parse().map_err(|_| wrong)?;
        let (Some(scheme @ ("http" | "https")), Some(host), "" | "/", None) =
            (uri.scheme_str(), uri.host(), uri.path(), uri.query())
        else {
            return Err(wrong.into());
        };
        let port = uri.port_u16().unwrap_or(if scheme == "http" { 80 } else { 443 });
        let mut authorization = HeaderValue::try_from(format!("Bearer {key}"))?;
        authorization.set_sensitive(true);
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_LIMIT));
        let https = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1();
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(https.wrap_connector(tcp));
        Ok(Self {
            http,
            origin: url.trim_end_matches('/').into(),
            address: host.into(),
            port: port.into(),
            authorization,
            limit,
        })
    }

    /// Makes a call and returns the body of its answer.
    pub(super) async fn send(&self, call: Call<'_>) -> Result<Bytes, ProviderError> {
        // The remaining time of the current request, or the limit in background work.
        let limit = deadline::left().map_or(self.limit, |left| left.saturating_sub(MARGIN).min(self.limit));
        let span = self.span(&call);
        let answer = async {
            let request = self.request(&call)?;
            let answer = timeout(limit, self.exchange(request, &call)).await;
            let result = answer.unwrap_or_else(|_| Err(FailedCall::new("timeout", "no answer in time")));
            let span = Span::current();
            result.map_err(|unanswered| {
                span.record("error.type", unanswered.kind.as_str()).record("otel.status_code", "ERROR");
                unanswered.error
            })
        };
        answer.instrument(span).await
    }

    async fn exchange(&self, request: Request<Full<Bytes>>, call: &Call<'_>) -> Result<Bytes, FailedCall> {
        let answer = self.http.request(request).await.map_err(|error| {
            FailedCall::new(if error.is_connect() { "connect" } else { "request" }, chain(&error))
        })?;
        let (head, body) = answer.into_parts();
        let request_id = text(&head.headers, &REQUEST_ID);
        Span::current()
            // Signed, because an unsigned number is exported as text.
            .record("http.response.status_code", i64::from(head.status.as_u16()))
            .record("provider.request_id", request_id);
        let body = Limited::new(body, ANSWER_LIMIT).collect().await;
        let body = body.map_err(|error| FailedCall::new("body", chain(error.as_ref())))?.to_bytes();
        if head.status.is_success() {
            return Ok(body);
        }
        let error = classify(head.status, text(&head.headers, &SHOULD_RETRY), request_id, &body);
        if let ProviderError::Refused { status, code } = &error {
            tracing::warn!(call = %call, status, code, request_id, "the provider refused a call");
        }
        Err(FailedCall { kind: head.status.as_str().to_owned(), error })
    }

    fn request(&self, call: &Call<'_>) -> Result<Request<Full<Bytes>>, ProviderError> {
        let form = call.encode_form();
        let mut uri = format!("{}{}", self.origin, call.template.replace("{id}", call.id));
        let mut body = Bytes::new();
        if call.method == Method::GET {
            if !form.is_empty() {
                uri = format!("{uri}?{form}");
            }
        } else {
            body = form.into();
        }
        let mut request = Request::builder()
            .method(&call.method)
            .uri(uri)
            .header(AUTHORIZATION, &self.authorization)
            .header(VERSION, API_VERSION);
        if call.method != Method::GET {
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        if let Some(key) = call.key {
            request = request.header(IDEMPOTENCY_KEY, key);
        }
        // Fails if the key or the origin makes no valid header or address.
        request
            .body(Full::new(body))
            .map_err(|_| ProviderError::Refused { status: 0, code: "invalid_request".to_owned() })
    }

    fn span(&self, call: &Call<'_>) -> Span {
        if trace::is_unsampled() {
            return Span::none();
        }
        tracing::info_span!(
            "call",
            otel.name = %call,
            otel.kind = "client",
            otel.status_code = tracing::field::Empty,
            http.request.method = call.method.as_str(),
            url.template = call.template,
            server.address = &*self.address,
            server.port = self.port,
            http.response.status_code = tracing::field::Empty,
            provider.request_id = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        )
    }
}

/// A call to the provider.
pub(super) struct Call<'a> {
    method: Method,
    /// The path, with `{id}` in the place of the id.
    template: &'static str,
    id: &'a str,
    form: &'a [(&'a str, &'a str)],
    key: Option<&'a str>,
}

impl<'a> Call<'a> {
    pub(super) fn new(method: Method, template: &'static str) -> Self {
        Self { method, template, id: "", form: &[], key: None }
    }

    /// Sets the id in the path. The caller has checked it.
    pub(super) fn id(self, id: &'a str) -> Self {
        Self { id, ..self }
    }

    /// Sets the parameters.
    pub(super) fn form(self, form: &'a [(&'a str, &'a str)]) -> Self {
        Self { form, ..self }
    }

    /// Sets the idempotency key.
    pub(super) fn key(self, key: &'a str) -> Self {
        Self { key: Some(key), ..self }
    }

    fn encode_form(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.form).finish()
    }
}

/// The name of the call's span.
impl fmt::Display for Call<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method, self.template)
    }
}

/// A failed call: the error, and the `error.type` of its span.
struct FailedCall {
    kind: String,
    error: ProviderError,
}

impl FailedCall {
    fn new(kind: &str, cause: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), error: ProviderError::Unreachable(cause.into()) }
    }
}

/// Classifies a response that is no success.
fn classify(status: StatusCode, should_retry: &str, request_id: &str, body: &[u8]) -> ProviderError {
    let code = parse_problem(body);
    let is_open = match should_retry {
        // After a server error, the effect of the call is unknown.
        _ if status.is_server_error() => true,
        "true" => true,
        "false" => false,
        _ => matches!(
            status,
            StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
        ),
    };
    if is_open {
        let status = status.as_u16();
        return ProviderError::Unreachable(format!("status {status}, code {code}, request {request_id}"));
    }
    if status == StatusCode::PAYMENT_REQUIRED
        && let Some(declined) = parse_decline(body)
    {
        return declined;
    }
    if status == StatusCode::NOT_FOUND {
        return ProviderError::NotFound;
    }
    ProviderError::Refused { status: status.as_u16(), code }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
