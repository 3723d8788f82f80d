//! Deletes expired rows in small batches, and erases closed accounts.
//!
//! Each noun has a `sweep` function with its own SQL; [`sweep_all`] has one line for each.

use std::time::Duration;

use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit_db::Pool;
use kit_db::outbox::Outbox;
use proto::auth::AccountErased;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::guardian::{code, consent, view};
use crate::limit::failure;
use crate::passkey::challenge;
use crate::{access, closing, config, email_change, link, session, sign_up, weekly_report};

const PERIOD: Duration = Duration::from_mins(1);
/// Accounts erased in one transaction.
const ERASED_AT_ONCE: i64 = 50;
/// Batch size for each table; small batches keep locks short.
const BATCH: i64 = 5_000;

/// How long rows are kept.
#[derive(Clone, Copy)]
pub struct Retention {
    /// Ended sessions and their revocations: the lifetime of an access token and a margin.
    pub access: time::Duration,
    /// Wrong passwords.
    pub failures: time::Duration,
    /// Views by guardians.
    pub views: time::Duration,
}

impl Retention {
    /// The periods in the configuration.
    pub fn from_config(config: &config::Serve) -> Result<Self, kit::Failure> {
        Ok(Self {
            access: time::Duration::try_from(config.tokens.access_lifetime)? + access::MARGIN,
            failures: config.limits.failures_window.try_into()?,
            views: config.owner.guardian_views_kept.try_into()?,
        })
    }
}

/// Sweeps every minute until `shutdown`. Events in `outbox` make other services delete the data of erased accounts.
pub fn spawn(pool: Pool, outbox: Outbox, retention: Retention, clock: Clock, shutdown: Shutdown) {
    kit_db::sweep(PERIOD, shutdown, move || {
        let (pool, outbox, clock) = (pool.clone(), outbox.clone(), clock.clone());
        async move {
            let erased = erase_due(&pool, &outbox, clock.now()).await?;
            let mut connection = pool.acquire().await?;
            Ok(erased + sweep_all(&mut connection, retention, clock.now()).await?)
        }
    });
}

/// Sweeps each table once; returns the number of deleted rows. Replicas may do so at the same time.
pub async fn sweep_all(
    database: &mut PgConnection,
    retention: Retention,
    now: OffsetDateTime,
) -> sqlx::Result<u64> {
    let without_token = now - retention.access;
    let rows = [
        session::sweep(database, without_token, BATCH).await?,
        access::sweep(database, without_token, BATCH).await?,
        kit_db::limit::sweep(&mut *database, now, BATCH).await?,
        kit_db::inbox::sweep(&mut *database, now, BATCH).await?,
        failure::sweep(database, now - retention.failures, BATCH).await?,
        challenge::sweep(database, now, BATCH).await?,
        link::sweep(database, now, BATCH).await?,
        sign_up::sweep(database, now, BATCH).await?,
        email_change::sweep(database, now, BATCH).await?,
        consent::sweep(database, now, BATCH).await?,
        code::sweep(database, now, BATCH).await?,
        view::sweep(database, now - retention.views, BATCH).await?,
        weekly_report::sweep(database, now, BATCH).await?,
    ];
    Ok(rows.iter().sum())
}

/// Erases accounts that are due, and sends events to the services that hold their data; returns the number of accounts.
/// Replicas may do so at the same time.
pub async fn erase_due(pool: &Pool, outbox: &Outbox, now: OffsetDateTime) -> sqlx::Result<u64> {
    let mut sum = 0;
    loop {
        let mut transaction = pool.begin().await?;
        let erased = closing::erase_due(&mut transaction, now, ERASED_AT_ONCE).await?;
        for account in &erased {
            let event = AccountErased { account_id: account.to_string() };
            outbox.publish(&mut transaction, &event, now).await?;
        }
        transaction.commit().await?;
        if erased.is_empty() {
            return Ok(sum);
        }
        sum += erased.len() as u64;
    }
}
