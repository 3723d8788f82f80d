//! The price list: the prices of courses that commerce published. The catalogue filters and sorts
//! by them.
//!
//! A list replaces earlier ones. Lists may arrive in any order and more than once. The latest
//! published list stays.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// The prices of all courses at one time.
pub(crate) struct PriceList {
    pub(crate) published_at: OffsetDateTime,
    pub(crate) prices: Vec<ProductPrice>,
}

/// The price of a product of a course. At any time at most one product of a course is on sale.
pub(crate) struct ProductPrice {
    pub(crate) product: i64,
    pub(crate) course: i64,
    /// Whole yen, tax included.
    pub(crate) price: i32,
    /// Inclusive.
    pub(crate) sale_starts_at: OffsetDateTime,
    /// Exclusive. `None` for a sale without end.
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

/// Replaces the stored list, unless that one was published at the same time or later. Waits for
/// another transaction that replaces it.
pub(crate) async fn replace(connection: &mut PgConnection, list: &PriceList) -> sqlx::Result<()> {
    if !advance_list(connection, list.published_at).await? {
        return Ok(());
    }
    let products: Vec<i64> = list.prices.iter().map(|price| price.product).collect();
    delete_missing(connection, &products).await?;
    put_prices(connection, &products, &list.prices).await
}

/// Stores the time of publication. Returns whether it is later than the stored one.
async fn advance_list(connection: &mut PgConnection, published_at: OffsetDateTime) -> sqlx::Result<bool> {
    let advanced = sqlx::query!(
        "
        INSERT INTO price_list (published_at)
        VALUES ($1)
        ON CONFLICT ON CONSTRAINT price_list_pkey DO UPDATE SET published_at = excluded.published_at
            WHERE price_list.published_at < excluded.published_at
        ",
        published_at,
    )
    .execute(connection)
    .instrument(span("INSERT price_list"))
    .await?;
    Ok(advanced.rows_affected() == 1)
}

async fn delete_missing(connection: &mut PgConnection, products: &[i64]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM product_price WHERE product_id <> ALL ($1)", products)
        .execute(connection)
        .instrument(span("DELETE product_price"))
        .await?;
    Ok(())
}

/// Writes only prices that changed.
async fn put_prices(
    connection: &mut PgConnection,
    products: &[i64],
    prices: &[ProductPrice],
) -> sqlx::Result<()> {
    let courses: Vec<i64> = prices.iter().map(|price| price.course).collect();
    let yen: Vec<i32> = prices.iter().map(|price| price.price).collect();
    let starts: Vec<OffsetDateTime> = prices.iter().map(|price| price.sale_starts_at).collect();
    let ends: Vec<Option<OffsetDateTime>> = prices.iter().map(|price| price.sale_ends_at).collect();
    sqlx::query!(
        "
        INSERT INTO product_price (product_id, course_id, price, sale_starts_at, sale_ends_at)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::timestamptz[], $5::timestamptz[])
        ON CONFLICT ON CONSTRAINT product_price_pkey DO UPDATE SET
            course_id = excluded.course_id,
            price = excluded.price,
            sale_starts_at = excluded.sale_starts_at,
            sale_ends_at = excluded.sale_ends_at
            WHERE (product_price.course_id, product_price.price, product_price.sale_starts_at, product_price.sale_ends_at)
                IS DISTINCT FROM (excluded.course_id, excluded.price, excluded.sale_starts_at, excluded.sale_ends_at)
        ",
        products,
        &courses,
        &yen,
        &starts,
        &ends as &[Option<OffsetDateTime>],
    )
    .execute(connection)
    .instrument(span("INSERT product_price"))
    .await?;
    Ok(())
}
