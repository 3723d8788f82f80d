//! What a command in the foreground needs: the signals that stop it, and enough open files.

use rustix::process::{Resource, Rlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tooling::failure::{Doing as _, Outcome};

/// Largest number of open connections and files of a product.
const OPEN_FILES_LIMIT: u64 = 65_536;

/// The signals that stop a foreground command.
pub struct Stop {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Stop {
    /// Starts listening.
    pub fn listen() -> Outcome<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for Ctrl-C, SIGTERM or SIGHUP.
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

/// Raises the limit of open files, because a gateway and a database need more than a shell's default.
pub fn raise_file_limit() -> Outcome {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let most = limit.maximum.map_or(OPEN_FILES_LIMIT, |maximum| maximum.min(OPEN_FILES_LIMIT));
    if limit.current.is_some_and(|current| current < most) {
        rustix::process::setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: limit.maximum })
            .doing(|| "raising the limit of open files")?;
    }
    Ok(())
}
