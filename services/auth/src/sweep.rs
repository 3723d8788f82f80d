//! Forgets what no longer matters, a little at a time.

use std::time::Duration;

use kit::clock::Clock;
use kit::db::{Pool, span};
use kit::shutdown::Shutdown;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::time::{MissedTickBehavior, interval};
use tracing::Instrument as _;

use crate::access::MARGIN;
use crate::config;

const PERIOD: Duration = Duration::from_mins(1);
/// So many rows of a table at once, that nobody waits behind it.
const BATCH: i64 = 5_000;

/// How long things matter.
#[derive(Clone, Copy)]
pub struct Retention {
    /// An ended session, and that it was revoked: as long as an access token lives, and a margin.
    pub access: time::Duration,
    /// Wrong passwords.
    pub failures: time::Duration,
}

impl Retention {
    /// As a process is configured.
    pub fn of(config: &config::Serve) -> Result<Self, kit::Failure> {
        Ok(Self {
            access: time::Duration::try_from(config.tokens.access_lifetime)? + MARGIN,
            failures: config.limits.failures_window.try_into()?,
        })
    }
}

/// Sweeps every minute until `shutdown`.
pub fn spawn(pool: Pool, retention: Retention, clock: Clock, shutdown: Shutdown) {
    kit::task::spawn("sweep", async move {
        let mut ticks = interval(PERIOD);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = shutdown.wait();
        tokio::pin!(end);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = &mut end => return,
            }
            let swept = async {
                let mut connection = pool.acquire().await?;
                once(&mut connection, retention, clock.now()).await
            };
            match swept.await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(rows, "swept"),
                Err(error) => tracing::warn!(error = kit::error::chain(&error), "could not sweep"),
            }
        }
    });
}

/// Sweeps once; gives the number of rows that went. Replicas may do it side by side.
pub async fn once(
    database: &mut PgConnection,
    retention: Retention,
    now: OffsetDateTime,
) -> sqlx::Result<u64> {
    let ended = now - retention.access;
    let sessions = sqlx::query!(
        "DELETE FROM session WHERE sid IN (SELECT sid FROM session WHERE expires_at < $1 OR ended_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        ended,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE session"))
    .await?;
    let revocations = sqlx::query!(
        "DELETE FROM revocation WHERE sid IN (SELECT sid FROM revocation WHERE revoked_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        ended,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE revocation"))
    .await?;
    let buckets = sqlx::query!(
        "DELETE FROM rate_limit WHERE bucket IN (SELECT bucket FROM rate_limit WHERE full_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE rate_limit"))
    .await?;
    let failures = sqlx::query!(
        "DELETE FROM login_failure WHERE account_key IN (SELECT account_key FROM login_failure \
         WHERE COALESCE(blocked_until, since) < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - retention.failures,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE login_failure"))
    .await?;
    let challenges = sqlx::query!(
        "DELETE FROM passkey_challenge WHERE id IN (SELECT id FROM passkey_challenge WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE passkey_challenge"))
    .await?;
    let links = sqlx::query!(
        "DELETE FROM link WHERE hash IN (SELECT hash FROM link WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE link"))
    .await?;
    let sign_ups = sqlx::query!(
        "DELETE FROM sign_up WHERE id IN (SELECT id FROM sign_up WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(database)
    .instrument(span("DELETE sign_up"))
    .await?;
    Ok([sessions, revocations, buckets, failures, challenges, links, sign_ups]
        .iter()
        .map(sqlx::postgres::PgQueryResult::rows_affected)
        .sum())
}
