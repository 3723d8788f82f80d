//! Duplicate refund requests, and processes that stop in between.

use proto::commerce::OrderState::{PartRefunded, Refunded};
use proto::commerce::{OrderRefunded, RefundRequested};
use proto::lms::EntitlementRevoked;
use time::Duration;

use super::{PROCESSED, SUCCEEDED, refund_request, refunded};
use crate::shop::{Shop, refusal};
use crate::test_provider::Behaviour;

#[tokio::test]
async fn two_requests_at_once_are_one_refund() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    let requests: Vec<_> = (0..8).map(|_| learner.refund(&order.id, &quote, &[1, 2])).collect();
    let answers = futures_util::future::join_all(requests).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 7));
    for answer in lost {
        assert_eq!(refusal(answer), "Conflict QUOTE_CHANGED");
    }
    let _workers = shop.work();
    shop.until(SUCCEEDED, 1).await;
    assert_eq!(shop.provider.refunds().len(), 1);
    assert_eq!(shop.events::<RefundRequested>("desk").await.len(), 1);
    assert_eq!(shop.events::<EntitlementRevoked>("lms").await.len(), 2);
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
}

#[tokio::test]
async fn the_same_key_is_the_same_refund_and_another_request_with_it_is_refused() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    let request = refund_request(&order.id, &quote.digest, &[1]);
    let answers = futures_util::future::join_all((0..4).map(|_| learner.send_refund(request.clone()))).await;
    for answer in answers {
        assert_eq!(answer.unwrap().state(), PartRefunded);
    }
    assert_eq!(shop.texts("SELECT id::text FROM refund").await.len(), 1);
    let other = proto::commerce::RequestRefundRequest { lines: vec![2], ..request };
    assert_eq!(refusal(learner.send_refund(other).await), "Unprocessable IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn two_lines_at_once_from_two_tabs_never_give_back_more_than_they_cost() {
    let (_shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    let (one, two) =
        tokio::join!(learner.refund(&order.id, &quote, &[1]), learner.refund(&order.id, &quote, &[2]));
    assert!(one.is_ok() != two.is_ok());
    let loser = if one.is_ok() { 2 } else { 1 };
    let quote = learner.quote(&order.id).await.unwrap();
    let done = learner.refund(&order.id, &quote, &[loser]).await.unwrap();
    assert_eq!((done.state(), refunded(&done)), (Refunded, vec![16_500, 9_900]));
}

#[tokio::test]
async fn a_refund_is_paid_by_the_next_process_if_the_first_stops_before_the_call() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    // A process took the refund and stopped.
    shop.texts("UPDATE refund SET tries = 1, next_try_at = requested_at + interval '60 s'").await;
    let _workers = shop.work();
    shop.clock.advance(Duration::MINUTE);
    shop.until(SUCCEEDED, 1).await;
    assert_eq!(shop.provider.refunds().len(), 1);
}

#[tokio::test]
async fn a_refund_whose_answer_is_lost_is_one_refund_whether_its_event_comes_first_or_not() {
    for has_event in [true, false] {
        let (shop, learner, order) = Shop::with_paid_order().await;
        let quote = learner.quote(&order.id).await.unwrap();
        // Less than a half, so the provider would take it twice.
        learner.refund(&order.id, &quote, &[2]).await.unwrap();
        shop.provider.set_behaviour(Behaviour::Mute);
        let workers = shop.work();
        shop.until(
            "SELECT id::text FROM refund WHERE tries > 0 AND next_try_at > requested_at + interval '3 s'",
            1,
        )
        .await;
        drop(workers);
        assert_eq!(shop.provider.refunds().len(), 1);
        shop.provider.set_behaviour(Behaviour::Answers);
        let _workers = shop.work();
        if has_event {
            shop.receive("evt_1", "refund.created", "re_0").await.unwrap();
            shop.receive("evt_1", "refund.created", "re_0").await.unwrap();
            shop.until(PROCESSED, 1).await;
        }
        shop.clock.advance(Duration::MINUTE);
        shop.until(SUCCEEDED, 1).await;
        assert_eq!(shop.provider.refunds().len(), 1);
        assert_eq!(shop.texts("SELECT id::text FROM refund").await.len(), 1, "it is no refund from outside");
        assert_eq!(shop.events::<OrderRefunded>("desk").await.len(), 1);
        assert_eq!(
            shop.balances().await,
            ["provider_cash 16500", "revenue -24000", "tax -1500", "refund 9000"]
        );
    }
}

#[tokio::test]
async fn a_refund_whose_answer_is_lost_and_whose_key_is_forgotten_is_one_refund() {
    // The provider refuses to refund the whole payment twice, and takes a small part twice.
    for (lines, pause) in [([1, 2].as_slice(), Duration::MINUTE), (&[2], Duration::days(2))] {
        let (shop, learner, order) = Shop::with_paid_order().await;
        let quote = learner.quote(&order.id).await.unwrap();
        learner.refund(&order.id, &quote, lines).await.unwrap();
        shop.provider.set_behaviour(Behaviour::Mute);
        let workers = shop.work();
        shop.until("SELECT id::text FROM refund WHERE next_try_at > requested_at + interval '3 s'", 1).await;
        drop(workers);
        shop.provider.forget_refund_keys();
        shop.provider.set_behaviour(Behaviour::Answers);
        shop.clock.advance(pause);
        let _workers = shop.work();
        shop.until(SUCCEEDED, 1).await;
        assert_eq!(shop.provider.refunds().len(), 1, "{lines:?}");
    }
}

#[tokio::test]
async fn nothing_of_a_refund_is_left_if_its_transaction_fails() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    shop.texts("ALTER TABLE refund_line ADD CONSTRAINT closed CHECK (false)").await;
    assert!(learner.refund(&order.id, &quote, &[1]).await.is_err());
    shop.texts("ALTER TABLE refund_line DROP CONSTRAINT closed").await;
    assert_eq!(learner.order(&order.id).await.unwrap(), order);
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
    assert!(shop.events::<EntitlementRevoked>("lms").await.is_empty());
    assert!(shop.events::<RefundRequested>("desk").await.is_empty());
    assert!(shop.provider.refunds().is_empty());
}
