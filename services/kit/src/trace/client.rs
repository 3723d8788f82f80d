//! Traces calls on the caller's side.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderValue, Request, Response, Uri};
use opentelemetry::global;
use opentelemetry_http::HeaderInjector;
use tokio::time::Instant;
use tower::{Layer, Service};
use tracing::{Instrument as _, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{UNSAMPLED, grpc_code_name, grpc_status, is_unsampled, traceparent_of};
use crate::metrics;

/// Creates a span for every gRPC call to one service and sends its context.
///
/// If the trace of the current request is not kept, there is no span, and the context is that of the request.
#[derive(Clone, Debug)]
pub struct ClientTrace {
    address: Arc<str>,
    /// Signed, because an unsigned number is exported as text.
    port: Option<i64>,
}

impl ClientTrace {
    /// Traces calls to the service at `uri`.
    #[must_use]
    pub fn new(uri: &Uri) -> Self {
        Self { address: uri.host().unwrap_or_default().into(), port: uri.port_u16().map(i64::from) }
    }
}

impl<Inner> Layer<Inner> for ClientTrace {
    type Service = ClientTraceService<Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        ClientTraceService { inner, trace: self.clone() }
    }
}

impl ClientTrace {
    fn open<Body>(&self, method: &str, request: &mut Request<Body>) -> Span {
        let span = tracing::info_span!(
            "call",
            otel.name = method,
            otel.kind = "client",
            otel.status_code = tracing::field::Empty,
            rpc.system.name = "grpc",
            rpc.method = method,
            server.address = &*self.address,
            server.port = self.port,
            rpc.response.status_code = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        );
        let context = span.context();
        global::get_text_map_propagator(|propagator| {
            propagator.inject_context(&context, &mut HeaderInjector(request.headers_mut()));
        });
        span
    }
}

/// See [`ClientTrace`].
#[derive(Clone, Debug)]
pub struct ClientTraceService<Inner> {
    inner: Inner,
    trace: ClientTrace,
}

impl<Inner, In, Out> Service<Request<In>> for ClientTraceService<Inner>
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

    fn call(&mut self, mut request: Request<In>) -> Self::Future {
        let method = request.uri().path().trim_start_matches('/').to_owned();
        let span = match UNSAMPLED.try_with(traceparent_of) {
            Ok(traceparent) => {
                if let Ok(traceparent) = HeaderValue::try_from(traceparent) {
                    request.headers_mut().insert("traceparent", traceparent);
                }
                Span::none()
            }
            Err(_) => self.trace.open(&method, &mut request),
        };
        let began = Instant::now();
        let answer = self.inner.call(request);
        Box::pin(
            async move {
                let answer = answer.await;
                let code =
                    answer.as_ref().map_or(tonic::Code::Unavailable, |answer| grpc_status(answer.headers()));
                let name = grpc_code_name(code);
                metrics::rpc_called(&method, name, began.elapsed());
                if !is_unsampled() {
                    let span = Span::current();
                    span.record("rpc.response.status_code", name);
                    // On a client span every failure is an error, even one that the client caused.
                    if code != tonic::Code::Ok {
                        span.record("error.type", name).record("otel.status_code", "ERROR");
                    }
                }
                answer
            }
            .instrument(span),
        )
    }
}
