//! The end of a process, announced: streams and background work listen for it, servers drain on it.

use std::future::Future;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Says when the process is to end. Cheap to clone; every clone hears the same.
#[derive(Clone, Default)]
pub struct Shutdown(CancellationToken);

impl Shutdown {
    /// Begins at SIGTERM or SIGINT.
    pub fn on_signals() -> Result<Self, crate::Failure> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let shutdown = Self::default();
        let begun = shutdown.clone();
        crate::task::spawn("signals", async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            begun.begin();
        });
        Ok(shutdown)
    }

    /// Begins now.
    pub fn begin(&self) {
        self.0.cancel();
    }

    /// Whether it has begun.
    #[must_use]
    pub fn begun(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until it begins.
    pub fn wait(&self) -> impl Future<Output = ()> + Send + 'static {
        self.0.clone().cancelled_owned()
    }
}
