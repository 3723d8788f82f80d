//! Windows in a YAML file, as on a laptop: the same documents that `kubectl apply` takes.

mod document;

pub use document::{Fault, read};

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use kit::shutdown::Shutdown;
use kit::task::Ticks;
use tokio::time::sleep;

use crate::{Board, Source};

/// How often the file is read. It is small, and reading it again is the one way to notice every change, whether it was
/// written over, replaced by a rename or mounted anew.
const POLL: Duration = Duration::from_millis(200);
/// A file that changed is believed once it reads the same twice, this far apart: an editor that empties a file before
/// it writes would open the site for a moment otherwise.
const SETTLED: Duration = Duration::from_millis(20);

/// A YAML file as a [`Source`].
pub struct File {
    path: PathBuf,
    /// What was last read.
    seen: Option<Reading>,
    /// Whether what was last read could not be understood.
    broken: bool,
}

/// The text of the file (empty where there is none), or why it could not be read.
type Reading = Result<String, String>;

impl Source for File {
    fn follow(mut self, board: Board, shutdown: Shutdown) {
        kit::task::spawn("maintenance file", &shutdown.clone(), async move {
            let mut ticks = Ticks::new(POLL, shutdown);
            while ticks.next().await {
                self.look(&board).await;
            }
        });
    }
}

impl File {
    /// The file at `path`, which need not be there.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path, seen: None, broken: false }
    }

    /// Puts up what the file declares, if that is something else than before.
    async fn look(&mut self, board: &Board) {
        let mut reading = self.read().await;
        if self.seen.as_ref() == Some(&reading) {
            return;
        }
        loop {
            sleep(SETTLED).await;
            let again = self.read().await;
            if again == reading {
                break;
            }
            reading = again;
        }
        self.judge(&reading, board);
        self.seen = Some(reading);
    }

    async fn read(&self) -> Reading {
        match tokio::fs::read_to_string(&self.path).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            reading => reading.map_err(|error| error.to_string()),
        }
    }

    fn judge(&mut self, reading: &Reading, board: &Board) {
        let understood = match reading {
            Ok(text) => read(text).map_err(|fault| fault.at(&self.path)),
            Err(error) => Err(format!("{}: {error}", self.path.display())),
        };
        match understood {
            Ok(windows) => {
                if self.broken {
                    tracing::info!(file = %self.path.display(), "the file of windows is good again");
                }
                self.broken = false;
                board.source_is_up(true);
                board.declare(windows);
            }
            Err(error) => {
                self.broken = true;
                board.source_is_up(false);
                tracing::error!(error, "the file of windows is broken; the last good list stays");
            }
        }
    }
}
