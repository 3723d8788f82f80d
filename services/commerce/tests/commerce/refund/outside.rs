//! Refunds that a person makes at the provider.

use proto::commerce::OrderState::{Fulfilled, PartRefunded, Refunded};
use proto::commerce::{OrderRefunded, RefundReason, RefundRule, RefundState};
use proto::lms::EntitlementRevoked;

use super::{PROCESSED, SUCCEEDED, refunded, refunds};
use crate::shop::Shop;
use crate::test_provider;

#[tokio::test]
async fn a_whole_refund_from_outside_is_booked_once_and_ends_access() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let id = shop.provider.refund_outside(0, 26_400);
    let _workers = shop.work();
    shop.receive("evt_1", "refund.updated", &id).await.unwrap();
    shop.receive("evt_2", "refund.created", &id).await.unwrap();
    let (body, signature) =
        test_provider::charge_event("evt_3", "charge.refunded", "pi_0", shop.clock.clock().now());
    shop.receive_signed(body, signature).await.unwrap();
    shop.until(PROCESSED, 3).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!((done.state(), refunded(&done)), (Refunded, vec![16_500, 9_900]));
    assert_eq!(refunds(&done), [(26_400, RefundState::Succeeded)]);
    assert_eq!((done.refunds[0].reason(), done.refunds[0].has_invoice), (RefundReason::Outside, true));
    assert_eq!(shop.journals().await, ["order_placed", "payment_received", "outside_refund", "refund_paid"]);
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.events::<EntitlementRevoked>("lms").await.len(), 2);
    let [mail] = &shop.events::<OrderRefunded>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.reason(), RefundReason::Outside);
    let invoice = learner.return_invoice(&order.id, &done.refunds[0].id).await.unwrap();
    assert_eq!((invoice.total, invoice.tax, invoice.lines.len()), (26_400, 2_400, 2));
}

#[tokio::test]
async fn a_part_from_outside_leaves_access_and_is_not_paid_again() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    shop.provider.refund_outside(0, 20_000);
    let _workers = shop.work();
    let (body, signature) =
        test_provider::charge_event("evt_1", "charge.refunded", "pi_0", shop.clock.clock().now());
    shop.receive_signed(body, signature).await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    let part = learner.order(&order.id).await.unwrap();
    assert_eq!((part.state(), refunds(&part)), (Fulfilled, vec![(20_000, RefundState::Succeeded)]));
    assert!(shop.events::<EntitlementRevoked>("lms").await.is_empty());
    let invoice = learner.return_invoice(&order.id, &part.refunds[0].id).await.unwrap();
    assert_eq!(invoice.lines[0].name, format!("ご注文 {} の一部", order.number));

    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!(quote.lines.iter().map(|line| line.amount).collect::<Vec<_>>(), [6_400, 0]);
    assert_eq!(quote.total + 20_000, order.total);
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    shop.until(SUCCEEDED, 2).await;
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), PartRefunded);
}

#[tokio::test]
async fn a_refund_from_outside_returns_the_money_of_one_that_failed() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let _workers = shop.work();
    shop.provider.start_refunds_as("failed");
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'failed'", 1).await;
    let id = shop.provider.refund_outside(0, 16_500);
    shop.receive("evt_1", "refund.created", &id).await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!(refunds(&done), [(16_500, RefundState::Failed), (16_500, RefundState::Succeeded)]);
    assert_eq!(shop.balances().await, ["provider_cash 9900", "revenue -24000", "tax -900", "refund 15000"]);
    // It reverses no second sale.
    let quote = learner.quote(&order.id).await.unwrap();
    assert_eq!((quote.lines[0].rule(), quote.total), (RefundRule::None, 9_900));
    let invoice = learner.return_invoice(&order.id, &done.refunds[1].id).await.unwrap();
    assert_eq!((invoice.tax, invoice.lines[0].amount), (1_500, 16_500));
}

#[tokio::test]
async fn a_whole_refund_from_outside_beats_one_that_the_provider_was_not_asked_for() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1, 2]).await.unwrap();
    let id = shop.provider.refund_outside(0, 26_400);
    let _workers = shop.work();
    shop.until(SUCCEEDED, 1).await;
    shop.receive("evt_1", "refund.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!(refunds(&done), [(26_400, RefundState::Succeeded)], "they are one");
    assert_eq!(shop.provider.refunds().len(), 1);
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
}

#[tokio::test]
async fn a_refund_of_an_unbooked_payment_is_booked_after_the_payment() {
    let (shop, learner, order) = Shop::with_order().await;
    // commerce knows the intent, but not its success.
    shop.provider.decline(0, "insufficient_funds");
    learner.check(&order.id).await.unwrap();
    shop.provider.pay(0);
    let id = shop.provider.refund_outside(0, 16_500);
    let _workers = shop.work();
    shop.receive("evt_1", "refund.created", &id).await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    let done = learner.order(&order.id).await.unwrap();
    assert_eq!(done.state(), Refunded);
    assert_eq!(shop.balances().await, ["revenue -15000", "refund 15000"]);
}

#[tokio::test]
async fn a_refund_of_a_payment_of_another_system_changes_nothing() {
    let (shop, ..) = Shop::with_paid_order().await;
    shop.texts("UPDATE payment SET session = 'cs_other', intent = 'pi_other'").await;
    let id = shop.provider.refund_outside(0, 26_400);
    let _workers = shop.work();
    shop.receive("evt_1", "refund.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    assert!(shop.texts("SELECT id::text FROM refund").await.is_empty());
}
