//! Windows in a YAML file, for local development: the same documents that `kubectl apply` takes.

mod document;

pub use document::{Fault, parse_windows};

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use kit::shutdown::Shutdown;
use kit::task::Ticks;
use tokio::time::sleep;

use crate::board::Board;
use crate::source::Source;

/// Polling interval. Polling detects every kind of change: overwrite, rename and remount.
const POLL: Duration = Duration::from_millis(200);
/// A changed file is applied when two reads, this far apart, are equal. Otherwise an editor that truncates the file
/// before it writes would open the site for a moment.
const SETTLED: Duration = Duration::from_millis(20);

/// A YAML file as a [`Source`].
pub struct File {
    path: PathBuf,
    /// The latest content.
    last: Option<Reading>,
    /// Whether the last content was invalid.
    broken: bool,
}

/// The text of the file (empty if it does not exist), or the error.
type Reading = Result<String, String>;

impl Source for File {
    fn follow(mut self, board: Board, shutdown: Shutdown) {
        kit::task::spawn("maintenance file", &shutdown.clone(), async move {
            let mut ticks = Ticks::new(POLL, shutdown);
            while ticks.next().await {
                self.check_changes(&board).await;
            }
        });
    }
}

impl File {
    /// Creates a source for the file at `path`, which may be missing.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path, last: None, broken: false }
    }

    /// Applies the file if its content changed.
    async fn check_changes(&mut self, board: &Board) {
        let mut reading = self.read_file().await;
        if self.last.as_ref() == Some(&reading) {
            return;
        }
        loop {
            sleep(SETTLED).await;
            let again = self.read_file().await;
            if again == reading {
                break;
            }
            reading = again;
        }
        self.apply_reading(&reading, board);
        self.last = Some(reading);
    }

    async fn read_file(&self) -> Reading {
        match tokio::fs::read_to_string(&self.path).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            reading => reading.map_err(|error| error.to_string()),
        }
    }

    fn apply_reading(&mut self, reading: &Reading, board: &Board) {
        let parsed = match reading {
            Ok(text) => parse_windows(text).map_err(|fault| fault.format_with(&self.path)),
            Err(error) => Err(format!("{}: {error}", self.path.display())),
        };
        match parsed {
            Ok(windows) => {
                if self.broken {
                    tracing::info!(file = %self.path.display(), "the file of windows is valid again");
                }
                self.broken = false;
                board.set_source_up(true);
                board.declare(windows);
            }
            Err(error) => {
                self.broken = true;
                board.set_source_up(false);
                tracing::error!(error, "the file of windows is invalid; the last valid list stays");
            }
        }
    }
}
