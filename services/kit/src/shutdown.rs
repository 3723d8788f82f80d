//! Graceful shutdown: servers drain, streams and background tasks end.

use std::future::Future;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::spawn::{Tasks, spawn_untracked};

/// Announces the end of a process and tracks the tasks to wait for. Clones share both.
#[derive(Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: Tasks,
}

impl Shutdown {
    /// Begins at SIGTERM or SIGINT.
    pub fn on_signals() -> Result<Self, crate::Failure> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let shutdown = Self::default();
        let begun = shutdown.clone();
        spawn_untracked("signals", async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            begun.begin();
        });
        Ok(shutdown)
    }

    /// A shutdown that begins with this one, or earlier by itself. Both track the same tasks.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { token: self.token.child_token(), tasks: self.tasks.clone() }
    }

    /// A shutdown that begins `delay` after this one. Both track the same tasks.
    #[must_use]
    pub fn delayed(&self, delay: Duration) -> Self {
        let later = Self { token: CancellationToken::new(), tasks: self.tasks.clone() };
        let (this, begun) = (self.clone(), later.clone());
        spawn_untracked("delayed shutdown", async move {
            this.wait().await;
            tokio::time::sleep(delay).await;
            begun.begin();
        });
        later
    }

    /// Begins now.
    pub fn begin(&self) {
        self.token.cancel();
    }

    /// Whether it has begun.
    #[must_use]
    pub fn begun(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits until it begins.
    pub fn wait(&self) -> impl Future<Output = ()> + Send + 'static {
        self.token.clone().cancelled_owned()
    }

    pub(crate) fn tasks(&self) -> &Tasks {
        &self.tasks
    }
}
