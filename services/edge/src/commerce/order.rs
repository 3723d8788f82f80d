//! Orders.

mod refund;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::buyer::find_buyer;
use super::confirmation::Confirmation;
use super::coupon::OrderCoupon;
use super::payment::{Payment, PaymentMethod};
use super::product::ProductKind;
use super::{LineLearner, incomplete};
use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, IdempotencyKey, JsonBody, Key, OptionalBody, Query};
use crate::page::{List, Page};
use crate::session::Relative;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};
use refund::Refund;

/// Length of a digest in hex.
const DIGEST: usize = 64;

/// An order.
#[derive(Serialize, ToSchema)]
pub(crate) struct Order {
    #[schema(format = Uuid)]
    id: String,
    #[schema(example = "KM-261125-7Q4F2")]
    number: String,
    state: OrderState,
    /// In the order of the confirmation.
    lines: Vec<OrderLine>,
    /// Yen, tax included, after the discount.
    #[schema(minimum = 0, example = 16500)]
    total: i32,
    /// Yen of tax in `total`.
    #[schema(minimum = 0, example = 1500)]
    tax: i32,
    #[serde(with = "time::serde::rfc3339")]
    placed_at: OffsetDateTime,
    /// When it expires unpaid.
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
    /// Null: not paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    paid_at: Option<OffsetDateTime>,
    /// When it was cancelled or expired; null: neither.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ended_at: Option<OffsetDateTime>,
    payment: Payment,
    /// The subscription that it starts or renews; null: none.
    #[schema(required, format = Uuid)]
    subscription_id: Option<String>,
    /// Money that goes back. Oldest first.
    refunds: Vec<Refund>,
    /// Yen that the coupons took off.
    #[schema(minimum = 0, example = 2475)]
    discount: i32,
    /// A percentage comes first.
    #[schema(max_items = 2)]
    coupons: Vec<OrderCoupon>,
    /// What the buyer agreed to; null in lists.
    #[schema(required)]
    confirmation: Option<Confirmation>,
}

/// State of an order. It never goes back.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OrderState {
    AwaitingPayment,
    /// Paid; access is being granted.
    Paid,
    /// Paid, and every course can be used.
    Fulfilled,
    /// Not paid in time.
    Expired,
    /// Cancelled before it was paid.
    Cancelled,
    /// Paid, and some lines were refunded.
    PartRefunded,
    /// Paid, and every line was refunded.
    Refunded,
}

/// A line of an order.
#[derive(Serialize, ToSchema)]
pub(super) struct OrderLine {
    product_id: i64,
    /// The product's name when it was ordered.
    name: String,
    /// Yen, tax included.
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
    learner: LineLearner,
    /// Yen: the line's part of the order's discount.
    #[schema(minimum = 0, example = 2475)]
    discount: i32,
    kind: ProductKind,
    /// Its number in the order.
    #[schema(minimum = 1, example = 1)]
    n: u32,
    /// Yen that were refunded.
    #[schema(minimum = 0, example = 0)]
    refunded: i32,
}

impl Order {
    pub(super) fn new(order: wire::Order) -> Result<Self, Error> {
        Ok(Self {
            state: OrderState::new(order.state())?,
            id: order.id,
            number: order.number,
            lines: order.lines.into_iter().map(OrderLine::new).collect::<Result<_, _>>()?,
            total: order.total,
            tax: order.tax,
            placed_at: parse_timestamp(order.placed_at)?,
            due_at: parse_timestamp(order.due_at)?,
            paid_at: parse_optional_timestamp(order.paid_at)?,
            ended_at: parse_optional_timestamp(order.ended_at)?,
            subscription_id: order.subscription_id,
            payment: Payment::new(order.payment.ok_or_else(|| incomplete("payment"))?)?,
            refunds: order.refunds.into_iter().map(Refund::new).collect::<Result<_, _>>()?,
            discount: order.discount,
            coupons: order.coupons.into_iter().map(OrderCoupon::from).collect(),
            confirmation: order.confirmation.map(Confirmation::new).transpose()?,
        })
    }

