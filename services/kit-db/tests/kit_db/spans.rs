//! The span of a statement.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use kit::test::TelemetryCapture;
use kit::trace::ServerTrace;
use tower::ServiceExt as _;
use tracing::Instrument as _;

#[tokio::test]
async fn a_statement_has_a_span_only_in_a_trace_that_is_kept() {
    let capture = TelemetryCapture::start("info");
    let app = Router::new()
        .route("/", get(|| async { async {}.instrument(kit_db::span("SELECT thing")).await }))
        .layer(ServerTrace::grpc(Duration::from_secs(10)));
    for (flags, names) in [("00", vec![]), ("01", vec!["SELECT thing"])] {
        // The caller of a gRPC server decides.
        let request = http::Request::get("/")
            .header("content-type", "application/grpc")
            .header("traceparent", format!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-{flags}"));
        app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let mut statements: Vec<_> = capture.spans().into_iter().map(|span| span.name).collect();
        statements.retain(|name| name == "SELECT thing");
        assert_eq!(statements, names);
    }
}
