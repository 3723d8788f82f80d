//! Shutdown of servers: not ready at once, accepting for a while, finishing running requests.
#![allow(clippy::disallowed_methods, reason = "a test wants the outcome of what it spawns")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::upstream::{SLOW, SWIFT, Upstream, call, within};
use axum::Router;
use axum::routing::get;
use kit::client::channel;
use kit::config;
use kit::error::{Code, ServiceError};
use kit::shutdown::Shutdown;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Generous timeout for machines under load.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that the test stops.
struct Server {
    address: SocketAddr,
    shutdown: Shutdown,
    end: JoinHandle<()>,
}

impl Server {
    async fn http(app: Router, delay: Duration, limit: Duration) -> Self {
        Self::http_until(Shutdown::default(), app, delay, limit).await
    }

    async fn http_until(shutdown: Shutdown, app: Router, delay: Duration, limit: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let begun = shutdown.clone();
        let end = kit::task::spawn_untracked("server", async move {
            let config = config::Serve { drain_delay: delay, drain_limit: limit, metrics_listen: None };
            kit::serve::http(&config, listener, app, begun).await.unwrap();
        });
        Self { address, shutdown, end }
    }

    async fn grpc(upstream: &Upstream, delay: Duration, limit: Duration) -> Self {
        Self::grpc_until(Shutdown::default(), upstream, delay, limit).await
    }

    async fn grpc_until(shutdown: Shutdown, upstream: &Upstream, delay: Duration, limit: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (begun, routes) = (shutdown.clone(), upstream.routes());
        let end = kit::task::spawn_untracked("server", async move {
            let config = config::Serve { drain_delay: delay, drain_limit: limit, metrics_listen: None };
            kit::serve::grpc(&config, listener, kit::test::open_to_all(), routes, Router::new(), begun)
                .await
                .unwrap();
        });
        Self { address, shutdown, end }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    async fn ended(self) {
        timeout(PATIENCE, self.end).await.expect("the server ends").unwrap();
    }
}

/// Answers `/slow` when the gate opens, and reports each request.
fn slow_app() -> (Router, watch::Sender<bool>, mpsc::UnboundedReceiver<()>) {
    let gate = watch::Sender::new(false);
    let (arrived, arrivals) = mpsc::unbounded_channel();
    let opened = gate.clone();
    let app = Router::new().route(
        "/slow",
        get(move || async move {
            let _ = arrived.send(());
            let _ = opened.subscribe().wait_for(|open| *open).await;
            "done"
        }),
    );
    (app, gate, arrivals)
}

async fn ask(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: edge.test\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test]
async fn http_finishes_a_slow_request_and_accepts_no_more() {
    let (app, gate, mut arrivals) = slow_app();
    let server = Server::http(app, Duration::ZERO, PATIENCE).await;
    let slow = tokio::spawn(ask(server.address, "/slow"));
    arrivals.recv().await.unwrap();
    server.shutdown.begin();
    // The listener closes at once; the running request continues.
    while TcpStream::connect(server.address).await.is_ok() {}
    assert!(!slow.is_finished() && !server.end.is_finished());
    gate.send_replace(true);
    assert!(slow.await.unwrap().unwrap().ends_with("done"));
    server.ended().await;
}

#[tokio::test]
async fn http_is_not_ready_at_once_and_keeps_accepting_for_the_delay() {
    let (app, _, _) = slow_app();
    let server = Server::http(app, Duration::from_secs(1), PATIENCE).await;
    let ready = |answer: String| answer.starts_with("HTTP/1.1 200");
    let closing = "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let readiness = async || {
        let mut stream = TcpStream::connect(server.address).await.expect("it accepts");
        stream.write_all(closing.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    };
    assert!(ready(readiness().await));
    let began = Instant::now();
    server.shutdown.begin();
    tokio::task::yield_now().await;
    let answer = readiness().await;
    assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
    server.ended().await;
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn http_closes_an_idle_connection_with_its_next_answer() {
    let (app, _, _) = slow_app();
    let server = Server::http(app, PATIENCE, PATIENCE).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let kept = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(kept.as_bytes()).await.unwrap();
    let mut first = [0; 1024];
    let length = stream.read(&mut first).await.unwrap();
    assert!(!String::from_utf8_lossy(&first[..length]).contains("connection: close"));
    server.shutdown.begin();
    tokio::task::yield_now().await;
    stream.write_all(kept.as_bytes()).await.unwrap();
    let mut last = String::new();
    timeout(PATIENCE / 2, stream.read_to_string(&mut last))
        .await
        .expect("the server closes at once")
        .unwrap();
    assert!(last.starts_with("HTTP/1.1 200") && last.contains("connection: close"), "{last}");
}

#[tokio::test]
async fn http_cuts_requests_at_the_drain_limit() {
    let (app, _gate, mut arrivals) = slow_app();
    let server = Server::http(app, Duration::ZERO, Duration::from_millis(200)).await;
    let address = server.address;
    let _slow = tokio::spawn(ask(address, "/slow"));
    arrivals.recv().await.unwrap();
    server.shutdown.begin();
    server.ended().await;
}

#[tokio::test]
async fn grpc_finishes_a_slow_call_and_accepts_no_more() {
    let (upstream, mut arrivals) = Upstream::new();
    let server = Server::grpc(&upstream, Duration::ZERO, PATIENCE).await;
    let busy = channel(&server.url()).unwrap();
    let slow = tokio::spawn(async move { call(&busy, SLOW).await });
    arrivals.recv().await.unwrap();
    server.shutdown.begin();
    while TcpStream::connect(server.address).await.is_ok() {}
    let refused = call(&channel(&server.url()).unwrap(), SWIFT).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&refused).code, Code::Unavailable);
    assert!(!slow.is_finished() && !server.end.is_finished());
    upstream.gate.send_replace(true);
    slow.await.unwrap().unwrap();
    server.ended().await;
}

