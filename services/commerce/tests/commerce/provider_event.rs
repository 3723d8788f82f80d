//! Webhook events that arrive at two endpoints, and objects in a state that this release does not know.

use proto::commerce::OrderState::{AwaitingPayment, Paid, Refunded};
use proto::commerce::PaymentMethod::Konbini;
use proto::commerce::PaymentState::{RequiresAction, Succeeded};
use proto::commerce::{OrderPaid, OrderRefunded, RefundState};
use proto::lms::{EntitlementGranted, EntitlementRevoked};
use time::Duration;

use crate::buying::{COURSE, states};
use crate::shop::{Shop, refusal};
use crate::test_provider::Behaviour;

const COMPLETED: &str = "checkout.session.completed";
const PROCESSED: &str = "SELECT id FROM provider_event WHERE processed_at IS NOT NULL";
/// Checks that the event is unprocessed after an attempt, so it counts for the queue's age, which raises an alert.
const KEPT: &str = "SELECT id FROM provider_event \
    WHERE tries > 0 AND processed_at IS NULL AND next_try_at < received_at + interval '3 s'";
/// Longer than the maximum pause between two attempts of an event.
const PAUSE: Duration = Duration::minutes(6);

/// Delivers an event to two endpoints at once, with a different id at each.
async fn receive_at_two_endpoints(shop: &Shop, event: &str, kind: &str, object: &str) {
    let ids = [format!("evt_a_{event}"), format!("evt_b_{event}")];
    let (one, two) = tokio::join!(shop.receive(&ids[0], kind, object), shop.receive(&ids[1], kind, object));
    one.and(two).unwrap();
}

#[tokio::test]
async fn a_payment_with_events_at_two_endpoints_is_booked_once() {
    let (shop, learner, order) = Shop::with_order().await;
    let _workers = shop.work();
    shop.provider.pay(0);
    receive_at_two_endpoints(&shop, "paid", COMPLETED, "cs_0").await;
    shop.until(PROCESSED, 2).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
    assert_eq!(shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
    assert_eq!(shop.events::<OrderPaid>("desk").await.len(), 1);
    assert!(shop.provider.refunds().is_empty());
}

#[tokio::test]
async fn further_events_of_a_booked_card_payment_need_no_answer_of_the_provider() {
    let (shop, ..) = Shop::with_paid_order().await;
    shop.provider.set_behaviour(Behaviour::Down);
    let _workers = shop.work();
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.receive("evt_2", "payment_intent.succeeded", "pi_0").await.unwrap();
    shop.until(PROCESSED, 2).await;
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
}

#[tokio::test]
async fn a_refund_with_events_at_two_endpoints_is_booked_once() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let _workers = shop.work();
    let refund = shop.provider.refund_outside(0, 26_400);
    receive_at_two_endpoints(&shop, "refunded", "refund.created", &refund).await;
    shop.until(PROCESSED, 2).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Refunded);
    assert_eq!(shop.journals().await, ["order_placed", "payment_received", "outside_refund", "refund_paid"]);
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.events::<EntitlementRevoked>("lms").await.len(), 2);
    assert_eq!(shop.events::<OrderRefunded>("desk").await.len(), 1);
}

#[tokio::test]
async fn a_dispute_with_events_at_two_endpoints_is_booked_once() {
    let (shop, ..) = Shop::with_paid_order().await;
    let _workers = shop.work();
    let dispute = shop.provider.dispute(0, "needs_response");
    receive_at_two_endpoints(&shop, "disputed", "charge.dispute.created", &dispute).await;
    shop.until(PROCESSED, 2).await;
    assert_eq!(shop.journals().await, ["order_placed", "payment_received", "dispute_opened"]);
    assert_eq!(shop.balances().await, ["revenue -24000", "tax -2400", "dispute 26400"]);
}

#[tokio::test]
async fn a_page_in_an_unknown_state_is_polled_until_its_state_is_known() {
    let (shop, learner, order) = Shop::with_order().await;
    let _workers = shop.work();
    shop.provider.set_session(0, "held");
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until(KEPT, 1).await;
    let waiting = learner.check(&order.id).await.unwrap();
    assert_eq!(states(&waiting), (AwaitingPayment, RequiresAction));
    // The buyer may have paid, so the order ends neither by the buyer nor by the clock.
    assert_eq!(refusal(learner.cancel(&order.id).await), "Unavailable UPSTREAM_UNAVAILABLE");
    shop.clock.advance(Duration::HOUR);
    shop.until("SELECT id::text FROM orders WHERE checks > 0 AND next_check_at > due_at + interval '3 s'", 1)
        .await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    assert_eq!(shop.journals().await, ["order_placed"]);

    shop.provider.pay(0);
    shop.clock.advance(PAUSE);
    shop.until(PROCESSED, 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
}

#[tokio::test]
async fn a_paid_page_in_an_unknown_state_is_paid() {
    let (shop, learner, order) = Shop::with_order().await;
    let _workers = shop.work();
    shop.provider.pay(0);
    shop.provider.set_session(0, "archived");
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until(PROCESSED, 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
}

#[tokio::test]
async fn a_convenience_store_payment_in_an_unknown_state_is_polled_until_its_state_is_known() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(Konbini).await.unwrap();
    let _workers = shop.work();
    shop.provider.set_intent(0, "held");
    shop.receive("evt_1", "payment_intent.requires_action", "pi_1000").await.unwrap();
    shop.until(KEPT, 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (AwaitingPayment, RequiresAction));

    shop.provider.pay_in_store(0);
    shop.clock.advance(PAUSE);
    shop.until(PROCESSED, 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
}

#[tokio::test]
async fn a_refund_in_an_unknown_state_is_polled_until_its_state_is_known() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    shop.provider.start_refunds_as("reversing");
    let _workers = shop.work();
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1, 2]).await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'pending'", 1).await;
    shop.receive("evt_1", "refund.updated", "re_0").await.unwrap();
    shop.until(KEPT, 1).await;
    let waiting = learner.order(&order.id).await.unwrap();
    assert_eq!(waiting.refunds[0].state(), RefundState::Pending);

    shop.provider.set_refund(0, "succeeded");
    shop.clock.advance(PAUSE);
    shop.until(PROCESSED, 1).await;
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.provider.refunds().len(), 1);
}

#[tokio::test]
async fn a_dispute_in_an_unknown_state_books_nothing_until_its_state_is_known() {
    let (shop, ..) = Shop::with_paid_order().await;
    let _workers = shop.work();
    let dispute = shop.provider.dispute(0, "arbitration");
    shop.receive("evt_1", "charge.dispute.created", &dispute).await.unwrap();
    shop.until(KEPT, 1).await;
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);

    shop.provider.decide_dispute(0, "under_review");
    shop.clock.advance(PAUSE);
    shop.until(PROCESSED, 1).await;
    assert_eq!(shop.journals().await, ["order_placed", "payment_received", "dispute_opened"]);
}
