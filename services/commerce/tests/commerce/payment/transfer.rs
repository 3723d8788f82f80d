//! Payments at a convenience store and by bank transfer.

use axum::http::Method;
use proto::commerce::Order;
use proto::commerce::OrderState::{Cancelled, Expired, Paid, Refunded};
use proto::commerce::PaymentMethod::{BankTransfer, Konbini};
use proto::commerce::PaymentState::{self, PartFunded, Succeeded};
use time::Duration;

use super::PayingShop;
use crate::buying::{COURSE, states};

impl PayingShop {
    /// The text in the first column of the only row.
    async fn one(&self, query: &'static str) -> String {
        self.shop.texts(query).await.remove(0)
    }

    /// The buyer pays at the store.
    async fn pay_in_store(&self) {
        let intent = self.one("SELECT intent FROM payment ORDER BY attempt DESC LIMIT 1").await;
        let page = self.send(Method::POST, &format!("/tool/intents/{intent}/pay"), &[]).await;
        assert!(page.location.is_some(), "{}", page.text);
    }

    /// A transfer arrives in the buyer's account.
    async fn transfer(&self, amount: &str) {
        let customer = self.one("SELECT provider_customer FROM customer").await;
        let form = [("amount", amount), ("sender_name", "ｱｵｲ ﾀﾛｳ")];
        let page = self.send(Method::POST, &format!("/tool/customers/{customer}/transfer"), &form).await;
        assert!(page.location.is_some(), "{}", page.text);
    }

    /// The buyer's cash balance in yen.
    async fn balance(&self) -> i64 {
        let customer = self.one("SELECT provider_customer FROM customer").await;
        let path = format!("/v1/customers/{customer}/cash_balance");
        let balance = self.send(Method::GET, &path, &[]).await;
        let balance: serde_json::Value = serde_json::from_str(&balance.text).unwrap();
        balance["available"]["jpy"].as_i64().unwrap()
    }
}

fn account_number(order: &Order) -> usize {
    order.payment.as_ref().unwrap().bank_transfer.as_ref().unwrap().account_number.len()
}

#[tokio::test]
async fn a_convenience_store_pays_an_order() {
    let shop = PayingShop::new().await;
    let order = shop.learner.place_by(Konbini).await.unwrap();
    let stores = order.payment.as_ref().unwrap().konbini.clone().unwrap().stores;
    assert_eq!(stores.len(), 4);
    assert!(stores.iter().all(|store| !store.payment_code.is_empty()));
    shop.pay_in_store().await;
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.assert_paid_once(&order).await;
}

#[tokio::test]
async fn codes_that_are_not_used_end_with_the_order() {
    let shop = PayingShop::new().await;
    let order = shop.learner.place_by(Konbini).await.unwrap();
    shop.shop.clock.advance(Duration::days(4));
    let expired = shop.until(&order.id, (Expired, PaymentState::Expired)).await;
    assert!(expired.payment.unwrap().konbini.is_some());
    assert!(shop.shop.balances().await.is_empty());
}

#[tokio::test]
async fn transfers_pay_an_order_in_parts_and_what_is_too_much_goes_back() {
    let shop = PayingShop::new().await;
    let order = shop.learner.place_by(BankTransfer).await.unwrap();
    assert_eq!(account_number(&order), 7);
    shop.transfer("10000").await;
    shop.until(&order.id, (order.state(), PartFunded)).await;
    shop.switch("webhooks", "doubled").await;
    shop.transfer("7000").await;
    let paid = shop.until(&order.id, (Paid, Succeeded)).await;
    assert_eq!(paid.payment.unwrap().bank_transfer.unwrap().transfers.len(), 2);
    // The provider asks the buyer for a bank account.
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'needs_details' AND amount = 500", 1).await;
    assert_eq!(shop.balance().await, 0);
    assert_eq!(
        shop.shop.balances().await,
        ["provider_cash 17000", "revenue -15000", "tax -1500", "refund_payable -500"]
    );
}

