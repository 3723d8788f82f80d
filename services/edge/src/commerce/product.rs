//! Products for sale.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::commerce as wire;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::page::{List, Page};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// An item for sale.
#[derive(Serialize, ToSchema)]
pub(crate) struct Product {
    id: i64,
    kind: ProductKind,
    #[schema(example = "中3数学 二次方程式と関数（365日間）")]
    name: String,
    /// One line.
    summary: String,
    /// Paragraphs, separated by an empty line.
    description: String,
    /// Whole yen, tax included. For a subscription: per month.
    #[schema(minimum = 1, example = 16500)]
    price: i32,
    /// Days of access; null: not limited by days.
    #[schema(required, example = 365)]
    period_days: Option<i32>,
    /// Id of the course; null for other kinds.
    #[schema(required, example = 105)]
    course_id: Option<i64>,
    /// Id of the exam; null for other kinds than `exam_seat`.
    #[schema(required, example = 2)]
    exam_id: Option<i64>,
    /// Seats that are neither sold nor ordered now; null for other kinds than `exam_seat`.
    #[schema(required, example = 12)]
    places_left: Option<u32>,
    /// The first moment at which the exam takes no more applications, and a seat can't be given back any more; null for
    /// other kinds than `exam_seat`.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    application_closes_at: Option<OffsetDateTime>,
    /// Start of the sale.
    #[serde(with = "time::serde::rfc3339")]
    sale_starts_at: OffsetDateTime,
    /// End of the sale; null: not planned.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    sale_ends_at: Option<OffsetDateTime>,
    /// Whether the product is on sale now.
    is_on_sale: bool,
}

/// Kind of a product.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ProductKind {
    /// Access to a course for a number of days.
    // Confirmations of version 1 have only this kind.
    #[default]
    Course,
    /// A service that is paid monthly.
    Subscription,
    /// A seat in a mock exam.
    ExamSeat,
    /// A subject of Konoshiki.
    Konoshiki,
    /// A ticket for an interview.
    Interview,
}

/// The name of each kind in queries, with its value in proto and in JSON.
const KINDS: [(&str, wire::ProductKind, ProductKind); 5] = [
    ("course", wire::ProductKind::Course, ProductKind::Course),
    ("subscription", wire::ProductKind::Subscription, ProductKind::Subscription),
    ("exam_seat", wire::ProductKind::ExamSeat, ProductKind::ExamSeat),
    ("konoshiki", wire::ProductKind::Konoshiki, ProductKind::Konoshiki),
    ("interview", wire::ProductKind::Interview, ProductKind::Interview),
];

impl ProductKind {
    pub(super) fn new(kind: wire::ProductKind) -> Result<Self, Error> {
        let known = KINDS.iter().find(|(_, known, _)| *known == kind);
        known.map(|known| known.2).ok_or_else(|| incomplete("kind"))
    }
}

impl Product {
    pub(super) fn new(product: wire::Product) -> Result<Self, Error> {
        Ok(Self {
            id: product.id,
            kind: ProductKind::new(product.kind())?,
            name: product.name,
            summary: product.summary,
            description: product.description,
            price: product.price,
            period_days: product.period_days,
            course_id: product.course_id,
            exam_id: product.exam_id,
            places_left: product.places_left,
            application_closes_at: parse_optional_timestamp(product.application_closes_at)?,
            sale_starts_at: parse_timestamp(product.sale_starts_at)?,
            sale_ends_at: parse_optional_timestamp(product.sale_ends_at)?,
            is_on_sale: product.is_on_sale,
        })
    }
}

/// Lists the products on sale, by kind.
#[utoipa::path(
    get,
    path = "/api/commerce/product/",
    operation_id = "product_list",
    tag = "commerce",
    params(
        ("kind[]" = Option<Vec<ProductKind>>, Query, description = "Filter by kind.", max_items = 100),
        ("course[]" = Option<Vec<i64>>, Query, description = "Filter by course id.", max_items = 100, example = json!([105])),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of products.", body = Page<Product>),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
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
    let listing = List { path: "/api/commerce/product/", filters: &filters, page, count: list.count };
    public(&edge, &headers, &Page::new(&edge, &listing, list.products, Product::new)?)
}

/// Returns a product. It remains available after its sale, because orders refer to it.
#[utoipa::path(
    get,
    path = "/api/commerce/product/{id}/",
    operation_id = "product",
    tag = "commerce",
    params(("id" = i64, Path, description = "Id of the product.", minimum = 1)),
    responses(
        (status = 200, description = "The product.", body = Product),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
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
