//! Malformed or slow input to an HTTP server, which must not block it.

use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use http::StatusCode;
use kit::test::TestServer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, Interest};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

/// Generous timeout for machines under load.
const PATIENCE: Duration = Duration::from_secs(20);

async fn server() -> TestServer {
    TestServer::http(Router::new().route("/", post(|body: String| async move { body }))).await
}

/// Sends `text` and reads until the server closes the connection. Returns the duration and the response.
async fn send(server: &TestServer, text: &[u8]) -> (Duration, String) {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let began = Instant::now();
    // The server may close before everything is sent.
    let _ = stream.write_all(text).await;
    let mut answer = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("the server closes");
    (began.elapsed(), String::from_utf8(answer).unwrap())
}

fn assert_cut_after_5_s(took: Duration) {
    assert!(took >= Duration::from_millis(4_500) && took < Duration::from_secs(8), "{took:?}");
}

#[tokio::test]
async fn a_burst_of_clients_waits_in_the_backlog() {
    let listener = kit::config::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let room = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap();
    let mut callers = Vec::new();
    for caller in 0..room.trim().parse().unwrap_or(200).min(200) {
        let calling = timeout(PATIENCE, TcpStream::connect(address)).await;
        callers.push(calling.unwrap_or_else(|_| panic!("no room for caller {caller}")).unwrap());
    }
}

#[tokio::test]
async fn an_incomplete_head_is_cut_after_5_s() {
    let server = server().await;
    let (took, answer) = send(&server, b"POST / HTTP/1.1\r\nHost: edge.te").await;
    assert_cut_after_5_s(took);
    assert!(!answer.contains("200 OK"), "{answer}");
}

#[tokio::test]
async fn a_silent_connection_is_cut_after_5_s() {
    let server = server().await;
    assert_cut_after_5_s(send(&server, b"").await.0);
}

#[tokio::test]
async fn an_idle_connection_is_cut_after_5_s() {
    let server = server().await;
    let (took, answer) = send(&server, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("hi"), "{answer}");
    assert_cut_after_5_s(took);
}

#[tokio::test]
async fn a_head_over_16_kib_is_431() {
    let server = server().await;
    let head = format!("POST / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", "x".repeat(17 * 1024));
    let (_, answer) = send(&server, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn a_head_of_many_fields_is_431() {
    let server = server().await;
    let fields = "X-Short: x\r\n".repeat(200);
    let (_, answer) = send(&server, format!("POST / HTTP/1.1\r\nHost: x\r\n{fields}\r\n").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn a_body_with_two_lengths_smuggles_no_second_request() {
    let server = server().await;
    for lengths in [
        "Content-Length: 40\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 40",
    ] {
        let hidden = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nhidden";
        let request = format!("POST / HTTP/1.1\r\nHost: x\r\n{lengths}\r\n\r\n0\r\n\r\n{hidden}");
        let (_, answer) = send(&server, request.as_bytes()).await;
        assert!(answer.contains("connection: close") && !answer.contains("hidden"), "{lengths}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{lengths}: {answer}");
    }
}

#[tokio::test]
async fn a_body_with_an_invalid_length_is_400() {
    let server = server().await;
    for lengths in ["Content-Length: 2\r\nContent-Length: 3", "Content-Length: -1", "Transfer-Encoding: gzip"]
    {
        let request = format!("POST / HTTP/1.1\r\nHost: x\r\n{lengths}\r\n\r\n0\r\n\r\n");
        let (_, answer) = send(&server, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{lengths}: {answer}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_read_is_cut_after_10_s() {
    // More than the buffers of two sockets hold.
    let app = Router::new().route("/", get(|| async { vec![0_u8; 64 * 1024 * 1024] }));
    let server = TestServer::http(app).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    stream.readable().await.unwrap();
    let began = Instant::now();
    // The server resets the connection. The client reads nothing in the meantime.
    let cut = timeout(PATIENCE, stream.ready(Interest::ERROR)).await.expect("the server cuts the connection");
    cut.unwrap();
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(9_500) && took < Duration::from_secs(13), "{took:?}");
}

#[tokio::test]
async fn the_probes_are_for_direct_callers_and_a_gateway_reaches_only_the_application() {
    let app = Router::new().fallback(|| async { (StatusCode::NOT_FOUND, "of the application") });
    let server = TestServer::http(app).await;
    for path in ["/livez", "/readyz"] {
        let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        let (_, direct) = send(&server, format!("{head}\r\n").as_bytes()).await;
        assert!(direct.starts_with("HTTP/1.1 200 OK") && direct.ends_with("ok"), "{direct}");
        let passed_on = format!("{head}X-Forwarded-For: 203.0.113.9\r\n\r\n");
        let (_, passed_on) = send(&server, passed_on.as_bytes()).await;
        assert!(
            passed_on.starts_with("HTTP/1.1 404") && passed_on.ends_with("of the application"),
            "{passed_on}"
        );
    }
}
