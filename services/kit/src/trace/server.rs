//! The receiving end of a call.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::MatchedPath;
use http::{HeaderValue, Request, Response};
use opentelemetry::global;
use opentelemetry_http::HeaderExtractor;
use tokio::time::Instant;
use tower::{Layer, Service};
use tracing::{Instrument as _, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{grpc_code_name, grpc_status, is_grpc, is_server_fault, traceparent_of};
use crate::{deadline, telemetry};

/// A span, a log line and a deadline for every request served; `Server-Timing` on every answer to a browser.
///
/// The deadline is what `grpc-timeout` asks for, and never later than `limit` after the request came. For axum this
/// layer stands outside the router's own (`Router::layer`), so that unknown paths are traced too.
#[derive(Clone, Copy, Debug)]
pub struct ServerTrace {
    limit: Duration,
}

impl ServerTrace {
    /// Nothing served takes longer than `limit` to begin its answer.
    #[must_use]
    pub fn new(limit: Duration) -> Self {
        Self { limit }
    }
}

impl<Inner> Layer<Inner> for ServerTrace {
    type Service = ServerTraceService<Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        ServerTraceService { inner, limit: self.limit }
    }
}

/// See [`ServerTrace`].
#[derive(Clone, Debug)]
pub struct ServerTraceService<Inner> {
    inner: Inner,
    limit: Duration,
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
        let grpc = is_grpc(request.headers());
        let asked = request
            .headers()
            .get("grpc-timeout")
            .and_then(|value| value.to_str().ok())
            .and_then(deadline::parse_grpc_timeout);
        let span = open(&request, grpc);
        let deadline = began + asked.map_or(self.limit, |asked| asked.min(self.limit));
        let answer = deadline::scope(deadline, self.inner.call(request));
        Box::pin(
            async move {
                let mut answer = answer.await?;
                close(&Span::current(), grpc, &answer, began.elapsed());
                if !grpc {
                    let timing = format!("traceparent;desc=\"{}\"", traceparent_of(&Span::current()));
                    if let Ok(timing) = HeaderValue::from_str(&timing) {
                        answer.headers_mut().insert("server-timing", timing);
                    }
                }
                Ok(answer)
            }
            .instrument(span),
        )
    }
}

/// Names are templates (`GET /api/lms/inventory/{id}/`), never paths: a path may hold an id or a token.
fn open<Body>(request: &Request<Body>, grpc: bool) -> Span {
    let span = if grpc {
        let method = request.uri().path().trim_start_matches('/');
        tracing::info_span!(
            "request",
            otel.name = method,
            otel.kind = "server",
            otel.status_code = tracing::field::Empty,
            rpc.system.name = "grpc",
            rpc.method = method,
            rpc.response.status_code = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        )
    } else {
        let route = request.extensions().get::<MatchedPath>().map_or("(unmatched)", MatchedPath::as_str);
        let method = known_method(request.method());
        tracing::info_span!(
            "request",
            otel.name = format!("{method} {route}"),
            otel.kind = "server",
            otel.status_code = tracing::field::Empty,
            http.request.method = method,
            http.route = route,
            http.response.status_code = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        )
    };
    let parent =
        global::get_text_map_propagator(|propagator| propagator.extract(&HeaderExtractor(request.headers())));
    // Fails only where no subscriber listens, as in a unit test.
    let _ = span.set_parent(parent);
    telemetry::remember_trace_id(&span);
    span
}

fn close<Body>(span: &Span, grpc: bool, answer: &Response<Body>, took: Duration) {
    let duration_ms = took.as_secs_f64() * 1000.0;
    if grpc {
        let code = grpc_status(answer.headers());
        let name = grpc_code_name(code);
        span.record("rpc.response.status_code", name);
        if is_server_fault(code) {
            span.record("error.type", name).record("otel.status_code", "ERROR");
        }
        tracing::info!(status = name, duration_ms, "request");
    } else {
        let status = answer.status().as_u16();
        span.record("http.response.status_code", status);
        if answer.status().is_server_error() {
            span.record("error.type", status).record("otel.status_code", "ERROR");
        }
        tracing::info!(status, duration_ms, "request");
    }
}

/// A stranger may send any word as the method; only the known ones name a span.
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
