//! Simultaneous buyers, on a real PostgreSQL.

use futures_util::future::join_all;
use proto::commerce::OrderState::Paid;
use proto::commerce::{PaymentMethod, PlaceOrderRequest};

use crate::buying::COURSE;
use crate::customer::Customer;
use crate::shop::{Shop, refusal};

/// A coupon with one use in all.
const SAIGO: &str = "id: 40, code: SAIGO500, fixed: 500, total_uses: 1, public: true";
const CHANGED: &str = "Conflict CONFIRMATION_CHANGED";

/// `buyers` learners with the course and the coupon on their carts, and their requests.
async fn queue(shop: &Shop, buyers: usize, coupon: i64) -> Vec<(Customer, PlaceOrderRequest)> {
    let mut queue = Vec::new();
    for _ in 0..buyers {
        let learner = shop.learner();
        learner.add(1101).await.unwrap();
        learner.apply(coupon).await.unwrap();
        let request = learner.order_request().await;
        queue.push((learner, request));
    }
    queue
}

#[tokio::test]
async fn of_two_buyers_one_gets_the_last_coupon_and_the_other_orders_without() {
    for _ in 0..4 {
        let shop = Shop::with_coupons(&[COURSE], &[SAIGO]).await;
        let buyers = queue(&shop, 2, 40).await;
        let [(one, first), (two, second)] = &buyers[..] else { panic!("two buyers") };
        let results = tokio::join!(one.send(first.clone()), two.send(second.clone()));
        let (winner, loser, lost) = match results {
            (Ok(order), lost @ Err(_)) => (order, two, lost),
            (lost @ Err(_), Ok(order)) => (order, one, lost),
            other => panic!("one wins: {other:?}"),
        };
        assert_eq!((winner.total, winner.coupons.len()), (16_000, 1));
        assert_eq!(refusal(lost), CHANGED);
        let order = loser.place().await.unwrap();
        assert_eq!((order.total, order.coupons.len()), (16_500, 0));
        assert_eq!(shop.uses().await, ["40 reserved"]);
    }
}

#[tokio::test]
async fn of_50_buyers_at_once_exactly_as_many_use_a_coupon_as_there_are_uses() {
    let ten = "id: 41, code: SENCHAKU10, fixed: 500, total_uses: 10, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[ten]).await;
    let buyers = queue(&shop, 50, 41).await;
    let results = join_all(buyers.iter().map(|(learner, request)| learner.send(request.clone()))).await;
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (10, 40));
    assert!(lost.into_iter().all(|lost| refusal(lost) == CHANGED));
    assert_eq!(shop.uses().await, vec!["41 reserved"; 10]);
    assert_eq!(shop.texts("SELECT id::text FROM orders").await.len(), 10);
    // 10 orders of 16,000 yen with 1,454 yen of tax.
    let balances = ["receivable 160000", "revenue -150460", "tax -14540", "discount 5000"];
    assert_eq!(shop.balances().await, balances);
}

#[tokio::test]
async fn two_tabs_of_a_buyer_use_a_coupon_once() {
    let free = "id: 42, code: MURYOU, percent: 100, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[free]).await;
    let buyers = queue(&shop, 1, 42).await;
    let (learner, request) = &buyers[0];
    let tab = |key: &str| PlaceOrderRequest {
        method: PaymentMethod::Coupon.into(),
        idempotency_key: format!("{key}-of-the-order"),
        ..request.clone()
    };
    let (one, two) = tokio::join!(learner.send(tab("one")), learner.send(tab("two")));
    let (placed, refused) = if one.is_ok() { (one, two) } else { (two, one) };
    assert_eq!(placed.unwrap().state(), Paid);
    assert_eq!(refusal(refused), "Conflict CART_EMPTY");
    assert_eq!(shop.uses().await, ["42 used"]);
}

#[tokio::test]
async fn a_cancellation_and_another_buyer_at_once_leave_one_use() {
    let shop = Shop::with_coupons(&[COURSE], &[SAIGO]).await;
    let buyers = queue(&shop, 2, 40).await;
    let [(one, first), (two, second)] = &buyers[..] else { panic!("two buyers") };
    let order = one.send(first.clone()).await.unwrap();
    let (cancelled, second) = tokio::join!(one.cancel(&order.id), two.send(second.clone()));
    cancelled.unwrap();
    let taken = shop.uses().await.iter().filter(|it| *it == "40 reserved").count();
    match second {
        Ok(order) => assert_eq!((order.discount, taken), (500, 1)),
        refused => assert_eq!((refusal(refused).as_str(), taken), (CHANGED, 0)),
    }
}
