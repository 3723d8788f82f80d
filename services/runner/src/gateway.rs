//! One origin in front of the product, like a Gateway in a cluster: `/api/` goes to the edge, the rest to the site.
//!
//! A request is sent again only if that is safe: no process accepted the connection, or the connection broke before the
//! answer to an idempotent request without a body (RFC 9110 §9.2.2).

mod processes;
mod relay;
#[cfg(test)]
mod tests;
mod upstream;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use relay::Relay;

/// Time limit for the head of a request, from the start of the connection or the last answer.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Higher than the limit of the edge, so that the edge refuses large heads.
const HEAD_LIMIT: usize = 64 * 1024;
/// Pause after the process has run out of file descriptors.
const ACCEPT_REST: Duration = Duration::from_millis(50);

/// Destinations of requests.
#[derive(Clone)]
pub struct Upstreams {
    /// The edges, which share all requests under `/api/`.
    pub edges: Vec<SocketAddr>,
    /// The site, for all other requests; `None` answers them with 502.
    pub site: Option<SocketAddr>,
    /// Time limit until an answer begins.
    pub limit: Duration,
}

impl Upstreams {
    /// Slightly longer than the edge's own limit of 10 s, so that it applies only if the edge hangs.
    pub const LIMIT: Duration = Duration::from_millis(10_150);
}

/// Serves `listener` until `stop`, then waits for running requests without a limit.
pub async fn serve(listener: TcpListener, upstreams: Upstreams, stop: CancellationToken) {
    let relay = Arc::new(Relay::new(&upstreams));
    let mut watching = JoinSet::new();
    let watched = relay.clone();
    watching.spawn(async move { watched.watch().await });
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    connections.spawn(connection(stream, peer, relay.clone(), &graceful));
                }
                Err(_) => tokio::time::sleep(ACCEPT_REST).await,
            },
            Some(_) = connections.join_next() => {}
            () = stop.cancelled() => break,
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    relay: Arc<Relay>,
    graceful: &GracefulShutdown,
) -> impl Future<Output = ()> + Send + 'static {
    // Fails only if the connection has already closed.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let relay = relay.clone();
        async move { Ok::<_, Infallible>(relay.answer(request, peer.ip()).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_LIMIT)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    async move {
        // A broken connection only affects the browser.
        let _ = connection.await;
    }
}