    /// An order of a list, without its confirmation.
    fn summary(order: wire::Order) -> Result<Self, Error> {
        Self::new(wire::Order { confirmation: None, ..order })
    }

    pub(super) fn answer(order: Option<wire::Order>) -> Result<Response, Error> {
        Ok(json(&Self::new(order.ok_or_else(|| incomplete("order"))?)?))
    }
}

impl OrderState {
    pub(crate) fn new(state: wire::OrderState) -> Result<Self, Error> {
        match state {
            wire::OrderState::Unspecified => Err(incomplete("state")),
            wire::OrderState::AwaitingPayment => Ok(Self::AwaitingPayment),
            wire::OrderState::Paid => Ok(Self::Paid),
            wire::OrderState::Fulfilled => Ok(Self::Fulfilled),
            wire::OrderState::Expired => Ok(Self::Expired),
            wire::OrderState::Cancelled => Ok(Self::Cancelled),
            wire::OrderState::PartRefunded => Ok(Self::PartRefunded),
            wire::OrderState::Refunded => Ok(Self::Refunded),
        }
    }
}

impl OrderLine {
    pub(super) fn new(line: wire::OrderLine) -> Result<Self, Error> {
        Ok(Self {
            kind: ProductKind::new(line.kind())?,
            product_id: line.product_id,
            name: line.name,
            price: line.price,
            period_days: line.period_days,
            course_id: line.course_id,
            exam_id: line.exam_id,
            learner: LineLearner { id: line.learner_id, name: line.learner_name },
            discount: line.discount,
            n: line.n,
            refunded: line.refunded,
        })
    }
}

/// An order to place.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrderRequest {
    /// `digest` of the confirmation that the page showed.
    #[schema(min_length = 1, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    confirmation: String,
    /// `method` of the confirmation's document.
    #[schema(value_type = PaymentMethod)]
    method: wire::PaymentMethod,
    /// Whether the buyer has read `contract` of the confirmation's document, and accepts to get it on these
    /// pages instead of on paper. Required as true if the document has one.
    #[schema(required = false)]
    accepts_contract: bool,
}

impl Form for OrderRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (confirmation, method) = (fields.text("confirmation", DIGEST), fields.text("method", 64));
        let Some(method) = PaymentMethod::parse(&method?) else {
            fields.note("method", "UNKNOWN_CHOICE");
            return None;
        };
        let accepts_contract = fields.flag_or_false("accepts_contract");
        Some(Self { confirmation: confirmation?, method, accepts_contract: accepts_contract? })
    }
}

/// Places an order for the lines that the confirmation shows, and starts its payment at the provider.
///
/// The order reserves the coupons of the confirmation. An order of 0 yen is paid at once, with method `coupon`.
/// 409 `CONFIRMATION_CHANGED` if the confirmation would differ now. An open order with the same confirmation
/// is returned as it is; with another open order it is 409 `ORDER_OPEN`. The same idempotency key again
/// returns the same order; with other content it is 422 `IDEMPOTENCY_KEY_REUSED`, and while the first request
/// is under way 409 `IDEMPOTENCY_KEY_IN_USE`. If the provider does not answer, the order is placed
/// anyway, and the state of its payment is `unknown`. A contract of a 特定継続的役務 that the buyer does not
/// accept is 400 with `REQUIRED` of `accepts_contract`.
#[utoipa::path(
    post,
    path = "/api/commerce/order/",
    operation_id = "place_order",
    tag = "commerce",
    params(("Idempotency-Key" = String, Header, description = "Idempotency key, chosen by the browser for each order.", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")),
    request_body = OrderRequest,
    responses((status = 201, description = "The order.", body = Order))
)]
pub(crate) async fn place(
    State(edge): State<Edge>,
    relative: Relative,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(form): JsonBody<OrderRequest>,
) -> Result<Response, Error> {
    let request = wire::PlaceOrderRequest {
        buyer: Some(find_buyer(&edge, &relative).await?),
        confirmation_digest: form.confirmation,
        method: form.method.into(),
        idempotency_key,
        accepts_contract: form.accepts_contract,
    };
    let placed = edge.orders(&relative).place_order(request).await.map_err(rename_fields)?;
    let order = placed.into_inner().order.ok_or_else(|| incomplete("order"))?;
    Ok(json_of(StatusCode::CREATED, "application/json", &Order::new(order)?))
}

