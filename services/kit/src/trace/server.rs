//! Traces requests at the server.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::MatchedPath;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use opentelemetry::trace::{SpanContext, TraceContextExt as _, TraceState};
use opentelemetry::{Context as TraceContext, SpanId, TraceFlags, TraceId, global};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::trace::{IdGenerator as _, RandomIdGenerator};
use tokio::time::Instant;
use tower::{Layer, Service};
use tracing::{Instrument as _, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{UNSAMPLED, context_of, grpc_code_name, grpc_status, is_grpc, is_server_fault, traceparent_of};
use crate::{deadline, metrics, telemetry};

/// The parent of all requests from outside. It is never exported.
const ROOT: SpanId = SpanId::from_bytes([0, 0, 0, 0, 0, 0, 0, 1]);

/// A span, a log line and a deadline for every request, and `Server-Timing` on every answer to a browser.
///
/// The sampling decision for a trace that starts here is made before the span is created. A request that is not sampled
/// has a trace id for its log line and its answer, but no span.
///
/// The deadline is that of `grpc-timeout`, at most `limit` after the request arrived. In axum use `Router::layer`, so
/// that unknown paths are traced too.
#[derive(Clone, Copy, Debug)]
pub struct ServerTrace {
    limit: Duration,
    /// Whether this server speaks gRPC. The content type of the request does not decide: the name of a gRPC method
    /// comes from the path, which a client of an HTTP server chooses.
    grpc: bool,
}

impl ServerTrace {
    /// For an HTTP server. `limit` is the time to the head of an answer.
    #[must_use]
    pub fn new(limit: Duration) -> Self {
        Self { limit, grpc: false }
    }

    /// For a server that speaks gRPC, and plain HTTP beside it.
    #[must_use]
    pub fn grpc(limit: Duration) -> Self {
        Self { limit, grpc: true }
    }
}

impl<Inner> Layer<Inner> for ServerTrace {
    type Service = ServerTraceService<Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        ServerTraceService { inner, trace: *self }
    }
}

/// See [`ServerTrace`].
#[derive(Clone, Debug)]
pub struct ServerTraceService<Inner> {
    inner: Inner,
    trace: ServerTrace,
}

impl<Inner, In, Out> Service<Request<In>> for ServerTraceService<Inner>
where
    Inner: Service<Request<In>, Response = Response<Out>>,
    Inner::Future: Send + 'static,
{
    type Response = Response<Out>;
    type Error = Inner::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Out>, Inner::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<In>) -> Self::Future {
        let began = Instant::now();
        let ServerTrace { limit, grpc } = self.trace;
        let grpc = grpc && is_grpc(request.headers());
        let asked = request.headers().get("grpc-timeout").filter(|_| grpc);
        let asked = asked.and_then(|value| value.to_str().ok()).and_then(deadline::parse_grpc_timeout);
        let name = name(&request, grpc);
        let parent = parent(request.headers(), grpc);
        let unsampled = unsampled(&parent);
        let (span, context) = match &unsampled {
            Some(context) => (telemetry::unsampled_span(context.trace_id()), context.clone()),
            None => open(&request, grpc, &name, parent),
        };
        let deadline = began + asked.map_or(limit, |asked| asked.min(limit));
        let kind = if grpc {
            Kind::Rpc
        } else {
            let (method, route) = (known_method(request.method()), request.extensions().get().cloned());
            Kind::Http { method, route, _active: metrics::Active::begin() }
        };
        let answer = deadline::scope(deadline, self.inner.call(request));
        let pending = PendingRequest { name, kind, context, began, answered: false };
        let answer = async move {
            let mut answer = answer.await?;
            let context = pending.answered(&answer);
            if !grpc {
                let timing = format!("traceparent;desc=\"{}\"", traceparent_of(&context));
                if let Ok(timing) = HeaderValue::try_from(timing) {
                    answer.headers_mut().insert("server-timing", timing);
                }
            }
            Ok(answer)
        };
        match unsampled {
            Some(context) => Box::pin(UNSAMPLED.scope(context, answer).instrument(span)),
            None => Box::pin(answer.instrument(span)),
        }
    }
}

/// Counts an HTTP request that was answered before this layer, so that the metrics include every request.
pub fn count_untraced(head: &Parts, status: StatusCode, took: Duration) {
    let (method, route) = (known_method(&head.method), template(head.extensions.get()));
    metrics::http_served(method, route, Some(status), took, &SpanContext::empty_context());
}

/// A template (`GET /api/lms/inventory/{id}/`), never a path, which may contain an id or a token.
fn name<Body>(request: &Request<Body>, grpc: bool) -> String {
    if grpc {
        request.uri().path().trim_start_matches('/').to_owned()
    } else {
        format!("{} {}", known_method(request.method()), route(request))
    }
}

fn route<Body>(request: &Request<Body>) -> &str {
    template(request.extensions().get())
}

fn template(route: Option<&MatchedPath>) -> &str {
    route.map_or("(unmatched)", MatchedPath::as_str)
}

/// The parent context of a request's span.
fn parent(headers: &HeaderMap, grpc: bool) -> TraceContext {
    let brought = global::get_text_map_propagator(|propagator| propagator.extract(&HeaderExtractor(headers)));
    if grpc { brought } else { below_root(&brought) }
}

