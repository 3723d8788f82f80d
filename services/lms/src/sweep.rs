//! Deletes rows whose retention time is over.

use std::time::Duration;

use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit_db::{Pool, erased_account};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::audit;

const PERIOD: Duration = Duration::from_hours(1);
/// Number of rows in one statement. Small batches keep locks short.
const BATCH: i64 = 5_000;

/// Sweeps every hour until `shutdown`. Deletes audit entries older than `audit_kept`.
pub(crate) fn spawn(pool: Pool, clock: Clock, audit_kept: time::Duration, shutdown: Shutdown) {
    kit_db::sweep(PERIOD, shutdown, move || {
        let (pool, clock) = (pool.clone(), clock.clone());
        async move {
            let mut connection = pool.acquire().await?;
            once(&mut connection, clock.now(), audit_kept).await
        }
    });
}

/// Sweeps once. Returns the number of deleted rows. Replicas may sweep at the same time.
pub async fn once(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    audit_kept: time::Duration,
) -> sqlx::Result<u64> {
    let entries = audit::sweep(connection, now - audit_kept, BATCH).await?;
    Ok(entries + erased_account::sweep(connection, now, BATCH).await?)
}
