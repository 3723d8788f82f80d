//! Coupons: their discounts, their holders and their limits.

mod import;
mod limits;
mod listing;
mod ordering;
mod race;

use proto::commerce::coupon_service_client::CouponServiceClient;
use proto::commerce::{
    ApplyCouponRequest, Cart, ClaimCouponRequest, ClaimCouponResponse, Coupon, GetCouponRequest,
    ListCouponsRequest, ListCouponsResponse, Order, TakeOffCouponRequest,
};
use tonic::{Response, Status};

use crate::customer::Customer;
use crate::shop::Shop;

/// ¥1,000 off the first order. Public.
pub(crate) const WELCOME: &str =
    "id: 1, code: WELCOME1000, name: はじめてのご注文, fixed: 1000, first_order_only: true, public: true";
/// 15 % off, ¥5,000 at most.
pub(crate) const FUYU15: &str =
    "id: 2, code: FUYU15, name: 冬の学習応援, percent: 15, cap: 5000, starts: 2026-11-01, ends: 2027-01-31";
/// ¥2,000 off ¥30,000.
pub(crate) const KYODAI: &str = "id: 3, code: KYODAI2000, name: きょうだい応援, fixed: 2000, minimum: 30000";
/// ¥500 off mock exams. Public.
pub(crate) const MOSHI: &str =
    "id: 4, code: MOSHI500, fixed: 500, product_kinds: [exam_seat], per_account: 3, public: true";
/// A coupon that has ended.
pub(crate) const NATSU: &str =
    "id: 5, code: NATSU20, percent: 20, starts: 2026-07-01, ends: 2026-08-31, public: true";

impl Customer {
    fn coupon_service(&self) -> CouponServiceClient<kit::client::Channel> {
        CouponServiceClient::new(self.channel.clone())
    }

    pub(crate) async fn coupons(&self) -> ListCouponsResponse {
        let request = ListCouponsRequest { buyer: Some(self.buyer.clone()) };
        self.coupon_service().list_coupons(request).await.unwrap().into_inner()
    }

    pub(crate) async fn coupon(&self, coupon_id: i64) -> Result<Coupon, Status> {
        let request = GetCouponRequest { buyer: Some(self.buyer.clone()), coupon_id };
        Ok(self.coupon_service().get_coupon(request).await?.into_inner().coupon.unwrap())
    }

    pub(crate) async fn claim(&self, code: &str) -> Result<ClaimCouponResponse, Status> {
        let request = ClaimCouponRequest { buyer: Some(self.buyer.clone()), code: code.to_owned() };
        self.coupon_service().claim_coupon(request).await.map(Response::into_inner)
    }

    pub(crate) async fn apply(&self, coupon_id: i64) -> Result<Cart, Status> {
        let request = ApplyCouponRequest { buyer: Some(self.buyer.clone()), coupon_id };
        Ok(self.coupon_service().apply_coupon(request).await?.into_inner().cart.unwrap())
    }

    pub(crate) async fn take_off(&self, coupon_id: i64) -> Result<Cart, Status> {
        let request = TakeOffCouponRequest { buyer: Some(self.buyer.clone()), coupon_id };
        Ok(self.coupon_service().take_off_coupon(request).await?.into_inner().cart.unwrap())
    }

    /// Claims a coupon and applies it to the cart.
    async fn hold(&self, code: &str) -> Cart {
        let coupon = self.claim(code).await.unwrap().coupon.unwrap();
        self.apply(coupon.id).await.unwrap()
    }
}

impl Shop {
    /// Pays the last order at the provider.
    pub(crate) async fn pay_last(&self, customer: &Customer, order: &Order) -> Order {
        self.provider.pay(self.provider.sessions().len() - 1);
        // A buyer's check queries the provider at most once a second.
        self.clock.advance(time::Duration::SECOND);
        customer.check(&order.id).await.unwrap()
    }

    /// The states of all uses, in the order of their orders.
    pub(crate) async fn uses(&self) -> Vec<String> {
        self.texts(
            "SELECT coupon_id || ' ' || coupon_use.state FROM coupon_use JOIN orders ON orders.id = order_id \
             ORDER BY placed_at, orders.id, n",
        )
        .await
    }
}

/// Subtotal, discount and total of a cart.
fn sums(cart: &Cart) -> (i32, i32, i32) {
    (cart.subtotal, cart.discount, cart.total)
}
