//! A product: what has a price, and when it can be had. Written by the import, the same for everybody.

use kit::db::span;
use kit::page::Page;
use serde::Serialize;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// Products a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// What a product is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Kind {
    Course,
    Subscription,
    MockExam,
    Konoshiki,
    Interview,
}

impl Kind {
    /// All there are, in the order in which products are listed.
    pub(crate) const ALL: [Self; 5] =
        [Self::Course, Self::Subscription, Self::MockExam, Self::Konoshiki, Self::Interview];

    /// What it is called in content and in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Subscription => "subscription",
            Self::MockExam => "mock_exam",
            Self::Konoshiki => "konoshiki",
            Self::Interview => "interview",
        }
    }
}

/// What has a price: all that its author says of it.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Product {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) description: String,
    /// Whole yen, tax included.
    pub(crate) price: i32,
    /// Absent where its use is not counted in days.
    pub(crate) period_days: Option<i32>,
    /// Of a course's product, and of no other.
    pub(crate) course_id: Option<i64>,
    pub(crate) sale_starts_at: OffsetDateTime,
    /// The first moment at which it is sold no more.
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

impl Product {
    /// Whether it is sold at `now`.
    pub(crate) fn is_on_sale(&self, now: OffsetDateTime) -> bool {
        self.sale_starts_at <= now && self.sale_ends_at.is_none_or(|end| now < end)
    }

    /// Whether both are for one course, and sold at one time.
    pub(crate) fn competes_with(&self, other: &Self) -> bool {
        let begins_before_end =
            |one: &Self, two: &Self| two.sale_ends_at.is_none_or(|end| one.sale_starts_at < end);
        self.course_id.is_some()
            && self.course_id == other.course_id
            && begins_before_end(self, other)
            && begins_before_end(other, self)
    }
}

/// What a course costs.
pub(crate) struct Offer {
    pub(crate) course_id: i64,
    pub(crate) product_id: i64,
    pub(crate) price: i32,
    pub(crate) period_days: Option<i32>,
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

/// One page of what is sold at `now`, by kind and id, and how many products are on all pages: only of these kinds, and
/// only for these courses where there are any. Empty beyond the last page.
pub(crate) async fn page(
    connection: &mut PgConnection,
    page: Page,
    kinds: &[Kind],
    course_ids: &[i64],
    now: OffsetDateTime,
) -> sqlx::Result<(i64, Vec<Product>)> {
    let kinds: Vec<&str> =
        Kind::ALL.into_iter().filter(|kind| kinds.contains(kind)).map(Kind::name).collect();
    let rows = sqlx::query!(
        r#"
        SELECT
            id, kind AS "kind: Kind", name, summary, description, price, period_days, course_id, sale_starts_at,
            sale_ends_at, count(*) OVER () AS "count!"
        FROM product
        WHERE sale_starts_at <= $3 AND (sale_ends_at IS NULL OR $3 < sale_ends_at)
            AND kind = ANY ($4) AND (cardinality($5::bigint[]) = 0 OR course_id = ANY ($5))
        ORDER BY array_position($4, kind), id
        LIMIT $1 OFFSET $2
        "#,
        page.limit(),
        page.offset(),
        now,
        &kinds as &[&str],
        course_ids,
    )
    .fetch_all(connection)
    .instrument(span("SELECT product"))
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let products = rows.into_iter().map(|row| Product {
        id: row.id,
        kind: row.kind,
        name: row.name,
        summary: row.summary,
        description: row.description,
        price: row.price,
        period_days: row.period_days,
        course_id: row.course_id,
        sale_starts_at: row.sale_starts_at,
        sale_ends_at: row.sale_ends_at,
    });
    Ok((count, products.collect()))
}

/// The product, unless its sale is still to come at `now`.
pub(crate) async fn find(
    connection: &mut PgConnection,
    id: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Product>> {
    sqlx::query_as!(
        Product,
        r#"
        SELECT
            id, kind AS "kind: Kind", name, summary, description, price, period_days, course_id, sale_starts_at,
            sale_ends_at
        FROM product
        WHERE id = $1 AND sale_starts_at <= $2
        "#,
        id,
        now,
    )
    .fetch_optional(connection)
    .instrument(span("SELECT product"))
    .await
}

/// What courses cost at `now`, by course.
pub(crate) async fn offers(connection: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Vec<Offer>> {
    sqlx::query_as!(
        Offer,
        r#"
        SELECT course_id AS "course_id!", id AS product_id, price, period_days, sale_ends_at
        FROM product
        WHERE course_id IS NOT NULL AND sale_starts_at <= $1 AND (sale_ends_at IS NULL OR $1 < sale_ends_at)
        ORDER BY course_id
        "#,
        now,
    )
    .fetch_all(connection)
    .instrument(span("SELECT product"))
    .await
}

/// Every product there is, by id.
pub(crate) async fn all(connection: &mut PgConnection) -> sqlx::Result<Vec<Product>> {
    sqlx::query_as!(
        Product,
        r#"
        SELECT
            id, kind AS "kind: Kind", name, summary, description, price, period_days, course_id, sale_starts_at,
            sale_ends_at
        FROM product
        ORDER BY id
        "#,
    )
    .fetch_all(connection)
    .instrument(span("SELECT product"))
    .await
}

/// Writes a product in the place of the one that has its id, if there is one.
pub(crate) async fn put(connection: &mut PgConnection, product: &Product) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO product (
            id, kind, name, summary, description, price, period_days, course_id, sale_starts_at, sale_ends_at
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT ON CONSTRAINT product_pkey DO UPDATE SET
            kind = excluded.kind,
            name = excluded.name,
            summary = excluded.summary,
            description = excluded.description,
            price = excluded.price,
            period_days = excluded.period_days,
            course_id = excluded.course_id,
            sale_starts_at = excluded.sale_starts_at,
            sale_ends_at = excluded.sale_ends_at
        ",
        product.id,
        product.kind.name(),
        product.name,
        product.summary,
        product.description,
        product.price,
        product.period_days,
        product.course_id,
        product.sale_starts_at,
        product.sale_ends_at,
    )
    .execute(connection)
    .instrument(span("INSERT product"))
    .await?;
    Ok(())
}
