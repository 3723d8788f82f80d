//! Windows in a YAML file, for local development: the same documents that `kubectl apply` takes.

mod document;

pub use document::{Fault, parse_windows};

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::Duration;

use kit::shutdown::Shutdown;
use kit::task::Ticks;
use tokio::time::sleep;

use crate::board::Board;
use crate::source::Source;

/// Polling interval. Polling detects every kind of change: overwrite, rename and remount.
const POLL: Duration = Duration::from_millis(200);
/// A changed file is applied when it has not changed again after this time. Otherwise an editor that truncates the file
/// before it writes would open the site for a moment.
const SETTLED: Duration = Duration::from_millis(20);

/// A YAML file as a [`Source`].
pub struct File {
    path: PathBuf,
    /// The version that was applied last.
    last: Option<Version>,
    /// Whether the last content was invalid.
    broken: bool,
}

/// The text of the file (empty if it does not exist), or the error.
type Reading = Result<String, String>;

/// What differs after each change of the file; the error if it can't be looked up.
type Version = Result<Stamp, ErrorKind>;

#[derive(PartialEq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// The kernel's time of the last change, in seconds and nanoseconds.
    changed_at: (i64, i64),
}

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

    /// Applies the file if it changed.
    async fn check_changes(&mut self, board: &Board) {
        let mut version = self.version();
        if self.last.as_ref() == Some(&version) {
            return;
        }
        let reading = loop {
            sleep(SETTLED).await;
            let reading = self.read_file().await;
            let latest = self.version();
            if latest == version {
                break reading;
            }
            version = latest;
        };
        self.apply_reading(&reading, board);
        self.last = Some(version);
    }

    /// Runs on the caller's thread: it takes a few microseconds, and another thread would take longer to wake.
    fn version(&self) -> Version {
        let metadata = fs::metadata(&self.path).map_err(|error| error.kind())?;
        Ok(Stamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            changed_at: (metadata.ctime(), metadata.ctime_nsec()),
        })
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
