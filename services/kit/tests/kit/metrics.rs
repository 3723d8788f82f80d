//! The metrics of a process as Prometheus gets them.

use std::net::SocketAddr;
use std::time::Duration;

use crate::upstream::{FAULTY, SLOW, SWIFT, Upstream, call};
use axum::Router;
use axum::routing::get;
use kit::config::Serve;
use kit::shutdown::Shutdown;
use kit::test::{TelemetryCapture, TestServer};
use kit::trace::ServerTrace;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// Sends one request on a new connection and returns the whole response.
async fn ask(address: SocketAddr, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: edge.test\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// The lines of this process's metrics that contain all of `parts`.
fn lines(parts: &[&str]) -> Vec<String> {
    let text = kit::metrics::text().unwrap();
    text.lines().filter(|line| parts.iter().all(|part| line.contains(part))).map(str::to_owned).collect()
}

fn traced(app: Router) -> Router {
    app.layer(ServerTrace::new(Duration::from_secs(10)))
}

#[tokio::test]
async fn a_server_shows_its_metrics_on_a_listener_of_its_own_until_it_ends() {
    let capture = TelemetryCapture::start("info");
    let shutdown = Shutdown::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let people = listener.local_addr().unwrap();
    let config = Serve {
        drain_delay: Duration::ZERO,
        drain_limit: Duration::from_secs(1),
        metrics_listen: Some("127.0.0.1:0".parse().unwrap()),
    };
    let end = shutdown.clone();
    let serving = kit::task::spawn_untracked("server", async move {
        let app = traced(Router::new().route("/shown/", get(|| async {})));
        kit::serve::http(&config, listener, app, end).await.unwrap();
    });
    assert!(ask(people, "/shown/", "").await.starts_with("HTTP/1.1 200"));
    assert!(ask(people, "/metrics", "").await.starts_with("HTTP/1.1 404"), "metrics are not public");

    let said = capture.lines().into_iter().find(|line| line["message"] == "showing metrics").unwrap();
    let address: SocketAddr = said["address"].as_str().unwrap().parse().unwrap();
    let answer = ask(address, "/metrics", "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"));
    assert!(answer.contains("# TYPE http_server_request_duration_seconds histogram"), "{answer}");
    assert!(answer.contains("http_route=\"/shown/\""), "{answer}");
    assert!(answer.contains("\nprocess_cpu_seconds_total "), "{answer}");
    assert!(ask(address, "/", "").await.starts_with("HTTP/1.1 404"));

    shutdown.begin();
    serving.await.unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "nothing listens any more");
}

#[tokio::test]
async fn durations_are_recorded_by_route_with_an_exemplar() {
    let _told = TelemetryCapture::start("info");
    let server = TestServer::http(traced(Router::new().route("/kept/{id}/", get(|| async {})))).await;
    for _ in 0..2 {
        ask(
            server.address,
            "/kept/secret-id/?token=secret",
            &format!("traceparent: 00-{TRACE}-b7ad6b7169203331-01\r\n"),
        )
        .await;
    }
    let labels = "http_request_method=\"GET\",http_route=\"/kept/{id}/\",http_response_status_code=\"200\"";
    let count = lines(&["http_server_request_duration_seconds_count", labels]);
    assert_eq!(count, [format!("http_server_request_duration_seconds_count{{{labels}}} 2")]);
    assert_eq!(
        lines(&["_bucket", "le=\"0.5\"", labels]).len(),
        1,
        "the objective of 500 ms has its own bucket"
    );
    assert!(!lines(&["_bucket", labels, &format!(" # {{trace_id=\"{TRACE}\"}} ")]).is_empty());
    assert!(lines(&["secret"]).is_empty());
}

#[tokio::test]
async fn an_unsampled_trace_is_no_exemplar() {
    // The caller decides only between services of the product.
    let app = Router::new().route("/unkept", get(|| async {}));
    let server = TestServer::http(app.layer(ServerTrace::grpc(Duration::from_secs(10)))).await;
    let head = format!("content-type: application/grpc\r\ntraceparent: 00-{TRACE}-b7ad6b7169203331-00\r\n");
    ask(server.address, "/unkept", &head).await;
    assert!(!lines(&["rpc_method=\"unkept\""]).is_empty());
    assert!(lines(&["rpc_method=\"unkept\"", "trace_id"]).is_empty());
}

#[tokio::test]
async fn a_path_that_is_no_route_is_never_a_label() {
    let server = TestServer::http(traced(Router::new())).await;
    ask(server.address, "/wandering/7", "").await;
    assert!(lines(&["wandering"]).is_empty());
    assert!(!lines(&["http_route=\"(unmatched)\"", "http_response_status_code=\"404\""]).is_empty());
}

#[tokio::test]
async fn calls_are_recorded_at_both_ends_by_method_and_code() {
    let _told = TelemetryCapture::start("info");
    let (upstream, _) = Upstream::new();
    let service = upstream.serve().await;
    let channel = service.channel();
    call(&channel, SWIFT).await.unwrap();
    call(&channel, FAULTY).await.unwrap_err();
    call(&channel, "/test.v1.TestService/Wandering").await.unwrap_err();
    for (method, code) in [(SWIFT, "OK"), (FAULTY, "INTERNAL")] {
        let labels =
            format!("rpc_method=\"{}\",rpc_response_status_code=\"{code}\"", method.trim_start_matches('/'));
        assert_eq!(lines(&["rpc_server_call_duration_seconds_count", &labels]).len(), 1);
        assert_eq!(lines(&["rpc_client_call_duration_seconds_count", &labels]).len(), 1);
        assert!(!lines(&["rpc_server_call_duration_seconds_bucket", &labels, "# {trace_id="]).is_empty());
    }
    let unknown = lines(&["rpc_server_call_duration_seconds", "_OTHER", "UNIMPLEMENTED"]);
    assert!(!unknown.is_empty() && lines(&["rpc_server", "Wandering"]).is_empty());
}

#[tokio::test]
async fn a_call_that_its_caller_drops_is_recorded_as_cancelled() {
    let (upstream, mut arrivals) = Upstream::new();
    let service = upstream.serve().await;
    let channel = service.channel();
    tokio::select! {
        _ = call(&channel, SLOW) => unreachable!("the gate is closed"),
        arrived = arrivals.recv() => arrived.expect("the call arrives"),
    }
    // The call was cancelled; the next call arrives after the cancellation.
    call(&channel, SWIFT).await.unwrap();
    let method = SLOW.trim_start_matches('/');
    assert_eq!(lines(&["rpc_server_call_duration_seconds_count", method, "CANCELLED"]).len(), 1);
}

#[tokio::test]
async fn requests_in_flight_are_counted() {
    let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let app = Router::new().route(
        "/waiting/",
        get(move || async move {
            arrived.send(()).unwrap();
            std::future::pending::<()>().await;
        }),
    );
    let server = TestServer::http(traced(app)).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET /waiting/ HTTP/1.1\r\nHost: edge.test\r\n\r\n").await.unwrap();
    arrivals.recv().await.unwrap();
    let active = lines(&["http_server_active_requests "]);
    let active = active.iter().find(|line| !line.starts_with('#')).expect("the metric exists");
    assert!(!active.ends_with(" 0"), "{active}");
    drop(stream);
    drop(server);
    let left = async {
        while lines(&["http_server_request_duration_seconds_count", "/waiting/", "\"499\""]).is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), left).await.expect("a client that leaves is counted too");
}
