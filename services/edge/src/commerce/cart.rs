//! The cart of an account.

use axum::extract::State;
use axum::response::Response;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::buyer::find_buyer;
use super::product::Product;
use super::{LineLearner, incomplete};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody, Key, MAX_SAFE_INTEGER};
use crate::session::Relative;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Most lines of a cart.
const MAX_LINES: usize = 20;

/// A cart.
#[derive(Serialize, ToSchema)]
pub(crate) struct Cart {
    /// Oldest first.
    #[schema(max_items = 20)]
    lines: Vec<CartLine>,
    /// Yen, tax included: the sum of the lines without a problem that belong to no open order.
    #[schema(minimum = 0, example = 16500)]
    subtotal: i32,
    /// Yen that the coupons take off.
    #[schema(minimum = 0, example = 2475)]
    discount: i32,
    /// Yen, tax included: `subtotal` less `discount`.
    #[schema(minimum = 0, example = 14025)]
    total: i32,
    /// The coupons on the cart, a percentage first. Without those of the open order.
    #[schema(max_items = 2)]
    coupons: Vec<CartCoupon>,
    /// The order that awaits its payment; null: none. An account has at most one.
    #[schema(required)]
    open_order: Option<OpenOrder>,
    /// The learners that the caller may buy for: the caller, if a learner, then the linked children.
    learners: Vec<CartLearner>,
    /// When the caller last asked the guardians to pay; null: not within 90 days.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    asked_at: Option<OffsetDateTime>,
}

/// A product in a cart, for a learner.
#[derive(Serialize, ToSchema)]
struct CartLine {
    #[schema(format = Uuid)]
    id: String,
    /// As it is priced now.
    product: Product,
    learner: LineLearner,
    /// Why the line can't be bought; null: it can.
    #[schema(required)]
    problem: Option<LineProblem>,
    #[serde(with = "time::serde::rfc3339")]
    added_at: OffsetDateTime,
    /// Whether the line belongs to the open order.
    is_ordered: bool,
    /// The learner who asked the caller to pay for the line. Null for other lines, and for a learner whom the
    /// caller may no longer buy for.
    #[schema(required)]
    asked_by: Option<Asker>,
}

/// The learner who asked for a line.
#[derive(Serialize, ToSchema)]
struct Asker {
    #[schema(format = Uuid)]
    id: String,
    /// Family name and given name.
    #[schema(example = "葵 太郎")]
    name: String,
}

/// Why a line can't be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LineProblem {
    /// The learner can use the course, or has a seat of the exam, already.
    Owned,
    /// The product's sale has ended or has not begun.
    NotOnSale,
    /// The learner needs a guardian's consent.
    ConsentMissing,
    /// The caller may no longer buy for this learner.
    NotLinked,
    /// Products of this kind can't be bought yet.
    NotOffered,
    /// No place is left in the exam.
    SoldOut,
    /// The learner or a guardian has ordered the same for the learner from another account, and not paid yet.
    OrderedElsewhere,
}

impl LineProblem {
    fn new(problem: wire::LineProblem) -> Option<Self> {
        match problem {
            wire::LineProblem::Unspecified => None,
            wire::LineProblem::Owned => Some(Self::Owned),
            wire::LineProblem::NotOnSale => Some(Self::NotOnSale),
            wire::LineProblem::ConsentMissing => Some(Self::ConsentMissing),
            wire::LineProblem::NotLinked => Some(Self::NotLinked),
            wire::LineProblem::NotOffered => Some(Self::NotOffered),
            wire::LineProblem::SoldOut => Some(Self::SoldOut),
            wire::LineProblem::OrderedElsewhere => Some(Self::OrderedElsewhere),
        }
    }
}

/// A coupon on a cart.
#[derive(Serialize, ToSchema)]
struct CartCoupon {
    #[schema(example = 2)]
    id: i64,
    #[schema(example = "冬の学習応援 15％引き")]
    name: String,
    /// Yen that it takes off.
    #[schema(minimum = 0, example = 2475)]
    amount: i32,
    /// Why it takes off nothing; null: it can be used.
    #[schema(required)]
    problem: Option<CouponProblem>,
}

/// Why a coupon takes off nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum CouponProblem {
    /// The lines in its scope cost less than its minimum.
    Minimum,
    /// No line is in its scope.
    Scope,
    Expired,
    NotStarted,
    /// The caller has used it as often as allowed.
    Used,
    /// Other accounts have used it up.
    UsedUp,
    /// The cart has no line that can be bought.
    EmptyCart,
    /// It is for the first order, and the caller has paid one.
    FirstOrderOnly,
}

