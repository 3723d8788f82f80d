//! One address of a service, and the connection to it.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tonic::body::Body;

use crate::task;

/// Connect timeout. An address that drops packets sends no refusal.
const DIAL_LIMIT: Duration = Duration::from_secs(1);
/// Longer than any deadline, so that calls to a service that does not answer fail as deadline exceeded (504) and not as
/// unavailable (502).
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const KEEP_ALIVE_LIMIT: Duration = Duration::from_secs(10);
/// Pause before an address is dialled again after it closed or refused a connection. It doubles with each further
/// failure.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Sends requests on a connection.
pub(super) type Sender = http2::SendRequest<Body>;

/// One address of a service.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) address: SocketAddr,
    link: Mutex<Link>,
    under_way: AtomicUsize,
}

/// The connection of a replica.
#[derive(Debug, Default)]
struct Link {
    sender: Option<Arc<Sender>>,
    dialing: bool,
    /// Number of consecutive failures: a closed connection is the first, each failed dial adds one.
    failures: u32,
    failed_at: Option<Instant>,
}

impl Replica {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self { address, link: Mutex::default(), under_way: AtomicUsize::new(0) }
    }

    /// Number of requests in flight.
    pub(super) fn load(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Counts a request as in flight until the result is dropped.
    pub(super) fn under_way(&self) -> InFlightRequest<'_> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        InFlightRequest(&self.under_way)
    }

    /// The connection, if it accepts requests.
    pub(super) fn connected(&self) -> Option<Arc<Sender>> {
        let mut link = self.link();
        if link.sender.take_if(|sender| sender.is_closed()).is_some() {
            link.count_failure();
        }
        link.sender.clone()
    }

    /// Stops using this connection, because it is closing or its server is not ready.
    pub(super) fn abandon(&self, connection: &Arc<Sender>) {
        let mut link = self.link();
        if link.sender.take_if(|sender| Arc::ptr_eq(sender, connection)).is_some() {
            link.count_failure();
        }
    }

    /// Whether the address should be dialled now. If so, it counts as being dialled until [`Self::dial`] ends. Its
    /// pause is at most `longest`.
    pub(super) fn begin_dial(&self, longest: Duration) -> bool {
        let mut link = self.link();
        let is_due = link.sender.is_none()
            && !link.dialing
            && link.failed_at.is_none_or(|at| at.elapsed() >= link.pause().min(longest));
        link.dialing |= is_due;
        is_due
    }

    /// Connects.
    pub(super) async fn dial(&self) -> io::Result<()> {
        let connecting = timeout(DIAL_LIMIT, connect(self.address)).await;
        let outcome = connecting.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let mut link = self.link();
        link.dialing = false;
        match outcome {
            Ok(sender) => {
                link.sender = Some(Arc::new(sender));
                link.failures = 0;
                Ok(())
            }
            Err(error) => {
                link.count_failure();
                Err(error)
            }
        }
    }

    /// Whether a first dial is in progress.
    pub(super) fn is_promising(&self) -> bool {
        let link = self.link();
        link.dialing && link.failures == 0
    }

    /// Whether it closed or refused a connection at `time` or later.
    pub(super) fn has_failed_since(&self, time: Instant) -> bool {
        self.link().failed_at.is_some_and(|at| at >= time)
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link {
    fn count_failure(&mut self) {
        self.failures = self.failures.saturating_add(1);
        self.failed_at = Some(Instant::now());
    }

    fn pause(&self) -> Duration {
        let doublings = self.failures.saturating_sub(1).min(16);
        (FIRST_PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE)
    }
}

/// See [`Replica::under_way`].
pub(super) struct InFlightRequest<'a>(&'a AtomicUsize);

impl Drop for InFlightRequest<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn connect(address: SocketAddr) -> io::Result<Sender> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .keep_alive_interval(KEEP_ALIVE)
        .keep_alive_timeout(KEEP_ALIVE_LIMIT)
        .keep_alive_while_idle(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    task::spawn_untracked("connection", async move {
        // The requests on the connection report its error.
        let _ = connection.await;
    });
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_doubles_the_pause_up_to_5_seconds() {
        let mut link = Link::default();
        let pauses = [(); 8].map(|()| {
            link.count_failure();
            link.pause().as_millis()
        });
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    }
}
