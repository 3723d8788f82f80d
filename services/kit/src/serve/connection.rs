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

/// From the first moment of a connection, or from the last answer, to the end of the next request's head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// A larger head is 431.
const HEAD_LIMIT: usize = 16 * 1024;
/// A connection whose peer takes no byte of an answer for so long is cut.
const STALL_LIMIT: Duration = Duration::from_secs(10);
/// Connections that a server over HTTP takes at once. More wait unaccepted.
pub const CONNECTIONS: usize = 10_000;
/// How long to rest when the process is out of file descriptors.
const ACCEPT_REST: Duration = Duration::from_millis(50);

/// Lets the connection end with a reset: the kernel keeps what is not sent for a peer that does not read it otherwise.
fn reset_on_close(stream: &TcpStream) {
    // Fails only on a connection that is gone already.
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
                    tokio::time::sleep(ACCEPT_REST).await;
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
    // Fails only on a connection that is gone already.
    let _ = stream.set_nodelay(true);
    let service = app
        .map_request(move |mut request: http::Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            request.map(axum::body::Body::new)
        })
        .map_response(move |mut answer| {
            // Told in time, a client asks on a new connection, elsewhere; one that is cut while it sends can't know
            // whether it was heard.
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
        // A connection that breaks or idles out is the peer's affair; what a request did is logged by its own line.
        let _ = connection.await;
        drop(permit);
    });
}
