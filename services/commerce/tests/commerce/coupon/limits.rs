//! The limits of coupons per account and in all, and how long they stay on a cart.

use proto::commerce::CouponProblem::{Unspecified, Used, UsedUp};
use proto::commerce::CouponState;
use time::Duration;

use super::{FUYU15, MOSHI, WELCOME};
use crate::buying::{COURSE, OTHER};
use crate::shop::{Shop, refusal};

const THIRD: &str = "id: 1103, kind: course, course: 103, price: 5000";

#[tokio::test]
async fn an_account_uses_a_coupon_as_often_as_it_may() {
    let twice = "id: 30, code: NIKAI500, fixed: 500, per_account: 2, public: true";
    let shop = Shop::with_coupons(&[COURSE, OTHER, THIRD], &[twice]).await;
    let learner = shop.learner();
    for (product, remaining) in [(1101, 1), (1102, 0)] {
        learner.add(product).await.unwrap();
        learner.apply(30).await.unwrap();
        let order = learner.place().await.unwrap();
        assert_eq!(order.discount, 500);
        // A reservation counts as a use.
        assert_eq!(learner.coupon(30).await.unwrap().remaining_uses, remaining);
        shop.pay_last(&learner, &order).await;
        assert_eq!(learner.coupon(30).await.unwrap().remaining_uses, remaining);
    }
    learner.add(1103).await.unwrap();
    let cart = learner.apply(30).await.unwrap();
    assert_eq!((cart.coupons[0].problem(), cart.total), (Used, 5_000));
    let coupon = learner.coupon(30).await.unwrap();
    assert_eq!((coupon.state(), coupon.saving), (CouponState::Used, 0));
    assert_eq!(learner.place().await.unwrap().total, 5_000);
    // Another account is not affected.
    assert_eq!(shop.learner().coupon(30).await.unwrap().remaining_uses, 2);
}

#[tokio::test]
async fn a_coupon_is_used_up_when_all_its_uses_are_taken_and_free_when_one_ends() {
    let once = "id: 31, code: SENCHAKU1, fixed: 500, total_uses: 1, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[once]).await;
    let (first, second) = (shop.learner(), shop.learner());
    for learner in [&first, &second] {
        learner.add(1101).await.unwrap();
        learner.apply(31).await.unwrap();
    }
    let order = first.place().await.unwrap();
    let cart = second.cart().await;
    assert_eq!((cart.coupons[0].problem(), cart.total), (UsedUp, 16_500));
    assert_eq!(second.coupon(31).await.unwrap().state(), CouponState::UsedUp);
    first.cancel(&order.id).await.unwrap();
    assert_eq!(second.cart().await.total, 16_000);
    assert_eq!(second.place().await.unwrap().total, 16_000);
    assert_eq!(first.cart().await.coupons[0].problem(), UsedUp);
}

#[tokio::test]
async fn a_coupon_that_others_used_up_meanwhile_changes_the_confirmation() {
    let once = "id: 31, code: SENCHAKU1, fixed: 500, total_uses: 1, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[once]).await;
    let (first, second) = (shop.learner(), shop.learner());
    for learner in [&first, &second] {
        learner.add(1101).await.unwrap();
        learner.apply(31).await.unwrap();
    }
    let request = second.order_request().await;
    first.place().await.unwrap();
    assert_eq!(refusal(second.send(request).await), "Conflict CONFIRMATION_CHANGED");
    // The second order is placed without the coupon.
    assert_eq!(second.place().await.unwrap().total, 16_500);
    assert_eq!(shop.uses().await, ["31 reserved"]);
}

#[tokio::test]
async fn the_uses_of_an_erased_account_stay_taken() {
    let once = "id: 31, code: SENCHAKU1, fixed: 500, total_uses: 1, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[once]).await;
    let (first, second) = (shop.learner(), shop.learner());
    first.add(1101).await.unwrap();
    first.apply(31).await.unwrap();
    let order = first.place().await.unwrap();
    shop.pay_last(&first, &order).await;
    shop.erase(&first.id.to_string()).await;
    second.add(1101).await.unwrap();
    assert_eq!(second.coupon(31).await.unwrap().problem(), UsedUp);
    assert_eq!(shop.uses().await, ["31 used"]);
}

#[tokio::test]
async fn a_coupon_stays_on_a_cart_for_90_days() {
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME, FUYU15, MOSHI]).await;
    let learner = shop.learner();
    learner.apply(1).await.unwrap();
    shop.clock.advance(Duration::days(90) - Duration::SECOND);
    shop.sweep().await;
    assert_eq!(learner.cart().await.coupons.len(), 1);
    shop.clock.advance(Duration::SECOND);
    shop.sweep().await;
    assert_eq!(learner.cart().await.coupons.len(), 0);
    assert_eq!(learner.coupon(1).await.unwrap().state(), CouponState::Usable);
    assert_eq!(learner.coupon(1).await.unwrap().remaining_uses, 1);
    learner.add(1101).await.unwrap();
    assert_eq!(learner.apply(1).await.unwrap().coupons[0].problem(), Unspecified);
}
