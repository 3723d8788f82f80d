//! Failed refunds to a bank account: the buyer enters another account.

use proto::commerce::PaymentMethod::Konbini;
use proto::commerce::{Order, RefundFailed, RefundState, RetryRefundRequest};
use tonic::Status;

use super::{SUCCEEDED, refunds};
use crate::buying::COURSE;
use crate::customer::Customer;
use crate::shop::{Shop, refusal};

const FAILED: &str = "SELECT id::text FROM refund WHERE state = 'failed'";

impl Customer {
    pub(crate) async fn retry_refund(&self, order: &str, refund: &str) -> Result<Order, Status> {
        let request = RetryRefundRequest { order_id: order.to_owned(), refund_id: refund.to_owned() };
        Ok(self.refunds().retry_refund(request).await?.into_inner().order.unwrap())
    }
}

/// An order that was paid at a convenience store, with a refund that waits for the buyer's bank
/// account.
async fn refunding() -> (Shop, Customer, String) {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(Konbini).await.unwrap();
    shop.provider.pay_in_store(0);
    shop.clock.advance(time::Duration::SECOND);
    learner.check(&order.id).await.unwrap();
    shop.provider.start_refunds_as("requires_action");
    let quote = learner.quote(&order.id).await.unwrap();
    learner.refund(&order.id, &quote, &[1]).await.unwrap();
    (shop, learner, order.id)
}

#[tokio::test]
async fn a_refund_without_an_answer_of_the_buyer_is_asked_for_again() {
    let (shop, learner, order) = refunding().await;
    let _workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE state = 'needs_details'", 1).await;
    let waiting = learner.order(&order).await.unwrap().refunds.remove(0);
    assert_eq!(refusal(learner.retry_refund(&order, &waiting.id).await), "Conflict NOT_REFUNDABLE");
    // After 45 days.
    shop.provider.set_refund(0, "canceled");
    shop.receive("evt_1", "refund.updated", "re_0").await.unwrap();
    shop.until(FAILED, 1).await;
    let failed = learner.order(&order).await.unwrap().refunds.remove(0);
    assert_eq!((failed.state(), failed.can_retry, failed.is_replaced), (RefundState::Failed, true, false));
    assert!(shop.events::<RefundFailed>("desk").await[0].can_retry);
    let audit = shop.audit().await;
    assert!(
        audit.iter().any(|found| found.starts_with("no refund has failed and is still owed")),
        "{audit:?}"
    );

    let stranger = shop.learner();
    assert_eq!(refusal(stranger.retry_refund(&order, &failed.id).await), "NotFound NOT_FOUND");
    assert_eq!(learner.order(&order).await.unwrap().refunds, std::slice::from_ref(&failed));
    for _ in 0..2 {
        let asked = learner.retry_refund(&order, &failed.id).await.unwrap();
        assert_eq!(asked.refunds.len(), 2, "pressed twice");
        assert_eq!((asked.refunds[0].can_retry, asked.refunds[0].is_replaced), (false, true));
    }
    shop.until("SELECT id::text FROM refund WHERE state = 'needs_details'", 1).await;
    assert_eq!(shop.provider.refunds()[1].email.as_deref(), Some("aoi@example.jp"));
    shop.provider.set_refund(1, "succeeded");
    shop.receive("evt_2", "refund.updated", "re_1").await.unwrap();
    shop.until(SUCCEEDED, 1).await;
    let done = learner.order(&order).await.unwrap();
    assert_eq!(refunds(&done), [(16_500, RefundState::Failed), (16_500, RefundState::Succeeded)]);
    assert!(done.refunds[1].has_invoice);
    assert_eq!(shop.balances().await, ["revenue -15000", "refund 15000"]);
}

#[tokio::test]
async fn a_refund_to_an_erased_account_is_left_to_the_school() {
    let (shop, learner, _) = refunding().await;
    shop.erase(&learner.id.to_string()).await;
    let _workers = shop.work();
    shop.until(FAILED, 1).await;
    assert!(shop.provider.refunds().is_empty(), "there is no address to ask");
    assert_eq!(shop.texts("SELECT tries::text FROM refund").await, ["1"]);
    let refund = shop.texts(FAILED).await.remove(0).parse().unwrap();
    let (pool, clock) = (&shop.database.pool, shop.clock.clock());
    commerce::record_return(pool, &crate::shop::outbox(), &clock, refund).await.unwrap();
    assert!(!shop.audit().await.iter().any(|found| found.contains("still owed")));
}
