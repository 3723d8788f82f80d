//! The technical base of a process with a database: a pool that fails fast, the wait for a database at startup, spans
//! and error codes of statements, the outbox and inbox of events, rate limits, idempotency keys.

#![warn(missing_docs)]

mod absence;
pub mod config;
pub mod erased_account;
pub mod idempotency;
pub mod inbox;
pub mod limit;
pub mod outbox;
mod sweep;
mod transaction;
mod wait;
// Compiled in every build, so that no crate is compiled twice. A test of kit (helpers.rs) forbids its use in production
// code.
#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up should panic"
)]
pub mod test;

pub use sweep::sweep;
pub use transaction::Transaction;

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kit::Failure;
use kit::error::{Code, chain};
use kit::metrics::{self, Histogram, Kind, Metric, Sample};
use kit::trace;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, PgPool, Postgres};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use tracing::Span;

use self::absence::{Absence, Cause};
use crate::config::Database;

/// Time limit of a statement: longer than any statement of the product needs, shorter than the deadline of a request.
const STATEMENT_TIMEOUT: &str = "5s";
/// A connection that was idle for longer is pinged before its use. A ping before every use would cost each request a
/// round trip. PostgreSQL needs more time to restart (250 ms on a fast disk), so no connection from before a restart is
/// used without a ping.
const TRUSTED_FOR: Duration = Duration::from_millis(200);
/// After this many releases a connection returns to sqlx's pool, which closes old ones.
const RELEASES_TO_POOL: u32 = 100;
/// The pause before a migration is repeated after a lock timeout or a lost connection.
const MIGRATION_PAUSE: Duration = Duration::from_secs(1);
/// The pause between two attempts to get a connection from a database that is away.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// The wait for a database connection.
const WAIT_TIME: Metric = Metric {
    name: "db_client_connection_wait_time_seconds",
    kind: Kind::Histogram,
    labels: &[],
    help: "The wait for a database connection, including failed waits",
};
/// Connections of the pool.
const CONNECTION_COUNT: Metric = Metric {
    name: "db_client_connection_count",
    kind: Kind::Gauge,
    labels: &["db_client_connection_state"],
    help: "Connections to the database, idle or used",
};
/// The pool's limit.
const CONNECTION_MAX: Metric = Metric {
    name: "db_client_connection_max",
    kind: Kind::Gauge,
    labels: &[],
    help: "The limit of database connections",
};
/// The metrics of a process with a database.
pub const METRICS: &[Metric] = &[WAIT_TIME, CONNECTION_COUNT, CONNECTION_MAX];

static WAITED: Histogram = Histogram::new(WAIT_TIME);

/// A service's connections to its own database.
#[derive(Clone)]
pub struct Pool {
    inner: PgPool,
    /// `host:port`.
    place: Arc<str>,
    ready: Arc<Mutex<ReadyConnections>>,
    absence: Absence,
}

/// Connections that stay outside sqlx's pool between two requests, because its ping on release costs a round trip.
///
/// `cargo dev bench --only pool` measures the difference. A connection that breaks while it is here is found by the
/// ping after [`TRUSTED_FOR`], or by the failure of a statement before that.
#[derive(Default)]
struct ReadyConnections {
    /// A stack: the last connection in is the first out.
    idle: Vec<(PoolConnection<Postgres>, Instant)>,
    /// Number of releases.
    releases: u32,
    /// Waiting callers, in order of arrival. They also wait for sqlx's pool. A caller that was served there or left has
    /// closed its channel.
    waiting: VecDeque<oneshot::Sender<PoolConnection<Postgres>>>,
}

impl ReadyConnections {
    /// A connection that was idle for less than [`TRUSTED_FOR`]. Older ones go back to the pool, which pings them.
    fn take_trusted(&mut self) -> Option<PoolConnection<Postgres>> {
        let (connection, since) = self.idle.pop()?;
        if since.elapsed() < TRUSTED_FOR {
            return Some(connection);
        }
        self.idle.clear();
        None
    }

    /// Queues a caller. The receiver gets the next released connection.
    fn wait(&mut self) -> oneshot::Receiver<PoolConnection<Postgres>> {
        while self.waiting.pop_front_if(|caller| caller.is_closed()).is_some() {}
        let (caller, released) = oneshot::channel();
        self.waiting.push_back(caller);
        released
    }

    /// Hands a connection to the first waiting caller. Returns it if there is none.
    fn hand_over(&mut self, mut connection: PoolConnection<Postgres>) -> Option<PoolConnection<Postgres>> {
        while let Some(caller) = self.waiting.pop_front() {
            connection = caller.send(connection).err()?;
        }
        Some(connection)
    }
}

impl Pool {
    /// Connects for a one-time command. Waits up to `database.wait` for the database, then fails with the cause.
    pub async fn connect(database: &Database) -> Result<Self, Failure> {
        let options = options(database)?;
        wait::for_database(&options, Some(database.wait)).await?;
        Ok(Self::new(options, database))
    }

    /// Connects for a server: waits forever for the database, and logs the cause at once and every 30 s.
    pub async fn connect_patiently(database: &Database) -> Result<Self, Failure> {
        let options = options(database)?;
        wait::for_database(&options, None).await?;
        Ok(Self::new(options, database))
    }

