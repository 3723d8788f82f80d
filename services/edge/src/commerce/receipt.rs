//! Receipts (領収書), which are also qualified invoices (適格請求書).

use axum::extract::State;
use axum::response::Response;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::coupon::OrderCoupon;
use super::incomplete;
use super::order::OrderLine;
use super::payment::PaymentMethod;
use crate::Edge;
use crate::answer::{attached_pdf, json};
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody, Key};
use crate::session::Relative;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Longest input in characters. Commerce checks the length without surrounding space.
const MAX_INPUT: usize = 512;

/// A receipt.
#[derive(Serialize, ToSchema)]
pub(crate) struct Receipt {
    #[schema(example = "R-261125-7Q4F2")]
    number: String,
    #[schema(example = "KM-261125-7Q4F2")]
    order_number: String,
    /// Addressee; null until it is issued.
    #[schema(required, example = "葵 花子")]
    addressee: Option<String>,
    /// How often it was issued; 2 and more is 再発行.
    issues: u32,
    /// When it was issued last; null until then.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    issued_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339")]
    paid_at: OffsetDateTime,
    lines: Vec<OrderLine>,
    /// Yen that the coupons took off. The lines cost `total` and this together.
    #[schema(minimum = 0, example = 2475)]
    discount: i32,
    /// A percentage comes first.
    #[schema(max_items = 2)]
    coupons: Vec<OrderCoupon>,
    /// Yen, tax included, after the discount.
    #[schema(minimum = 0, example = 14025)]
    total: i32,
    /// Yen of tax in `total`.
    #[schema(minimum = 0, example = 1500)]
    tax: i32,
    /// Percent.
    #[schema(example = 10)]
    tax_rate: u32,
    /// The qualified issuer's name.
    #[schema(example = "株式会社コノマナ")]
    issuer: String,
    /// The qualified issuer's registration number.
    #[schema(example = "T0000000000000")]
    issuer_number: String,
    method: PaymentMethod,
}

impl Receipt {
    fn new(receipt: Option<wire::Receipt>) -> Result<Self, Error> {
        let receipt = receipt.ok_or_else(|| incomplete("receipt"))?;
        Ok(Self {
            method: PaymentMethod::new(receipt.method())?,
            number: receipt.number,
            order_number: receipt.order_number,
            addressee: receipt.addressee,
            issues: receipt.issues,
            issued_at: parse_optional_timestamp(receipt.issued_at)?,
            paid_at: parse_timestamp(receipt.paid_at)?,
            lines: receipt.lines.into_iter().map(OrderLine::new).collect::<Result<_, _>>()?,
            discount: receipt.discount,
            coupons: receipt.coupons.into_iter().map(OrderCoupon::from).collect(),
            total: receipt.total,
            tax: receipt.tax,
            tax_rate: receipt.tax_rate,
            issuer: receipt.issuer,
            issuer_number: receipt.issuer_number,
        })
    }
}

/// Returns the receipt of a paid order. 404 for an order that was not paid.
#[utoipa::path(
    get,
    path = "/api/commerce/order/{id}/receipt/",
    operation_id = "receipt",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    responses((status = 200, description = "The receipt.", body = Receipt))
)]
pub(crate) async fn receipt(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = wire::GetReceiptRequest { order_id: id.to_string() };
    let receipt = edge.orders(&relative).get_receipt(request).await?.into_inner().receipt;
    Ok(json(&Receipt::new(receipt)?))
}

/// The addressee of a receipt.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReceiptRequest {
    /// As typed; 1 to 60 characters, not counting surrounding space.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$", example = "葵 花子")]
    addressee: String,
}

impl Form for ReceiptRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { addressee: fields.text("addressee", MAX_INPUT)? })
    }
}

/// Sets the addressee of the receipt of a paid order.
///
/// The first time issues the receipt; every later change is a reissue (再発行). 404 for an order that was
/// not paid.
#[utoipa::path(
    post,
    path = "/api/commerce/order/{id}/receipt/",
    operation_id = "issue_receipt",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    request_body = ReceiptRequest,
    responses((status = 200, description = "The receipt.", body = Receipt))
)]
pub(crate) async fn issue(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    JsonBody(form): JsonBody<ReceiptRequest>,
) -> Result<Response, Error> {
    let request = wire::IssueReceiptRequest { order_id: id.to_string(), addressee: form.addressee };
    let receipt = edge.orders(&relative).issue_receipt(request).await?.into_inner().receipt;
    Ok(json(&Receipt::new(receipt)?))
}

/// Returns the receipt of a paid order as PDF, as it was first written for its newest issue.
///
/// 404 for a receipt that was not issued.
#[utoipa::path(
    get,
    path = "/api/commerce/order/{id}/receipt/pdf/",
    operation_id = "receipt_pdf",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn pdf(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = wire::GetReceiptPdfRequest { order_id: id.to_string() };
    let receipt = edge.orders(&relative).get_receipt_pdf(request).await?.into_inner();
    Ok(attached_pdf(&format!("receipt-{}", receipt.number), receipt.pdf))
}
