//! The connections of an HTTP/1.1 server, with limits against slow clients.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use http::{HeaderValue, header};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt as _;

use super::Readiness;
use super::stall::StallLimit;
use crate::spawn::spawn_untracked;

/// Time limit for the head of a request, from the start of the connection or the last answer.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Size limit of a request's head, in bytes. A larger one is 431.
const HEAD_LIMIT: usize = 16 * 1024;
/// Limit of the time without progress while an answer is sent. Then the connection is closed.
const STALL_LIMIT: Duration = Duration::from_secs(10);
/// Maximum number of open connections of an HTTP server. Further ones wait in the backlog.
pub const CONNECTIONS: usize = 10_000;
/// Pause after a failed accept, e.g. when the process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Makes the connection end with a reset. Otherwise the kernel keeps unsent bytes for a peer that does not read.
fn reset_on_close(stream: &TcpStream) {
    // Fails only on a closed connection.
    let _ = rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO));
}

/// Serves `app` on `listener` until `end`, without draining.
pub(super) async fn serve_until(listener: TcpListener, app: Router, end: impl Future<Output = ()>) {
    let readiness = Readiness::default();
    readiness.set(true);
    // Fails only when the semaphore is closed, which never happens.
    let _ = accept(listener, app, &readiness, &GracefulShutdown::new(), end).await;
}

/// Accepts connections until `end`.
pub(super) async fn accept(
    listener: TcpListener,
    app: Router,
    readiness: &Readiness,
    graceful: &GracefulShutdown,
    end: impl Future<Output = ()>,
) -> Result<(), AcquireError> {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    tokio::pin!(end);
    loop {
        let permit = tokio::select! {
            permit = connections.clone().acquire_owned() => permit?,
            () = &mut end => return Ok(()),
        };
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    connect(stream, peer, app.clone(), permit, readiness.clone(), graceful);
                }
                Err(error) => {
                    tracing::warn!(%error, "could not accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            () = &mut end => return Ok(()),
        }
    }
}

fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    permit: OwnedSemaphorePermit,
    readiness: Readiness,
    graceful: &GracefulShutdown,
) {
    // Fails only on a closed connection.
    let _ = stream.set_nodelay(true);
    let service = app
        .map_request(move |mut request: http::Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            request.map(axum::body::Body::new)
        })
        .map_response(move |mut answer| {
            // With `Connection: close` the client's next request goes to another process. If the connection were closed
            // while the client sends, the client could not know whether its request was processed.
            if !readiness.get() {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            answer
        });
    let stream = TokioIo::new(StallLimit::new(stream, STALL_LIMIT, reset_on_close));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_LIMIT)
        .serve_connection(stream, TowerToHyperService::new(service));
    let connection = graceful.watch(connection);
    spawn_untracked("connection", async move {
        // Requests have their own log lines. A broken or timed-out connection needs none.
        let _ = connection.await;
        drop(permit);
    });
}
