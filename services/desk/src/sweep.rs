//! Forgets what no longer matters, a little at a time.

use std::time::Duration;

use kit::clock::Clock;
use kit::db::Pool;
use kit::inbox;
use kit::shutdown::Shutdown;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::moment;
use crate::{contact, faq, mail, picture};

const PERIOD: Duration = Duration::from_mins(1);
/// So many rows of a table at once, that nobody waits behind it.
const BATCH: i64 = 5_000;

/// Sweeps every minute until `shutdown`.
pub(crate) fn spawn(pool: Pool, clock: Clock, contacts_kept: time::Duration, shutdown: Shutdown) {
    kit::task::sweep(PERIOD, shutdown, move || {
        let (pool, clock) = (pool.clone(), clock.clone());
        async move {
            let mut connection = pool.acquire().await?;
            once(&mut connection, clock.now(), contacts_kept).await
        }
    });
}

/// Sweeps once; gives the number of rows that went. Inquiries go when they are older than `contacts_kept`. Replicas may
/// do it side by side.
pub async fn once(
    database: &mut PgConnection,
    now: OffsetDateTime,
    contacts_kept: time::Duration,
) -> sqlx::Result<u64> {
    let mails = mail::sweep(database, now, BATCH).await?;
    let pictures = picture::sweep(database, now, BATCH).await?;
    let contacts = contact::sweep(database, now, contacts_kept, BATCH).await?;
    let votes = faq::sweep(database, moment::day(now), BATCH).await?;
    let buckets = kit::limit::sweep(database, now, BATCH).await?;
    Ok(mails + pictures + contacts + votes + buckets + inbox::sweep(database, now, BATCH).await?)
}
