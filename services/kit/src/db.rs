//! The database: a pool that fails fast, the wait for a database at a start, spans for statements, and what a failed
//! statement means.

mod absence;
mod transaction;
mod wait;

pub use transaction::Transaction;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, PgPool, Postgres};
use tokio::time::{Instant, sleep};
use tracing::Span;

use self::absence::{Absence, Cause};
use crate::Failure;
use crate::config::Database;
use crate::error::{Code, chain};
use crate::metrics::{self, Sample};

/// Longer than any honest statement of ours takes, shorter than anybody waits.
const STATEMENT_TIMEOUT: &str = "5s";
/// A connection that rested longer than this is asked whether it lives before it is used. (Asking before every use
/// costs each request a round trip.)
const TRUSTED_FOR: Duration = Duration::from_secs(1);
/// Every so many times a connection goes back to the pool all the same, which sees to its age.
const TURNS: u32 = 100;
/// The pause before a migration is repeated after a lock timeout or a lost connection.
const MIGRATION_PAUSE: Duration = Duration::from_secs(1);
/// The pause between two attempts to get a connection from a database that is away.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// A service's connections to its own database.
#[derive(Clone)]
pub struct Pool {
    inner: PgPool,
    /// `host:port`.
    place: Arc<str>,
    ready: Arc<Mutex<Ready>>,
    absence: Absence,
}

/// Connections that are to be used again at once: going back to the pool costs each of them a round trip, in which it is
/// asked whether it lives.
#[derive(Default)]
struct Ready {
    /// The last one to be kept is the first to go.
    kept: Vec<(PoolConnection<Postgres>, Instant)>,
    /// How often one was kept.
    turns: u32,
    /// How many wait at the pool, which must get every connection then.
    waiting: usize,
}

impl Ready {
    /// One that rested for a moment only. The others may be dead, and are for the pool to ask.
    fn take(&mut self) -> Option<PoolConnection<Postgres>> {
        let (connection, since) = self.kept.pop()?;
        if since.elapsed() < TRUSTED_FOR {
            return Some(connection);
        }
        self.kept.clear();
        None
    }
}

impl Pool {
    /// Connects for a command that runs once. Waits for the database as long as `database.wait` says, then fails with the
    /// cause.
    pub async fn connect(database: &Database) -> Result<Self, Failure> {
        let options = options(database)?;
        wait::for_database(&options, Some(database.wait)).await?;
        Ok(Self::with(options, database))
    }

    /// Connects for a server: waits for the database without an end, and reports the cause at once and every 30 s.
    pub async fn connect_patiently(database: &Database) -> Result<Self, Failure> {
        let options = options(database)?;
        wait::for_database(&options, None).await?;
        Ok(Self::with(options, database))
    }

    fn with(options: PgConnectOptions, database: &Database) -> Self {
        let options = options.options([
            ("statement_timeout", STATEMENT_TIMEOUT),
            ("idle_in_transaction_session_timeout", "10s"),
        ]);
        let place = wait::place(&options).into();
        let inner = PgPoolOptions::new()
            .max_connections(database.max_connections)
            .acquire_timeout(database.patience)
            .test_before_acquire(false)
            .before_acquire(|connection, seen| {
                Box::pin(async move { Ok(seen.idle_for < TRUSTED_FOR || connection.ping().await.is_ok()) })
            })
            .connect_lazy_with(options.clone());
        Self { inner, place, ready: Arc::default(), absence: Absence::new(options) }
    }

    /// A connection for statements that each stand alone.
    ///
    /// Waits as long as the settings say while all are in use, and through an absence of the database of some seconds.
    pub async fn acquire(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let began = Instant::now();
        let connection = self.take().await;
        metrics::connection_waited(began.elapsed());
        connection
    }

    async fn take(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let waiting = {
            let mut ready = self.ready();
            if let Some(connection) = ready.take() {
                return Ok(connection);
            }
            ready.waiting += 1;
            Waiting(self)
        };
        let connection = self.take_from_pool().await;
        drop(waiting);
        connection
    }

