//! A database that goes away for some seconds: another instance becomes the primary, or a node restarts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kit::error::Code;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::{Instant, timeout};

use super::code;

/// How long requests wait for an absent database, counted from the first that waited in vain: about as long as another
/// instance takes to become the primary, and less than the edge gives a request (10 s).
const WAIT_LIMIT: Duration = Duration::from_secs(7);
/// Connect timeout of the test whether the database answers.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// How long an answer is reused.
const ANSWER_AGE: Duration = Duration::from_millis(250);

/// Why a request got no connection.
pub(super) enum Cause {
    /// All connections are in use.
    Busy,
    /// The database went away a moment ago: worth waiting for.
    Away,
    /// The database is away for longer than requests wait.
    Gone,
    /// A failure that waiting does not resolve.
    Other,
}

/// Tells a database that is away from a pool that is busy, and remembers since when it is away.
#[derive(Clone)]
pub(super) struct Absence {
    options: Arc<PgConnectOptions>,
    state: Arc<Mutex<State>>,
    /// When the database was tested last, and whether it answered.
    answer: Arc<tokio::sync::Mutex<Option<(Instant, bool)>>>,
}

/// The state of the last absence.
#[derive(Clone, Copy, Default)]
struct State {
    /// Since when no request gets a connection, if the database was away then.
    away_since: Option<Instant>,
    /// When the last absence ended.
    back_at: Option<Instant>,
}

impl Absence {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options: Arc::new(options), state: Arc::default(), answer: Arc::default() }
    }

    /// The cause of `error`, from an attempt to get a connection that began at `began`.
    pub(super) async fn cause(&self, error: &sqlx::Error, began: Instant) -> Cause {
        let state = *self.state();
        match error {
            sqlx::Error::PoolClosed => return Cause::Other,
            // sqlx returns the same error when all connections are in use.
            sqlx::Error::PoolTimedOut if state.away_since.is_none() => {
                if state.back_at.is_some_and(|at| began < at) {
                    return Cause::Away;
                }
                if self.database_answers().await {
                    return Cause::Busy;
                }
            }
            sqlx::Error::PoolTimedOut => {}
            error if code(error) == Code::Unavailable => {}
            _ => return Cause::Other,
        }
        let away_since = *self.state().away_since.get_or_insert(began);
        if away_since.elapsed() < WAIT_LIMIT { Cause::Away } else { Cause::Gone }
    }

    /// Ends the absence: a request got a connection.
    pub(super) fn finish(&self) {
        let mut state = self.state();
        if state.away_since.take().is_some() {
            state.back_at = Some(Instant::now());
        }
    }

    /// Opens a connection of its own to test the database. Concurrent requests share the answer.
    async fn database_answers(&self) -> bool {
        let mut answer = self.answer.lock().await;
        if let Some((at, answers)) = *answer
            && at.elapsed() < ANSWER_AGE
        {
            return answers;
        }
        let answers = match timeout(ANSWER_LIMIT, self.options.connect()).await {
            Ok(Ok(connection)) => {
                let _ = connection.close().await;
                true
            }
            // too_many_connections: the database is busy.
            Ok(Err(sqlx::Error::Database(error))) => error.code().as_deref() == Some("53300"),
            Ok(Err(_)) | Err(_) => false,
        };
        *answer = Some((Instant::now(), answers));
        answers
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
