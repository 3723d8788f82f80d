//! What decides whether an access token is valid: the keys in force and the ended sessions.
//!
//! One task per process reads both from the database every 400 ms. It publishes every successful reading to all
//! watchers, even an unchanged one. Without a message, a watcher treats the state as unknown and rejects
//! tokens.

mod view;

pub use view::View;

use std::time::Duration;

use kit::Failure;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::task::Ticks;
use kit_db::{Pool, span};
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use time::OffsetDateTime;
use tokio::sync::watch::{Receiver, Sender};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::key::{self, Key};
use crate::secret::Secret;

/// Interval between readings, and so between the messages to a watcher.
const PERIOD: Duration = Duration::from_millis(400);
/// A reading that took longer is not published. An edge trusts a message for another 650 ms, and an ended session must
/// be rejected within 1 s.
const FRESH_FOR: Duration = Duration::from_millis(200);
/// Timeout of a reading. After it the reading is cancelled and its connection closed.
const READING_LIMIT: Duration = Duration::from_secs(2);
/// Revocations are published this much longer than an access token lives, because clocks differ a little.
pub(crate) const MARGIN: time::Duration = time::Duration::minutes(10);

/// The current view of this process. A task keeps it fresh.
#[derive(Clone)]
pub struct Access(Receiver<View>);

/// The result of one reading.
pub(crate) struct Reading {
    /// The keys in force; `None` if they are those of the last reading.
    pub(crate) keys: Option<Vec<Key>>,
    pub(crate) revoked: Vec<Revocation>,
    position: Position,
}

/// How far a reading came. The next one reads what changed since.
#[derive(Clone, Default)]
struct Position {
    /// Every transaction with a lower id had ended when the database was read.
    horizon: i64,
    /// Id and state of each key in force.
    keys: Vec<String>,
}

/// The end of a session.
#[derive(Clone, Copy)]
pub(crate) struct Revocation {
    pub(crate) sid: Uuid,
    pub(crate) revoked_at: OffsetDateTime,
}

impl Access {
    /// Waits for the first fresh reading, then keeps reading until `shutdown`. Fails if no key can sign: there is none,
    /// or its private part cannot be opened.
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
            position: Position::default(),
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
                None => "there is no signing key: add one with `auth keys add --sign`",
                Some(_) => {
                    "no key can sign: AUTH_SECRET is not the one that encrypted it, or no key is the signing key \
                            (`auth keys list`, `auth keys sign KID`)"
                }
            }
            .into());
        }
        let (publish, views) = tokio::sync::watch::channel(view);
        kit::task::spawn("access", &shutdown.clone(), follower.run(publish, shutdown));
        Ok(Self(views))
    }

    /// The latest view.
    #[must_use]
    pub fn view(&self) -> tokio::sync::watch::Ref<'_, View> {
        self.0.borrow()
    }

    /// Subscribes to all readings from now on.
    pub(crate) fn subscribe(&self) -> Receiver<View> {
        let mut views = self.0.clone();
        // The last reading may be old, because the database may be unreachable since then.
        views.mark_unchanged();
        views
    }
}

struct Follower {
    pool: Pool,
    /// A connection of its own, so that many logins cannot delay a reading.
    connection: Option<PoolConnection<Postgres>>,
    clock: Clock,
    kept_for: time::Duration,
    position: Position,
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

    /// One reading, or `None` if it failed. Logs the cause of the first failure, and when readings succeed again.
    async fn next_reading(&mut self) -> Option<Reading> {
        match self.try_next_reading().await {
            Ok(reading) => {
                if std::mem::take(&mut self.failing) {
                    tracing::info!("readings of ended sessions succeed again");
                }
                Some(reading)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.failing, true) {
                    tracing::error!(
                        error = kit::error::chain(error.as_ref()),
                        "a reading of ended sessions failed: watchers get no message until one succeeds"
                    );
                }
                None
            }
        }
    }

    /// A session that ended before this time has no valid access token left.
    fn revocation_cutoff(&self) -> OffsetDateTime {
        self.clock.now() - self.kept_for
    }

    async fn try_next_reading(&mut self) -> Result<Reading, Failure> {
        let began = Instant::now();
        // Taken out of the field: a connection that failed or was cancelled is never used again.
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        let reading = load_reading(&mut connection, self.revocation_cutoff(), &self.position);
        let reading = match timeout(READING_LIMIT, reading).await {
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
        // The database was restored to an older state and counts its transactions from there. Start again.
        if reading.position.horizon < self.position.horizon {
            self.position = Position::default();
            return Err("the database was restored to an older state".into());
        }
        // The reading is not published, so the position stays and the next reading includes these rows.
        if began.elapsed() > FRESH_FOR {
            return Err("the reading took too long to be published".into());
        }
        self.position = reading.position.clone();
        Ok(reading)
    }
}

/// Reads the revocations since `last`, and the keys if they changed since.
async fn load_reading(
    database: &mut PgConnection,
    oldest: OffsetDateTime,
    last: &Position,
) -> sqlx::Result<Reading> {
    // One statement, one snapshot: what commits after it is read next time. A row even if no session ended.
    let rows = sqlx::query!(
        r#"
        SELECT
            reading.horizon AS "horizon!",
            reading.keys AS "keys!",
            revocation.sid AS "sid?",
            revocation.revoked_at AS "revoked_at?"
        FROM (
            SELECT
                pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon,
                ARRAY(
                    SELECT kid || ' ' || state FROM signing_key WHERE state <> 'retired' ORDER BY added_at, kid
                ) AS keys
        ) AS reading
        LEFT JOIN revocation ON revocation.xid >= $1::bigint::text::xid8 AND revocation.revoked_at > $2
        ORDER BY revocation.revoked_at
        "#,
        last.horizon,
        oldest
    )
    .fetch_all(&mut *database)
    .await?;
    let mut position = last.clone();
    let mut revoked = Vec::new();
    for row in rows {
        position = Position { horizon: row.horizon, keys: row.keys };
        if let (Some(sid), Some(revoked_at)) = (row.sid, row.revoked_at) {
            revoked.push(Revocation { sid, revoked_at });
        }
    }
    let keys = if position.keys == last.keys { None } else { Some(key::list_in_force(database).await?) };
    Ok(Reading { keys, revoked, position })
}

/// Deletes at most `limit` revocations older than `before`; returns their number.
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
