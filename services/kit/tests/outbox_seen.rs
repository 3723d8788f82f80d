//! What those on call see of events. (A process shows one outbox among its metrics, so these are not with the others.)
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

#[path = "outbox/events.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod events;

use std::time::Duration;

use events::{NOW, Receiver, World};
use kit::test::Told;
use opentelemetry::trace::TraceId;
use time::Duration as Span;
use tracing::Instrument as _;

#[tokio::test]
async fn the_oldest_event_that_waits_is_seen_among_the_metrics() {
    let _told = Told::listen("info");
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    receiver.refuse(1);
    let server = receiver.serve().await;
    world.add("hello", NOW - Span::seconds(90)).await;
    let _courier = world.courier(server.channel());
    taken.recv().await.unwrap();
    shows(r#"konomana_outbox_age_seconds{receiver="desk"} 90.0"#).await;
    world.clock.advance(Span::SECOND);
    taken.recv().await.unwrap();
    shows(r#"konomana_outbox_age_seconds{receiver="desk"} 0.0"#).await;
}

async fn shows(line: &str) {
    let shown = async {
        while !kit::metrics::text().unwrap().contains(line) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), shown).await.expect("the metrics show it");
}

#[tokio::test]
async fn a_delivery_belongs_to_the_trace_of_what_happened() {
    let told = Told::listen("info");
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    let server = receiver.serve().await;
    let _courier = world.courier(server.channel());
    let cause = tracing::info_span!("cause");
    let trace = cause.in_scope(kit::trace::current_id);
    world.add("hello", NOW).instrument(cause).await;
    taken.recv().await.unwrap();
    world.is_empty().await;
    let of_trace = |name: &str| {
        told.spans().iter().any(|span| {
            span.name == name && span.span_context.trace_id() == TraceId::from_hex(&trace).unwrap()
        })
    };
    let ended = async {
        for name in ["common.v1.EventService/Deliver", "DELETE outbox", "deliver common.v1.Event"] {
            while !of_trace(name) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(5), ended).await.expect("its spans are of that trace");
    assert!(!format!("{:?}{:?}", told.spans(), told.lines()).contains("hello"));
}