#[tokio::test]
async fn a_part_of_a_cancelled_order_goes_back() {
    let shop = PayingShop::new().await;
    let order = shop.learner.place_by(BankTransfer).await.unwrap();
    shop.switch("webhooks", "lost").await;
    shop.transfer("10000").await;
    let cancelled = shop.learner.cancel(&order.id).await.unwrap();
    assert_eq!(states(&cancelled), (Cancelled, PaymentState::Cancelled));
    assert_eq!(cancelled.refunds[0].amount, 10_000);
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'needs_details'", 1).await;
    // The money does not pay the next order.
    let next = shop.learner.place_by(BankTransfer).await.unwrap();
    assert_eq!(next.payment.unwrap().bank_transfer.unwrap().amount_remaining, 16_500);
}

#[tokio::test]
async fn a_transfer_is_applied_with_every_event_lost() {
    let shop = PayingShop::new().await;
    let order = shop.learner.place_by(BankTransfer).await.unwrap();
    shop.switch("webhooks", "lost").await;
    shop.transfer("16500").await;
    shop.shop.clock.advance(Duration::minutes(5));
    shop.until(&order.id, (Paid, Succeeded)).await;
    assert_eq!(shop.balance().await, 0);
    assert_eq!(shop.shop.balances().await, ["provider_cash 16500", "revenue -15000", "tax -1500"]);
}

#[tokio::test]
async fn a_refund_at_the_provider_is_not_taken_for_the_return_of_a_second_transfer() {
    let shop = PayingShop::idle(&[COURSE], &[]).await;
    shop.switch("webhooks", "lost").await;
    shop.learner.add(1101).await.unwrap();
    let order = shop.learner.place_by(BankTransfer).await.unwrap();
    shop.transfer("16500").await;
    shop.shop.clock.advance(Duration::minutes(5));
    shop.shop.settlement.settle_due().await.unwrap();
    assert_eq!(states(&shop.learner.order(&order.id).await.unwrap()), (Paid, Succeeded));

    // The buyer pays again, and a person refunds the order, before commerce sees either.
    shop.switch("webhooks", "none").await;
    shop.transfer("16500").await;
    let intent = shop.one("SELECT intent FROM payment").await;
    shop.send(Method::POST, &format!("/tool/intents/{intent}/refund"), &[]).await;
    shop.shop.until("SELECT id FROM provider_event WHERE type = 'refund.created'", 1).await;
    shop.shop.settlement.settle_due().await.unwrap();
    let refunds = shop.shop.texts("SELECT reason || ' ' || amount FROM refund ORDER BY reason").await;
    assert_eq!(refunds, ["excess 16500", "outside 16500"]);
    assert_eq!(shop.learner.order(&order.id).await.unwrap().state(), Refunded);
    assert_eq!(shop.balance().await, 0);
}

#[tokio::test]
async fn a_refund_at_the_provider_that_comes_back_is_no_longer_in_the_payment() {
    let shop = PayingShop::idle(&[COURSE], &[]).await;
    shop.learner.add(1101).await.unwrap();
    let order = shop.learner.place_by(BankTransfer).await.unwrap();
    shop.transfer("16500").await;
    shop.shop.clock.advance(Duration::minutes(5));
    shop.shop.settlement.settle_due().await.unwrap();
    let quote = shop.learner.quote(&order.id).await.unwrap();
    shop.learner.refund(&order.id, &quote, &[1]).await.unwrap();

    // Before it is sent, a person refunds a part, and the bank sends that back to the cash balance.
    let intent = shop.one("SELECT intent FROM payment").await;
    shop.send(Method::POST, &format!("/tool/intents/{intent}/refund"), &[("amount", "1000")]).await;
    let made = shop.send(Method::GET, &format!("/v1/refunds?payment_intent={intent}&limit=1"), &[]).await;
    let made: serde_json::Value = serde_json::from_str(&made.text).unwrap();
    let path = format!("/tool/refunds/{}", made["data"][0]["id"].as_str().unwrap());
    shop.send(Method::POST, &path, &[("status", "failed")]).await;
    shop.shop.clock.advance(Duration::minutes(5));
    shop.shop.settlement.settle_due().await.unwrap();
    let refunds = "SELECT reason || ' ' || amount || ' ' || state FROM refund ORDER BY amount";
    assert_eq!(
        shop.shop.texts(refunds).await,
        ["outside 1000 failed", "buyer 15500 needs_details", "buyer 16500 overtaken"]
    );
    assert_eq!(shop.balance().await, 1_000);
}
