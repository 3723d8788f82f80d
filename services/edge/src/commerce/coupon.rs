//! The coupons of an account, and those on its cart.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::commerce as wire;
use proto::commerce::coupon::Discount;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::buyer::find_buyer;
use super::cart::{Cart, CouponProblem};
use super::incomplete;
use super::product::ProductKind;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody};
use crate::session::Relative;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Longest input in characters. Commerce checks the length without surrounding space.
const MAX_INPUT: usize = 512;

/// The coupons of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct CouponList {
    /// Claimed and public coupons: usable ones first, then used ones, then expired ones.
    mine: Vec<Coupon>,
    /// Ids of the coupons that save most on the caller's cart together: at most one percentage and one fixed amount.
    /// Empty: none saves anything.
    #[schema(max_items = 2, example = json!([2, 1]))]
    best: Vec<i64>,
}

/// A coupon of the caller, beside the caller's cart.
#[derive(Serialize, ToSchema)]
pub(crate) struct Coupon {
    #[schema(example = 2)]
    id: i64,
    #[schema(example = "FUYU15")]
    code: String,
    #[schema(example = "冬の学習応援 15％引き")]
    name: String,
    /// Its conditions in words.
    description: String,
    discount: CouponDiscount,
    /// Yen: the least that the lines in its scope cost together, before any discount; null: no minimum.
    #[schema(required, minimum = 1, example = 30000)]
    minimum: Option<i32>,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    /// End; null: none.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ends_at: Option<OffsetDateTime>,
    /// Products that it is for; null: not limited to products.
    #[schema(required)]
    product_ids: Option<Vec<i64>>,
    /// Kinds of products that it is for; null: not limited to kinds. A subscription is never discounted.
    #[schema(required)]
    product_kinds: Option<Vec<ProductKind>>,
    /// How many orders of an account may use it.
    #[schema(minimum = 1, example = 1)]
    per_account: u32,
    /// How many more orders of the caller may use it.
    #[schema(example = 1)]
    remaining_uses: u32,
    /// Whether the caller typed its code.
    is_claimed: bool,
    /// Whether it is on the caller's cart.
    is_applied: bool,
    state: CouponState,
    /// Yen: how much less the caller's cart costs with it than without it, beside the applied coupon of the other kind.
    #[schema(minimum = 0, example = 2475)]
    saving: i32,
    /// Why it takes off nothing; null: it can be used.
    #[schema(required)]
    problem: Option<CouponProblem>,
    /// When the order that used it last was paid; null: none, or it awaits its payment.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    used_at: Option<OffsetDateTime>,
    /// The order that used it last; null: none.
    #[schema(required, format = Uuid)]
    used_order_id: Option<String>,
}

/// What a coupon takes off.
#[derive(Serialize, ToSchema)]
struct CouponDiscount {
    kind: CouponKind,
    /// Percent, rounded down to whole yen; null for a fixed amount.
    #[schema(required, minimum = 1, maximum = 100, example = 15)]
    percent: Option<u32>,
    /// Yen; null for a percentage.
    #[schema(required, minimum = 1, example = 1000)]
    amount: Option<i32>,
    /// Yen: the most that a percentage takes off; null: no limit.
    #[schema(required, minimum = 1, example = 5000)]
    cap: Option<i32>,
}

/// Kind of a discount. A percentage comes first.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum CouponKind {
    Percent,
    Fixed,
}

/// Whether the caller can use a coupon, whatever the cart.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum CouponState {
    Usable,
    /// The caller has used it as often as allowed. An order that awaits its payment counts.
    Used,
    Expired,
    NotStarted,
    /// Other accounts have used it up.
    UsedUp,
}

/// A coupon of an order.
#[derive(Deserialize, Serialize, ToSchema)]
pub(super) struct OrderCoupon {
    #[schema(example = 2)]
    id: i64,
    /// The coupon's name when the order was placed.
    #[schema(example = "冬の学習応援 15％引き")]
    name: String,
    /// Yen that it took off.
    #[schema(minimum = 1, example = 2475)]
    amount: i32,
}

impl CouponState {
    fn new(state: wire::CouponState) -> Result<Self, Error> {
        match state {
            wire::CouponState::Unspecified => Err(incomplete("state")),
            wire::CouponState::Usable => Ok(Self::Usable),
            wire::CouponState::Used => Ok(Self::Used),
            wire::CouponState::Expired => Ok(Self::Expired),
            wire::CouponState::NotStarted => Ok(Self::NotStarted),
            wire::CouponState::UsedUp => Ok(Self::UsedUp),
        }
    }
}

impl CouponDiscount {
    fn new(discount: Option<Discount>) -> Result<Self, Error> {
        match discount.ok_or_else(|| incomplete("discount"))? {
            Discount::Percent(it) => {
                Ok(Self { kind: CouponKind::Percent, percent: Some(it.percent), amount: None, cap: it.cap })
            }
            Discount::Fixed(amount) => {
                Ok(Self { kind: CouponKind::Fixed, percent: None, amount: Some(amount), cap: None })
            }
        }
    }
}

impl From<wire::OrderCoupon> for OrderCoupon {
    fn from(coupon: wire::OrderCoupon) -> Self {
        Self { id: coupon.id, name: coupon.name, amount: coupon.amount }
    }
}