/// Lists the caller's orders, newest first.
#[utoipa::path(
    get,
    path = "/api/commerce/order/",
    operation_id = "order_list",
    tag = "commerce",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of orders.", body = Page<Order>))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    relative: Relative,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    let list = edge.orders(&relative).list_orders(wire::ListOrdersRequest { page }).await?.into_inner();
    let listing = List { path: "/api/commerce/order/", filters: &[], page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.orders, Order::summary)?))
}

/// Returns an order. 404 for an order of another account.
#[utoipa::path(
    get,
    path = "/api/commerce/order/{id}/",
    operation_id = "order",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    responses((status = 200, description = "The order.", body = Order))
)]
pub(crate) async fn order(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = wire::GetOrderRequest { order_id: id.to_string() };
    Order::answer(edge.orders(&relative).get_order(request).await?.into_inner().order)
}

/// Asks the provider about the payment of an order now. For the page that the provider sends the buyer back
/// to.
///
/// At most one question a second for each order. An order whose payment is settled is returned as it is.
#[utoipa::path(
    post,
    path = "/api/commerce/order/{id}/check/",
    operation_id = "check_order",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    responses((status = 200, description = "The order.", body = Order))
)]
pub(crate) async fn check(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::CheckOrderRequest { order_id: id.to_string() };
    Order::answer(edge.orders(&relative).check_order(request).await?.into_inner().order)
}

/// How to pay an order.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PayRequest {
    /// Card or saved card, for an order that is paid by one of them; left out or null: as before.
    #[schema(value_type = Option<PaymentMethod>)]
    method: Option<wire::PaymentMethod>,
}

impl Form for PayRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let Some(name) = fields.optional("method", 64)? else { return Some(Self { method: None }) };
        let method = PaymentMethod::parse(&name);
        if method.is_none() {
            fields.note("method", "UNKNOWN_CHOICE");
            return None;
        }
        Some(Self { method })
    }
}

/// Returns an order with an open payment page or with instructions: those that are open, or new ones of the same
/// method if the last attempt failed.
///
/// 409 `ORDER_CLOSED` for an order that awaits no payment. An order that is paid by card can change between
/// `card` and `saved_card`: the open payment is closed first. With a saved card there is a page only for 3-D
/// Secure.
#[utoipa::path(
    post,
    path = "/api/commerce/order/{id}/pay/",
    operation_id = "pay_order",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    request_body = PayRequest,
    responses((status = 200, description = "The order.", body = Order))
)]
pub(crate) async fn pay(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    OptionalBody(form): OptionalBody<PayRequest>,
) -> Result<Response, Error> {
    let method = form.method.unwrap_or_default();
    let request = wire::PayOrderRequest { order_id: id.to_string(), method: method.into() };
    let paid = edge.orders(&relative).pay_order(request).await?;
    Order::answer(paid.into_inner().order)
}

/// Cancels an order that awaits its payment. Its lines are free in the cart again.
///
/// An order that was paid meanwhile, or has ended, is returned as it is.
#[utoipa::path(
    post,
    path = "/api/commerce/order/{id}/cancel/",
    operation_id = "cancel_order",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the order.")),
    responses((status = 200, description = "The order.", body = Order))
)]
pub(crate) async fn cancel(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::CancelOrderRequest { order_id: id.to_string() };
    Order::answer(edge.orders(&relative).cancel_order(request).await?.into_inner().order)
}

/// Converts a failure. Renames the fields of the error to their names in JSON.
fn rename_fields(status: tonic::Status) -> Error {
    Error::from(status).rename_field("confirmation_digest", "confirmation")
}