#[tokio::test]
async fn grpc_is_not_ready_at_once_and_alive_until_the_end() {
    let (upstream, _) = Upstream::new();
    let server = Server::grpc(&upstream, Duration::from_secs(1), PATIENCE).await;
    let mut health = HealthClient::new(channel(&server.url()).unwrap());
    let mut status = async |service: &str| {
        let request = HealthCheckRequest { service: service.to_owned() };
        health.check(request).await.unwrap().into_inner().status()
    };
    assert_eq!(status("").await, ServingStatus::Serving);
    server.shutdown.begin();
    tokio::task::yield_now().await;
    assert_eq!(status("").await, ServingStatus::NotServing);
    assert_eq!(status("liveness").await, ServingStatus::Serving);
    // It still serves.
    call(&channel(&server.url()).unwrap(), SWIFT).await.unwrap();
    server.ended().await;
}

#[tokio::test]
async fn grpc_cuts_calls_at_the_drain_limit() {
    let (upstream, mut arrivals) = Upstream::new();
    let server = Server::grpc(&upstream, Duration::ZERO, Duration::from_millis(200)).await;
    let busy = channel(&server.url()).unwrap();
    let _slow = tokio::spawn(async move { call(&busy, SLOW).await });
    arrivals.recv().await.unwrap();
    server.shutdown.begin();
    server.ended().await;
}

#[tokio::test]
async fn background_work_started_before_sigterm_finishes_before_the_server_ends() {
    for protocol in ["http", "grpc"] {
        let shutdown = Shutdown::on_signals().unwrap();
        let server = match protocol {
            "http" => Server::http_until(shutdown, Router::new(), Duration::ZERO, PATIENCE).await,
            _ => Server::grpc_until(shutdown, &Upstream::new().0, Duration::ZERO, PATIENCE).await,
        };
        let finished = Arc::new(AtomicBool::new(false));
        let (shutdown, finish) = (server.shutdown.clone(), finished.clone());
        kit::task::spawn("slow work", &server.shutdown, async move {
            shutdown.wait().await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            finish.store(true, Ordering::Relaxed);
        });
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM).unwrap();
        server.ended().await;
        assert!(finished.load(Ordering::Relaxed), "{protocol}");
    }
}

