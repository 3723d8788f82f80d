//! Refunds and disputes whose webhook events are all lost.

use axum::http::Method;
use kit::clock::Clock;
use proto::commerce::OrderState::{Paid, Refunded};
use proto::commerce::PaymentMethod::Konbini;
use proto::commerce::PaymentState::Succeeded;
use proto::commerce::{Order, OrderState, RefundState};
use proto::lms::EntitlementRevoked;
use time::Duration;

use super::{GOOD, PayingShop, provider, session_of};
use crate::shop::NOON;

/// The time limit for detecting a change.
const LIMIT: Duration = Duration::minutes(5);

impl PayingShop {
    /// A shop with a paid order whose lists were read once. All later events are lost.
    async fn with_lost_events() -> (Self, Order) {
        let (shop, order) = Self::with_order().await;
        shop.pay(&session_of(&order), GOOD).await;
        let order = shop.until(&order.id, (Paid, Succeeded)).await;
        shop.until_delivered(3).await;
        shop.switch("webhooks", "lost").await;
        shop.shop.until("SELECT 'one' FROM reconciliation WHERE read_until IS NOT NULL", 3).await;
        (shop, order)
    }

    /// The payment intent.
    async fn intent(&self) -> String {
        self.shop.texts("SELECT intent FROM payment WHERE state = 'succeeded'").await.remove(0)
    }

    /// Clicks a button on the provider's pages.
    async fn press(&self, path: &str, form: &[(&str, &str)]) {
        let page = self.send(Method::POST, path, form).await;
        assert!(page.location.is_some(), "{path}: {}", page.text);
    }

    async fn refund_outside(&self, amount: &str) {
        let path = format!("/tool/intents/{}/refund", self.intent().await);
        self.press(&path, &[("amount", amount)]).await;
    }

    /// The differences of an audit.
    async fn audit(&self) -> Vec<String> {
        let clock: Clock = self.shop.clock.clock();
        let audited = commerce::audit(&self.shop.database.pool, &provider(&self.sandbox.url()), &clock).await;
        audited.unwrap().differences()
    }

