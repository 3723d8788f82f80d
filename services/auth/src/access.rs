//! What decides whether an access token is believed: the keys in force and the sessions that ended.
//!
//! One task a process reads both from the database, ten times a second, and every successful reading is told to
//! everybody who watches, changed or not. So a watcher that hears nothing knows that nobody knows, and fails closed.

mod view;

pub use view::View;

use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::db::{Pool, span};
use kit::shutdown::Shutdown;
use kit::task::Ticks;
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use time::OffsetDateTime;
use tokio::sync::watch::{Receiver, Sender};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::key::{self, Key};
use crate::secret::Secret;

/// How often the database is read: a watcher wants to hear something every 250 ms.
const PERIOD: Duration = Duration::from_millis(100);
/// A reading that took longer than this is too old to be told: an edge trusts it for 500 ms more, and an ended session
/// must be dead within 1 s.
const FRESH_FOR: Duration = Duration::from_millis(300);
/// A reading that takes longer than this is given up, and its connection with it.
const READING_LIMIT: Duration = Duration::from_secs(2);
/// How much longer than an access token lives its session's end is told: clocks differ a little.
pub(crate) const MARGIN: time::Duration = time::Duration::minutes(10);

/// The view of this process, kept fresh by a task.
#[derive(Clone)]
pub struct Access(Receiver<View>);

/// One reading of the database.
pub(crate) struct Reading {
    pub(crate) keys: Vec<Key>,
    pub(crate) revoked: Vec<Revocation>,
    /// Every transaction before this one had ended when the database was read.
    horizon: i64,
}

/// A session that ended.
#[derive(Clone, Copy)]
pub(crate) struct Revocation {
    pub(crate) sid: Uuid,
    pub(crate) revoked_at: OffsetDateTime,
}

impl Access {
    /// Waits for a reading that is fresh, and then reads again and again until `shutdown`. Fails when there is no key to
    /// sign with, or when it cannot be opened.
    pub async fn follow(
        pool: Pool,
        secret: &Secret,
        access_lifetime: time::Duration,
        clock: Clock,
        shutdown: Shutdown,
    ) -> Result<Self, Failure> {
        let mut follower = Follower {
            pool,
            connection: None,
            clock,
            kept_for: access_lifetime + MARGIN,
            horizon: 0,
            failing: false,
        };
        let mut view = View::new(secret.sealing());
        let reading = loop {
            match follower.next_reading().await {
                Some(reading) => break reading,
                None => sleep(PERIOD).await,
            }
        };
        view.apply(reading, follower.revocation_cutoff());
        if view.signer().is_none() {
            return Err(match view.keys().next() {
                None => "there is no signing key: make one with `auth keys add --sign`",
                Some(_) => {
                    "no key can sign: AUTH_SECRET is not the one it was made with, or none was told to sign \
                            (`auth keys list`, `auth keys sign KID`)"
                }
            }
            .into());
        }
        let (publish, views) = tokio::sync::watch::channel(view);
        kit::task::spawn("access", &shutdown.clone(), follower.run(publish, shutdown));
        Ok(Self(views))
    }

    /// The view as it was last read.
    #[must_use]
    pub fn view(&self) -> tokio::sync::watch::Ref<'_, View> {
        self.0.borrow()
    }

    /// To hear of each reading from now on.
    pub(crate) fn subscribe(&self) -> Receiver<View> {
        let mut views = self.0.clone();
        // What was read before may be old: the database may be out of reach since.
        views.mark_unchanged();
        views
    }
}

struct Follower {
    pool: Pool,
    /// One of its own, so that a rush of logins does not silence it.
    connection: Option<PoolConnection<Postgres>>,
    clock: Clock,
    kept_for: time::Duration,
    horizon: i64,
    failing: bool,
}

impl Follower {
    async fn run(mut self, publish: Sender<View>, shutdown: Shutdown) {
        let mut ticks = Ticks::new(PERIOD, shutdown);
        while ticks.next().await {
            if let Some(reading) = self.next_reading().await {
                let oldest = self.revocation_cutoff();
                publish.send_modify(|view| view.apply(reading, oldest));
            }
        }
    }

    /// One reading, or `None` where it failed: the cause of the first failure is logged, and the end of all.
    async fn next_reading(&mut self) -> Option<Reading> {
        match self.try_next_reading().await {
            Ok(reading) => {
                if std::mem::take(&mut self.failing) {
                    tracing::info!("ended sessions are known again");
                }
                Some(reading)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.failing, true) {
                    tracing::error!(
                        error = kit::error::chain(error.as_ref()),
                        "ended sessions are not known: watchers are told nothing until they are"
                    );
                }
                None
            }
        }
    }

    /// Sessions that ended before this have no access token alive.
    fn revocation_cutoff(&self) -> OffsetDateTime {
        self.clock.now() - self.kept_for
    }

    async fn try_next_reading(&mut self) -> Result<Reading, Failure> {
        let began = Instant::now();
        // Taken out, so that a connection that failed, or is cut in the middle, is never used again.
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        let (oldest, horizon) = (self.revocation_cutoff(), self.horizon);
        let reading = match timeout(READING_LIMIT, load_reading(&mut connection, oldest, horizon)).await {
            Ok(Ok(reading)) => reading,
            failed => {
                drop(connection.detach());
                return Err(match failed {
                    Ok(Err(error)) => error.into(),
                    _ => "the database does not answer".into(),
                });
            }
        };
        self.connection = Some(connection);
        // A database put back to an older state counts its transactions from there: begin anew.
        if reading.horizon < self.horizon {
            self.horizon = 0;
            return Err("the database was put back to an older state".into());
        }
        // What is not told is read again: the horizon stays.
        if began.elapsed() > FRESH_FOR {
            return Err("the database answers too late".into());
        }
        self.horizon = reading.horizon;
        Ok(reading)
    }
}

/// Reads the keys, and the revocations of transactions that had not ended by `horizon`; all of them from 0.
async fn load_reading(
    database: &mut PgConnection,
    oldest: OffsetDateTime,
    horizon: i64,
) -> sqlx::Result<Reading> {
    // First: what commits between the two statements is then read again.
    let next =
        sqlx::query_scalar!(r#"SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "horizon!""#)
            .fetch_one(&mut *database)
            .await?;
    let revoked = sqlx::query_as!(
        Revocation,
        "SELECT sid, revoked_at FROM revocation WHERE xid >= $1::bigint::text::xid8 AND revoked_at > $2 \
         ORDER BY revoked_at",
        horizon,
        oldest
    )
    .fetch_all(&mut *database)
    .await?;
    let keys = key::list_in_force(database).await?;
    Ok(Reading { keys, revoked, horizon: next })
}

/// Deletes at most `limit` revocations from before `before`; returns their number.
pub(crate) async fn sweep(
    database: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM revocation WHERE sid IN (SELECT sid FROM revocation WHERE revoked_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before,
        limit
    )
    .execute(database)
    .instrument(span("DELETE revocation"))
    .await?;
    Ok(swept.rows_affected())
}
