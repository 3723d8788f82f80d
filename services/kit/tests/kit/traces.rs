//! Spans that form one trace, and log lines that refer to it.

use std::time::Duration;

use crate::upstream::{FAULTY, SLOW, SWIFT, Upstream, call};
use axum::Router;
use axum::routing::get;
use kit::test::{TelemetryCapture, TestServer};
use kit::trace::ServerTrace;
use opentelemetry::trace::{SpanKind, Status};
use opentelemetry::{SpanId, Value};
use opentelemetry_sdk::trace::SpanData;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An edge with one route that calls a service.
async fn edge(upstream: &TestServer, method: &'static str) -> TestServer {
    let channel = upstream.channel();
    let app = Router::new().route(
        "/things/{id}/",
        get(move || async move {
            match call(&channel, method).await {
                Ok(()) => http::StatusCode::OK,
                Err(_) => http::StatusCode::BAD_GATEWAY,
            }
        }),
    );
    TestServer::http(app.layer(ServerTrace::new(Duration::from_secs(10)))).await
}

/// Sends one request on a new connection and returns the whole response.
async fn get_with(server: &TestServer, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: edge.test\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

fn attribute<'a>(span: &'a SpanData, key: &str) -> Option<&'a Value> {
    span.attributes.iter().find(|attribute| attribute.key.as_str() == key).map(|attribute| &attribute.value)
}

fn text(span: &SpanData, key: &str) -> Option<String> {
    attribute(span, key).map(|value| value.as_str().into_owned())
}

fn find<'a>(spans: &'a [SpanData], name: &str, kind: &SpanKind) -> &'a SpanData {
    spans.iter().find(|span| span.name == name && span.span_kind == *kind).expect("the span is there")
}

#[tokio::test]
async fn the_spans_of_a_request_are_one_trace_from_the_browser_to_the_service() {
    let capture = TelemetryCapture::start("info");
    let (upstream, _) = Upstream::new();
    let service = upstream.serve().await;
    let edge = edge(&service, SWIFT).await;
    let browser = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n";
    let answer = get_with(&edge, "/things/7/?token=secret", browser).await;

    let spans = capture.spans();
    assert_eq!(spans.len(), 3, "{spans:#?}");
    let method = SWIFT.trim_start_matches('/');
    let server = find(&spans, "GET /things/{id}/", &SpanKind::Server);
    let client = find(&spans, method, &SpanKind::Client);
    let callee = find(&spans, method, &SpanKind::Server);
    for span in &spans {
        assert_eq!(span.span_context.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
        assert!(!format!("{span:?}").contains("secret"), "{span:?}");
    }
    assert_eq!(
        server.parent_span_id.to_string(),
        "0000000000000001",
        "the parent is never a span from the client"
    );
    assert_eq!(client.parent_span_id, server.span_context.span_id());
    assert_eq!(callee.parent_span_id, client.span_context.span_id());

    let id = server.span_context.span_id();
    let timing = format!("server-timing: traceparent;desc=\"00-0af7651916cd43dd8448eb211c80319c-{id}-01\"");
    assert!(answer.contains(&timing), "{answer}");
}

#[tokio::test]
async fn a_client_decides_neither_sampling_nor_the_parent_span() {
    let capture = TelemetryCapture::start("info");
    let (upstream, _) = Upstream::new();
    let service = upstream.serve().await;
    let edge = edge(&service, SWIFT).await;
    // Another request's span, and a flag against sampling.
    let forged =
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00\r\ntracestate: a=b\r\n";
    let answer = get_with(&edge, "/things/7/", forged).await;
    let spans = capture.spans();
    assert_eq!(spans.len(), 3, "it is sampled like all others: {spans:#?}");
    assert!(spans.iter().all(|span| span.parent_span_id.to_string() != "b7ad6b7169203331"));
    assert!(spans.iter().all(|span| span.span_context.trace_state().header().is_empty()));
    assert!(answer.contains("desc=\"00-0af7651916cd43dd8448eb211c80319c-"), "{answer}");
}

#[tokio::test]
async fn spans_follow_the_semantic_conventions() {
    let capture = TelemetryCapture::start("info");
    let (upstream, _) = Upstream::new();
    let service = upstream.serve().await;
    let edge = edge(&service, FAULTY).await;
    get_with(&edge, "/things/7/", "").await;

    let spans = capture.spans();
    let method = FAULTY.trim_start_matches('/');
    let server = find(&spans, "GET /things/{id}/", &SpanKind::Server);
    assert_eq!(text(server, "http.request.method").as_deref(), Some("GET"));
    assert_eq!(text(server, "http.route").as_deref(), Some("/things/{id}/"));
    assert_eq!(attribute(server, "http.response.status_code"), Some(&Value::I64(502)));
    assert_eq!(text(server, "error.type").as_deref(), Some("502"));
    assert!(matches!(server.status, Status::Error { .. }));
    for span in [find(&spans, method, &SpanKind::Client), find(&spans, method, &SpanKind::Server)] {
        assert_eq!(text(span, "rpc.system.name").as_deref(), Some("grpc"));
        assert_eq!(text(span, "rpc.method").as_deref(), Some(method));
        assert_eq!(text(span, "rpc.response.status_code").as_deref(), Some("INTERNAL"));
        assert_eq!(text(span, "error.type").as_deref(), Some("INTERNAL"));
        assert!(matches!(span.status, Status::Error { .. }));
    }
    let client = find(&spans, method, &SpanKind::Client);
    assert_eq!(text(client, "server.address").as_deref(), Some("127.0.0.1"));
    assert_eq!(attribute(client, "server.port"), Some(&Value::I64(service.address.port().into())));
}

#[tokio::test]
async fn requests_on_one_connection_are_traces_of_their_own() {
    let capture = TelemetryCapture::start("info");
    let app = Router::new().route("/", get(|| async {})).layer(ServerTrace::new(Duration::from_secs(10)));
    let server = TestServer::http(app).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = "GET / HTTP/1.1\r\nHost: edge.test\r\n\r\n";
    let last = "GET / HTTP/1.1\r\nHost: edge.test\r\nConnection: close\r\n\r\n";
    stream.write_all(format!("{request}{last}").as_bytes()).await.unwrap();
    stream.read_to_string(&mut String::new()).await.unwrap();

    let spans = capture.spans();
    assert_eq!(spans.len(), 2, "{spans:#?}");
    assert!(spans.iter().all(|span| span.parent_span_id == SpanId::INVALID));
    assert_ne!(spans[0].span_context.trace_id(), spans[1].span_context.trace_id());
}

#[tokio::test]
async fn a_grpc_content_type_at_an_http_server_is_traced_by_the_route() {
    let capture = TelemetryCapture::start("info");
    let app = Router::new().route("/", get(|| async {})).layer(ServerTrace::new(Duration::from_secs(10)));
    let server = TestServer::http(app).await;
    let answer =
        get_with(&server, "/secret/token", "content-type: application/grpc\r\ngrpc-timeout: 0m\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 404") && answer.contains("server-timing"), "{answer}");
    let spans = capture.spans();
    assert_eq!(spans[0].name, "GET (unmatched)");
    assert!(!format!("{spans:?}").contains("secret"));
}

