//! Deletes rows whose retention time is over.

use std::time::Duration;

use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit_db::{Pool, erased_account, inbox};
use sqlx::PgConnection;
use time::OffsetDateTime;

const PERIOD: Duration = Duration::from_hours(1);
/// Number of rows in one statement. Small batches keep locks short.
const BATCH: i64 = 5_000;

/// Sweeps every hour until `shutdown`.
pub(crate) fn spawn(pool: Pool, clock: Clock, shutdown: Shutdown) {
    kit_db::sweep(PERIOD, shutdown, move || {
        let (pool, clock) = (pool.clone(), clock.clone());
        async move {
            let mut connection = pool.acquire().await?;
            once(&mut connection, clock.now()).await
        }
    });
}

/// Sweeps once. Returns the number of deleted rows. Replicas may sweep at the same time.
pub async fn once(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<u64> {
    let events = inbox::sweep(connection, now, BATCH).await?;
    Ok(events + erased_account::sweep(connection, now, BATCH).await?)
}
