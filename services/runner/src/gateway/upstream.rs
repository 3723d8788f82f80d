//! Connections to the processes behind the gateway.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use ::http::Uri;
use ::http::uri::Scheme;
use bytes::Bytes;
use http_body_util::{Either, Empty};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower::Service;

/// How long connections to a restarting process are retried.
const RESTART_LIMIT: Duration = Duration::from_secs(2);
/// Interval of these retries.
const RESTART_POLL: Duration = Duration::from_millis(20);
/// Shorter than the idle timeout of the edge (5 s), so that the edge never closes a connection that is about to be
/// used.
const IDLE: Duration = Duration::from_secs(3);

/// The body of a forwarded request: empty, or the browser's.
pub(crate) type Body = Either<Empty<Bytes>, SharedBody>;

/// The body of a browser's request. If a process does not accept the connection, the body is still there for the next
/// one.
#[derive(Clone)]
pub(crate) struct SharedBody(Arc<Mutex<Incoming>>);

impl SharedBody {
    pub(crate) fn new(body: Incoming) -> Self {
        Self(Arc::new(Mutex::new(body)))
    }

    fn lock(&self) -> MutexGuard<'_, Incoming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl hyper::body::Body for SharedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut *self.lock()).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().size_hint()
    }
}

/// One process behind the gateway.
pub(crate) struct Upstream {
    /// Pooled connections.
    pub(crate) pool: Client<Connector, Body>,
    /// A new connection for each request.
    pub(crate) fresh: Client<Connector, Body>,
    /// Scheme and authority of its URLs.
    pub(crate) base: Uri,
}

impl Upstream {
    /// The process at `address`. With `patient`, refused connections are retried for a short time.
    pub(crate) fn new(address: SocketAddr, patient: bool) -> Self {
        let connector = Connector { address, patience: if patient { RESTART_LIMIT } else { Duration::ZERO } };
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .http1_max_buf_size(1024 * 1024)
            .set_host(false);
        let pool = builder.build(connector.clone());
        let fresh = builder.pool_max_idle_per_host(0).build(connector);
        let base = Uri::builder().scheme(Scheme::HTTP).authority(format!("{address}")).path_and_query("/");
        // A socket address is a valid authority.
        Self { pool, fresh, base: base.build().unwrap_or_default() }
    }
}

/// Connects to one process.
#[derive(Clone)]
pub(crate) struct Connector {
    address: SocketAddr,
    /// How long refused connections are retried.
    patience: Duration,
}

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let Self { address, patience } = *self;
        Box::pin(async move {
            let begun = tokio::time::Instant::now();
            loop {
                match TcpStream::connect(address).await {
                    Ok(stream) => {
                        stream.set_nodelay(true)?;
                        return Ok(TokioIo::new(stream));
                    }
                    Err(error)
                        if error.kind() == io::ErrorKind::ConnectionRefused && begun.elapsed() < patience => {
                    }
                    Err(error) => return Err(error),
                }
                tokio::time::sleep(RESTART_POLL).await;
            }
        })
    }
}

/// Whether a request failed because there was no connection, or because it broke before the answer began.
pub(crate) fn is_broken(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<hyper::Error>()
            && (error.is_incomplete_message() || error.is_closed() || error.is_canceled())
        {
            return true;
        }
        if let Some(error) = error.downcast_ref::<io::Error>()
            && matches!(
                error.kind(),
                io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
            )
        {
            return true;
        }
        next = error.source();
    }
    false
}
