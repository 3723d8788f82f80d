//! Products: what has a price.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::page::{List, Page};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// What has a price.
#[derive(Serialize, ToSchema)]
pub(crate) struct Product {
    id: i64,
    kind: ProductKind,
    #[schema(example = "中3数学 二次方程式と関数（365日間）")]
    name: String,
    /// One line.
    summary: String,
    /// Paragraphs, parted by an empty line.
    description: String,
    /// Whole yen, tax included; of a subscription, for a month.
    #[schema(minimum = 1, example = 16500)]
    price: i32,
    /// For how many days it may be used; null where that is not counted in days.
    #[schema(required, example = 365)]
    period_days: Option<i32>,
    /// The course it is for; null for every other kind.
    #[schema(required, example = 105)]
    course_id: Option<i64>,
    /// From when on it is sold.
    #[serde(with = "time::serde::rfc3339")]
    sale_starts_at: OffsetDateTime,
    /// From when on it is sold no more; null where no end is known.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    sale_ends_at: Option<OffsetDateTime>,
    /// Whether it is sold now.
    is_on_sale: bool,
}

/// What a product is for.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ProductKind {
    /// A course for a number of days.
    Course,
    /// A service for as long as it is paid for, month by month.
    Subscription,
    /// A seat in a mock exam.
    MockExam,
    /// A subject of Konoshiki.
    Konoshiki,
    /// A ticket for an interview.
    Interview,
}

/// What each kind is called in a query, and on the wire between the services.
const KINDS: [(&str, wire::ProductKind, ProductKind); 5] = [
    ("course", wire::ProductKind::Course, ProductKind::Course),
    ("subscription", wire::ProductKind::Subscription, ProductKind::Subscription),
    ("mock_exam", wire::ProductKind::MockExam, ProductKind::MockExam),
    ("konoshiki", wire::ProductKind::Konoshiki, ProductKind::Konoshiki),
    ("interview", wire::ProductKind::Interview, ProductKind::Interview),
];

impl Product {
    fn new(product: wire::Product) -> Result<Self, Error> {
        let kind = KINDS.iter().find(|(_, kind, _)| *kind == product.kind());
        Ok(Self {
            id: product.id,
            kind: kind.ok_or_else(|| incomplete("kind"))?.2,
            name: product.name,
            summary: product.summary,
            description: product.description,
            price: product.price,
            period_days: product.period_days,
            course_id: product.course_id,
            sale_starts_at: parse_timestamp(product.sale_starts_at)?,
            sale_ends_at: parse_optional_timestamp(product.sale_ends_at)?,
            is_on_sale: product.is_on_sale,
        })
    }
}

/// What is sold now, by kind.
#[utoipa::path(
    get,
    path = "/api/commerce/product/",
    operation_id = "product_list",
    tag = "commerce",
    params(
        ("kind[]" = Option<Vec<ProductKind>>, Query, description = "Only these", max_items = 100),
        ("course[]" = Option<Vec<i64>>, Query, description = "Only what is for one of these courses", max_items = 100, example = json!([105])),
        ("page" = Option<u32>, Query, description = "From 1; beyond the last is 404", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of it", body = Page<Product>),
        (status = 304, description = "As the ETag says")
    )
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let (names, course_ids) = (query.texts("kind[]")?, query.ids("course[]")?);
    let kind = |name: &String| KINDS.iter().find(|(known, _, _)| known == name).map(|kind| kind.1.into());
    let kinds: Option<Vec<i32>> = names.iter().map(kind).collect();
    let kinds = kinds.ok_or_else(|| Error::field("kind[]", "UNKNOWN_CHOICE"))?;
    let by_kind = names.into_iter().map(|name| ("kind[]", name));
    let filters: Vec<_> = by_kind.chain(course_ids.iter().map(|id| ("course[]", id.to_string()))).collect();
    let request = wire::ListProductsRequest { page, kinds, course_ids };
    let list = edge.products().list_products(request).await?.into_inner();
    let of = List { path: "/api/commerce/product/", filters: &filters, page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &of, list.products, Product::new)?)
}

/// One product. It stays readable after its sale, as orders name it.
#[utoipa::path(
    get,
    path = "/api/commerce/product/{id}/",
    operation_id = "product",
    tag = "commerce",
    params(("id" = i64, Path, description = "The product", minimum = 1)),
    responses(
        (status = 200, description = "The product", body = Product),
        (status = 304, description = "As the ETag says")
    )
)]
pub(crate) async fn product(
    State(edge): State<Edge>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let found = edge.products().get_product(wire::GetProductRequest { id }).await?.into_inner().product;
    public(&edge, &headers, &Product::new(found.ok_or_else(|| incomplete("product"))?)?)
}
