//! A purchase is one trace, from the button to the grant, though the provider's event comes in a trace of its own.

use std::time::Duration;

use kit::test::TelemetryCapture;
use opentelemetry::trace::TraceId;
use tracing::Instrument as _;

use crate::buying::COURSE;
use crate::shop::Shop;

#[tokio::test]
async fn the_grant_is_in_the_trace_of_the_order_and_linked_to_the_event() {
    let told = TelemetryCapture::start("info");
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let button = tracing::info_span!("button");
    let order_trace = button.in_scope(kit::trace::current_id);
    learner.place().instrument(button).await.unwrap();
    shop.provider.pay(0);
    let _workers = shop.work();
    let webhook = tracing::info_span!("webhook");
    let event_trace = webhook.in_scope(kit::trace::current_id);
    shop.receive("evt_1", "checkout.session.completed", "cs_0").instrument(webhook).await.unwrap();
    shop.until("SELECT id::text FROM orders WHERE state = 'paid'", 1).await;

    let trace_id = |hex: &str| TraceId::from_hex(hex).unwrap();
    let settlement = async {
        loop {
            let spans = told.spans();
            let settled = spans.into_iter().find(|span| {
                span.name == "settle payment"
                    && span.links.iter().any(|link| link.span_context.trace_id() == trace_id(&event_trace))
            });
            if let Some(settled) = settled {
                return settled;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let settled = tokio::time::timeout(Duration::from_secs(5), settlement).await.unwrap();
    assert_eq!(settled.span_context.trace_id(), trace_id(&order_trace));
    let grants = "SELECT traceparent FROM outbox WHERE type = 'lms.v1.EntitlementGranted'";
    assert!(shop.texts(grants).await[0].contains(&order_trace));
    // No address and no name is in a log line or a span.
    let all = format!("{:?}{:?}", told.spans(), told.lines());
    assert!(!all.contains("aoi@example.jp") && !all.contains("葵"));
}
