//! Responses, spans and log lines of requests that are shed.

use kit::clock::Clock;
use kit::test::TelemetryCapture;
use serde_json::json;

use crate::support::{Edge, settings};

#[tokio::test]
async fn a_shed_request_gets_a_trace_id_and_leaves_no_span_and_no_log_line() {
    let telemetry = TelemetryCapture::start("info");
    let unreachable = "http://127.0.0.1:1";
    let mut settings = settings(unreachable, unreachable, unreachable);
    (settings.limits.requests, settings.limits.requests_queue) = (0, 0);
    let edge = Edge::new(&settings, Clock::system()).await;
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let brought = [("traceparent", format!("00-{trace}-b7ad6b7169203331-01"))];
    let brought = brought.each_ref().map(|(name, value)| (*name, value.as_str()));
    let first = edge.send("GET", "/api/lms/inventory/", &brought, "").await;
    let second = edge.send("PUT", "/api/lms/favorite/1/", &[], "{}").await;
    for answer in [&first, &second] {
        assert_eq!(answer.outcome(), "429 OVERLOADED");
        assert_eq!(
            (answer.header("retry-after"), answer.header("cache-control")),
            (Some("1"), Some("no-store"))
        );
    }
    assert_eq!(first.json()["trace_id"], trace);
    let made = second.json()["trace_id"].as_str().unwrap().to_owned();
    assert!(made.len() == 32 && made != trace && made != "0".repeat(32), "{made}");

    let login = edge.post("/api/accounts/login/", &json!({})).await;
    assert_eq!(login.outcome(), "400 INVALID");
    let spans = telemetry.spans();
    let served: Vec<_> = spans.iter().map(|span| &*span.name).filter(|name| name.contains(" /")).collect();
    assert_eq!(served, ["POST /api/accounts/login/"]);
    let lines = telemetry.lines();
    let requests: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert!(requests.len() == 1 && requests[0]["status"] == 400, "{requests:?}");
}
