//! A provider without answers: the order is placed, its payment is unknown, and nothing is charged
//! twice.

use proto::commerce::OrderState::{AwaitingPayment, Expired, Paid};
use proto::commerce::PaymentState::{self, RequiresAction, Succeeded, Unknown};
use time::Duration;

use super::{GOOD, PayingShop, session_of};
use crate::buying::states;
use crate::shop::refusal;

#[tokio::test]
async fn an_order_that_is_placed_while_the_provider_is_down_is_paid_later() {
    let shop = PayingShop::new().await;
    shop.switch("answers", "unavailable").await;
    let order = shop.learner.place().await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, Unknown));
    assert_eq!(order.payment.as_ref().unwrap().page_url, None);
    shop.switch("answers", "none").await;
    assert_eq!(shop.sessions().await.len(), 0);

    shop.shop.clock.advance(Duration::seconds(5));
    let open = shop.until(&order.id, (AwaitingPayment, RequiresAction)).await;
    assert_eq!(shop.sessions().await, [session_of(&open)]);
    shop.pay(&session_of(&open), GOOD).await;
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn a_late_answer_creates_no_second_session() {
    let shop = PayingShop::new().await;
    shop.switch("answers", "slow").await;
    let order = shop.learner.place().await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, Unknown));
    // The provider has created the session.
    shop.switch("answers", "none").await;
    let made = shop.sessions().await;
    assert_eq!(made.len(), 1);

    shop.shop.clock.advance(Duration::seconds(5));
    let open = shop.until(&order.id, (AwaitingPayment, RequiresAction)).await;
    assert_eq!(session_of(&open), made[0]);
    assert_eq!(shop.sessions().await, made);
    shop.pay(&made[0], GOOD).await;
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn a_process_that_dies_before_it_stores_the_session_leaves_one_session() {
    let (shop, order) = PayingShop::with_order().await;
    // Undoes the transaction that stores the session.
    shop.shop.texts("UPDATE payment SET state = 'created', session = NULL, page_url = NULL").await;
    shop.shop.clock.advance(Duration::minutes(2));
    let open = shop.until(&order.id, (AwaitingPayment, RequiresAction)).await;
    assert_eq!(session_of(&open), session_of(&order));
    assert_eq!(shop.sessions().await.len(), 1);
}

#[tokio::test]
async fn the_page_that_the_buyer_comes_back_to_waits_for_the_provider() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "lost").await;
    shop.pay(&session_of(&order), GOOD).await;
    for fault in ["unavailable", "slow"] {
        shop.switch("answers", fault).await;
        shop.shop.clock.advance(Duration::SECOND);
        let checked = shop.learner.check(&order.id).await.unwrap();
        assert_eq!(states(&checked), (AwaitingPayment, RequiresAction), "{fault}");
    }
    shop.switch("answers", "none").await;
    shop.shop.clock.advance(Duration::SECOND);
    assert_eq!(shop.learner.check(&order.id).await.unwrap().state(), Paid);
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn an_order_ends_neither_by_its_buyer_nor_by_the_clock_while_the_provider_is_down() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("answers", "unavailable").await;
    assert_eq!(refusal(shop.learner.cancel(&order.id).await), "Unavailable UPSTREAM_UNAVAILABLE");
    shop.shop.clock.advance(Duration::hours(1));
    // The pause is longer than a lease, so the order was checked and released.
    let tried = "SELECT 'one' FROM orders WHERE state = 'awaiting_payment' AND checks > 0 \
        AND next_check_at > due_at + interval '3 s'";
    shop.shop.until(tried, 1).await;
    assert_eq!(shop.learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    shop.switch("answers", "none").await;
    shop.shop.clock.advance(Duration::minutes(3));
    shop.until(&order.id, (Expired, PaymentState::Expired)).await;
    assert!(shop.shop.balances().await.is_empty());
}
