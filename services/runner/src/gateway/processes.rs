//! The replicas of a service behind the gateway: readiness and round robin.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;

use super::upstream::Upstream;
use crate::http;

/// Interval of readiness checks. It is much shorter than the time that a replica keeps serving after it reports not
/// ready.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Timeout of a readiness check. A replica that exceeds it counts as not ready.
const CHECK_TIMEOUT: Duration = Duration::from_secs(1);

/// Interchangeable replicas.
pub(crate) struct Processes {
    all: Vec<Process>,
    turn: AtomicUsize,
}

struct Process {
    address: SocketAddr,
    upstream: Upstream,
    takes_requests: AtomicBool,
}

impl Processes {
    /// A single replica is retried while it refuses connections. With several, the next replica is tried instead.
    pub(crate) fn new(addresses: &[SocketAddr]) -> Self {
        let is_alone = addresses.len() == 1;
        let process = |address: &SocketAddr| Process {
            address: *address,
            upstream: Upstream::new(*address, is_alone),
            takes_requests: AtomicBool::new(true),
        };
        Self { all: addresses.iter().map(process).collect(), turn: AtomicUsize::new(0) }
    }

    /// Number of replicas.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The next ready replica; if none is ready, the next one anyway. `None` if there are no replicas.
    pub(crate) fn next(&self) -> Option<&Upstream> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.all.len().max(1);
        let (passed, coming) = self.all.split_at(turn);
        let process = coming
            .iter()
            .chain(passed)
            .find(|process| process.takes_requests.load(Ordering::Relaxed))
            .or_else(|| self.all.get(turn))?;
        Some(&process.upstream)
    }

    /// Checks the readiness of the replicas repeatedly if there are several.
    pub(crate) async fn watch(&self) {
        if self.count() > 1 {
            join_all(self.all.iter().map(Process::watch)).await;
        }
    }
}

impl Process {
    async fn watch(&self) {
        loop {
            let answer = tokio::time::timeout(CHECK_TIMEOUT, http::get(self.address, "/readyz", None)).await;
            let takes_requests = matches!(answer, Ok(Ok((status, _))) if status == 200);
            self.takes_requests.store(takes_requests, Ordering::Relaxed);
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }
}
