//! Connections to the processes behind the gateway.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use ::http::Uri;
use bytes::Bytes;
use http_body_util::{Either, Empty};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower::Service;

/// How long a process that is being started again is waited for.
const RESTART_LIMIT: Duration = Duration::from_secs(2);
/// How often it is tried meanwhile.
const RESTART_POLL: Duration = Duration::from_millis(20);
/// Shorter than the edge keeps an idle connection (5 s), so that it is never closed under a request.
const IDLE: Duration = Duration::from_secs(3);

/// A request's body on its way: none, or the browser's.
pub(super) type Body = Either<Empty<Bytes>, Incoming>;

/// A pool of connections to one process.
pub(super) type Pool = Client<Patient, Body>;

/// A pool of connections to the process at `address`.
pub(super) fn pool(address: SocketAddr) -> Pool {
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .http1_max_buf_size(1024 * 1024)
        .set_host(false)
        .build(Patient(address))
}

/// Connects to one process, and waits for it a little when nobody listens there.
#[derive(Clone)]
pub(super) struct Patient(SocketAddr);

impl Service<Uri> for Patient {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let address = self.0;
        Box::pin(async move {
            let begun = tokio::time::Instant::now();
            loop {
                match TcpStream::connect(address).await {
                    Ok(stream) => {
                        stream.set_nodelay(true)?;
                        return Ok(TokioIo::new(stream));
                    }
                    Err(error)
                        if error.kind() == io::ErrorKind::ConnectionRefused
                            && begun.elapsed() < RESTART_LIMIT => {}
                    Err(error) => return Err(error),
                }
                tokio::time::sleep(RESTART_POLL).await;
            }
        })
    }
}

/// Whether a request failed because its connection broke before the answer began.
pub(super) fn is_broken(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<hyper::Error>()
            && (error.is_incomplete_message() || error.is_closed() || error.is_canceled())
        {
            return true;
        }
        if let Some(error) = error.downcast_ref::<io::Error>()
            && matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe)
        {
            return true;
        }
        next = error.source();
    }
    false
}
