//! The coupon catalogue, which the import writes.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

use super::{Coupon, decode_discount, decode_kinds};
use crate::discount::Discount;

/// Lists all coupons by id.
pub(crate) async fn list_all(connection: &mut PgConnection) -> sqlx::Result<Vec<Coupon>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            id, code, name, description, percent, cap, amount, minimum, starts_at, ends_at, product_kinds,
            is_first_order_only, is_public, per_account, total_uses,
            ARRAY(SELECT product_id FROM coupon_product WHERE coupon_id = coupon.id ORDER BY product_id)
                AS "product_ids!"
        FROM coupon
        ORDER BY id
        "#,
    )
    .fetch_all(connection)
    .instrument(span("SELECT coupon"))
    .await?;
    let coupons = rows.into_iter().map(|row| {
        Ok(Coupon {
            id: row.id,
            code: row.code,
            name: row.name,
            description: row.description,
            discount: decode_discount(row.percent, row.cap, row.amount)?,
            minimum: row.minimum,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            product_ids: row.product_ids,
            product_kinds: decode_kinds(&row.product_kinds)?,
            is_first_order_only: row.is_first_order_only,
            is_public: row.is_public,
            per_account: row.per_account,
            total_uses: row.total_uses,
        })
    });
    coupons.collect()
}

/// Inserts a coupon or replaces the one with its id.
pub(crate) async fn put_coupon(connection: &mut PgConnection, coupon: &Coupon) -> sqlx::Result<()> {
    let (percent, cap, amount) = match coupon.discount {
        Discount::Percent { percent, cap } => (Some(percent), cap, None),
        Discount::Fixed { amount } => (None, None, Some(amount)),
    };
    let kinds: Vec<String> = coupon.product_kinds.iter().map(|kind| kind.name().to_owned()).collect();
    sqlx::query!(
        "
        INSERT INTO coupon (
            id, code, name, description, kind, percent, cap, amount, minimum, starts_at, ends_at, product_kinds,
            is_first_order_only, is_public, per_account, total_uses
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT ON CONSTRAINT coupon_pkey DO UPDATE SET
            code = excluded.code,
            name = excluded.name,
            description = excluded.description,
            kind = excluded.kind,
            percent = excluded.percent,
            cap = excluded.cap,
            amount = excluded.amount,
            minimum = excluded.minimum,
            starts_at = excluded.starts_at,
            ends_at = excluded.ends_at,
            product_kinds = excluded.product_kinds,
            is_first_order_only = excluded.is_first_order_only,
            is_public = excluded.is_public,
            per_account = excluded.per_account,
            total_uses = excluded.total_uses
        ",
        coupon.id,
        coupon.code,
        coupon.name,
        coupon.description,
        coupon.discount.kind(),
        percent,
        cap,
        amount,
        coupon.minimum,
        coupon.starts_at,
        coupon.ends_at,
        &kinds,
        coupon.is_first_order_only,
        coupon.is_public,
        coupon.per_account,
        coupon.total_uses,
    )
    .execute(&mut *connection)
    .instrument(span("INSERT coupon"))
    .await?;
    put_products(connection, coupon).await
}

async fn put_products(connection: &mut PgConnection, coupon: &Coupon) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM coupon_product WHERE coupon_id = $1 AND product_id <> ALL ($2)",
        coupon.id,
        &coupon.product_ids,
    )
    .execute(&mut *connection)
    .instrument(span("DELETE coupon_product"))
    .await?;
    sqlx::query!(
        "
        INSERT INTO coupon_product (coupon_id, product_id) SELECT $1, unnest($2::bigint[])
        ON CONFLICT ON CONSTRAINT coupon_product_pkey DO NOTHING
        ",
        coupon.id,
        &coupon.product_ids,
    )
    .execute(connection)
    .instrument(span("INSERT coupon_product"))
    .await?;
    Ok(())
}
