//! Payments: the provider's results are booked once, in any order of events, and states only go
//! forward.

use proto::commerce::OrderState::{AwaitingPayment, Cancelled, Expired, Fulfilled, Paid};
use proto::commerce::PaymentState::{self, RequiresAction, Succeeded};
use proto::commerce::{OrderEnded, OrderPaid, OrderRefunded, Refund, RefundState};
use proto::lms::{EntitlementGranted, EntitlementSourceKind};
use time::Duration;

use crate::buying::states;
use crate::shop::{NOON, Shop, refusal};
use crate::test_provider::{self, Behaviour};

const COMPLETED: &str = "checkout.session.completed";
const PROCESSED: &str = "SELECT id FROM provider_event WHERE processed_at IS NOT NULL";
/// The pause is shorter than a lease, so the event was tried and released.
const TRIED: &str =
    "SELECT id FROM provider_event WHERE tries > 0 AND next_try_at < received_at + interval '3 s'";

#[tokio::test]
async fn an_event_pays_the_order_once_and_grants_its_courses() {
    let (shop, learner, order) = Shop::with_order().await;
    let _workers = shop.work();
    shop.provider.pay(0);
    shop.clock.advance(Duration::MINUTE);
    let (one, two, three) = tokio::join!(
        shop.receive("evt_1", COMPLETED, "cs_0"),
        shop.receive("evt_1", COMPLETED, "cs_0"),
        shop.receive("evt_2", "checkout.session.async_payment_succeeded", "cs_0"),
    );
    assert!(one.is_ok() && two.is_ok() && three.is_ok());
    shop.until(PROCESSED, 2).await;

    let paid = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&paid), (Paid, Succeeded));
    assert_eq!(paid.paid_at.unwrap().seconds, (NOON + Duration::MINUTE).unix_timestamp());
    assert_eq!(paid.payment.unwrap().page_url, None);
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
    assert_eq!(shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
    assert!(learner.cart().await.lines.is_empty());

    let [grant] = &shop.events::<EntitlementGranted>("lms").await[..] else { panic!("one grant") };
    let source = grant.source.as_ref().unwrap();
    assert_eq!(source.kind(), EntitlementSourceKind::OrderLine);
    assert_eq!(source.id, format!("{}:1", order.id));
    assert_eq!((grant.learner_id.as_str(), grant.course_id), (learner.learner(0), 101));
    let end = NOON + Duration::MINUTE + Duration::days(365);
    assert_eq!(grant.expire_at.unwrap().seconds, end.unix_timestamp());
    let [mail] = &shop.events::<OrderPaid>("desk").await[..] else { panic!("one email") };
    assert_eq!((mail.to.as_str(), mail.total), ("aoi@example.jp", 16_500));
    assert_eq!(mail.items, ["中3数学 二次方程式と関数（葵 太郎さん）"]);

    // Simulates the outbox after the delivery.
    shop.texts("DELETE FROM outbox WHERE receiver = 'lms'").await;
    shop.until("SELECT id::text FROM orders WHERE state = 'fulfilled'", 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Fulfilled);
    assert_eq!(refusal(learner.pay(&order.id).await), "Conflict ORDER_CLOSED");
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), Fulfilled);
}

#[tokio::test]
async fn the_return_page_makes_up_for_a_lost_event() {
    let (shop, learner, order) = Shop::with_order().await;
    assert_eq!(states(&learner.check(&order.id).await.unwrap()), (AwaitingPayment, RequiresAction));
    shop.provider.pay(0);
    // The buyer's check queries the provider at most once a second.
    assert_eq!(learner.check(&order.id).await.unwrap().state(), AwaitingPayment);
    shop.clock.advance(Duration::SECOND);
    let (one, two) = tokio::join!(learner.check(&order.id), learner.check(&order.id));
    assert!([one.unwrap().state(), two.unwrap().state()].contains(&Paid));
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
}

#[tokio::test]
async fn a_lost_event_is_made_up_for_without_the_buyer() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.pay(0);
    let _workers = shop.work();
    shop.clock.advance(Duration::minutes(2));
    shop.until("SELECT id::text FROM orders WHERE state = 'paid'", 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
}

