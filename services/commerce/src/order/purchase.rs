//! What was bought for a learner, by anyone.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::State;

/// Maximum number of purchases in a list.
const LISTED: i64 = 10;

/// A line of an order, without its buyer.
pub(crate) struct Purchase {
    /// The product's name when it was ordered.
    pub(crate) name: String,
    pub(crate) placed_at: OffsetDateTime,
    pub(crate) state: State,
    /// Yen, tax included, after the discount.
    pub(crate) amount: i32,
}

/// Lists what was bought for the learner, newest first. Orders that expired or were cancelled are left out.
pub(crate) async fn list(connection: &mut PgConnection, learner: Uuid) -> sqlx::Result<Vec<Purchase>> {
    sqlx::query_as!(
        Purchase,
        r#"
        SELECT name, placed_at, state AS "state: State", price - order_line.discount AS "amount!"
        FROM order_line
        JOIN orders ON orders.id = order_id
        WHERE learner_id = $1 AND state NOT IN ('expired', 'cancelled')
        ORDER BY placed_at DESC, order_id DESC, n
        LIMIT $2
        "#,
        learner,
        LISTED,
    )
    .fetch_all(connection)
    .instrument(span("SELECT order_line"))
    .await
}
