//! Transactions that change an order wait for each other.

use proto::commerce::OrderState::Cancelled;
use sqlx::Executor as _;

use crate::shop::Shop;

/// A transaction of this database that waits for a lock.
const WAITING: &str = "SELECT pid::text FROM pg_stat_activity \
    WHERE datname = current_database() AND wait_event_type = 'Lock'";

#[tokio::test]
async fn a_cancellation_waits_for_the_transaction_that_holds_the_order() {
    let (shop, learner, order) = Shop::with_order().await;
    let mut holder = shop.database.pool.begin().await.unwrap();
    holder.execute("SELECT id FROM orders FOR UPDATE").await.unwrap();
    let release = async {
        shop.until(WAITING, 1).await;
        holder.rollback().await.unwrap();
    };
    let (cancelled, ()) = tokio::join!(learner.cancel(&order.id), release);
    assert_eq!(cancelled.unwrap().state(), Cancelled);
}