#[tokio::test]
async fn log_lines_have_the_trace_id_even_if_only_warnings_are_logged() {
    for filter in ["info", "warn"] {
        let capture = TelemetryCapture::start(filter);
        let app = Router::new()
            .route(
                "/",
                get(|| async {
                    tracing::warn!(answer = 42, "odd");
                }),
            )
            .layer(ServerTrace::new(Duration::from_secs(10)));
        let server = TestServer::http(app).await;
        get_with(&server, "/", "").await;
        let trace = capture.spans()[0].span_context.trace_id().to_string();
        let lines = capture.lines();
        let odd = lines.iter().find(|line| line["message"] == "odd").expect("the line is there");
        assert_eq!(odd["trace_id"], trace.as_str());
        assert_eq!(
            (&odd["answer"], &odd["level"], &odd["service"]),
            (&42.into(), &"WARN".into(), &"test".into())
        );
        let request = lines.iter().find(|line| line["message"] == "request");
        assert_eq!(request.is_some(), filter == "info");
        assert!(request.is_none_or(|line| line["name"] == "GET /" && line["status"] == 200));
    }
}

#[tokio::test]
async fn an_unsampled_trace_has_no_spans_and_one_id_on_all_lines() {
    let capture = TelemetryCapture::start("info");
    let (upstream, _) = Upstream::new();
    let service = upstream.serve().await;
    let channel = service.channel();
    let app = Router::new().route(
        "/",
        get(|| async move {
            assert!(kit::trace::is_unsampled());
            call(&channel, SWIFT).await.unwrap();
            kit::trace::current_traceparent().unwrap()
        }),
    );
    // The caller of a gRPC server decides.
    let server = TestServer::http(app.layer(ServerTrace::grpc(Duration::from_secs(10)))).await;
    let headers = "content-type: application/grpc\r\n\
                   traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00\r\n";
    let answer = get_with(&server, "/", headers).await;
    let current = answer.rsplit("\r\n\r\n").next().unwrap();
    assert!(
        current.starts_with("00-0af7651916cd43dd8448eb211c80319c-") && current.ends_with("-00"),
        "{answer}"
    );
    assert_eq!(upstream.seen.lock().unwrap()["traceparent"], current);
    assert!(capture.spans().is_empty(), "{:#?}", capture.spans());
    let lines = capture.lines();
    let requests: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), 2, "{lines:#?}");
    assert!(
        requests.iter().all(|line| line["trace_id"] == "0af7651916cd43dd8448eb211c80319c"),
        "{requests:#?}"
    );
}

#[tokio::test]
async fn a_call_that_the_caller_drops_is_logged_and_its_span_ends() {
    let capture = TelemetryCapture::start("info");
    let (upstream, mut arrivals) = Upstream::new();
    let service = upstream.serve().await;
    let channel = service.channel();
    tokio::select! {
        _ = call(&channel, SLOW) => unreachable!("the gate is closed"),
        arrived = arrivals.recv() => arrived.expect("the call arrives"),
    }
    // The call was cancelled; the next call arrives after the cancellation.
    call(&channel, SWIFT).await.unwrap();
    let spans = capture.spans();
    let given_up = find(&spans, SLOW.trim_start_matches('/'), &SpanKind::Server);
    assert_eq!(text(given_up, "rpc.response.status_code").as_deref(), Some("CANCELLED"));
    let lines = capture.lines();
    let line = lines.iter().find(|line| line["status"] == "cancelled").expect("the line is there");
    assert_eq!(line["trace_id"], given_up.span_context.trace_id().to_string().as_str());
}

#[tokio::test]
async fn log_lines_of_a_background_task_have_its_name_and_no_span() {
    let capture = TelemetryCapture::start("info");
    kit::task::spawn_untracked("sweeper", async { tracing::info!("swept") }).await.unwrap();
    assert!(capture.spans().is_empty());
    let lines = capture.lines();
    let line = lines.iter().find(|line| line["message"] == "swept").expect("the line is there");
    assert_eq!(line["task"], "sweeper");
}
