//! Background work with a name.

use std::future::Future;
use std::time::Duration;

use tokio::task::{JoinError, JoinHandle};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use crate::shutdown::Shutdown;
use crate::{error, telemetry};

/// Runs `work` beside the caller. Its log lines carry `name`; a panic is logged, not lost.
#[expect(clippy::disallowed_methods, reason = "its outcome is logged")]
pub fn spawn<Work>(name: &'static str, work: Work) -> JoinHandle<()>
where
    Work: Future<Output = ()> + Send + 'static,
{
    let task = tokio::spawn(work.instrument(telemetry::task_span(name)));
    tokio::spawn(async move {
        if let Err(error) = task.await
            && error.is_panic()
        {
            tracing::error!(task = name, "a background task panicked");
        }
    })
}

/// Runs `sweep` now and after each `period`, until `shutdown`. It gives the number of rows that it deleted; a failure is
/// logged, and the next run tries again.
pub fn sweep<Sweep, Sweeping>(period: Duration, shutdown: Shutdown, sweep: Sweep)
where
    Sweep: Fn() -> Sweeping + Send + 'static,
    Sweeping: Future<Output = sqlx::Result<u64>> + Send,
{
    spawn("sweep", async move {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = shutdown.wait();
        tokio::pin!(end);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = &mut end => return,
            }
            match sweep().await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(rows, "swept"),
                Err(error) => tracing::warn!(error = error::chain(&error), "could not sweep"),
            }
        }
    });
}

/// Does `work` on one of the runtime's workers while it is awaited. What it begins there goes to that worker's own queue;
/// what a process' main thread begins waits in the common one, into which busy workers rarely look.
///
/// # Errors
///
/// When `work` panics.
pub(crate) async fn on_worker<Work>(work: Work) -> Result<Work::Output, JoinError>
where
    Work: Future<Output: Send> + Send + 'static,
{
    spawn_owned(work).await
}

/// Begins `work` on one of the runtime's workers; it ends when the handle is dropped.
#[expect(clippy::disallowed_methods, reason = "who holds the handle waits for its outcome")]
pub(crate) fn spawn_owned<Work>(work: Work) -> AbortOnDropHandle<Work::Output>
where
    Work: Future<Output: Send> + Send + 'static,
{
    AbortOnDropHandle::new(tokio::spawn(work))
}
