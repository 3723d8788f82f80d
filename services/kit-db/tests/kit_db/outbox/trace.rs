//! The delivery of an event is part of the trace that caused it.

use std::time::Duration;

use super::events::{NOW, Receiver, World};
use kit::test::TelemetryCapture;
use opentelemetry::trace::TraceId;
use tracing::Instrument as _;

#[tokio::test]
async fn a_delivery_belongs_to_the_trace_of_its_cause() {
    let capture = TelemetryCapture::start("info");
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    let server = receiver.serve().await;
    let _dispatcher = world.dispatcher(server.channel());
    let cause = tracing::info_span!("cause");
    let trace = cause.in_scope(kit::trace::current_id);
    world.add("hello", NOW).instrument(cause).await;
    taken.recv().await.unwrap();
    world.is_empty().await;
    let of_trace = |name: &str| {
        capture.spans().iter().any(|span| {
            span.name == name && span.span_context.trace_id() == TraceId::from_hex(&trace).unwrap()
        })
    };
    let ended = async {
        for name in ["common.v1.EventService/Deliver", "DELETE outbox", "deliver test.v1.ForDesk"] {
            while !of_trace(name) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(5), ended).await.expect("its spans belong to the trace");
    assert!(!format!("{:?}{:?}", capture.spans(), capture.lines()).contains("hello"));
}
