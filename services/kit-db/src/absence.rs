//! Detection of a database that is briefly absent: a failover to another instance, or a restart.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kit::error::Code;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::{Instant, timeout};

use super::code;

/// How long requests wait for an absent database, counted from the first request that timed out: about as long as a
/// failover takes, and less than the edge's deadline (10 s).
const WAIT_LIMIT: Duration = Duration::from_secs(7);
/// Timeout of the connection that tests whether the database answers.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// How long the result of a test is reused.
const ANSWER_AGE: Duration = Duration::from_millis(250);

/// Why a request got no connection.
pub(super) enum Cause {
    /// All connections are in use.
    Busy,
    /// The database has been away for less than the wait limit: a retry makes sense.
    Away,
    /// The database has been away for longer than requests wait.
    Gone,
    /// A failure that waiting does not resolve.
    Other,
}

/// Distinguishes an absent database from a busy pool, and records since when the database is away.
#[derive(Clone)]
pub(super) struct Absence {
    options: Arc<PgConnectOptions>,
    state: Arc<Mutex<State>>,
    /// Time and result of the last test.
    answer: Arc<tokio::sync::Mutex<Option<(Instant, bool)>>>,
}

/// The state of the last absence.
#[derive(Clone, Copy, Default)]
struct State {
    /// Since when no request gets a connection, if that is because the database is away.
    away_since: Option<Instant>,
    /// When the last absence ended.
    back_at: Option<Instant>,
}

impl Absence {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options: Arc::new(options), state: Arc::default(), answer: Arc::default() }
    }

    /// The cause of `error`, from an attempt to get a connection that started at `began`.
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

    /// Ends the absence, because a request got a connection.
    pub(super) fn finish(&self) {
        let mut state = self.state();
        if state.away_since.take().is_some() {
            state.back_at = Some(Instant::now());
        }
    }

    /// Opens a new connection to test the database. Concurrent requests share the result.
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
            // too_many_connections: the database is busy, not away.
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
