//! The periodic deletion of old rows.

use std::time::Duration;

use kit::error;
use kit::shutdown::Shutdown;
use kit::task::every;

/// Runs `sweep` at once and then every `period`, until `shutdown`. `sweep` returns the number of rows that it deleted. A
/// failure is logged, and the next run tries again.
pub fn sweep<Sweep, Sweeping>(period: Duration, shutdown: Shutdown, sweep: Sweep)
where
    Sweep: Fn() -> Sweeping + Send + 'static,
    Sweeping: Future<Output = sqlx::Result<u64>> + Send + 'static,
{
    every("sweep", period, shutdown, move || {
        let sweeping = sweep();
        async move {
            match sweeping.await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(rows, "swept"),
                Err(error) => tracing::warn!(error = error::chain(&error), "could not sweep"),
            }
        }
    });
}
