//! The coupons of orders: reserved when an order is placed, used when it is paid, released when it
//! ends unpaid.

use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use super::applied;

/// A coupon as the confirmation document lists it.
#[derive(Serialize)]
pub(crate) struct ConfirmedCoupon {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Its discount in yen.
    pub(crate) amount: i32,
}

/// A coupon of an order.
pub(crate) struct OrderCoupon {
    pub(crate) order: Uuid,
    pub(crate) id: i64,
    /// The coupon's name when the order was placed.
    pub(crate) name: String,
    /// Its discount in yen.
    pub(crate) amount: i32,
}

/// Locks the coupons on the account's cart that have a total limit, until the transaction ends. The
/// next buyer waits, and then sees whether a use is left. Per-account limits need only the cart's
/// lock.
pub(crate) async fn lock_limited(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        SELECT id FROM coupon
        WHERE total_uses IS NOT NULL AND id IN (SELECT coupon_id FROM cart_coupon WHERE account_id = $1)
        ORDER BY id FOR NO KEY UPDATE
        ",
        account,
    )
    .fetch_all(connection)
    .instrument(span("SELECT coupon"))
    .await?;
    Ok(())
}

/// Reserves the coupons of a confirmation for its order. The caller has locked them and checked
/// that they can be used.
pub(crate) async fn reserve(
    connection: &mut PgConnection,
    order: Uuid,
    coupons: &[ConfirmedCoupon],
) -> sqlx::Result<()> {
    for (n, coupon) in (1_i16..).zip(coupons) {
        sqlx::query!(
            "
            INSERT INTO coupon_use (order_id, n, coupon_id, name, amount, state)
            VALUES ($1, $2, $3, $4, $5, 'reserved')
            ",
            order,
            n,
            coupon.id,
            coupon.name,
            coupon.amount,
        )
        .execute(&mut *connection)
        .instrument(span("INSERT coupon_use"))
        .await?;
    }
    Ok(())
}

/// Marks the coupons of a paid order as used. They leave the cart.
pub(crate) async fn mark_used(
    connection: &mut PgConnection,
    order: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE coupon_use SET state = 'used', used_at = $2 WHERE order_id = $1 AND state = 'reserved'",
        order,
        now,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE coupon_use"))
    .await?;
    applied::take_off_used(connection, order).await
}

/// Releases the coupons of an order that ended unpaid. They stay on the cart.
pub(crate) async fn free(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE coupon_use SET state = 'freed' WHERE order_id = $1 AND state = 'reserved'", order,)
        .execute(connection)
        .instrument(span("UPDATE coupon_use"))
        .await?;
    Ok(())
}

/// Lists the coupons of these orders, including orders that ended unpaid. The percentage of each
/// order comes first.
pub(crate) async fn list_uses(
    connection: &mut PgConnection,
    orders: &[Uuid],
) -> sqlx::Result<Vec<OrderCoupon>> {
    sqlx::query_as!(
        OrderCoupon,
        r#"
        SELECT order_id AS "order", coupon_id AS id, name, amount
        FROM coupon_use
        WHERE order_id = ANY ($1)
        ORDER BY order_id, n
        "#,
        orders,
    )
    .fetch_all(connection)
    .instrument(span("SELECT coupon_use"))
    .await
}
