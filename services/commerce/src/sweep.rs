//! Deletes expired rows in small batches.

use std::time::Duration;

use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit_db::Pool;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::coupon::applied;
use crate::order::erasure;
use crate::{cart, guardian_request, provider_event};

const PERIOD: Duration = Duration::from_mins(10);
/// Batch size. Small batches keep locks short.
const BATCH: i64 = 5_000;

/// Sweeps every ten minutes until `shutdown`.
pub(crate) fn spawn(pool: Pool, clock: Clock, shutdown: Shutdown) {
    kit_db::sweep(PERIOD, shutdown, move || {
        let (pool, clock) = (pool.clone(), clock.clone());
        async move {
            let mut connection = pool.acquire().await?;
            sweep_once(&mut connection, clock.now()).await
        }
    });
}

/// Sweeps once and returns the total number of deleted and anonymised rows. Replicas may sweep at
/// the same time.
pub async fn sweep_once(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<u64> {
    let lines = cart::erasure::sweep(connection, now, BATCH).await?;
    let coupons = applied::sweep(connection, now, BATCH).await?;
    let buckets = kit_db::limit::sweep(connection, now, BATCH).await?;
    let answers = kit_db::idempotency::sweep(connection, now, BATCH).await?;
    let events = provider_event::sweep(connection, now, BATCH).await?;
    let accounts = kit_db::erased_account::sweep(connection, now, BATCH).await?;
    let orders = erasure::sweep(connection, now, BATCH).await?;
    let requests = guardian_request::sweep(connection, now, BATCH).await?;
    Ok(lines + coupons + buckets + requests + answers + events + accounts + orders)
}
