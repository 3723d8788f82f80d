//! `commerce.v1.CouponService`.

use std::cmp::Reverse;

use kit::timestamp::to_timestamp;
use kit_db::limit::{self, Bucket, Rate};
use proto::commerce as wire;
use proto::commerce::coupon_service_server::CouponService;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::cart::{self as cart_rpc, can_be_bought};
use super::coupon_problem::encode_problem;
use super::{Commerce, account, commit};
use crate::buyer::Buyer;
use crate::cart;
use crate::coupon::quote::{self, PricedLine};
use crate::coupon::{self, AccountCoupon, State, applied, claim};
use crate::discount::Discount;
use crate::error::Error;

/// The rate limit of entered codes per account: the burst, then the number per minute.
const CLAIMS: (u32, u32) = (10, 1);

#[tonic::async_trait]
impl CouponService for Commerce {
    async fn list_coupons(
        &self,
        request: Request<wire::ListCouponsRequest>,
    ) -> Result<Response<wire::ListCouponsResponse>, Status> {
        let account = account(&request)?;
        let buyer = Buyer::from_wire(request.into_inner().buyer)?;
        let mut connection = self.acquire().await?;
        let lines = cart::list_lines(&mut connection, account).await.map_err(Error::from)?;
        let mut coupons = coupon::list_coupons(&mut connection, account).await.map_err(Error::from)?;
        drop(connection);
        let till = self.price(&lines, &coupons, &buyer).await;
        let best_coupon_ids = quote::find_best(&coupons, &till.lines, till.now);
        coupons.sort_by_key(|coupon| rank(coupon, till.now));
        let coupons = coupons.into_iter().map(|coupon| till.encode(coupon)).collect();
        Ok(Response::new(wire::ListCouponsResponse { coupons, best_coupon_ids }))
    }

    async fn get_coupon(
        &self,
        request: Request<wire::GetCouponRequest>,
    ) -> Result<Response<wire::GetCouponResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let buyer = Buyer::from_wire(request.buyer)?;
        let mut connection = self.acquire().await?;
        let found = coupon::find_coupon(&mut connection, account, request.coupon_id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        drop(connection);
        let coupon = self.show_coupon(account, found, &buyer).await?;
        Ok(Response::new(wire::GetCouponResponse { coupon: Some(coupon) }))
    }

    async fn claim_coupon(
        &self,
        request: Request<wire::ClaimCouponRequest>,
    ) -> Result<Response<wire::ClaimCouponResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let mut buyer = Buyer::from_wire(request.buyer)?;
        let code = claim::parse_code(&request.code).map_err(Error::from)?;
        self.limit_claims(account).await?;
        let mut transaction = self.begin_for(account, &mut buyer).await?;
        let (found, is_new) = claim::claim(&mut transaction, account, &code, self.clock.now()).await?;
        commit(transaction).await?;
        let coupon = self.show_coupon(account, found, &buyer).await?;
        Ok(Response::new(wire::ClaimCouponResponse { coupon: Some(coupon), is_new }))
    }

    async fn apply_coupon(
        &self,
        request: Request<wire::ApplyCouponRequest>,
    ) -> Result<Response<wire::ApplyCouponResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let mut buyer = Buyer::from_wire(request.buyer)?;
        let mut transaction = self.begin_for(account, &mut buyer).await?;
        applied::apply(&mut transaction, account, request.coupon_id, self.clock.now()).await?;
        let cart = cart_rpc::read_cart(&mut transaction, account).await?;
        commit(transaction).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::ApplyCouponResponse { cart: Some(cart) }))
    }

    async fn take_off_coupon(
        &self,
        request: Request<wire::TakeOffCouponRequest>,
    ) -> Result<Response<wire::TakeOffCouponResponse>, Status> {
        let account = account(&request)?;
        let request = request.into_inner();
        let buyer = Buyer::from_wire(request.buyer)?;
        let mut transaction = self.begin().await?;
        applied::take_off(&mut transaction, account, request.coupon_id).await.map_err(Error::from)?;
        let cart = cart_rpc::read_cart(&mut transaction, account).await?;
        commit(transaction).await?;
        let cart = self.encode_cart(cart, &buyer).await;
        Ok(Response::new(wire::TakeOffCouponResponse { cart: Some(cart) }))
    }
}