    /// Waits through a short absence of the database. sqlx reports a busy pool and an unreachable database alike; the error
    /// here names the real cause.
    async fn take_from_pool(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let began = Instant::now();
        loop {
            let attempt = Instant::now();
            let error = match self.inner.acquire().await {
                Ok(connection) => {
                    self.absence.finish();
                    return Ok(connection);
                }
                Err(error) => error,
            };
            let (place, waited) = (&self.place, began.elapsed());
            let text = match (self.absence.cause(&error, attempt).await, error) {
                (Cause::Away, _) => {
                    sleep(RETRY_PAUSE).await;
                    continue;
                }
                (Cause::Busy, _) => {
                    let most = self.inner.options().get_max_connections();
                    format!("all {most} connections to the database at {place} were in use for {waited:.1?}")
                }
                (Cause::Gone, sqlx::Error::PoolTimedOut) => {
                    format!("no connection to the database at {place} within {waited:.1?}")
                }
                (Cause::Gone | Cause::Other, error) => return Err(error),
            };
            return Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, text)));
        }
    }

    /// Gives a connection back whose every statement was answered to the end, without asking it whether it lives. For
    /// what comes with nearly every request; every other one is simply dropped.
    pub fn keep(&self, connection: PoolConnection<Postgres>) {
        let mut ready = self.ready();
        ready.turns = ready.turns.wrapping_add(1);
        if ready.waiting == 0 && !ready.turns.is_multiple_of(TURNS) {
            ready.kept.push((connection, Instant::now()));
        }
    }

    fn ready(&self) -> MutexGuard<'_, Ready> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows its connections among the metrics of this process.
    pub fn show(&self) {
        let all = self.clone();
        metrics::watch(&metrics::list::DB_CLIENT_CONNECTION_COUNT, move || {
            let idle = all.inner.num_idle() + all.ready().kept.len();
            let idle = u32::try_from(idle).unwrap_or(u32::MAX);
            // The two are counted one after the other.
            let used = all.inner.size().saturating_sub(idle);
            vec![Sample::new(["idle"], idle.into()), Sample::new(["used"], used.into())]
        });
        let most = self.inner.options().get_max_connections();
        metrics::watch(&metrics::list::DB_CLIENT_CONNECTION_MAX, move || vec![Sample::new([], most.into())]);
    }

    /// Waits for the connections in use and closes them all.
    pub async fn close(&self) {
        self.ready().kept.clear();
        self.inner.close().await;
    }

    /// The pool itself, for a listener on notifications.
    #[must_use]
    pub fn inner(&self) -> &PgPool {
        &self.inner
    }
}

/// Somebody waits at the pool, until this is dropped.
struct Waiting<'a>(&'a Pool);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.ready().waiting -= 1;
    }
}

/// The span of one statement; `summary` is its verb and its table, e.g. `SELECT inventory`.
#[must_use]
pub fn span(summary: &'static str) -> Span {
    tracing::info_span!(
        "query",
        otel.name = summary,
        otel.kind = "client",
        db.system.name = "postgresql",
        db.query.summary = summary
    )
}

/// How to connect; statements are traced by [`span`], not logged.
fn options(database: &Database) -> Result<PgConnectOptions, Failure> {
    let options: PgConnectOptions = database.url.parse().map_err(|_| "the database URL is not valid")?;
    Ok(options.disable_statement_logging())
}

/// Brings the schema up to date, once the database answers; see [`Pool::connect`]. Waits at most 2 s for any lock, so that
/// a busy product is never blocked behind it, and starts again after a second while `database.wait` lasts.
///
/// A schema that is ahead of `migrations` stays as it is: the release after this one was taken back, and only expanded what
/// this one knows. Going back further is not noticed.
pub async fn migrate(database: &Database, migrations: &Migrator) -> Result<(), Failure> {
    let options = options(database)?.options([("lock_timeout", "2s")]);
    let end = Instant::now() + database.wait;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let mut connection = wait::for_database(&options, Some(left)).await?;
        let mut migrator = Migrator::with_migrations(migrations.iter().cloned().collect());
        let Err(error) = migrator.set_ignore_missing(true).run(&mut connection).await else {
            connection.close().await?;
            return Ok(());
        };
        if !may_succeed_later(&error) || Instant::now() >= end {
            return Err(error.into());
        }
        tracing::warn!("the migration starts again: {}", chain(&error));
        sleep(MIGRATION_PAUSE).await;
    }
}

/// Whether a migration failed for a lock that somebody held, or for a database that went away.
fn may_succeed_later(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    let lock_not_available =
        error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("55P03"));
    lock_not_available || code(error) == Code::Unavailable
}

/// The kind of failure that a statement's error is, where it is not a constraint of ours.
#[must_use]
pub fn code(error: &sqlx::Error) -> Code {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        // The connection broke between two messages of the protocol.
        | sqlx::Error::Protocol(_) => Code::Unavailable,
        sqlx::Error::Database(error) => match error.code().as_deref() {
            // query_canceled: the statement's time was up
            Some("57014") => Code::OutOfTime,
            // read_only_sql_transaction: it was the primary until a moment ago
            Some("25006") => Code::Unavailable,
            // connection exceptions, insufficient resources, operator intervention
            Some(state) if ["08", "53", "57"].iter().any(|class| state.starts_with(class)) => Code::Unavailable,
            _ => Code::Internal,
        },
        _ => Code::Internal,
    }
}

/// The name of the constraint that a statement ran against, if that is why it failed.
#[must_use]
pub fn constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::constraint)
}
