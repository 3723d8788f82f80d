//! A gateway in front of scripted processes, over real sockets.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::relay::Relay;
use super::{Upstreams, connection, serve};

/// A gateway in front of `edge`; stops when dropped.
struct Gateway {
    address: SocketAddr,
    _tasks: JoinSet<()>,
}

impl Gateway {
    async fn before(edge: SocketAddr, site: Option<SocketAddr>) -> Self {
        Self::with(Upstreams { edges: vec![edge], site, limit: Upstreams::LIMIT }).await
    }

    async fn with(upstreams: Upstreams) -> Self {
        let listener = listen().await;
        let address = listener.local_addr().expect("the address accepts connections");
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(listener, upstreams, CancellationToken::new()));
        Self { address, _tasks: tasks }
    }

    /// A gateway without readiness checks, as in the moment after a replica was killed.
    async fn unwatched(edges: Vec<SocketAddr>) -> Self {
        let listener = listen().await;
        let address = listener.local_addr().expect("the address accepts connections");
        let relay = Arc::new(Relay::new(&Upstreams { edges, site: None, limit: Upstreams::LIMIT }));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let graceful = GracefulShutdown::new();
            while let Ok((stream, peer)) = listener.accept().await {
                connection(stream, peer, relay.clone(), &graceful).await;
            }
        });
        Self { address, _tasks: tasks }
    }

    /// Sends `request` and reads until the connection closes.
    async fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.expect("the address accepts connections");
        stream.write_all(request.as_bytes()).await.expect("the peer reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("the gateway answers");
        answer
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind(("127.0.0.1", 0)).await.expect("bind a port")
}

/// Reads the head of one request, and its body if the length is known.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    loop {
        let length = stream.read(&mut buffer).await.expect("the peer sends");
        text.push_str(std::str::from_utf8(&buffer[..length]).expect("the request is UTF-8"));
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let wanted = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse().expect("a number"));
        if body.len() >= wanted {
            return text;
        }
    }
}

/// Answers one request with `answer` and returns the request.
fn answering(listener: TcpListener, answer: &'static str, tasks: &mut JoinSet<String>) {
    tasks.spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("the gateway connects");
        let request = read_request(&mut stream).await;
        stream.write_all(answer.as_bytes()).await.expect("the peer reads");
        request
    });
}

