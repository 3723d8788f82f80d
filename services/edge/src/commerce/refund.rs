//! Refunds that buyers ask for, and their return invoices (返還インボイス).

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::order::Order;
use super::payment::PaymentMethod;
use super::product::ProductKind;
use super::{LineLearner, incomplete};
use crate::Edge;
use crate::answer::{attached_pdf, json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, IdempotencyKey, JsonBody, Key, Keys};
use crate::session::Relative;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Length of a digest in hex.
const DIGEST: usize = 64;
/// Most lines of an order.
const MAX_LINES: usize = 20;

/// The amounts that a refund of an order would return now.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundQuote {
    /// Goes back with the request.
    #[schema(min_length = 64, max_length = 64)]
    digest: String,
    /// The version of the rules that the order was placed under.
    policy_version: u32,
    #[serde(with = "time::serde::rfc3339")]
    computed_at: OffsetDateTime,
    /// Whether a line can be refunded.
    is_refundable: bool,
    /// Why the order can't be refunded; null: it can be, to the extent of its refundable lines.
    #[schema(required)]
    reason: Option<RefundObstacle>,
    /// Every line of the order.
    lines: Vec<RefundQuoteLine>,
    /// Yen: the sum of `amount`.
    #[schema(minimum = 0, example = 16500)]
    total: i32,
    /// Yen of tax in `total`.
    #[schema(minimum = 0, example = 1500)]
    tax: i32,
    /// How the order was paid, and the money goes back.
    method: PaymentMethod,
    /// When and where the money arrives, in words for the buyer.
    arrival_text: String,
}

/// Why an order can't be refunded.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum RefundObstacle {
    NotPaid,
    /// Every line was refunded.
    AllRefunded,
}

/// A line of a quote.
#[derive(Serialize, ToSchema)]
struct RefundQuoteLine {
    /// Its number in the order.
    #[schema(minimum = 1)]
    n: u32,
    name: String,
    kind: ProductKind,
    learner: LineLearner,
    /// Yen that were paid.
    #[schema(minimum = 0, example = 16500)]
    paid: i32,
    /// Yen that were refunded before.
    #[schema(minimum = 0, example = 0)]
    refunded: i32,
    /// Lessons of the course.
    lessons_total: u32,
    /// Lessons that the learner opened since it was granted.
    lessons_opened: u32,
    rule: RefundRule,
    /// How the amount is calculated, in words for the buyer.
    rule_text: String,
    /// The first moment at which the rule of the full amount no longer holds; null: not paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    full_until: Option<OffsetDateTime>,
    /// Yen that come back if it is requested now.
    #[schema(minimum = 0, example = 16500)]
    amount: i32,
    /// When access ends without a refund; null: no end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_use_at: Option<OffsetDateTime>,
}

/// The rule that decides about a line.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum RefundRule {
    /// All that was paid comes back.
    Full,
    /// What was paid for the lessons that were not opened comes back, rounded down.
    ProRata,
    /// The line can't be refunded.
    None,
}

impl RefundQuote {
    fn new(quote: wire::RefundQuote) -> Result<Self, Error> {
        let reason = match quote.obstacle() {
            wire::RefundObstacle::Unspecified => None,
            wire::RefundObstacle::NotPaid => Some(RefundObstacle::NotPaid),
            wire::RefundObstacle::AllRefunded => Some(RefundObstacle::AllRefunded),
        };
        Ok(Self {
            reason,
            method: PaymentMethod::new(quote.method())?,
            digest: quote.digest,
            policy_version: quote.policy_version,
            computed_at: parse_timestamp(quote.computed_at)?,
            is_refundable: quote.is_refundable,
            lines: quote.lines.into_iter().map(RefundQuoteLine::new).collect::<Result<_, _>>()?,
            total: quote.total,
            tax: quote.tax,
            arrival_text: quote.arrival_text,
        })
    }
}