impl Coupon {
    fn new(coupon: wire::Coupon) -> Result<Self, Error> {
        let kinds = coupon.product_kinds().map(ProductKind::new).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            state: CouponState::new(coupon.state())?,
            problem: CouponProblem::new(coupon.problem)?,
            discount: CouponDiscount::new(coupon.discount)?,
            product_ids: Some(coupon.product_ids).filter(|ids| !ids.is_empty()),
            product_kinds: Some(kinds).filter(|kinds| !kinds.is_empty()),
            starts_at: parse_timestamp(coupon.starts_at)?,
            ends_at: parse_optional_timestamp(coupon.ends_at)?,
            used_at: parse_optional_timestamp(coupon.used_at)?,
            id: coupon.id,
            code: coupon.code,
            name: coupon.name,
            description: coupon.description,
            minimum: coupon.minimum,
            per_account: coupon.per_account,
            remaining_uses: coupon.remaining_uses,
            is_claimed: coupon.is_claimed,
            is_applied: coupon.is_applied,
            saving: coupon.saving,
            used_order_id: coupon.used_order_id,
        })
    }
}

/// Lists the caller's coupons, and those that save most on the cart.
#[utoipa::path(
    get,
    path = "/api/commerce/coupon/",
    operation_id = "coupon_list",
    tag = "commerce",
    responses((status = 200, description = "The coupons.", body = CouponList))
)]
pub(crate) async fn list(State(edge): State<Edge>, relative: Relative) -> Result<Response, Error> {
    let request = wire::ListCouponsRequest { buyer: Some(find_buyer(&edge, &relative).await?) };
    let list = edge.coupons(&relative).list_coupons(request).await?.into_inner();
    let mine = list.coupons.into_iter().map(Coupon::new).collect::<Result<_, _>>()?;
    Ok(json(&CouponList { mine, best: list.best_coupon_ids }))
}

/// Returns a coupon. 404 for one that is neither public nor claimed by the caller.
#[utoipa::path(
    get,
    path = "/api/commerce/coupon/{id}/",
    operation_id = "coupon",
    tag = "commerce",
    params(("id" = i64, Path, description = "Id of the coupon.", minimum = 1)),
    responses((status = 200, description = "The coupon.", body = Coupon))
)]
pub(crate) async fn coupon(
    State(edge): State<Edge>,
    relative: Relative,
    Id(id): Id,
) -> Result<Response, Error> {
    let buyer = Some(find_buyer(&edge, &relative).await?);
    let request = wire::GetCouponRequest { buyer, coupon_id: id };
    let found = edge.coupons(&relative).get_coupon(request).await?.into_inner().coupon;
    Ok(json(&Coupon::new(found.ok_or_else(|| incomplete("coupon"))?)?))
}

/// A code to claim.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CouponRequest {
    /// As typed; 1 to 32 characters, not counting surrounding space. Width and case do not matter.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$", example = "FUYU15")]
    code: String,
}

impl Form for CouponRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { code: fields.text("code", MAX_INPUT)? })
    }
}

/// Claims the coupon with a code for the caller.
///
/// 400 names `code`: `UNKNOWN_COUPON`, `COUPON_EXPIRED`, `COUPON_USED_UP`. A coupon that the caller has is
/// returned as it is, with 200. 429 `RATE_LIMITED` after ten codes, then one a minute.
#[utoipa::path(
    post,
    path = "/api/commerce/coupon/",
    operation_id = "claim_coupon",
    tag = "commerce",
    request_body = CouponRequest,
    responses(
        (status = 200, description = "The coupon, which the caller has already.", body = Coupon),
        (status = 201, description = "The coupon.", body = Coupon)
    )
)]
pub(crate) async fn claim(
    State(edge): State<Edge>,
    relative: Relative,
    JsonBody(form): JsonBody<CouponRequest>,
) -> Result<Response, Error> {
    let buyer = Some(find_buyer(&edge, &relative).await?);
    let request = wire::ClaimCouponRequest { buyer, code: form.code };
    let claimed = edge.coupons(&relative).claim_coupon(request).await?.into_inner();
    let coupon = Coupon::new(claimed.coupon.ok_or_else(|| incomplete("coupon"))?)?;
    let status = if claimed.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(json_of(status, "application/json", &coupon))
}

/// Puts a coupon on the cart, in the place of another of its kind.
///
/// 404 for one that is neither public nor claimed by the caller. A coupon that takes off nothing is
/// accepted: `problem` has the reason.
#[utoipa::path(
    put,
    path = "/api/commerce/cart/coupon/{id}/",
    operation_id = "apply_coupon",
    tag = "commerce",
    params(("id" = i64, Path, description = "Id of the coupon.", minimum = 1)),
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn apply(
    State(edge): State<Edge>,
    relative: Relative,
    Id(id): Id,
    _: Empty,
) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::ApplyCouponRequest { buyer: Some(buyer), coupon_id: id };
    let cart = edge.coupons(&relative).apply_coupon(request).await?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}

/// Takes a coupon off the cart. A coupon that is not on the cart changes nothing.
#[utoipa::path(
    delete,
    path = "/api/commerce/cart/coupon/{id}/",
    operation_id = "take_off_coupon",
    tag = "commerce",
    params(("id" = i64, Path, description = "Id of the coupon.", minimum = 1)),
    responses((status = 200, description = "The cart.", body = Cart))
)]
pub(crate) async fn take_off(
    State(edge): State<Edge>,
    relative: Relative,
    Id(id): Id,
) -> Result<Response, Error> {
    let buyer = find_buyer(&edge, &relative).await?;
    let learners = buyer.learners.clone();
    let request = wire::TakeOffCouponRequest { buyer: Some(buyer), coupon_id: id };
    let cart = edge.coupons(&relative).take_off_coupon(request).await?.into_inner().cart;
    Ok(json(&Cart::new(cart, learners)?))
}
