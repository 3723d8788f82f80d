//! Orders that end unpaid, and money that arrives afterwards.

use axum::http::Method;
use proto::commerce::OrderState::{AwaitingPayment, Cancelled, Expired, Paid};
use proto::commerce::PaymentState::{self, Succeeded};
use proto::commerce::{OrderEnded, OrderPaid, OrderRefunded, RefundState};
use proto::lms::EntitlementGranted;
use time::Duration;

use super::{GOOD, PayingShop, SECURE, session_of};
use crate::buying::states;

#[tokio::test]
async fn a_cancelled_order_can_not_be_paid_any_more_and_frees_its_lines() {
    let (shop, order) = PayingShop::with_order().await;
    let session = session_of(&order);
    // The buyer is in 3-D Secure in one tab and cancels in another one.
    shop.pay(&session, SECURE).await;
    let cancelled = shop.learner.cancel(&order.id).await.unwrap();
    assert_eq!(states(&cancelled), (Cancelled, PaymentState::Expired));
    let authenticate = format!("/pay/{session}/authenticate");
    shop.send(Method::POST, &authenticate, &[("result", "success")]).await;
    for page in [shop.send(Method::GET, &authenticate, &[]).await, shop.pay(&session, GOOD).await] {
        assert!(page.text.contains("お支払いは行われていません。"), "{}", page.text);
    }
    assert!(!shop.learner.cart().await.lines[0].is_ordered);
    let ended = shop.shop.events::<OrderEnded>("desk").await;
    assert_eq!(ended.iter().map(|event| event.is_cancelled).collect::<Vec<_>>(), [true]);
    assert!(shop.shop.balances().await.is_empty());
    assert_eq!(shop.shop.journals().await, ["order_placed", "order_ended"]);
}

#[tokio::test]
async fn a_payment_beats_the_cancellation_that_comes_after_it() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "lost").await;
    shop.pay(&session_of(&order), GOOD).await;
    assert_eq!(states(&shop.learner.cancel(&order.id).await.unwrap()), (Paid, Succeeded));
    shop.assert_paid_once(&order).await;
    assert!(shop.shop.events::<OrderEnded>("desk").await.is_empty());
}

#[tokio::test]
async fn a_payment_and_a_cancellation_at_once_have_one_winner() {
    let (shop, order) = PayingShop::with_order().await;
    let session = session_of(&order);
    let (_, cancelled) = tokio::join!(shop.pay(&session, GOOD), shop.learner.cancel(&order.id));
    let session_is_paid = {
        let found = shop.send(Method::GET, &format!("/v1/checkout/sessions/{session}"), &[]).await;
        found.text.contains("\"payment_status\":\"paid\"")
    };
    if session_is_paid {
        assert_eq!(cancelled.unwrap().state(), Paid);
        shop.assert_paid_once(&order).await;
    } else {
        assert_eq!(cancelled.unwrap().state(), Cancelled);
        assert!(shop.shop.balances().await.is_empty());
    }
}

#[tokio::test]
async fn an_order_that_is_not_paid_within_an_hour_expires() {
    let (shop, order) = PayingShop::with_order().await;
    shop.shop.clock.advance(Duration::HOUR);
    let expired = shop.until(&order.id, (Expired, PaymentState::Expired)).await;
    assert_eq!(expired.ended_at, expired.due_at);
    let ended = shop.shop.events::<OrderEnded>("desk").await;
    assert_eq!(ended.iter().map(|event| event.is_cancelled).collect::<Vec<_>>(), [false]);
    assert!(shop.shop.events::<OrderPaid>("desk").await.is_empty());
    assert!(shop.shop.balances().await.is_empty());
    // The lines are available again: the same confirmation gives a new order.
    let next = shop.learner.place().await.unwrap();
    assert_ne!(next.id, order.id);
}

#[tokio::test]
async fn a_payment_that_is_found_when_the_order_is_due_pays_it() {
    let (shop, order) = PayingShop::with_order().await;
    shop.switch("webhooks", "lost").await;
    shop.pay(&session_of(&order), GOOD).await;
    shop.shop.clock.advance(Duration::hours(2));
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.assert_paid_once(&order).await;
}

