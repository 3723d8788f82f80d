//! Tracing: one HTTP layer at each end of a call. It carries the W3C trace context and makes a span and a log line for each
//! request.

mod client;
mod server;

pub use client::ClientTrace;
pub use server::{ServerTrace, count_untraced};

use std::collections::HashMap;

use http::HeaderMap;
use opentelemetry::trace::{SpanContext, TraceContextExt as _};
use opentelemetry::{TraceId, global};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::trace::{IdGenerator as _, RandomIdGenerator};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::telemetry;

tokio::task_local! {
    /// The context of a request whose trace is not kept. Work in this scope creates no spans.
    static UNSAMPLED: SpanContext;
}

/// The current trace id, 32 hex digits. Users quote it to support.
#[must_use]
pub fn current_id() -> String {
    current_context().trace_id().to_string()
}

/// The trace id in a request's headers, or a new one, 32 hex digits. For answers without a span.
#[must_use]
pub fn id_of(headers: &HeaderMap) -> String {
    let brought = global::get_text_map_propagator(|propagator| propagator.extract(&HeaderExtractor(headers)));
    let id = match brought.span().span_context().trace_id() {
        TraceId::INVALID => RandomIdGenerator::default().new_trace_id(),
        id => id,
    };
    id.to_string()
}

/// The current context as a `traceparent`, for work that continues later. `None` without a trace.
#[must_use]
pub fn current_traceparent() -> Option<String> {
    let context = current_context();
    context.is_valid().then(|| traceparent_of(&context))
}

/// Makes the trace of `traceparent` the parent of `span`, which must not be entered yet. Without one `span` is a root.
pub fn follow(span: &Span, traceparent: Option<&str>) {
    let headers: HashMap<_, _> =
        traceparent.map(|value| ("traceparent".to_owned(), value.to_owned())).into_iter().collect();
    let parent = global::get_text_map_propagator(|propagator| propagator.extract(&headers));
    // Fails only without a subscriber, as in a unit test.
    let _ = span.set_parent(parent);
    telemetry::remember_trace_id(span, context_of(span).trace_id());
}

/// Links `span`, which belongs to another trace, to the current span, which caused it.
pub fn link_to_current(span: &Span) {
    span.add_link(current_context());
}

/// Links the current span to `span`, which belongs to another trace and was caused by it.
pub fn link_current_to(span: &Span) {
    Span::current().add_link(context_of(span));
}

/// Whether the trace of the current request is not kept, so that spans are unnecessary.
#[must_use]
pub fn is_unsampled() -> bool {
    UNSAMPLED.try_with(|_| ()).is_ok()
}

fn current_context() -> SpanContext {
    UNSAMPLED.try_with(SpanContext::clone).unwrap_or_else(|_| context_of(&Span::current()))
}

/// The context of a span.
fn context_of(span: &Span) -> SpanContext {
    span.context().span().span_context().clone()
}

/// Formats `00-<trace>-<span>-<flags>` of a span.
fn traceparent_of(context: &SpanContext) -> String {
    format!("00-{}-{}-{:02x}", context.trace_id(), context.span_id(), context.trace_flags().to_u8())
}

fn is_grpc(headers: &HeaderMap) -> bool {
    headers
        .get(http::header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/grpc"))
}

/// The gRPC status in the head of an answer, which only an immediate failure has. Otherwise it is in the trailers.
fn grpc_status(headers: &HeaderMap) -> tonic::Code {
    headers.get("grpc-status").map_or(tonic::Code::Ok, |value| tonic::Code::from_bytes(value.as_bytes()))
}

/// The name of a gRPC code as the semantic conventions spell it, e.g. `NOT_FOUND`.
fn grpc_code_name(code: tonic::Code) -> &'static str {
    match code {
        tonic::Code::Ok => "OK",
        tonic::Code::Cancelled => "CANCELLED",
        tonic::Code::Unknown => "UNKNOWN",
        tonic::Code::InvalidArgument => "INVALID_ARGUMENT",
        tonic::Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        tonic::Code::NotFound => "NOT_FOUND",
        tonic::Code::AlreadyExists => "ALREADY_EXISTS",
        tonic::Code::PermissionDenied => "PERMISSION_DENIED",
        tonic::Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        tonic::Code::FailedPrecondition => "FAILED_PRECONDITION",
        tonic::Code::Aborted => "ABORTED",
        tonic::Code::OutOfRange => "OUT_OF_RANGE",
        tonic::Code::Unimplemented => "UNIMPLEMENTED",
        tonic::Code::Internal => "INTERNAL",
        tonic::Code::Unavailable => "UNAVAILABLE",
        tonic::Code::DataLoss => "DATA_LOSS",
        tonic::Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// Whether a gRPC code means that the server failed, not the caller.
fn is_server_fault(code: tonic::Code) -> bool {
    matches!(
        code,
        tonic::Code::Unknown
            | tonic::Code::DeadlineExceeded
            | tonic::Code::Unimplemented
            | tonic::Code::Internal
            | tonic::Code::Unavailable
            | tonic::Code::DataLoss
    )
}
