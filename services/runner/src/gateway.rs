//! One origin in front of the product, as a Gateway is in a cluster: `/api/` goes to the edge, all else to the site.
//!
//! It may send a request again only where that can't be seen: when no process took a connection, or when the connection
//! broke before an answer to a request that may be repeated (RFC 9110 §9.2.2) and had no body.

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

/// From the first moment of a connection, or from the last answer, to the end of the next request's head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Larger than what the edge takes, so that the edge is the one to refuse.
const HEAD_LIMIT: usize = 64 * 1024;
/// How long to rest when the process is out of file descriptors.
const ACCEPT_REST: Duration = Duration::from_millis(50);

/// Where requests go.
#[derive(Clone)]
pub struct Upstreams {
    /// Everything under `/api/`, to one of them.
    pub edges: Vec<SocketAddr>,
    /// Everything else; `None`: there is no site, and that is 502.
    pub site: Option<SocketAddr>,
    /// How long an answer may take to begin.
    pub limit: Duration,
}

impl Upstreams {
    /// A little longer than the edge's own ten seconds: only an edge that stands still is out of time here.
    pub const LIMIT: Duration = Duration::from_millis(10_150);
}

/// Serves on `listener` until `stop`; what is under way then is finished, however long it takes.
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
    // Fails only on a connection that is gone already.
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
        // A connection that breaks is the browser's affair.
        let _ = connection.await;
    }
}
