//! Products with their prices and sale periods, written by the import.

use kit::page::Page;
use kit_db::span;
use proto::commerce as wire;
use serde::Serialize;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;

/// Products per page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// What a product gives access to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Kind {
    Course,
    Subscription,
    ExamSeat,
    Konoshiki,
    Interview,
}

impl Kind {
    /// All kinds, in listing order.
    pub(crate) const ALL: [Self; 5] =
        [Self::Course, Self::Subscription, Self::ExamSeat, Self::Konoshiki, Self::Interview];

    /// Name in content and in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Subscription => "subscription",
            Self::ExamSeat => "exam_seat",
            Self::Konoshiki => "konoshiki",
            Self::Interview => "interview",
        }
    }
}

impl From<Kind> for wire::ProductKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Course => Self::Course,
            Kind::Subscription => Self::Subscription,
            Kind::ExamSeat => Self::ExamSeat,
            Kind::Konoshiki => Self::Konoshiki,
            Kind::Interview => Self::Interview,
        }
    }
}

/// A product as its author writes it.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Product {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) description: String,
    /// Yen, tax included.
    pub(crate) price: i32,
    /// Access period in days, or `None` if access has no limit in days.
    pub(crate) period_days: Option<i32>,
    /// Set for courses only.
    pub(crate) course_id: Option<i64>,
    /// Set for exam seats only, like the next two fields.
    pub(crate) exam_id: Option<i64>,
    /// The number of seats for sale.
    pub(crate) places: Option<i32>,
    /// The exclusive end of the application. After it, a seat can't be returned any more.
    pub(crate) application_closes_at: Option<OffsetDateTime>,
    pub(crate) sale_starts_at: OffsetDateTime,
    /// Exclusive; `None` if open-ended.
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
    /// Whether it teaches by a person for over two months (特定継続的役務). Set for courses only.
    pub(crate) is_continuous_service: bool,
}

impl Product {
    /// Whether it is on sale at `now`.
    pub(crate) fn is_on_sale(&self, now: OffsetDateTime) -> bool {
        self.sale_starts_at <= now && self.sale_ends_at.is_none_or(|end| now < end)
    }

    /// Whether both are for the same course and their sale periods overlap.
    pub(crate) fn competes_with(&self, other: &Self) -> bool {
        self.course_id.is_some() && self.course_id == other.course_id && self.is_sold_beside(other)
    }

    /// Whether their sale periods overlap.
    pub(crate) fn is_sold_beside(&self, other: &Self) -> bool {
        let begins_before_end =
            |one: &Self, two: &Self| two.sale_ends_at.is_none_or(|end| one.sale_starts_at < end);
        begins_before_end(self, other) && begins_before_end(other, self)
    }
}

/// A course's price and its product.
pub(crate) struct Offer {
    pub(crate) course_id: i64,
    pub(crate) product_id: i64,
    pub(crate) price: i32,
    pub(crate) period_days: Option<i32>,
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

/// The price of a course's product, whose sale may start in the future.
pub(crate) struct CoursePrice {
    pub(crate) product_id: i64,
    pub(crate) course_id: i64,
    pub(crate) price: i32,
    pub(crate) sale_starts_at: OffsetDateTime,
    pub(crate) sale_ends_at: Option<OffsetDateTime>,
}

/// Lists a page of the products on sale, by kind and id, filtered by kind and by course. An empty
/// `course_ids` does not filter. Also returns the count over all pages, which is 0 if this page is
/// empty.
pub(crate) async fn list_page(
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
            sale_ends_at, exam_id, places, application_closes_at, is_continuous_service, count(*) OVER () AS "count!"
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
        exam_id: row.exam_id,
        places: row.places,
        application_closes_at: row.application_closes_at,
        sale_starts_at: row.sale_starts_at,
        sale_ends_at: row.sale_ends_at,
        is_continuous_service: row.is_continuous_service,
    });
    Ok((count, products.collect()))
}

/// Finds a product whose sale has started.
pub(crate) async fn find_product(
    connection: &mut PgConnection,
    id: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Product>> {
    sqlx::query_as!(
        Product,
        r#"
        SELECT
            id, kind AS "kind: Kind", name, summary, description, price, period_days, course_id, sale_starts_at,
            sale_ends_at, exam_id, places, application_closes_at, is_continuous_service
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

/// Lists the current prices of courses, by course id.
pub(crate) async fn list_offers(
    connection: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Offer>> {
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

/// Lists the prices of courses whose sale has not ended, by product id.
pub(crate) async fn list_prices(
    connection: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<CoursePrice>> {
    sqlx::query_as!(
        CoursePrice,
        r#"
        SELECT id AS product_id, course_id AS "course_id!", price, sale_starts_at, sale_ends_at
        FROM product
        WHERE course_id IS NOT NULL AND (sale_ends_at IS NULL OR $1 < sale_ends_at)
        ORDER BY id
        "#,
        now,
    )
    .fetch_all(connection)
    .instrument(span("SELECT product"))
    .await
}

/// Lists all products by id.
pub(crate) async fn list_all(connection: &mut PgConnection) -> sqlx::Result<Vec<Product>> {
    sqlx::query_as!(
        Product,
        r#"
        SELECT
            id, kind AS "kind: Kind", name, summary, description, price, period_days, course_id, sale_starts_at,
            sale_ends_at, exam_id, places, application_closes_at, is_continuous_service
        FROM product
        ORDER BY id
        "#,
    )
    .fetch_all(connection)
    .instrument(span("SELECT product"))
    .await
}

/// Inserts a product or replaces the one with its id.
pub(crate) async fn put_product(connection: &mut PgConnection, product: &Product) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO product (
            id, kind, name, summary, description, price, period_days, course_id, sale_starts_at, sale_ends_at, exam_id,
            places, application_closes_at, is_continuous_service
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        ON CONFLICT ON CONSTRAINT product_pkey DO UPDATE SET
            kind = excluded.kind,
            name = excluded.name,
            summary = excluded.summary,
            description = excluded.description,
            price = excluded.price,
            period_days = excluded.period_days,
            course_id = excluded.course_id,
            sale_starts_at = excluded.sale_starts_at,
            sale_ends_at = excluded.sale_ends_at,
            exam_id = excluded.exam_id,
            places = excluded.places,
            application_closes_at = excluded.application_closes_at,
            is_continuous_service = excluded.is_continuous_service
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
        product.exam_id,
        product.places,
        product.application_closes_at,
        product.is_continuous_service,
    )
    .execute(connection)
    .instrument(span("INSERT product"))
    .await?;
    Ok(())
}
