//! Background work with a name.

use std::future::Future;

use tokio::task::JoinHandle;
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