    fn new(options: PgConnectOptions, database: &Database) -> Self {
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

    /// A connection for single statements.
    ///
    /// Waits up to `patience` while all connections are in use, and some seconds for an absent database.
    pub async fn acquire(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let began = Instant::now();
        let connection = self.take_connection().await;
        WAITED.record(began.elapsed());
        connection
    }

    async fn take_connection(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let released = {
            let mut ready = self.ready();
            if let Some(connection) = ready.take_trusted() {
                return Ok(connection);
            }
            ready.wait()
        };
        tokio::select! {
            biased;
            Ok(connection) = released => Ok(connection),
            connection = self.take_from_pool() => connection,
        }
    }

    /// A new or idle connection of sqlx's pool.
    ///
    /// Opening continues if the caller leaves, as one does that gets a released connection in the meantime. Otherwise a
    /// pool under load would never grow: opening takes longer than a statement, so each attempt would be cancelled
    /// after PostgreSQL has started a process for it.
    async fn open_or_wait(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        if self.inner.size() == self.inner.options().get_max_connections() {
            return self.inner.acquire().await;
        }
        let (caller, opened) = oneshot::channel();
        let pool = self.clone();
        kit::task::spawn_untracked("connection", async move {
            if let Err(Ok(connection)) = caller.send(pool.inner.acquire().await) {
                pool.keep(connection);
            }
        });
        opened.await.unwrap_or(Err(sqlx::Error::PoolClosed))
    }

    /// Waits for a briefly absent database. sqlx returns the same error for a busy pool and an unreachable database;
    /// the error here names the real cause.
    async fn take_from_pool(&self) -> sqlx::Result<PoolConnection<Postgres>> {
        let began = Instant::now();
        loop {
            let attempt = Instant::now();
            let error = match self.open_or_wait().await {
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

    /// Releases a connection without a ping. All statements on it must be complete.
    ///
    /// For statements of nearly every request. Elsewhere, drop the connection instead.
    pub fn keep(&self, connection: PoolConnection<Postgres>) {
        let mut ready = self.ready();
        ready.releases = ready.releases.wrapping_add(1);
        if self.inner.is_closed() || ready.releases.is_multiple_of(RELEASES_TO_POOL) {
            return;
        }
        if let Some(connection) = ready.hand_over(connection) {
            ready.idle.push((connection, Instant::now()));
        }
    }

    fn ready(&self) -> MutexGuard<'_, ReadyConnections> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the metrics of its connections.
    pub fn register_metrics(&self) {
        let all = self.clone();
        metrics::watch(&CONNECTION_COUNT, move || {
            let idle = all.inner.num_idle() + all.ready().idle.len();
            let idle = u32::try_from(idle).unwrap_or(u32::MAX);
            // The two counts are not read at the same moment.
            let used = all.inner.size().saturating_sub(idle);
            vec![Sample::new(["idle"], idle.into()), Sample::new(["used"], used.into())]
        });
        let most = self.inner.options().get_max_connections();
        metrics::watch(&CONNECTION_MAX, move || vec![Sample::new([], most.into())]);
    }

    /// Waits until no connection is in use, and closes all of them.
    pub async fn close(&self) {
        let closing = self.inner.close();
        self.ready().idle.clear();
        closing.await;
    }

    /// The pool of sqlx, for a listener on notifications.
    #[must_use]
    pub fn inner(&self) -> &PgPool {
        &self.inner
    }
}

/// The span of a statement; `summary` is its verb and table, e.g. `SELECT inventory`. A disabled span if the request's
/// trace is not kept.
#[must_use]
pub fn span(summary: &'static str) -> Span {
    if trace::is_unsampled() {
        return Span::none();
    }
    tracing::info_span!(
        "query",
        otel.name = summary,
        otel.kind = "client",
        db.system.name = "postgresql",
        db.query.summary = summary
    )
}

/// Connection options. Statements are traced by [`span`], not logged.
fn options(database: &Database) -> Result<PgConnectOptions, Failure> {
    let options: PgConnectOptions = database.url.parse().map_err(|_| "the database URL is not valid")?;
    Ok(options.disable_statement_logging())
}

/// Runs the pending migrations when the database answers; see [`Pool::connect`].
///
/// A migration waits at most 2 s for any lock, so that requests do not queue behind it. After a lock timeout or a deadlock
/// it is repeated every second within `database.wait`.
///
/// A schema that is one release ahead of `migrations` is accepted, as after a rollback, because that release only
/// expanded it. A schema that is further ahead is not detected.
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

/// Whether a migration failed because of a lock timeout, a deadlock or a lost connection.
fn may_succeed_later(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    // lock_not_available, deadlock_detected
    let is_locked = error
        .as_database_error()
        .is_some_and(|error| matches!(error.code().as_deref(), Some("55P03" | "40P01")));
    is_locked || code(error) == Code::Unavailable
}

/// The error code of a failed statement, apart from violated constraints.
#[must_use]
pub fn code(error: &sqlx::Error) -> Code {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        // The connection broke between two messages.
        | sqlx::Error::Protocol(_) => Code::Unavailable,
        sqlx::Error::Database(error) => match error.code().as_deref() {
            // query_canceled: the statement timeout
            Some("57014") => Code::DeadlineExceeded,
            // read_only_sql_transaction: a former primary
            Some("25006") => Code::Unavailable,
            // connection exceptions, insufficient resources, operator intervention
            Some(state) if ["08", "53", "57"].iter().any(|class| state.starts_with(class)) => Code::Unavailable,
            _ => Code::Internal,
        },
        _ => Code::Internal,
    }
}

/// The name of the constraint that a statement violated, if that is why it failed.
#[must_use]
pub fn constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::constraint)
}