#[tokio::test]
async fn an_event_that_can_not_be_trusted_is_refused() {
    let (shop, ..) = Shop::with_order().await;
    let now = NOON;
    let invalid = "Invalid SIGNATURE_INVALID";
    let (body, signature) = test_provider::event("evt_1", COMPLETED, "cs_0", now);
    let (other, _) = test_provider::event("evt_2", COMPLETED, "cs_0", now);
    assert_eq!(refusal(shop.receive_signed(other, signature.clone()).await), invalid);
    assert_eq!(refusal(shop.receive_signed(body.clone(), String::new()).await), invalid);
    shop.clock.advance(Duration::seconds(301));
    assert_eq!(refusal(shop.receive_signed(body, signature).await), invalid);
    assert!(shop.texts("SELECT id FROM provider_event").await.is_empty());
}

#[tokio::test]
async fn an_event_without_an_effect_is_stored_and_processed() {
    let (shop, ..) = Shop::with_order().await;
    let _workers = shop.work();
    shop.receive("evt_1", "charge.dispute.created", "dp_1").await.unwrap();
    shop.receive("evt_2", COMPLETED, "cs_99").await.unwrap();
    shop.until(PROCESSED, 2).await;
}

#[tokio::test]
async fn an_event_waits_for_a_provider_that_does_not_answer() {
    let (shop, learner, order) = Shop::with_order().await;
    let _workers = shop.work();
    shop.provider.pay(0);
    shop.provider.set_behaviour(Behaviour::Down);
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until(TRIED, 1).await;
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::seconds(30));
    shop.until(PROCESSED, 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Paid);
}

#[tokio::test]
async fn a_declined_card_leaves_the_page_open_and_says_why() {
    let (shop, learner, order) = Shop::with_order().await;
    let _workers = shop.work();
    shop.provider.decline(0, "insufficient_funds");
    shop.receive("evt_1", "payment_intent.payment_failed", "pi_0").await.unwrap();
    shop.until(PROCESSED, 1).await;
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&order), (AwaitingPayment, RequiresAction));
    let payment = order.payment.unwrap();
    assert_eq!((payment.decline_code(), payment.page_url()), ("insufficient_funds", "https://pay.example/0"));
}

#[tokio::test]
async fn a_closed_page_is_followed_by_a_new_attempt() {
    let (shop, learner, order) = Shop::with_order().await;
    let same = learner.pay(&order.id).await.unwrap();
    assert_eq!(same.payment.unwrap().page_url(), "https://pay.example/0");
    shop.clock.advance(Duration::minutes(36));
    shop.provider.close(0);
    let next = learner.pay(&order.id).await.unwrap();
    assert_eq!(states(&next), (AwaitingPayment, RequiresAction));
    assert_eq!(next.payment.unwrap().page_url(), "https://pay.example/1");
    assert_eq!(shop.provider.sessions()[1].key, format!("{}:2", order.number));
    shop.provider.pay(1);
    assert_eq!(states(&learner.check(&order.id).await.unwrap()), (Paid, Succeeded));
}

#[tokio::test]
async fn an_order_that_is_not_paid_in_time_ends() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.set_behaviour(Behaviour::Down);
    let _workers = shop.work();
    shop.clock.advance(Duration::HOUR);
    // The order was checked without an answer.
    shop.until("SELECT id::text FROM orders WHERE checks > 0 AND next_check_at > due_at + interval '3 s'", 1)
        .await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    assert_eq!(refusal(learner.pay(&order.id).await), "Conflict ORDER_CLOSED");
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(2));
    shop.until("SELECT id::text FROM orders WHERE state = 'expired'", 1).await;
    assert!(!shop.provider.is_open(0));
    let ended = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&ended), (Expired, PaymentState::Expired));
    assert_eq!(shop.balances().await, Vec::<String>::new());
    let cart = learner.cart().await;
    assert!(cart.open_order.is_none() && !cart.lines[0].is_ordered);
    let [mail] = &shop.events::<OrderEnded>("desk").await[..] else { panic!("one email") };
    assert!(!mail.is_cancelled);
    assert_eq!(refusal(learner.pay(&order.id).await), "Conflict ORDER_CLOSED");
}

#[tokio::test]
async fn a_payment_in_the_last_moment_counts() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.pay(0);
    let _workers = shop.work();
    shop.clock.advance(Duration::hours(3));
    shop.until("SELECT id::text FROM orders WHERE state = 'paid'", 1).await;
    assert_eq!(states(&learner.order(&order.id).await.unwrap()), (Paid, Succeeded));
    assert!(shop.events::<OrderEnded>("desk").await.is_empty());
}

