//! Transactions that change an order wait for each other.

use proto::commerce::OrderState::Paid;
use sqlx::Executor as _;

use crate::shop::Shop;

/// A transaction of this database that waits for a lock.
const WAITING: &str = "SELECT pid::text FROM pg_stat_activity \
    WHERE datname = current_database() AND wait_event_type = 'Lock'";

#[tokio::test]
async fn a_cancellation_waits_for_the_transaction_that_pays_the_order() {
    let (shop, learner, order) = Shop::with_order().await;
    let mut holder = shop.database.pool.begin().await.unwrap();
    holder
        .execute("UPDATE orders SET state = 'paid', paid_at = placed_at, next_check_at = NULL")
        .await
        .unwrap();
    let release = async {
        shop.until(WAITING, 1).await;
        holder.commit().await.unwrap();
    };
    let (_, ()) = tokio::join!(learner.cancel(&order.id), release);
    // It read the order only after that, so it has ended nothing.
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Paid);
    assert_eq!(shop.journals().await, ["order_placed"]);
}