impl RefundQuoteLine {
    fn new(line: wire::RefundQuoteLine) -> Result<Self, Error> {
        let rule = match line.rule() {
            wire::RefundRule::Unspecified => return Err(incomplete("rule")),
            wire::RefundRule::Full => RefundRule::Full,
            wire::RefundRule::ProRata => RefundRule::ProRata,
            wire::RefundRule::None => RefundRule::None,
        };
        Ok(Self {
            n: line.n,
            kind: ProductKind::new(line.kind())?,
            name: line.name,
            learner: LineLearner { id: line.learner_id, name: line.learner_name },
            paid: line.paid,
            refunded: line.refunded,
            lessons_total: line.lessons_total,
            lessons_opened: line.lessons_opened,
            rule,
            rule_text: line.rule_text,
            full_until: parse_optional_timestamp(line.full_until)?,
            amount: line.amount,
            last_use_at: parse_optional_timestamp(line.last_use_at)?,
        })
    }
}

/// Returns the amounts that a refund of an order would return now, and how they are calculated.
#[utoipa::path(
    get,
    path = "/api/commerce/order/{id}/refund/",
    operation_id = "refund_quote",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    responses((status = 200, description = "The quote.", body = RefundQuote))
)]
pub(crate) async fn quote(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = wire::GetRefundQuoteRequest { order_id: id.to_string() };
    let quote = edge.refunds(&relative).get_refund_quote(request).await?.into_inner().quote;
    Ok(json(&RefundQuote::new(quote.ok_or_else(|| incomplete("quote"))?)?))
}

/// The lines to refund.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefundRequest {
    /// `digest` of the quote that the page showed.
    #[schema(min_length = 1, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    quote: String,
    /// `n` of each line.
    #[schema(min_items = 1, max_items = 20, example = json!([1]))]
    lines: Vec<u32>,
}

impl Form for RefundRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (quote, lines) = (fields.text("quote", DIGEST), fields.ids("lines", MAX_LINES));
        // A number that no line has.
        let lines = lines?.into_iter().map(|line| u32::try_from(line).unwrap_or(u32::MAX));
        Some(Self { quote: quote?, lines: lines.collect() })
    }
}

/// Requests the refund of some lines, as the quote shows them. Access to them ends at once.
///
/// 409 `QUOTE_CHANGED` if a figure of the quote would differ now, 409 `NOT_REFUNDABLE` for a line that can't
/// be refunded. The same idempotency key again returns the order as it is; with other content it is 422
/// `IDEMPOTENCY_KEY_REUSED`, and while the first request is under way 409 `IDEMPOTENCY_KEY_IN_USE`.
#[utoipa::path(
    post,
    path = "/api/commerce/order/{id}/refund/",
    operation_id = "request_refund",
    tag = "commerce",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the order."),
        ("Idempotency-Key" = String, Header, description = "Idempotency key, chosen by the browser for each refund.", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")
    ),
    request_body = RefundRequest,
    responses((status = 201, description = "The order with its refund.", body = Order))
)]
pub(crate) async fn request(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(form): JsonBody<RefundRequest>,
) -> Result<Response, Error> {
    let request = wire::RequestRefundRequest {
        order_id: id.to_string(),
        quote_digest: form.quote,
        lines: form.lines,
        idempotency_key,
    };
    let answer = edge.refunds(&relative).request_refund(request).await.map_err(rename_fields)?;
    let order = answer.into_inner().order.ok_or_else(|| incomplete("order"))?;
    Ok(json_of(StatusCode::CREATED, "application/json", &Order::new(order)?))
}

/// A return invoice (返還インボイス): the invoice of a refund.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReturnInvoice {
    #[schema(example = "H-261125-7Q4F2-1")]
    number: String,
    #[schema(example = "KM-261125-7Q4F2")]
    order_number: String,
    /// Number of the receipt that it corrects.
    #[schema(example = "R-261125-7Q4F2")]
    receipt_number: String,
    /// Addressee of the receipt, or the buyer until the receipt is issued; null once the name was erased.
    #[schema(required, example = "葵 花子")]
    addressee: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    issued_at: OffsetDateTime,
    /// When the refunded order was paid.
    #[serde(with = "time::serde::rfc3339")]
    paid_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    refunded_at: OffsetDateTime,
    lines: Vec<ReturnInvoiceLine>,
    /// Yen, tax included.
    #[schema(minimum = 0, example = 16500)]
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
}

