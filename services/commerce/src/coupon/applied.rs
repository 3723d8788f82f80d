//! The coupons on a cart: at most one percentage and one fixed amount.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::find_coupon;
use crate::cart;
use crate::error::Error;

/// Retention of a coupon on a cart, the same as that of a line.
const RETENTION: Duration = Duration::days(90);

/// Applies a coupon of the account to its cart, replacing another of the same kind. Takes the
/// cart's lock.
pub(crate) async fn apply(
    connection: &mut PgConnection,
    account: Uuid,
    id: i64,
    now: OffsetDateTime,
) -> Result<(), Error> {
    cart::lock(connection, account).await?;
    let found = find_coupon(connection, account, id).await?.ok_or(Error::NotFound)?;
    sqlx::query!(
        "
        INSERT INTO cart_coupon (account_id, kind, coupon_id, applied_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT ON CONSTRAINT cart_coupon_pkey
        DO UPDATE SET coupon_id = excluded.coupon_id, applied_at = excluded.applied_at
        ",
        account,
        found.coupon.discount.kind(),
        id,
        now,
    )
    .execute(connection)
    .instrument(span("INSERT cart_coupon"))
    .await?;
    Ok(())
}

/// Removes a coupon from the cart of the account. Takes the cart's lock.
pub(crate) async fn take_off(connection: &mut PgConnection, account: Uuid, id: i64) -> sqlx::Result<()> {
    cart::lock(connection, account).await?;
    sqlx::query!("DELETE FROM cart_coupon WHERE account_id = $1 AND coupon_id = $2", account, id)
        .execute(connection)
        .instrument(span("DELETE cart_coupon"))
        .await?;
    Ok(())
}

/// Removes the coupons of an order from the cart.
pub(super) async fn take_off_used(connection: &mut PgConnection, order: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "
        DELETE FROM cart_coupon
        USING orders JOIN coupon_use ON coupon_use.order_id = orders.id
        WHERE orders.id = $1
            AND cart_coupon.account_id = orders.account_id
            AND cart_coupon.coupon_id = coupon_use.coupon_id
        ",
        order,
    )
    .execute(connection)
    .instrument(span("DELETE cart_coupon"))
    .await?;
    Ok(())
}

/// Removes all coupons from the cart of an erased account.
pub(crate) async fn erase(connection: &mut PgConnection, account: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM cart_coupon WHERE account_id = $1", account)
        .execute(connection)
        .instrument(span("DELETE cart_coupon"))
        .await?;
    Ok(())
}

/// Removes at most `limit` coupons that were applied to carts 90 days ago. Those of an account with
/// an open order stay. Returns the number of deleted rows.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "
        DELETE FROM cart_coupon WHERE (account_id, kind) IN (
            SELECT account_id, kind FROM cart_coupon
            WHERE applied_at <= $1 AND NOT EXISTS (
                SELECT FROM orders WHERE account_id = cart_coupon.account_id AND state = 'awaiting_payment'
            )
            LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now - RETENTION,
        limit,
    )
    .execute(connection)
    .instrument(span("DELETE cart_coupon"))
    .await?;
    Ok(deleted.rows_affected())
}