    async fn until_balances(&self, wanted: &[&str]) {
        let waiting = async {
            while self.shop.balances().await != wanted {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        let outcome = tokio::time::timeout(super::PATIENCE, waiting).await;
        assert!(outcome.is_ok(), "{:?} never became {wanted:?}", self.shop.balances().await);
    }
}

#[tokio::test]
async fn a_refund_at_the_provider_is_found_in_its_list() {
    let (shop, order) = PayingShop::with_lost_events().await;
    shop.refund_outside("6500").await;
    shop.shop.clock.advance(LIMIT);
    shop.until_balances(&["provider_cash 10000", "revenue -15000", "tax -909", "refund 5909"]).await;
    // The rest is refunded too. The second run books only the new refund.
    shop.refund_outside("10000").await;
    shop.shop.clock.advance(LIMIT);
    shop.until(&order.id, (Refunded, Succeeded)).await;
    shop.until_balances(&["revenue -15000", "refund 15000"]).await;
    shop.shop.clock.advance(LIMIT);
    shop.shop.until("SELECT 'one' FROM reconciliation WHERE read_until >= '2026-11-20 03:15'", 3).await;
    assert_eq!(shop.shop.texts("SELECT 'one' FROM refund").await.len(), 2);
    assert_eq!(shop.shop.events::<EntitlementRevoked>("lms").await.len(), 1);
    assert_eq!(shop.webhook.deliveries(), 3);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn a_refund_that_enters_the_list_after_a_run_is_found_by_the_next() {
    let (shop, order) = PayingShop::with_lost_events().await;
    shop.refund_outside("16500").await;
    // The last run was after the refund, and did not find it.
    shop.shop.texts("UPDATE reconciliation SET read_until = read_until + interval '9 minutes'").await;
    shop.shop.clock.advance(LIMIT);
    shop.until(&order.id, (Refunded, Succeeded)).await;
}

#[tokio::test]
async fn a_refund_that_a_bank_sends_back_long_after_is_found_in_the_list_of_moves() {
    let (shop, order) = PayingShop::with_lost_events().await;
    shop.refund_outside("16500").await;
    shop.shop.clock.advance(LIMIT);
    shop.until(&order.id, (Refunded, Succeeded)).await;
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    shop.shop.clock.advance(Duration::days(20));
    shop.shop.until("SELECT 'one' FROM reconciliation WHERE read_until > '2026-12-10'", 3).await;
    let refund = shop.shop.texts("SELECT provider_refund FROM refund").await.remove(0);
    shop.press(&format!("/tool/refunds/{refund}"), &[("status", "failed")]).await;
    shop.shop.clock.advance(LIMIT);
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'failed'", 1).await;
    let order = shop.learner.order(&order.id).await.unwrap();
    assert_eq!(order.refunds[0].state(), RefundState::Failed);
}

#[tokio::test]
async fn a_dispute_is_found_and_so_is_its_end() {
    for (result, state, balances) in [
        ("won", Paid, ["provider_cash 16500", "revenue -15000", "tax -1500"].as_slice()),
        ("lost", Refunded, &["revenue -15000", "refund 15000"]),
    ] {
        let (shop, order) = PayingShop::with_lost_events().await;
        shop.press(&format!("/tool/intents/{}/dispute", shop.intent().await), &[]).await;
        shop.shop.clock.advance(LIMIT);
        shop.until_balances(&["revenue -15000", "tax -1500", "dispute 16500"]).await;
        // After the period that the list of new disputes is read for.
        shop.shop.clock.advance(Duration::days(3));
        shop.shop.until("SELECT 'one' FROM reconciliation WHERE read_until > '2026-11-23'", 3).await;
        let dispute = shop.shop.texts("SELECT provider_dispute FROM dispute").await.remove(0);
        shop.press(&format!("/tool/disputes/{dispute}"), &[("result", result)]).await;
        shop.shop.clock.advance(LIMIT);
        shop.until_balances(balances).await;
        assert_eq!(shop.learner.order(&order.id).await.unwrap().state(), state, "{result}");
        assert_eq!(shop.webhook.deliveries(), 3);
        assert_eq!(shop.audit().await, [""; 0], "{result}");
    }
}

#[tokio::test]
async fn a_refund_that_waits_for_the_buyer_is_asked_about() {
    let shop = PayingShop::new().await;
    shop.switch("webhooks", "lost").await;
    let order = shop.learner.place_by(Konbini).await.unwrap();
    let intent = shop.shop.texts("SELECT intent FROM payment").await.remove(0);
    shop.press(&format!("/tool/intents/{intent}/pay"), &[]).await;
    shop.shop.clock.advance(LIMIT);
    shop.until(&order.id, (Paid, Succeeded)).await;
    shop.refund_outside("16500").await;
    shop.shop.clock.advance(LIMIT);
    shop.shop.until("SELECT 'one' FROM refund WHERE state = 'needs_details'", 1).await;
    assert_eq!(shop.audit().await, [""; 0]);
    let refund = shop.shop.texts("SELECT provider_refund FROM refund").await.remove(0);
    shop.press(&format!("/tool/refunds/{refund}"), &[("status", "succeeded")]).await;
    shop.shop.clock.advance(LIMIT);
    // The audit has booked the fee.
    shop.until_balances(&["provider_cash -594", "revenue -15000", "refund 15000", "provider_fee 594"]).await;
    assert_eq!(shop.webhook.deliveries(), 0);
}

#[tokio::test]
async fn no_change_is_missed_while_the_provider_does_not_answer() {
    let (shop, order) = PayingShop::with_lost_events().await;
    shop.refund_outside("16500").await;
    shop.switch("answers", "unavailable").await;
    shop.shop.clock.advance(Duration::hours(2));
    // The list failed once, and is read again.
    shop.shop
        .until("SELECT 'one' FROM reconciliation WHERE runs >= 2 AND read_until < '2026-11-20 03:30'", 3)
        .await;
    assert_eq!(shop.learner.order(&order.id).await.unwrap().state(), OrderState::Paid);
    shop.switch("answers", "none").await;
    shop.shop.clock.advance(Duration::MINUTE);
    shop.until(&order.id, (Refunded, Succeeded)).await;
}

#[tokio::test]
async fn all_pages_of_a_list_are_read() {
    let (shop, _) = PayingShop::with_lost_events().await;
    for _ in 0..101 {
        shop.refund_outside("1").await;
    }
    let provider = provider(&shop.sandbox.url());
    let refunds = provider.list_refunds_since(NOON).await.unwrap();
    let mut ids: Vec<_> = refunds.into_iter().map(|refund| refund.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 101);
    assert!(provider.list_refunds_since(NOON + Duration::DAY).await.unwrap().is_empty());
    assert!(provider.list_disputes_since(NOON).await.unwrap().is_empty());
}
