//! An OTLP receiver (gRPC), so that a laptop can show traces without a collector.

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::{Span as Sent, status::StatusCode};
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tooling::failure::Outcome;

use crate::spans::{Span, Spans};

/// Receives spans on `listener` until the task is dropped.
pub async fn serve(listener: TcpListener, spans: Spans) -> Outcome {
    Server::builder()
        .add_service(TraceServiceServer::new(Receiver(spans)))
        .serve_with_incoming(TcpIncoming::from(listener))
        .await?;
    Ok(())
}

struct Receiver(Spans);

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for resource in request.into_inner().resource_spans {
            let service = resource
                .resource
                .iter()
                .flat_map(|resource| &resource.attributes)
                .find(|attribute| attribute.key == "service.name")
                .map(|attribute| text(attribute.value.as_ref()))
                .unwrap_or_default();
            let sent = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
            self.0.add(sent.map(|span| from_otlp(&service, span)));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn from_otlp(service: &str, span: Sent) -> Span {
    let kind = match SpanKind::try_from(span.kind) {
        Ok(SpanKind::Server) => "SERVER",
        Ok(SpanKind::Client) => "CLIENT",
        Ok(SpanKind::Producer) => "PRODUCER",
        Ok(SpanKind::Consumer) => "CONSUMER",
        _ => "",
    };
    Span {
        trace_id: hex(&span.trace_id),
        id: hex(&span.span_id),
        parent_id: hex(&span.parent_span_id),
        service: service.to_owned(),
        name: span.name,
        kind: kind.to_owned(),
        start: span.start_time_unix_nano,
        end: span.end_time_unix_nano,
        failed: span.status.is_some_and(|status| status.code == StatusCode::Error as i32),
        attributes: span.attributes.into_iter().map(attribute).collect(),
    }
}

fn attribute(attribute: KeyValue) -> (String, String) {
    (attribute.key, text(attribute.value.as_ref()))
}

fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|value| value.value.as_ref()) {
        Some(any_value::Value::StringValue(text)) => text.clone(),
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        Some(any_value::Value::DoubleValue(number)) => number.to_string(),
        Some(any_value::Value::BoolValue(truth)) => truth.to_string(),
        Some(other) => format!("{other:?}"),
        None => String::new(),
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
    use opentelemetry_proto::tonic::resource::v1::Resource;
    use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Status as SentStatus};
    use tokio::task::JoinSet;

    fn pair(key: &str, value: any_value::Value) -> KeyValue {
        KeyValue { key: key.into(), value: Some(AnyValue { value: Some(value) }), ..KeyValue::default() }
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "an OTLP client needs no deadline or trace")]
    async fn exported_spans_can_be_read() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("bind a port");
        let address = listener.local_addr().expect("the receiver listens");
        let spans = Spans::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(listener, spans.clone()));

        let channel = tonic::transport::Endpoint::from_shared(format!("http://{address}"))
            .expect("an address")
            .connect()
            .await
            .expect("the receiver listens");
        let span = Sent {
            trace_id: vec![0xab; 16],
            span_id: vec![1; 8],
            name: "GET /api/lms/inventory/".into(),
            kind: SpanKind::Server as i32,
            start_time_unix_nano: 5,
            end_time_unix_nano: 9,
            attributes: vec![pair("http.response.status_code", any_value::Value::IntValue(502))],
            status: Some(SentStatus { code: StatusCode::Error as i32, message: String::new() }),
            ..Sent::default()
        };
        let resource = Resource {
            attributes: vec![pair("service.name", any_value::Value::StringValue("edge".into()))],
            ..Resource::default()
        };
        TraceServiceClient::new(channel)
            .export(ExportTraceServiceRequest {
                resource_spans: vec![ResourceSpans {
                    resource: Some(resource),
                    scope_spans: vec![ScopeSpans { spans: vec![span], ..ScopeSpans::default() }],
                    ..ResourceSpans::default()
                }],
            })
            .await
            .expect("the receiver accepts spans");

        assert_eq!(
            spans.find_trace(&"ab".repeat(16)),
            [Span {
                trace_id: "ab".repeat(16),
                id: "01".repeat(8),
                parent_id: String::new(),
                service: "edge".into(),
                name: "GET /api/lms/inventory/".into(),
                kind: "SERVER".into(),
                start: 5,
                end: 9,
                failed: true,
                attributes: vec![("http.response.status_code".into(), "502".into())],
            }]
        );
    }
}
