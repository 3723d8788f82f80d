//! Stores the state in memory and in a file. The file is complete even if the process is killed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kit::Failure;
use kit::clock::Clock;
use tokio::sync::Notify;

use crate::error::ApiError;
use crate::state::State;

/// Holds the state and serialises its changes.
pub(crate) struct Store {
    state: Mutex<Arc<State>>,
    file: Option<PathBuf>,
    clock: Clock,
    /// Notified after every change.
    pub(crate) changed: Notify,
}

impl Store {
    /// Opens the file, or starts with an empty state if there is none.
    pub(crate) fn open(file: Option<&Path>, origin: &str, clock: Clock) -> Result<Self, Failure> {
        let state: State = match file.map(fs::read) {
            Some(Ok(bytes)) => serde_json::from_slice(&bytes).map_err(|error| {
                format!("SANDBOX_STATE is not a state of this version: {error}; delete it")
            })?,
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
                return Err(format!("SANDBOX_STATE cannot be read: {error}").into());
            }
            _ => State::default(),
        };
        let state = State { origin: origin.to_owned(), ..state };
        Ok(Self {
            state: Mutex::new(Arc::new(state)),
            file: file.map(Path::to_owned),
            clock,
            changed: Notify::new(),
        })
    }

    /// The sandbox's time in seconds: real time plus the offset of the turned clock.
    pub(crate) fn now(&self) -> i64 {
        self.real_now() + self.state.lock().unwrap_or_else(PoisonError::into_inner).clock_offset
    }

    /// The real time in seconds, which signs and schedules webhook events.
    pub(crate) fn real_now(&self) -> i64 {
        self.clock.now().unix_timestamp()
    }

    /// The current state.
    pub(crate) async fn read_state(self: &Arc<Self>) -> Result<Arc<State>, ApiError> {
        if self.is_due() {
            self.change(|_, _| ()).await?;
        }
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn is_due(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_due(self.real_now() + state.clock_offset)
    }

    /// Reads the current state without a copy, which would make the next change copy it.
    pub(crate) async fn inspect<Answer>(
        self: &Arc<Self>,
        read: impl FnOnce(&State) -> Answer,
    ) -> Result<Answer, ApiError> {
        if self.is_due() {
            self.change(|_, _| ()).await?;
        }
        Ok(read(&self.state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Changes the state at a time in seconds. Returns once the change is in the file.
    pub(crate) async fn change<Answer, Change>(self: &Arc<Self>, change: Change) -> Result<Answer, ApiError>
    where
        Answer: Send + 'static,
        Change: FnOnce(&mut State, i64) -> Answer + Send + 'static,
    {
        let store = self.clone();
        let answer = tokio::task::spawn_blocking(move || store.change_now(change)).await;
        let answer = answer.map_err(io::Error::other).and_then(|answer| answer).map_err(|error| {
            tracing::error!(%error, "the state cannot be stored");
            ApiError::storage()
        })?;
        self.changed.notify_one();
        Ok(answer)
    }

    fn change_now<Answer>(&self, change: impl FnOnce(&mut State, i64) -> Answer) -> io::Result<Answer> {
        let mut current = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.real_now() + current.clock_offset;
        let change = |state: &mut State| {
            state.advance(now);
            change(state, now)
        };
        let Some(file) = &self.file else {
            return Ok(change(Arc::make_mut(&mut current)));
        };
        let mut state = (**current).clone();
        let answer = change(&mut state);
        write(file, &state)?;
        *current = Arc::new(state);
        Ok(answer)
    }
}

/// Replaces the file atomically: a reader finds the old state or the new one.
fn write(path: &Path, state: &State) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let mut file = File::create(&temporary)?;
    file.write_all(&serde_json::to_vec(state)?)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
