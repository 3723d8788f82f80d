//! Forgets what no longer matters, a little at a time.

use std::time::Duration;

use kit::clock::Clock;
use kit::db::{Pool, span};
use kit::outbox::Outbox;
use kit::shutdown::Shutdown;
use proto::auth::AccountErased;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use crate::access::MARGIN;
use crate::receiver::DATA_HOLDERS;
use crate::{closing, config};

const PERIOD: Duration = Duration::from_mins(1);
/// So many accounts in one transaction.
const ERASED_AT_ONCE: i64 = 50;
/// So many rows of a table at once, that nobody waits behind it.
const BATCH: i64 = 5_000;

/// How long things matter.
#[derive(Clone, Copy)]
pub struct Retention {
    /// An ended session, and that it was revoked: as long as an access token lives, and a margin.
    pub access: time::Duration,
    /// Wrong passwords.
    pub failures: time::Duration,
    /// When guardians looked.
    pub views: time::Duration,
}

impl Retention {
    /// As a process is configured.
    pub fn of(config: &config::Serve) -> Result<Self, kit::Failure> {
        Ok(Self {
            access: time::Duration::try_from(config.tokens.access_lifetime)? + MARGIN,
            failures: config.limits.failures_window.try_into()?,
            views: config.owner.guardian_views_kept.try_into()?,
        })
    }
}

/// Sweeps every minute until `shutdown`, and tells others by `outbox` whom they have to forget.
pub fn spawn(pool: Pool, outbox: Outbox, retention: Retention, clock: Clock, shutdown: Shutdown) {
    kit::task::sweep(PERIOD, shutdown, move || {
        let (pool, outbox, clock) = (pool.clone(), outbox.clone(), clock.clone());
        async move {
            let erased = erase(&pool, &outbox, clock.now()).await?;
            let mut connection = pool.acquire().await?;
            Ok(erased + once(&mut connection, retention, clock.now()).await?)
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
    let buckets = kit::limit::sweep(&mut *database, now, BATCH).await?;
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
    .execute(&mut *database)
    .instrument(span("DELETE sign_up"))
    .await?;
    let rows: u64 = [sessions, revocations, failures, challenges, links, sign_ups]
        .iter()
        .map(sqlx::postgres::PgQueryResult::rows_affected)
        .sum();
    Ok(rows + buckets + owners(database, retention, now).await?)
}

/// What owners began and did not end, and what they need no longer see.
async fn owners(database: &mut PgConnection, retention: Retention, now: OffsetDateTime) -> sqlx::Result<u64> {
    let changes = sqlx::query!(
        "DELETE FROM email_change WHERE id IN (SELECT id FROM email_change WHERE forget_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE email_change"))
    .await?;
    let consents = sqlx::query!(
        "DELETE FROM consent WHERE account IN (SELECT account FROM consent WHERE given_at IS NULL AND \
         expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE consent"))
    .await?;
    let codes = sqlx::query!(
        "DELETE FROM guardian_code WHERE learner IN (SELECT learner FROM guardian_code WHERE expires_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        BATCH
    )
    .execute(&mut *database)
    .instrument(span("DELETE guardian_code"))
    .await?;
    let views = sqlx::query!(
        "DELETE FROM guardian_view WHERE ctid = ANY(ARRAY(SELECT ctid FROM guardian_view WHERE at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now - retention.views,
        BATCH
    )
    .execute(database)
    .instrument(span("DELETE guardian_view"))
    .await?;
    Ok([changes, consents, codes, views].iter().map(sqlx::postgres::PgQueryResult::rows_affected).sum())
}

/// Erases accounts whose time is up, and tells everybody else to; gives their number. Replicas may do it side by side.
pub async fn erase(pool: &Pool, outbox: &Outbox, now: OffsetDateTime) -> sqlx::Result<u64> {
    let mut sum = 0;
    loop {
        let mut transaction = pool.begin().await?;
        let erased = closing::erase(&mut transaction, now, ERASED_AT_ONCE).await?;
        for account in &erased {
            let event = AccountErased { account_id: account.to_string() };
            for receiver in DATA_HOLDERS {
                outbox.add(&mut transaction, receiver, &event, now).await?;
            }
        }
        transaction.commit().await?;
        if erased.is_empty() {
            return Ok(sum);
        }
        sum += erased.len() as u64;
    }
}
