//! Seats of mock exams: the remaining places of a product.
//!
//! A line of an open or paid order takes a place, unless the line was refunded. The place is
//! released when the order ends unpaid or the line is refunded.

use std::collections::HashMap;

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::product::Product;

/// Locks the exam seats in the account's cart until the transaction ends. The next buyer waits, and
/// then sees whether a place is left. Taken before the locks of coupons, in the same order as an
/// import.
pub(crate) async fn lock_products(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        SELECT id FROM product
        WHERE exam_id IS NOT NULL AND id IN (SELECT product_id FROM cart_line WHERE account_id = $1)
        ORDER BY id FOR NO KEY UPDATE
        ",
        account,
    )
    .fetch_all(connection)
    .instrument(span("SELECT product"))
    .await?;
    Ok(())
}

/// The number of taken places by product.
pub(crate) struct TakenPlaces(HashMap<i64, i64>);

impl TakenPlaces {
    /// Counts the taken places of those products that are exam seats.
    pub(crate) async fn count(
        connection: &mut PgConnection,
        products: impl IntoIterator<Item = &Product>,
    ) -> sqlx::Result<Self> {
        let seats = products.into_iter().filter(|product| product.exam_id.is_some());
        let ids: Vec<i64> = seats.map(|product| product.id).collect();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let rows = sqlx::query!(
            r#"
            SELECT product_id, count(*) AS "taken!"
            FROM order_line JOIN orders ON orders.id = order_id LEFT JOIN refund_line USING (order_id, n)
            WHERE product_id = ANY ($1) AND exam_id IS NOT NULL AND orders.state NOT IN ('expired', 'cancelled')
                AND refund_id IS NULL
            GROUP BY product_id
            "#,
            &ids,
        )
        .fetch_all(connection)
        .instrument(span("SELECT order_line"))
        .await?;
        Ok(Self(rows.into_iter().map(|row| (row.product_id, row.taken)).collect()))
    }

    /// The remaining places of a product, or `None` if it is no exam seat.
    pub(crate) fn left(&self, product: &Product) -> Option<u32> {
        let taken = self.0.get(&product.id).copied().unwrap_or(0);
        product.places.map(|places| u32::try_from(i64::from(places) - taken).unwrap_or(0))
    }
}