/// An order that has ended while its page is still open at the provider: the database was restored
/// and has lost the session.
async fn ended_with_open_page() -> (PayingShop, proto::commerce::Order) {
    let (shop, order) = PayingShop::with_order().await;
    shop.shop.texts("UPDATE payment SET state = 'unknown', session = NULL, page_url = NULL").await;
    let cancelled = shop.learner.cancel(&order.id).await.unwrap();
    assert_eq!(states(&cancelled), (Cancelled, PaymentState::Cancelled));
    (shop, order)
}

#[tokio::test]
async fn money_that_comes_after_the_end_goes_back_once() {
    let (shop, order) = Box::pin(ended_with_open_page()).await;
    shop.switch("webhooks", "doubled").await;
    shop.pay(&session_of(&order), GOOD).await;
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    // Three events of the payment and one of the refund, each delivered twice.
    shop.until_delivered(8).await;
    let returned = shop.learner.order(&order.id).await.unwrap();
    assert_eq!(states(&returned), (Cancelled, Succeeded));
    assert_eq!(returned.refunds.len(), 1);
    assert_eq!((returned.refunds[0].amount, returned.refunds[0].state()), (16_500, RefundState::Succeeded));
    assert!(shop.shop.events::<EntitlementGranted>("lms").await.is_empty());
    assert!(shop.shop.events::<OrderPaid>("desk").await.is_empty());
    let emails = shop.shop.events::<OrderRefunded>("desk").await;
    assert_eq!(emails.iter().map(|event| event.amount).collect::<Vec<_>>(), [16_500]);
    assert!(shop.shop.balances().await.is_empty());
    let journals = shop.shop.journals().await;
    assert_eq!(journals, ["order_placed", "order_ended", "late_payment_received", "refund_paid"]);
}

#[tokio::test]
async fn a_refund_that_takes_its_time_is_pending_until_it_is_paid() {
    let (shop, order) = Box::pin(ended_with_open_page()).await;
    shop.pay(&session_of(&order), "4000000000007726").await;
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'pending'", 1).await;
    let pending = shop.learner.order(&order.id).await.unwrap();
    assert_eq!(pending.refunds[0].state(), RefundState::Pending);
    assert_eq!(shop.shop.balances().await, ["provider_cash 16500", "refund_payable -16500"]);
    assert!(shop.shop.events::<OrderRefunded>("desk").await.is_empty());
    shop.shop.clock.advance(Duration::MINUTE);
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    assert!(shop.shop.balances().await.is_empty());
    assert_eq!(shop.shop.events::<OrderRefunded>("desk").await.len(), 1);
}

#[tokio::test]
async fn a_refund_that_fails_is_owed_again() {
    let (shop, order) = Box::pin(ended_with_open_page()).await;
    shop.pay(&session_of(&order), "4000000000005126").await;
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    shop.shop.clock.advance(Duration::MINUTE);
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'failed'", 1).await;
    let failed = shop.learner.order(&order.id).await.unwrap();
    assert_eq!(failed.refunds[0].state(), RefundState::Failed);
    assert_eq!(shop.shop.balances().await, ["provider_cash 16500", "refund_payable -16500"]);
}

#[tokio::test]
async fn a_refund_waits_for_a_provider_that_is_down() {
    let (shop, order) = Box::pin(ended_with_open_page()).await;
    shop.switch("webhooks", "late").await;
    shop.pay(&session_of(&order), GOOD).await;
    shop.switch("answers", "unavailable").await;
    shop.shop.clock.advance(Duration::seconds(15));
    // The pause is shorter than a lease, so the event was tried and released.
    let waits = "SELECT id FROM provider_event WHERE type = 'checkout.session.completed' AND tries > 0 \
        AND next_try_at < received_at + interval '3 s'";
    shop.shop.until(waits, 1).await;
    assert!(shop.learner.order(&order.id).await.unwrap().refunds.is_empty());
    shop.switch("answers", "none").await;
    shop.shop.clock.advance(Duration::minutes(5));
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    assert_eq!(shop.learner.order(&order.id).await.unwrap().state(), Cancelled);
    assert_eq!(shop.learner.place().await.unwrap().state(), AwaitingPayment);
}