/// An order that awaits its payment.
#[derive(Serialize, ToSchema)]
struct OpenOrder {
    #[schema(format = Uuid)]
    id: String,
    #[schema(example = "KM-261125-7Q4F2")]
    number: String,
    /// Yen, tax included.
    #[schema(minimum = 1, example = 16500)]
    total: i32,
    /// When it expires unpaid.
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
}

/// A learner that the caller may buy for.
#[derive(Serialize, ToSchema)]
struct CartLearner {
    #[schema(format = Uuid)]
    id: String,
    /// Family name and given name.
    #[schema(example = "葵 太郎")]
    name: String,
    /// Whether a guardian's consent is needed and missing. Nothing can be bought for this learner then.
    lacks_consent: bool,
    /// Whether a guardian was asked for consent, and the request is still valid.
    is_consent_asked: bool,
}

impl CouponProblem {
    /// Converts a problem. An unknown problem of a newer commerce is an error; if it were dropped, the coupon
    /// would seem usable.
    pub(super) fn new(problem: i32) -> Result<Option<Self>, Error> {
        let problem = wire::CouponProblem::try_from(problem).map_err(|_| incomplete("problem"))?;
        Ok(match problem {
            wire::CouponProblem::Unspecified => None,
            wire::CouponProblem::Minimum => Some(Self::Minimum),
            wire::CouponProblem::Scope => Some(Self::Scope),
            wire::CouponProblem::Expired => Some(Self::Expired),
            wire::CouponProblem::NotStarted => Some(Self::NotStarted),
            wire::CouponProblem::Used => Some(Self::Used),
            wire::CouponProblem::UsedUp => Some(Self::UsedUp),
            wire::CouponProblem::EmptyCart => Some(Self::EmptyCart),
            wire::CouponProblem::FirstOrderOnly => Some(Self::FirstOrderOnly),
        })
    }
}

impl Cart {
    pub(super) fn new(cart: Option<wire::Cart>, learners: Vec<wire::Learner>) -> Result<Self, Error> {
        let cart = cart.ok_or_else(|| incomplete("cart"))?;
        let learners = learners.into_iter().map(|learner| CartLearner {
            id: learner.id,
            name: learner.name,
            lacks_consent: learner.lacks_consent,
            is_consent_asked: learner.is_consent_asked,
        });
        Ok(Self {
            lines: cart.lines.into_iter().map(CartLine::new).collect::<Result<_, _>>()?,
            subtotal: cart.subtotal,
            discount: cart.discount,
            total: cart.total,
            coupons: cart.coupons.into_iter().map(CartCoupon::new).collect::<Result<_, _>>()?,
            open_order: cart.open_order.map(OpenOrder::new).transpose()?,
            learners: learners.collect(),
            asked_at: parse_optional_timestamp(cart.asked_at)?,
        })
    }
}

impl CartLine {
    fn new(line: wire::CartLine) -> Result<Self, Error> {
        // An unknown problem of a newer commerce is an error. If it were dropped, the line would seem fine.
        let problem = wire::LineProblem::try_from(line.problem).map_err(|_| incomplete("problem"))?;
        Ok(Self {
            id: line.id,
            product: Product::new(line.product.ok_or_else(|| incomplete("product"))?)?,
            learner: LineLearner { id: line.learner_id, name: line.learner_name },
            problem: LineProblem::new(problem),
            added_at: parse_timestamp(line.added_at)?,
            is_ordered: line.is_ordered,
            asked_by: line.asked_by.map(|asker| Asker { id: asker.id, name: asker.name }),
        })
    }
}

impl CartCoupon {
    fn new(coupon: wire::CartCoupon) -> Result<Self, Error> {
        let problem = CouponProblem::new(coupon.problem)?;
        Ok(Self { id: coupon.id, name: coupon.name, amount: coupon.amount, problem })
    }
}

impl OpenOrder {
    fn new(order: wire::OpenOrder) -> Result<Self, Error> {
        let due_at = parse_timestamp(order.due_at)?;
        Ok(Self { id: order.id, number: order.number, total: order.total, due_at })
    }
}