#[tokio::test]
async fn background_work_that_never_ends_does_not_hold_a_server_beyond_the_limit() {
    for protocol in ["http", "grpc"] {
        let limit = Duration::from_millis(300);
        let server = match protocol {
            "http" => Server::http(Router::new(), Duration::ZERO, limit).await,
            _ => Server::grpc(&Upstream::new().0, Duration::ZERO, limit).await,
        };
        kit::task::spawn("endless work", &server.shutdown, std::future::pending());
        let began = Instant::now();
        server.shutdown.begin();
        server.ended().await;
        assert!((limit..PATIENCE).contains(&began.elapsed()), "{protocol}");
    }
}

const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const ACK: u8 = 1;

/// A frame of HTTP/2 for the whole connection (RFC 9113 §4.1).
fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
    [&[0, 0, u8::try_from(payload.len()).unwrap(), kind, flags, 0, 0, 0, 0], payload].concat()
}

/// Reads the kind, flags and payload of the next frame; `None` when the peer has closed its side.
async fn read_frame(stream: &mut TcpStream) -> Option<(u8, u8, Vec<u8>)> {
    let mut head = [0; 9];
    timeout(PATIENCE, stream.read_exact(&mut head)).await.expect("a frame arrives").ok()?;
    let mut payload = vec![0; usize::from(u16::from_be_bytes([head[1], head[2]]))];
    stream.read_exact(&mut payload).await.unwrap();
    Some((head[3], head[4], payload))
}

/// A connection on which a server has sent both GOAWAY frames, with the client's acknowledgement between them, and
/// closed its side.
async fn after_goaway() -> (TcpStream, Server) {
    let (upstream, _) = Upstream::new();
    let server = Server::grpc(&upstream, Duration::ZERO, PATIENCE).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    stream.write_all(&frame(SETTINGS, 0, &[])).await.unwrap();
    read_frame(&mut stream).await.expect("the server sends its settings");
    server.shutdown.begin();
    let mut goodbyes = 0;
    while let Some((kind, flags, payload)) = read_frame(&mut stream).await {
        match (kind, flags) {
            (GOAWAY, _) => goodbyes += 1,
            (PING, 0) => stream.write_all(&frame(PING, ACK, &payload)).await.unwrap(),
            _ => {}
        }
    }
    assert_eq!(goodbyes, 2);
    (stream, server)
}

#[tokio::test]
async fn grpc_reads_until_the_client_has_sent_everything_after_goaway() {
    let (mut stream, server) = after_goaway().await;
    // More than the socket buffers hold. A client that is reset here may lose the GOAWAY frame.
    stream.write_all(&vec![0; 6 << 20]).await.expect("the server reads everything");
    drop(stream);
    server.ended().await;
}

#[tokio::test]
async fn grpc_does_not_wait_for_a_client_that_never_closes() {
    let (_stream, server) = after_goaway().await;
    let began = Instant::now();
    server.ended().await;
    assert!(began.elapsed() < PATIENCE / 2);
}

#[tokio::test]
async fn calls_during_a_shutdown_get_their_answer_or_unavailable() {
    for _ in 0..20 {
        let (upstream, _) = Upstream::new();
        let server = Server::grpc(&upstream, Duration::ZERO, PATIENCE).await;
        let channel = channel(&server.url()).unwrap();
        within(PATIENCE, call(&channel, SWIFT)).await.unwrap();
        server.shutdown.begin();
        let refused = loop {
            if let Err(status) = within(PATIENCE, call(&channel, SWIFT)).await {
                break status;
            }
        };
        assert_eq!(ServiceError::from_status(&refused).code, Code::Unavailable, "{refused:?}");
        server.ended().await;
    }
}