#[tokio::test]
async fn the_api_goes_to_the_edge_and_the_rest_to_the_site() {
    let (edge, site) = (listen().await, listen().await);
    let gateway =
        Gateway::before(edge.local_addr().expect("the address accepts connections"), site.local_addr().ok())
            .await;
    let mut tasks = JoinSet::new();
    answering(edge, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nedge", &mut tasks);
    answering(site, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nsite", &mut tasks);
    let api = gateway.send("GET /api/lms/?a=%20b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(api.ends_with("edge"), "{api}");
    let page = gateway.send("GET /apiary HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(page.ends_with("site"), "{page}");
    let requests = tasks.join_all().await;
    assert!(requests.iter().any(|request| request.starts_with("GET /api/lms/?a=%20b HTTP/1.1\r\n")));
}

#[tokio::test]
async fn hop_by_hop_headers_are_removed_and_the_client_address_is_added() {
    let edge = listen().await;
    let gateway = Gateway::before(edge.local_addr().expect("the address accepts connections"), None).await;
    let mut tasks = JoinSet::new();
    answering(
        edge,
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nkeep-alive: timeout=5\r\nx-own: kept\r\n\r\nok",
        &mut tasks,
    );
    let answer = gateway
        .send(
            "POST /api/x HTTP/1.1\r\nhost: konomana.example\r\nconnection: close, x-mine\r\nx-mine: 1\r\n\
             te: trailers\r\nx-forwarded-for: 203.0.113.9\r\ncontent-length: 5\r\n\r\nhello",
        )
        .await;
    assert!(answer.contains("x-own: kept") && !answer.contains("keep-alive"), "{answer}");
    let request = tasks.join_next().await.expect("one process").expect("the task succeeds");
    assert!(request.contains("host: konomana.example\r\n"), "{request}");
    assert!(request.contains("x-forwarded-for: 203.0.113.9, 127.0.0.1\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\nhello"), "{request}");
    for gone in ["x-mine", "te:", "connection:"] {
        assert!(!request.contains(gone), "{gone} in {request}");
    }
}

#[tokio::test]
async fn requests_wait_for_a_process_that_restarts() {
    let listener = listen().await;
    let edge = listener.local_addr().expect("the address accepts connections");
    drop(listener);
    let gateway = Gateway::before(edge, None).await;
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let listener = TcpListener::bind(edge).await.expect("the port is still free");
        let (mut stream, _) = listener.accept().await.expect("the gateway connects");
        let request = read_request(&mut stream).await;
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.expect("the peer reads");
        request
    });
    let answer = gateway
        .send("POST /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
        .await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
}

#[tokio::test]
async fn a_process_that_does_not_run_is_502_as_problem_json() {
    let listener = listen().await;
    let edge = listener.local_addr().expect("the address accepts connections");
    drop(listener);
    let gateway = Gateway::before(edge, None).await;
    let answer = gateway
        .send(
            "GET /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
             traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n",
        )
        .await;
    assert!(answer.starts_with("HTTP/1.1 502"), "{answer}");
    assert!(answer.contains("application/problem+json"), "{answer}");
    assert!(answer.contains("\"trace_id\":\"0af7651916cd43dd8448eb211c80319c\""), "{answer}");
}

/// A process that breaks its first connection after the request and answers on the second.
async fn breaking_once() -> (SocketAddr, JoinSet<usize>) {
    let listener = listen().await;
    let address = listener.local_addr().expect("the address accepts connections");
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let (mut first, _) = listener.accept().await.expect("the gateway connects");
        read_request(&mut first).await;
        drop(first);
        let again = tokio::time::timeout(Duration::from_millis(500), listener.accept()).await;
        let Ok(Ok((mut second, _))) = again else {
            return 1;
        };
        read_request(&mut second).await;
        second.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.expect("the peer reads");
        2
    });
    (address, tasks)
}

#[tokio::test]
async fn an_idempotent_request_is_sent_again_after_a_broken_connection() {
    let (edge, mut requests) = breaking_once().await;
    let gateway = Gateway::before(edge, None).await;
    let answer = gateway.send("PUT /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    assert_eq!(requests.join_next().await.expect("one process").expect("the task succeeds"), 2);
}

/// A process that answers `resting` connections once all of them are open, and breaks each at its next request. It
/// answers later connections.
async fn leaving(resting: usize) -> (SocketAddr, JoinSet<()>) {
    let listener = listen().await;
    let address = listener.local_addr().expect("the address accepts connections");
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut streams = Vec::new();
        for _ in 0..resting {
            let (mut stream, _) = listener.accept().await.expect("the gateway connects");
            read_request(&mut stream).await;
            streams.push(stream);
        }
        let mut breaking = JoinSet::new();
        for mut stream in streams {
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.expect("the peer reads");
            breaking.spawn(async move { stream.read(&mut [0; 4096]).await });
        }
        loop {
            let (mut stream, _) = listener.accept().await.expect("the gateway connects");
            read_request(&mut stream).await;
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.expect("the peer reads");
        }
    });
    (address, tasks)
}

#[tokio::test]
async fn an_idempotent_request_survives_a_process_that_closes_all_connections() {
    let (edge, _process) = leaving(6).await;
    let gateway = Gateway::before(edge, None).await;
    let get = || gateway.send("GET /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    for answer in futures_util::future::join_all((0..6).map(|_| get())).await {
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    }
    let answer = get().await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
}

#[tokio::test]
async fn a_request_with_a_body_survives_a_process_that_closes_all_connections() {
    let (edge, _process) = leaving(1).await;
    let gateway = Gateway::before(edge, None).await;
    let first = gateway.send("GET /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(first.starts_with("HTTP/1.1 204"), "{first}");
    let answer = gateway
        .send("PUT /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
        .await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
}

#[tokio::test]
async fn a_post_is_never_sent_twice() {
    let (edge, mut requests) = breaking_once().await;
    let gateway = Gateway::before(edge, None).await;
    let answer = gateway
        .send("POST /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
        .await;
    assert!(answer.starts_with("HTTP/1.1 502"), "{answer}");
    assert_eq!(requests.join_next().await.expect("one process").expect("the task succeeds"), 1);
}

#[tokio::test]
async fn a_post_that_was_not_sent_goes_to_another_process() {
    let gone = listen().await;
    let unreachable = gone.local_addr().expect("the address accepts connections");
    drop(gone);
    let running = listen().await;
    let gateway =
        Gateway::unwatched(vec![unreachable, running.local_addr().expect("the address accepts connections")])
            .await;
    let mut tasks = JoinSet::new();
    answering(running, "HTTP/1.1 204 No Content\r\n\r\n", &mut tasks);
    let answer = gateway
        .send("POST /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
        .await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    let request = tasks.join_next().await.expect("one process").expect("the task succeeds");
    assert!(request.starts_with("POST ") && request.ends_with("\r\n\r\n{}"), "{request}");
}

#[tokio::test]
async fn a_process_that_hangs_is_504() {
    let edge = listen().await;
    let edges = vec![edge.local_addr().expect("the address accepts connections")];
    let gateway = Gateway::with(Upstreams { edges, site: None, limit: Duration::from_millis(50) }).await;
    let answer = gateway.send("GET /api/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 504") && answer.contains("OUT_OF_TIME"), "{answer}");
}