#[tokio::test]
async fn a_cancelled_order_ends_at_the_provider_too() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.set_behaviour(Behaviour::Down);
    assert_eq!(refusal(learner.cancel(&order.id).await), "Unavailable UPSTREAM_UNAVAILABLE");
    shop.provider.set_behaviour(Behaviour::Answers);
    for _ in 0..2 {
        let ended = learner.cancel(&order.id).await.unwrap();
        assert_eq!(ended.state(), Cancelled);
        assert!(!shop.provider.is_open(0));
    }
    assert_eq!(shop.journals().await, ["order_placed", "order_ended"]);
    assert_eq!(shop.balances().await, Vec::<String>::new());
    let [mail] = &shop.events::<OrderEnded>("desk").await[..] else { panic!("one email") };
    assert!(mail.is_cancelled);
    assert!(!learner.cart().await.lines[0].is_ordered);
}

#[tokio::test]
async fn an_order_that_was_paid_meanwhile_is_not_cancelled() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.pay(0);
    assert_eq!(states(&learner.cancel(&order.id).await.unwrap()), (Paid, Succeeded));
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
}

#[tokio::test]
async fn money_that_comes_after_the_end_goes_back_once() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.cancel(&order.id).await.unwrap();
    shop.provider.pay(0);
    shop.provider.set_behaviour(Behaviour::Mute);
    let workers = shop.work();
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until(TRIED, 1).await;
    shop.provider.set_behaviour(Behaviour::Answers);
    shop.clock.advance(Duration::minutes(1));
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    shop.receive("evt_2", COMPLETED, "cs_0").await.unwrap();
    shop.until(PROCESSED, 2).await;
    drop(workers);

    let [refund] = &shop.provider.refunds()[..] else { panic!("one refund") };
    assert_eq!((refund.intent.as_str(), refund.amount), ("pi_0", 16_500));
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&order), (Cancelled, Succeeded));
    assert_eq!(order.refunds.iter().map(Refund::state).collect::<Vec<_>>(), [RefundState::Succeeded]);
    let journals = ["order_placed", "order_ended", "late_payment_received", "refund_paid"];
    assert_eq!(shop.journals().await, journals);
    assert_eq!(shop.balances().await, Vec::<String>::new());
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
    let [mail] = &shop.events::<OrderRefunded>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.amount, 16_500);
}

#[tokio::test]
async fn a_refund_whose_answer_is_lost_is_one_refund() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.cancel(&order.id).await.unwrap();
    shop.provider.pay(0);
    let workers = shop.work();
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    drop(workers);
    // Simulates a lost answer after the end of the lease.
    let forget = "UPDATE refund SET state = 'requested', provider_refund = NULL, settled_at = NULL, \
        tries = tries + 1, next_try_at = requested_at";
    shop.texts(forget).await;
    let _workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    assert_eq!(shop.provider.refunds().len(), 1);
    assert_eq!(shop.balances().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_refund_that_comes_back_is_booked_back() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.cancel(&order.id).await.unwrap();
    shop.provider.pay(0);
    let _workers = shop.work();
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    shop.provider.fail_refund(0);
    shop.receive("evt_2", "refund.failed", "re_0").await.unwrap();
    shop.until(PROCESSED, 2).await;
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(order.refunds[0].state(), RefundState::Failed);
    assert_eq!(shop.balances().await, ["provider_cash 16500", "refund_payable -16500"]);
}

#[tokio::test]
async fn a_payment_of_another_amount_goes_back_whole() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.pay_amount(0, 165);
    let _workers = shop.work();
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    assert_eq!(shop.provider.refunds()[0].amount, 165);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), AwaitingPayment);
    assert_eq!(shop.balances().await, ["receivable 16500", "revenue -15000", "tax -1500"]);
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
    // The buyer can still pay the order.
    assert_eq!(states(&learner.pay(&order.id).await.unwrap()), (AwaitingPayment, RequiresAction));
}

#[tokio::test]
async fn a_second_payment_beside_the_first_goes_back() {
    let (shop, learner, order) = Shop::with_order().await;
    shop.provider.close(0);
    learner.pay(&order.id).await.unwrap();
    shop.provider.pay(1);
    shop.clock.advance(Duration::SECOND);
    assert_eq!(learner.check(&order.id).await.unwrap().state(), Paid);
    // The provider reports a late success of the first payment.
    shop.provider.pay(0);
    let _workers = shop.work();
    shop.receive("evt_1", COMPLETED, "cs_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    assert_eq!(shop.provider.refunds()[0].intent, "pi_0");
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!(states(&order), (Paid, Succeeded));
    assert_eq!(shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
}
