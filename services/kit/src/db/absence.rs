//! A database that goes away for some seconds: another instance becomes the primary, or a node restarts.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::{Instant, timeout};

use super::code;
use crate::error::Code;

/// For so long after a database went away requests wait for it. Afterwards each fails as fast as it ever does.
const WORTH_WAITING: Duration = Duration::from_secs(4);
/// How long the database may take to answer whether it is there.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// How long an answer holds for everybody who waits.
const ANSWER_AGE: Duration = Duration::from_millis(250);

/// Tells a database that is away from a pool that is busy, and remembers since when it is away.
#[derive(Clone)]
pub(super) struct Absence {
    options: Arc<PgConnectOptions>,
    since: Arc<std::sync::Mutex<Option<Instant>>>,
    /// When the database was asked last, and whether it answered.
    answer: Arc<tokio::sync::Mutex<Option<(Instant, bool)>>>,
}

impl Absence {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options: Arc::new(options), since: Arc::default(), answer: Arc::default() }
    }

    /// Whether `error`, met while waiting for a connection, comes from an absence that is worth waiting out.
    pub(super) async fn explains(&self, error: &sqlx::Error) -> bool {
        let away = match error {
            // sqlx says the same of a pool whose connections are all in use.
            sqlx::Error::PoolTimedOut => !self.is_there().await,
            error => code(error) == Code::Unavailable,
        };
        away && self.since().get_or_insert_with(Instant::now).elapsed() < WORTH_WAITING
    }

    /// A connection was got.
    pub(super) fn ends(&self) {
        *self.since() = None;
    }

    /// Asks the database with a connection of its own; one caller asks for all.
    async fn is_there(&self) -> bool {
        let mut answer = self.answer.lock().await;
        if let Some((at, there)) = *answer
            && at.elapsed() < ANSWER_AGE
        {
            return there;
        }
        let there = match timeout(ANSWER_LIMIT, self.options.connect()).await {
            Ok(Ok(connection)) => {
                let _ = connection.close().await;
                true
            }
            // too_many_connections: it is busy, too
            Ok(Err(sqlx::Error::Database(error))) => error.code().as_deref() == Some("53300"),
            Ok(Err(_)) | Err(_) => false,
        };
        *answer = Some((Instant::now(), there));
        there
    }

    fn since(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
