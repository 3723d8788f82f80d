//! Refunds in progress whose money is returned by other means.

use proto::commerce::OrderState::{Cancelled, PartRefunded, Refunded};
use proto::commerce::{OrderRefunded, RefundFailed, RefundReason, RefundState};
use proto::lms::EntitlementRevoked;
use time::Duration;

use super::{PROCESSED, SUCCEEDED, refunded, refunds};
use crate::shop::{Shop, outbox};

/// The yen and the reason of each email about returned money.
async fn mails(shop: &Shop) -> Vec<(i32, RefundReason)> {
    let mails = shop.events::<OrderRefunded>("desk").await;
    mails.iter().map(|mail| (mail.amount, mail.reason())).collect()
}

#[tokio::test]
async fn a_whole_refund_from_outside_overtakes_one_of_a_line() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    let id = shop.provider.refund_outside(0, 26_400);
    let _workers = shop.work();
    shop.until(SUCCEEDED, 1).await;
    shop.receive("evt_1", "refund.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!((done.state(), refunded(&done)), (Refunded, vec![16_500, 9_900]));
    assert_eq!(refunds(&done), [(16_500, RefundState::Overtaken), (26_400, RefundState::Succeeded)]);
    assert_eq!((done.refunds[0].has_invoice, done.refunds[1].has_invoice), (false, true));
    let invoice = learner.return_invoice(&order.id, &done.refunds[1].id).await.unwrap();
    assert_eq!((invoice.total, invoice.tax, invoice.lines.len()), (26_400, 2_400, 2));
    assert_eq!(mails(&shop).await, [(26_400, RefundReason::Outside)]);
    assert!(shop.events::<RefundFailed>("desk").await.is_empty());
    assert_eq!(shop.events::<EntitlementRevoked>("lms").await.len(), 2, "each line once");
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_new_refund_returns_the_rest_after_an_outside_refund() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1, 2]).await.unwrap();
    let id = shop.provider.refund_outside(0, 20_000);
    let _workers = shop.work();
    shop.receive("evt_1", "refund.created", &id).await.unwrap();
    shop.until(SUCCEEDED, 2).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!((done.state(), refunded(&done)), (Refunded, vec![6_400, 0]));
    let mut shown = refunds(&done);
    shown.sort_unstable();
    assert_eq!(
        shown,
        [(6_400, RefundState::Succeeded), (20_000, RefundState::Succeeded), (26_400, RefundState::Overtaken)]
    );
    let mut mails = mails(&shop).await;
    mails.sort_unstable();
    assert_eq!(mails, [(6_400, RefundReason::Buyer), (20_000, RefundReason::Outside)]);
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_refund_that_waits_for_a_dispute_goes_on_once_it_is_won() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[2]).await.unwrap();
    let id = shop.provider.dispute(0, "needs_response");
    let _workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE refusals > 0", 1).await;
    shop.receive("evt_1", "charge.dispute.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    assert_eq!(refunds(&learner.order(&order.id).await.unwrap()), [(9_900, RefundState::Pending)]);
    shop.provider.decide_dispute(0, "won");
    shop.receive("evt_2", "charge.dispute.closed", &id).await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!((done.state(), refunds(&done)), (PartRefunded, vec![(9_900, RefundState::Succeeded)]));
    assert_eq!(shop.balances().await, ["provider_cash 16500", "revenue -24000", "tax -1500", "refund 9000"]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_lost_dispute_overtakes_a_refund_that_the_provider_refused() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[2]).await.unwrap();
    let id = shop.provider.dispute(0, "needs_response");
    let _workers = shop.work();
    shop.receive("evt_1", "charge.dispute.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    shop.provider.decide_dispute(0, "lost");
    shop.receive("evt_2", "charge.dispute.closed", &id).await.unwrap();
    shop.until(PROCESSED, 2).await;
    shop.clock.advance(Duration::hours(1));
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!((done.state(), refunded(&done)), (Refunded, vec![16_500, 9_900]));
    assert_eq!(refunds(&done), [(9_900, RefundState::Overtaken), (26_400, RefundState::Succeeded)]);
    assert_eq!(mails(&shop).await, [(26_400, RefundReason::Dispute)]);
    assert!(shop.provider.refunds().is_empty());
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_lost_dispute_of_a_payment_for_no_order_is_no_refund_of_a_sale() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.cancel(&order.id).await.unwrap();
    shop.provider.pay(0);
    let id = shop.provider.dispute(0, "needs_response");
    let _workers = shop.work();
    shop.receive("evt_1", "checkout.session.completed", "cs_0").await.unwrap();
    shop.until(PROCESSED, 1).await;
    shop.receive("evt_2", "charge.dispute.created", &id).await.unwrap();
    shop.until(PROCESSED, 2).await;
    assert_eq!(shop.balances().await, ["refund_payable -16500", "dispute 16500"]);
    shop.provider.decide_dispute(0, "lost");
    shop.receive("evt_3", "charge.dispute.closed", &id).await.unwrap();
    shop.until(PROCESSED, 3).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Cancelled);
    assert_eq!(mails(&shop).await, [(16_500, RefundReason::Late)]);
    assert!(shop.provider.refunds().is_empty());
    assert_eq!(shop.balances().await, [""; 0]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_dispute_is_booked_even_if_its_event_comes_before_that_of_the_payment() {
    let (shop, learner, order) = Shop::with_order().await;
    learner.cancel(&order.id).await.unwrap();
    shop.provider.pay(0);
    let id = shop.provider.dispute(0, "needs_response");
    let _workers = shop.work();
    shop.receive("evt_1", "charge.dispute.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    assert_eq!(shop.balances().await, ["refund_payable -16500", "dispute 16500"]);
    shop.receive("evt_2", "checkout.session.completed", "cs_0").await.unwrap();
    shop.until(PROCESSED, 2).await;
    assert_eq!(shop.balances().await, ["refund_payable -16500", "dispute 16500"]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_failed_refund_that_the_school_pays_itself_is_recorded_once() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    shop.provider.start_refunds_as("failed");
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[2]).await.unwrap();
    let workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE state = 'failed'", 1).await;
    drop(workers);
    let failed = shop.texts("SELECT id::text FROM refund").await.remove(0).parse().unwrap();
    let (pool, outbox, clock) = (&shop.database.pool, outbox(), shop.clock.clock());
    let recorded = commerce::record_return(pool, &outbox, &clock, failed).await.unwrap();
    assert_eq!(recorded, (order.number.clone(), 9_900));
    let again = commerce::record_return(pool, &outbox, &clock, failed).await.unwrap_err().to_string();
    assert!(again.contains("is no refund that failed and is still owed"), "{again}");
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!(refunds(&done), [(9_900, RefundState::Failed), (9_900, RefundState::Succeeded)]);
    let invoice = learner.return_invoice(&order.id, &done.refunds[1].id).await.unwrap();
    assert_eq!((invoice.total, invoice.tax), (9_900, 900));
    assert_eq!(mails(&shop).await, [(9_900, RefundReason::Outside)]);
    let balances = shop.balances().await;
    assert!(balances.contains(&"payout -9900".to_owned()), "{balances:?}");
    assert_eq!(shop.audit().await, [""; 0]);
}
