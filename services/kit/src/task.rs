//! Background work with a name.

use std::future::Future;

use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument;

use crate::telemetry;

/// Runs `work` beside the caller. Its log lines carry `name`; a panic is logged, not lost.
#[expect(clippy::disallowed_methods, reason = "the one place that spawns")]
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

/// Does `work` on one of the runtime's workers, and waits for it. What it begins there is that worker's next task; what a
/// process' main thread begins waits until a worker looks for more to do, and under load they rarely do.
///
/// # Errors
///
/// When `work` panics.
#[expect(clippy::disallowed_methods, reason = "not beside the caller, who waits")]
pub(crate) async fn on_worker<Work>(work: Work) -> Result<Work::Output, JoinError>
where
    Work: Future<Output: Send> + Send + 'static,
{
    tokio::spawn(work).await
}