/// A cart that coupons are applied to, at a time.
struct PricedCart {
    /// The lines that can be bought.
    lines: Vec<PricedLine>,
    /// The coupons on the cart.
    applied: Vec<AccountCoupon>,
    now: OffsetDateTime,
}

impl Commerce {
    async fn limit_claims(&self, account: Uuid) -> Result<(), Error> {
        let bucket = Bucket::new(self.keyed_hash.hash("coupon claim", &account.to_string()));
        let (burst, per_minute) = CLAIMS;
        let rate = Rate::new(burst, per_minute);
        // Outside the transaction of the claim, which is rolled back if the code is wrong.
        let wait = limit::take(&mut *self.acquire().await?, &bucket, rate, self.clock.now()).await?;
        wait.map_or(Ok(()), |wait| Err(Error::RateLimited(wait)))
    }

    /// Encodes a coupon with its effect on the account's cart.
    async fn show_coupon(
        &self,
        account: Uuid,
        found: AccountCoupon,
        buyer: &Buyer,
    ) -> Result<wire::Coupon, Error> {
        let mut connection = self.acquire().await?;
        let lines = cart::list_lines(&mut connection, account).await?;
        let applied = coupon::list_applied(&mut connection, account).await?;
        drop(connection);
        Ok(self.price(&lines, &applied, buyer).await.encode(found))
    }

    async fn price(&self, lines: &[cart::Line], coupons: &[AccountCoupon], buyer: &Buyer) -> PricedCart {
        let owned = self.find_owned(lines, buyer).await;
        let now = self.clock.now();
        let lines = lines.iter().filter(|line| can_be_bought(line, buyer, owned.as_ref(), now));
        let applied = coupons.iter().filter(|coupon| coupon.applied_at.is_some()).cloned();
        PricedCart { lines: lines.map(PricedLine::from).collect(), applied: applied.collect(), now }
    }
}

impl PricedCart {
    fn encode(&self, coupon: AccountCoupon) -> wire::Coupon {
        let state = match coupon.state(self.now) {
            State::Usable => wire::CouponState::Usable,
            State::Used => wire::CouponState::Used,
            State::Expired => wire::CouponState::Expired,
            State::NotStarted => wire::CouponState::NotStarted,
            State::UsedUp => wire::CouponState::UsedUp,
        };
        let product_kinds =
            coupon.coupon.product_kinds.iter().map(|kind| wire::ProductKind::from(*kind).into());
        wire::Coupon {
            state: state.into(),
            saving: quote::saving(&coupon, &self.applied, &self.lines, self.now),
            problem: encode_problem(coupon.problem(&self.lines, self.now)).into(),
            remaining_uses: coupon.remaining_uses(),
            is_claimed: coupon.claimed_at.is_some(),
            is_applied: coupon.applied_at.is_some(),
            used_at: coupon.used_at.map(to_timestamp),
            used_order_id: coupon.last_order.map(|order| order.to_string()),
            product_kinds: product_kinds.collect(),
            id: coupon.coupon.id,
            code: coupon.coupon.code,
            name: coupon.coupon.name,
            description: coupon.coupon.description,
            discount: Some(encode_discount(coupon.coupon.discount)),
            minimum: coupon.coupon.minimum,
            starts_at: Some(to_timestamp(coupon.coupon.starts_at)),
            ends_at: coupon.coupon.ends_at.map(to_timestamp),
            product_ids: coupon.coupon.product_ids,
            per_account: coupon.coupon.per_account.unsigned_abs(),
        }
    }
}

/// The sort key of coupons: usable, not started, used, used up, then expired ones. Used coupons are
/// sorted by their last use, newest first, and the others by their end.
fn rank(coupon: &AccountCoupon, now: OffsetDateTime) -> impl Ord + use<> {
    let (group, used_at) = match coupon.state(now) {
        State::Usable => (0, None),
        State::NotStarted => (1, None),
        State::Used => (2, coupon.used_at),
        State::UsedUp => (3, None),
        State::Expired => (4, None),
    };
    let ends_at = coupon.coupon.ends_at;
    (group, Reverse(used_at), ends_at.is_none(), ends_at, coupon.coupon.id)
}

fn encode_discount(discount: Discount) -> wire::coupon::Discount {
    match discount {
        Discount::Percent { percent, cap } => {
            wire::coupon::Discount::Percent(wire::PercentDiscount { percent: percent.unsigned_abs(), cap })
        }
        Discount::Fixed { amount } => wire::coupon::Discount::Fixed(amount),
    }
}
