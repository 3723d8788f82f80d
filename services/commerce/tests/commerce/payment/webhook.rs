//! Webhook events that arrive twice, late, never, or in the wrong order.

use proto::commerce::OrderState::{AwaitingPayment, Paid};
use proto::commerce::PaymentState::{RequiresAction, Succeeded};
use time::Duration;

use super::{DECLINED, GOOD, PayingShop, session_of};

#[tokio::test]
async fn an_event_that_comes_twice_is_booked_once() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "doubled").await;
    shop.pay(&session_of(&order), GOOD).await;
    // Three events, each delivered twice.
    shop.until_delivered(6).await;
    shop.until(&order.id, (Paid, Succeeded)).await;
    assert_eq!(shop.shop.texts("SELECT id FROM provider_event").await.len(), 3);
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn the_page_that_the_buyer_comes_back_to_is_right_before_the_event_comes() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "late").await;
    shop.pay(&session_of(&order), GOOD).await;
    let stored = shop.learner.order(&order.id).await.unwrap();
    assert_eq!(stored.state(), AwaitingPayment);
    assert_eq!(shop.learner.check(&order.id).await.unwrap().state(), Paid);
    assert_eq!(shop.webhook.deliveries(), 0);
    shop.shop.clock.advance(Duration::seconds(15));
    shop.until_delivered(3).await;
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn a_payment_whose_events_are_lost_is_found_after_two_minutes() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "lost").await;
    shop.pay(&session_of(&order), GOOD).await;
    shop.shop.clock.advance(Duration::minutes(2) - Duration::SECOND);
    assert_eq!(shop.learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    shop.shop.clock.advance(Duration::SECOND);
    shop.until(&order.id, (Paid, Succeeded)).await;
    assert_eq!(shop.webhook.deliveries(), 0);
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn events_in_the_wrong_order_end_in_the_same_state() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "out_of_order").await;
    let session = session_of(&order);
    shop.pay(&session, DECLINED).await;
    shop.pay(&session, GOOD).await;
    shop.shop.clock.advance(Duration::seconds(3));
    // The decline arrives after the success.
    shop.until_delivered(4).await;
    let order_of_arrival = shop.shop.texts("SELECT type FROM provider_event ORDER BY ctid").await;
    assert_eq!(order_of_arrival.len(), 4);
    let paid = shop.until(&order.id, (Paid, Succeeded)).await;
    assert_eq!(paid.payment.unwrap().decline_code, None);
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn an_event_closes_an_expired_page_and_a_new_one_is_opened() {
    let (shop, order) = PayingShop::with_order().await;
    shop.shop.clock.advance(Duration::minutes(35));
    shop.until_delivered(1).await;
    let expired = shop.learner.order(&order.id).await.unwrap();
    assert_eq!(expired.state(), AwaitingPayment);
    assert_eq!(expired.payment.unwrap().page_url, None);
    let again = shop.learner.pay(&order.id).await.unwrap();
    assert_eq!(crate::buying::states(&again), (AwaitingPayment, RequiresAction));
    assert_ne!(session_of(&again), session_of(&order));
    shop.pay(&session_of(&again), GOOD).await;
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.assert_paid_once(&order).await;
}