/// Returns the caller's cart, priced now.
#[utoipa::path(
    get,
    path = "/api/commerce/cart/",
    operation_id = "cart",
    tag = "commerce",
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn cart(State(edge): State<Edge>, relative: Relative) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::GetCartRequest { buyer: Some(buyer) };
    let cart = edge.carts(&relative).get_cart(request).await?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}

/// A product to put into the cart.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CartLineRequest {
    /// Id of the product.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1105)]
    product: i64,
    /// Who will use it; null: the first of the caller's learners.
    #[schema(required = false, format = Uuid)]
    learner: Option<Uuid>,
}

impl Form for CartLineRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (product, learner) = (fields.whole("product", MAX_SAFE_INTEGER), fields.optional_uuid("learner"));
        Some(Self { product: product?, learner: learner? })
    }
}

/// Puts a product into the cart for a learner. A product that is in the cart for the learner is left as it
/// is.
///
/// 404 for an unknown product. A learner whom the caller may not buy for is `UNKNOWN_CHOICE` of `learner`.
/// 409 `CART_FULL` with 20 lines; 409 `NO_LEARNER` for a caller without learners. A product that can't be
/// bought for the learner can still be put into the cart: `problem` of its line says why.
#[utoipa::path(
    post,
    path = "/api/commerce/cart/line/",
    operation_id = "add_cart_line",
    tag = "commerce",
    request_body = CartLineRequest,
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn add_line(
    State(edge): State<Edge>,
    relative: Relative,
    JsonBody(form): JsonBody<CartLineRequest>,
) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::AddLineRequest {
        buyer: Some(buyer),
        product_id: form.product,
        learner_id: form.learner.map_or_else(String::new, |learner| learner.to_string()),
    };
    let cart = edge.carts(&relative).add_line(request).await.map_err(rename_fields)?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}

/// The learner that a line is assigned to.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CartAssignment {
    #[schema(format = Uuid)]
    learner: Uuid,
}

impl Form for CartAssignment {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { learner: fields.uuid("learner")? })
    }
}

/// Assigns a line to a learner. If the product is in the cart for that learner, the two lines become one.
///
/// 404 for a line of another account. A learner whom the caller may not buy for is `UNKNOWN_CHOICE` of
/// `learner`. 409 `ORDER_OPEN` for a line of the open order.
#[utoipa::path(
    put,
    path = "/api/commerce/cart/line/{id}/",
    operation_id = "assign_cart_line",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the line.")),
    request_body = CartAssignment,
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn assign_line(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
    JsonBody(form): JsonBody<CartAssignment>,
) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::AssignLineRequest {
        buyer: Some(buyer),
        line_id: id.to_string(),
        learner_id: form.learner.to_string(),
    };
    let cart = edge.carts(&relative).assign_line(request).await.map_err(rename_fields)?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}

/// Removes a line.
///
/// 404 for a line of another account, or one that is gone. 409 `ORDER_OPEN` for a line of the open order.
#[utoipa::path(
    delete,
    path = "/api/commerce/cart/line/{id}/",
    operation_id = "remove_cart_line",
    tag = "commerce",
    params(("id" = uuid::Uuid, Path, description = "Id of the line.")),
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn remove_line(
    State(edge): State<Edge>,
    relative: Relative,
    Key(id): Key,
) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::RemoveLineRequest { buyer: Some(buyer), line_id: id.to_string() };
    let cart = edge.carts(&relative).remove_line(request).await?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}

/// The cart of a visitor who signed in.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VisitorCart {
    /// Ids of products, oldest first.
    #[schema(max_items = 20, example = json!([1105]))]
    products: Vec<i64>,
}

impl Form for VisitorCart {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { products: fields.ids("products", MAX_LINES)? })
    }
}

/// Adds the products of a visitor's cart for the first of the caller's learners. Idempotent.
///
/// Products that are in the cart for any learner, unknown products, and products beyond the 20th line are left
/// out.
#[utoipa::path(
    post,
    path = "/api/commerce/cart/join/",
    operation_id = "join_cart",
    tag = "commerce",
    request_body = VisitorCart,
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn join(
    State(edge): State<Edge>,
    relative: Relative,
    JsonBody(form): JsonBody<VisitorCart>,
) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::JoinCartRequest { buyer: Some(buyer), product_ids: form.products };
    let cart = edge.carts(&relative).join_cart(request).await?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}

/// Converts a failure. Renames the fields of the error to their names in JSON.
fn rename_fields(status: tonic::Status) -> Error {
    Error::from(status).rename_field("learner_id", "learner")
}
