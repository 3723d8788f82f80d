//! Spawns tasks, and tracks those that a shutdown waits for.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tracing::Instrument as _;

use crate::telemetry;

/// Spawns `work`; a shutdown does not wait for it. For work without effects outside the process, and for work that
/// another task waits for.
///
/// Its log lines have the field `task` with `name`; a panic is logged.
#[expect(clippy::disallowed_methods, reason = "wraps it with a name and a log of panics")]
pub fn spawn_untracked<Work>(name: &'static str, work: Work) -> JoinHandle<()>
where
    Work: Future<Output = ()> + Send + 'static,
{
    let work = AssertUnwindSafe(work.instrument(telemetry::task_span(name))).catch_unwind();
    tokio::spawn(async move {
        if work.await.is_err() {
            tracing::error!(task = name, "a background task panicked");
        }
    })
}

/// Runs `work` on a worker thread of the runtime and returns its result.
///
/// Tasks that `work` spawns go to that worker's own queue. Tasks spawned on the main thread wait in the global queue,
/// which busy workers rarely check.
///
/// # Errors
///
/// If `work` panics.
pub(crate) async fn on_worker<Work>(work: Work) -> Result<Work::Output, JoinError>
where
    Work: Future<Output: Send> + Send + 'static,
{
    spawn_owned(work).await
}

/// Runs `work` on a worker thread of the runtime until the handle is dropped.
#[expect(clippy::disallowed_methods, reason = "the owner of the handle awaits the result")]
pub(crate) fn spawn_owned<Work>(work: Work) -> AbortOnDropHandle<Work::Output>
where
    Work: Future<Output: Send> + Send + 'static,
{
    AbortOnDropHandle::new(tokio::spawn(work))
}

/// The tracked tasks of a process, or of one test server. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Tasks(Arc<Tracked>);

#[derive(Default)]
struct Tracked {
    tracker: TaskTracker,
    /// Number of running tasks by name.
    running: Mutex<BTreeMap<&'static str, usize>>,
    /// Cancels every task.
    cut: CancellationToken,
}

impl Tasks {
    /// Returns `work`, counted under `name` from now until it ends or is cancelled.
    pub(crate) fn track<Work>(
        &self,
        name: &'static str,
        work: Work,
    ) -> impl Future<Output = ()> + Send + 'static
    where
        Work: Future<Output = ()> + Send + 'static,
    {
        *self.0.running().entry(name).or_default() += 1;
        let running = RunningTask { tasks: self.0.clone(), name };
        let cut = self.0.cut.clone();
        self.0.tracker.track_future(async move {
            let _running = running;
            cut.run_until_cancelled(work).await;
        })
    }

    /// Whether no task runs.
    #[cfg(test)]
    pub(crate) fn is_idle(&self) -> bool {
        self.0.running().is_empty()
    }

    /// Waits until every task has ended, at most until `deadline`. Then logs the names of running tasks and cancels
    /// them.
    pub(crate) async fn finish(&self, deadline: Instant) {
        self.0.tracker.close();
        if timeout_at(deadline, self.0.tracker.wait()).await.is_err() {
            let names = self.0.running().keys().copied().collect::<Vec<_>>().join(", ");
            tracing::warn!(tasks = names, "background tasks were cut at the drain limit");
            self.0.cut.cancel();
        }
    }
}

impl Tracked {
    fn running(&self) -> MutexGuard<'_, BTreeMap<&'static str, usize>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a task as running until it is dropped.
struct RunningTask {
    tasks: Arc<Tracked>,
    name: &'static str,
}

impl Drop for RunningTask {
    fn drop(&mut self) {
        let mut running = self.tasks.running();
        if let Some(count) = running.get_mut(self.name) {
            *count -= 1;
            if *count == 0 {
                running.remove(self.name);
            }
        }
    }
}
