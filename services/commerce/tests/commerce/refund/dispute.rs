//! Disputes of payments.

use proto::commerce::OrderState::{Fulfilled, Refunded};
use proto::commerce::{OrderRefunded, RefundReason, RefundRule, RefundState};
use proto::lms::EntitlementRevoked;
use time::Duration;

use super::{PROCESSED, refunded, refunds};
use crate::shop::{Shop, refusal};

const HELD: [&str; 3] = ["revenue -24000", "tax -2400", "dispute 26400"];

#[tokio::test]
async fn a_dispute_is_booked_and_leaves_access_until_it_is_lost() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let id = shop.provider.dispute(0, "needs_response");
    let _workers = shop.work();
    shop.receive("evt_1", "charge.dispute.funds_withdrawn", &id).await.unwrap();
    shop.receive("evt_2", "charge.dispute.created", &id).await.unwrap();
    shop.receive("evt_2", "charge.dispute.created", &id).await.unwrap();
    shop.until(PROCESSED, 2).await;
    assert_eq!(shop.balances().await, HELD);
    assert_eq!(learner.order(&order.id).await.unwrap(), order);
    assert!(shop.events::<EntitlementRevoked>("lms").await.is_empty());
    // The money is not refunded a second time.
    let quote = learner.quote(&order.id).await.unwrap();
    assert!(!quote.is_refundable);
    assert!(quote.lines[0].rule_text.contains("カード会社"), "{}", quote.lines[0].rule_text);
    assert_eq!(refusal(learner.refund(&order.id, &quote, &[1]).await), "Conflict NOT_REFUNDABLE");

    shop.provider.decide_dispute(0, "lost");
    for event in ["evt_3", "evt_4"] {
        shop.receive(event, "charge.dispute.closed", &id).await.unwrap();
    }
    shop.until(PROCESSED, 4).await;
    let lost = learner.order(&order.id).await.unwrap();
    assert_eq!((lost.state(), refunded(&lost)), (Refunded, vec![16_500, 9_900]));
    assert_eq!(refunds(&lost), [(26_400, RefundState::Succeeded)]);
    assert_eq!((lost.refunds[0].reason(), lost.refunds[0].has_invoice), (RefundReason::Dispute, false));
    assert_eq!(shop.balances().await, ["revenue -24000", "refund 24000"]);
    assert_eq!(shop.events::<EntitlementRevoked>("lms").await.len(), 2);
    let [mail] = &shop.events::<OrderRefunded>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.reason(), RefundReason::Dispute);
    assert!(shop.provider.refunds().is_empty());
}

#[tokio::test]
async fn a_dispute_that_is_won_brings_the_money_back_even_if_its_event_is_lost() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let id = shop.provider.dispute(0, "under_review");
    let _workers = shop.work();
    shop.receive("evt_1", "charge.dispute.created", &id).await.unwrap();
    shop.until(PROCESSED, 1).await;
    shop.provider.decide_dispute(0, "won");
    shop.clock.advance(Duration::hours(6));
    shop.until("SELECT id::text FROM dispute WHERE state = 'won'", 1).await;
    assert_eq!(shop.balances().await, ["provider_cash 26400", "revenue -24000", "tax -2400"]);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Fulfilled);
    assert_eq!(learner.quote(&order.id).await.unwrap().lines[0].rule(), RefundRule::Full);
    // A bank decides only once.
    shop.provider.decide_dispute(0, "lost");
    shop.receive("evt_2", "charge.dispute.closed", &id).await.unwrap();
    shop.until(PROCESSED, 2).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Fulfilled);
}

#[tokio::test]
async fn an_inquiry_of_a_bank_books_nothing() {
    let (shop, ..) = Shop::with_paid_order().await;
    let _workers = shop.work();
    for (event, status) in
        [("evt_1", "warning_needs_response"), ("evt_2", "warning_closed"), ("evt_3", "won")]
    {
        let id = shop.provider.dispute(0, status);
        shop.receive(event, "charge.dispute.created", &id).await.unwrap();
    }
    shop.until(PROCESSED, 3).await;
    assert!(shop.texts("SELECT id::text FROM dispute").await.is_empty());
    assert_eq!(shop.journals().await, ["order_placed", "payment_received"]);
}
