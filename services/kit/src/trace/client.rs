//! The calling end of a call.

use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use opentelemetry::global;
use opentelemetry_http::HeaderInjector;
use tower::{Layer, Service};
use tracing::{Instrument as _, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{grpc_code_name, grpc_status};

/// A span for every gRPC call made, and its context on the wire.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientTrace;

impl<Inner> Layer<Inner> for ClientTrace {
    type Service = ClientTraceService<Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        ClientTraceService { inner }
    }
}

/// See [`ClientTrace`].
#[derive(Clone, Debug)]
pub struct ClientTraceService<Inner> {
    inner: Inner,
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
        let span = tracing::info_span!(
            "call",
            otel.name = method,
            otel.kind = "client",
            otel.status_code = tracing::field::Empty,
            rpc.system.name = "grpc",
            rpc.method = method,
            rpc.response.status_code = tracing::field::Empty,
            error.r#type = tracing::field::Empty,
        );
        let context = span.context();
        global::get_text_map_propagator(|propagator| {
            propagator.inject_context(&context, &mut HeaderInjector(request.headers_mut()));
        });
        let answer = self.inner.call(request);
        Box::pin(
            async move {
                let answer = answer.await;
                let code =
                    answer.as_ref().map_or(tonic::Code::Unavailable, |answer| grpc_status(answer.headers()));
                let name = grpc_code_name(code);
                let span = Span::current();
                span.record("rpc.response.status_code", name);
                // For a caller every failure is a failure, the server's fault or not.
                if code != tonic::Code::Ok {
                    span.record("error.type", name).record("otel.status_code", "ERROR");
                }
                answer
            }
            .instrument(span),
        )
    }
}