/// A line of a return invoice.
#[derive(Serialize, ToSchema)]
struct ReturnInvoiceLine {
    name: String,
    /// Yen, tax included.
    #[schema(minimum = 0, example = 16500)]
    amount: i32,
}

impl ReturnInvoice {
    fn new(invoice: wire::ReturnInvoice) -> Result<Self, Error> {
        let lines = invoice.lines.into_iter();
        Ok(Self {
            number: invoice.number,
            order_number: invoice.order_number,
            receipt_number: invoice.receipt_number,
            addressee: invoice.addressee,
            issued_at: parse_timestamp(invoice.issued_at)?,
            paid_at: parse_timestamp(invoice.paid_at)?,
            refunded_at: parse_timestamp(invoice.refunded_at)?,
            lines: lines.map(|line| ReturnInvoiceLine { name: line.name, amount: line.amount }).collect(),
            total: invoice.total,
            tax: invoice.tax,
            tax_rate: invoice.tax_rate,
            issuer: invoice.issuer,
            issuer_number: invoice.issuer_number,
        })
    }
}

/// Returns the return invoice of a refund that was paid. 404 for a refund without one.
#[utoipa::path(
    get,
    path = "/api/commerce/order/{id}/refund/{refund}/invoice/",
    operation_id = "return_invoice",
    tag = "commerce",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the order."),
        ("refund" = uuid::Uuid, Path, description = "Id of the refund.")
    ),
    responses((status = 200, description = "The return invoice.", body = ReturnInvoice))
)]
pub(crate) async fn invoice(
    State(edge): State<Edge>,
    relative: Relative,
    Keys(order, refund): Keys,
) -> Result<Response, Error> {
    let request =
        wire::GetReturnInvoiceRequest { order_id: order.to_string(), refund_id: refund.to_string() };
    let invoice = edge.refunds(&relative).get_return_invoice(request).await?.into_inner().invoice;
    Ok(json(&ReturnInvoice::new(invoice.ok_or_else(|| incomplete("invoice"))?)?))
}

/// Returns the return invoice of a refund that was paid as PDF, as it was first written. 404 for a refund without one.
#[utoipa::path(
    get,
    path = "/api/commerce/order/{id}/refund/{refund}/invoice/pdf/",
    operation_id = "return_invoice_pdf",
    tag = "commerce",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the order."),
        ("refund" = uuid::Uuid, Path, description = "Id of the refund.")
    ),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = String))
)]
pub(crate) async fn invoice_pdf(
    State(edge): State<Edge>,
    relative: Relative,
    Keys(order, refund): Keys,
) -> Result<Response, Error> {
    let request =
        wire::GetReturnInvoicePdfRequest { order_id: order.to_string(), refund_id: refund.to_string() };
    let invoice = edge.refunds(&relative).get_return_invoice_pdf(request).await?.into_inner();
    Ok(attached_pdf(&format!("return-invoice-{}", invoice.number), invoice.pdf))
}

/// Asks the buyer for another bank account, if a refund to a bank account failed. Idempotent.
///
/// 409 `NOT_REFUNDABLE` for a refund that did not fail, or goes to a card.
#[utoipa::path(
    post,
    path = "/api/commerce/order/{id}/refund/{refund}/retry/",
    operation_id = "retry_refund",
    tag = "commerce",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the order."),
        ("refund" = uuid::Uuid, Path, description = "Id of the refund.")
    ),
    responses((status = 200, description = "The order with the new refund.", body = Order))
)]
pub(crate) async fn retry(
    State(edge): State<Edge>,
    relative: Relative,
    Keys(order, refund): Keys,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::RetryRefundRequest { order_id: order.to_string(), refund_id: refund.to_string() };
    Order::answer(edge.refunds(&relative).retry_refund(request).await?.into_inner().order)
}

/// Converts a failure. Renames the fields of the error to their names in JSON.
fn rename_fields(status: tonic::Status) -> Error {
    Error::from(status).rename_field("quote_digest", "quote")
}