/// The context of a request whose trace is not kept; `None` if it is kept.
fn unsampled(parent: &TraceContext) -> Option<SpanContext> {
    let parent = parent.span();
    let parent = parent.span_context();
    let is_kept = if parent.is_valid() { parent.is_sampled() } else { telemetry::keeps_a_root() };
    if is_kept {
        return None;
    }
    let ids = RandomIdGenerator::default();
    let trace_id = if parent.is_valid() { parent.trace_id() } else { ids.new_trace_id() };
    let flags = TraceFlags::default();
    Some(SpanContext::new(trace_id, ids.new_span_id(), flags, false, TraceState::default()))
}

/// Without `url.path`, because a path may contain an id or a token.
fn open<Body>(request: &Request<Body>, grpc: bool, name: &str, parent: TraceContext) -> (Span, SpanContext) {
    let span = if grpc {
        tracing::info_span!(
            "request",
            otel.name = name,
            otel.kind = "server",
            otel.status_code = tracing::field::Empty,
            rpc.system.name = "grpc",
            rpc.method = name,
            rpc.response.status_code = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        )
    } else {
        tracing::info_span!(
            "request",
            otel.name = name,
            otel.kind = "server",
            otel.status_code = tracing::field::Empty,
            http.request.method = known_method(request.method()),
            http.route = route(request),
            http.response.status_code = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        )
    };
    // Fails only without a subscriber, as in a unit test.
    let _ = span.set_parent(parent);
    let context = context_of(&span);
    telemetry::remember_trace_id(&span, context.trace_id());
    (span, context)
}

/// The context for a request from outside. Only its trace id is used, so that a user can quote it if no answer arrived.
///
/// All such requests have one root span as parent, so no client can attach its request to another's span. The sampling
/// decision is made here, independent of the client's flag and trace id.
fn below_root(brought: &TraceContext) -> TraceContext {
    let trace_id = brought.span().span_context().trace_id();
    if trace_id == TraceId::INVALID {
        return TraceContext::new();
    }
    let flags = TraceFlags::default().with_sampled(telemetry::keeps_a_root());
    let root = SpanContext::new(trace_id, ROOT, flags, true, TraceState::default());
    TraceContext::new().with_remote_span_context(root)
}

/// A request without an answer yet. If it is dropped before the answer, because the client left or the deadline was
/// exceeded, it records that.
struct PendingRequest {
    name: String,
    kind: Kind,
    context: SpanContext,
    began: Instant,
    answered: bool,
}

/// The protocol and name of a request.
enum Kind {
    Http { method: &'static str, route: Option<MatchedPath>, _active: metrics::Active },
    Rpc,
}

impl PendingRequest {
    /// The span that records the answer; a disabled span if the trace is not kept.
    fn span(&self) -> Span {
        if self.context.is_sampled() { Span::current() } else { Span::none() }
    }

    /// Records the answer.
    fn answered<Body>(mut self, answer: &Response<Body>) -> SpanContext {
        self.answered = true;
        let (span, took) = (self.span(), self.began.elapsed());
        match &self.kind {
            Kind::Rpc => {
                let code = grpc_code(answer);
                let status = grpc_code_name(code);
                span.record("rpc.response.status_code", status);
                if is_server_fault(code) {
                    span.record("error.type", status).record("otel.status_code", "ERROR");
                }
                metrics::rpc_served(&self.name, status, took, &self.context);
                tracing::info!(name = self.name, status, duration_ms = milliseconds(took), "request");
            }
            Kind::Http { method, route, .. } => {
                let status = answer.status();
                // Signed, because an unsigned number is exported as text.
                span.record("http.response.status_code", i64::from(status.as_u16()));
                if status.is_server_error() {
                    span.record("error.type", status.as_str()).record("otel.status_code", "ERROR");
                }
                metrics::http_served(method, template(route.as_ref()), Some(status), took, &self.context);
                let status = status.as_u16();
                tracing::info!(name = self.name, status, duration_ms = milliseconds(took), "request");
            }
        }
        self.context.clone()
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        if self.answered {
            return;
        }
        let (span, took) = (self.span(), self.began.elapsed());
        match &self.kind {
            Kind::Rpc => {
                let status = grpc_code_name(tonic::Code::Cancelled);
                span.record("rpc.response.status_code", status);
                metrics::rpc_served(&self.name, status, took, &self.context);
            }
            Kind::Http { method, route, .. } => {
                span.record("error.type", "cancelled");
                metrics::http_served(method, template(route.as_ref()), None, took, &self.context);
            }
        }
        tracing::info!(name = self.name, status = "cancelled", duration_ms = milliseconds(took), "request");
    }
}

fn milliseconds(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}

/// The gRPC status of an answer, even if no gRPC service answered.
fn grpc_code<Body>(answer: &Response<Body>) -> tonic::Code {
    match answer.status() {
        StatusCode::OK => grpc_status(answer.headers()),
        StatusCode::NOT_FOUND => tonic::Code::Unimplemented,
        _ => tonic::Code::Unknown,
    }
}

/// The method for a span's name. A client may send any text, so unknown methods are replaced.
fn known_method(method: &http::Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "_OTHER",
    }
}
