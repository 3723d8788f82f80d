//! Processes of one kind behind the gateway: which of them take requests, and whose turn it is.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;

use super::upstream::Upstream;
use crate::http;

/// How often each of several is asked whether it takes requests: well within the time that one goes on serving after it
/// has said that it doesn't.
const ASK: Duration = Duration::from_millis(100);
/// One that has not answered by then does not take requests.
const ASK_LIMIT: Duration = Duration::from_secs(1);

/// Some processes, each as good as the other.
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
    /// One that is alone and refuses is waited for; of several, another is asked.
    pub(crate) fn new(addresses: &[SocketAddr]) -> Self {
        let is_alone = addresses.len() == 1;
        let process = |address: &SocketAddr| Process {
            address: *address,
            upstream: Upstream::new(*address, is_alone),
            takes_requests: AtomicBool::new(true),
        };
        Self { all: addresses.iter().map(process).collect(), turn: AtomicUsize::new(0) }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The next that takes requests; should none say so, the next; `None` where there are none.
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

    /// Asks several again and again whether they take requests.
    pub(crate) async fn watch(&self) {
        if self.count() > 1 {
            join_all(self.all.iter().map(Process::watch)).await;
        }
    }
}

impl Process {
    async fn watch(&self) {
        loop {
            let answer = tokio::time::timeout(ASK_LIMIT, http::get(self.address, "/readyz", None)).await;
            let takes_requests = matches!(answer, Ok(Ok((status, _))) if status == 200);
            self.takes_requests.store(takes_requests, Ordering::Relaxed);
            tokio::time::sleep(ASK).await;
        }
    }
}
