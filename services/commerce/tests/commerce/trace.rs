//! A purchase is one trace from the button to the grant, although the provider's event arrives in
//! another trace.

use kit::test::TelemetryCapture;
use opentelemetry::trace::TraceId;
use tracing::Instrument as _;

use crate::buying::COURSE;
use crate::shop::Shop;

#[tokio::test]
async fn the_grant_is_in_the_trace_of_the_order_and_linked_to_the_event() {
    let telemetry = TelemetryCapture::start("info");
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let button = tracing::info_span!("button");
    let order_trace = button.in_scope(kit::trace::current_id);
    learner.place().instrument(button).await.unwrap();
    shop.provider.pay(0);
    let webhook = tracing::info_span!("webhook");
    let event_trace = webhook.in_scope(kit::trace::current_id);
    shop.receive("evt_1", "checkout.session.completed", "cs_0").instrument(webhook).await.unwrap();
    shop.settlement.settle_due().await.unwrap();

    let (order_id, event_id) = (trace_id(&order_trace), trace_id(&event_trace));
    let spans = telemetry.spans();
    let settled = spans.iter().find(|span| {
        span.name == "settle payment"
            && span.links.iter().any(|link| link.span_context.trace_id() == event_id)
    });
    let settled = settled.expect("the settlement is linked with the event");
    assert_eq!(settled.span_context.trace_id(), order_id);
    let processed = spans.iter().find(|span| span.name == "process checkout.session.completed").unwrap();
    assert_eq!(processed.span_context.trace_id(), event_id);
    let linked: Vec<_> = processed.links.iter().map(|link| link.span_context.span_id()).collect();
    assert_eq!(linked, [settled.span_context.span_id()], "and back again");
    let grants = "SELECT traceparent FROM outbox WHERE type = 'lms.v1.EntitlementGranted'";
    assert!(shop.texts(grants).await[0].contains(&order_trace));
    // No address and no name is in a log line or a span.
    let all = format!("{:?}{:?}", telemetry.spans(), telemetry.lines());
    assert!(!all.contains("aoi@example.jp") && !all.contains("葵"));
}

fn trace_id(hex: &str) -> TraceId {
    TraceId::from_hex(hex).unwrap()
}
