//! The price list: the prices of all courses. It is published to lms, which filters and sorts its
//! catalogue by them.
//!
//! Each event has the whole list and its publication time. Events may arrive in any order and more
//! than once, and an lms without prices is complete after the next event.

use std::time::Duration;

use kit::clock::Clock;
use kit::shutdown::Shutdown;
use kit::timestamp::to_timestamp;
use kit_db::outbox::Outbox;
use kit_db::{Pool, span};
use proto::commerce::{PriceListPublished, ProductPrice};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

use crate::product;

/// The interval at which the list is published again, for an lms that lost it.
const PERIOD: Duration = Duration::from_mins(10);

/// Publishes the list at once and then every ten minutes, until `shutdown`. A failure is logged.
pub(crate) fn spawn(pool: Pool, outbox: Outbox, clock: Clock, shutdown: Shutdown) {
    kit::task::every("price list", PERIOD, shutdown, move || {
        let (pool, outbox, clock) = (pool.clone(), outbox.clone(), clock.clone());
        async move {
            if let Err(error) = publish_now(&pool, &outbox, &clock).await {
                tracing::warn!(error = kit::error::chain(&error), "could not publish the price list");
            }
        }
    });
}

async fn publish_now(pool: &Pool, outbox: &Outbox, clock: &Clock) -> sqlx::Result<()> {
    let mut transaction = pool.begin().await?;
    publish(&mut transaction, outbox, clock.now()).await?;
    transaction.commit().await
}

/// Publishes the list as this transaction sees it. Waits for other transactions that publish.
pub(crate) async fn publish(
    connection: &mut PgConnection,
    outbox: &Outbox,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // The lock is taken before the prices are read, so a later list never has older prices.
    let published_at = lock_list(connection, now).await?;
    let prices = product::list_prices(connection, now).await?;
    let event = PriceListPublished {
        published_at: Some(to_timestamp(published_at)),
        prices: prices.iter().map(encode).collect(),
    };
    outbox.publish(connection, &event, now).await?;
    Ok(())
}

/// Locks the list until the transaction ends. Returns its publication time: `now`, or just after
/// the last publication if the clock is behind it.
async fn lock_list(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<OffsetDateTime> {
    sqlx::query_scalar!(
        "
        INSERT INTO price_list (published_at)
        VALUES ($1)
        ON CONFLICT ON CONSTRAINT price_list_pkey DO UPDATE SET
            published_at = greatest(excluded.published_at, price_list.published_at + interval '1 microsecond')
        RETURNING published_at
        ",
        now,
    )
    .fetch_one(connection)
    .instrument(span("INSERT price_list"))
    .await
}

fn encode(price: &product::CoursePrice) -> ProductPrice {
    ProductPrice {
        product_id: price.product_id,
        course_id: price.course_id,
        price: price.price,
        sale_starts_at: Some(to_timestamp(price.sale_starts_at)),
        sale_ends_at: price.sale_ends_at.map(to_timestamp),
    }
}
