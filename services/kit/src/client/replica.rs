//! One address of a service, and the connection to it.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tonic::body::Body;

use crate::task;

/// Where nobody answers for so long, nobody is.
const DIAL_LIMIT: Duration = Duration::from_secs(1);
/// Slower than any deadline: a service gone quiet is out of time (504), not down (502).
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const KEEP_ALIVE_LIMIT: Duration = Duration::from_secs(10);
/// How long one that could not be reached is the last to be asked.
const AVOIDED_FOR: Duration = Duration::from_secs(1);

/// What sends requests down a connection.
pub(super) type Sender = http2::SendRequest<Body>;

/// One address of a service.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) address: SocketAddr,
    /// Of the connection in use, if there is one.
    sender: Mutex<Option<Sender>>,
    /// Held while connecting: everybody waits for one connection.
    dialing: tokio::sync::Mutex<()>,
    failed_at: Mutex<Option<Instant>>,
    under_way: AtomicUsize,
}

impl Replica {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            sender: Mutex::default(),
            dialing: tokio::sync::Mutex::default(),
            failed_at: Mutex::default(),
            under_way: AtomicUsize::new(0),
        }
    }

    /// The less, the better a choice: whether it could not be reached a moment ago, then its requests under way.
    pub(super) fn load(&self) -> (bool, usize) {
        let failed = lock(&self.failed_at).is_some_and(|at| at.elapsed() < AVOIDED_FOR);
        (failed, self.under_way.load(Ordering::Relaxed))
    }

    /// Counts a request as under way until what is returned is dropped.
    pub(super) fn under_way(&self) -> UnderWay<'_> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(&self.under_way)
    }

    /// The connection, made now where there is none.
    pub(super) async fn sender(&self) -> io::Result<Sender> {
        if let Some(sender) = self.connected() {
            return Ok(sender);
        }
        let _dialing = self.dialing.lock().await;
        if let Some(sender) = self.connected() {
            return Ok(sender);
        }
        let connecting = timeout(DIAL_LIMIT, connect(self.address)).await;
        match connecting.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(sender) => {
                *lock(&self.failed_at) = None;
                *lock(&self.sender) = Some(sender.clone());
                Ok(sender)
            }
            Err(error) => {
                *lock(&self.failed_at) = Some(Instant::now());
                Err(error)
            }
        }
    }

    fn connected(&self) -> Option<Sender> {
        lock(&self.sender).as_ref().filter(|sender| !sender.is_closed()).cloned()
    }
}

/// See [`Replica::under_way`].
pub(super) struct UnderWay<'a>(&'a AtomicUsize);

impl Drop for UnderWay<'_> {
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
    task::spawn("connection", async move {
        // Why it ended is told to the requests that were on it.
        let _ = connection.await;
    });
    Ok(sender)
}

fn lock<Value>(mutex: &Mutex<Value>) -> MutexGuard<'_, Value> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
