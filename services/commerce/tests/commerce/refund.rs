//! Refunds by buyers, refunds at the provider, and disputes.

mod audit;
mod buyer;
mod dispute;
mod outside;
mod overtaken;
mod race;
mod retry;
mod return_invoice_pdf;

use proto::commerce::refund_service_client::RefundServiceClient;
use proto::commerce::{
    GetRefundQuoteRequest, GetReturnInvoiceRequest, Order, OrderState, PlaceOrderRequest, RefundQuote,
    RefundState, RequestRefundRequest, ReturnInvoice,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::buying::{COURSE, OTHER};
use crate::customer::Customer;
use crate::shop::Shop;

/// A refund that the provider has paid.
const SUCCEEDED: &str = "SELECT id::text FROM refund WHERE state = 'succeeded'";
const PROCESSED: &str = "SELECT id FROM provider_event WHERE processed_at IS NOT NULL";

impl Shop {
    /// A learner with a paid order of two courses of 16,500 and 9,900 yen, which lms has granted.
    pub(crate) async fn with_paid_order() -> (Self, Customer, Order) {
        let shop = Self::with(&[COURSE, OTHER]).await;
        let learner = shop.learner();
        learner.add(1101).await.unwrap();
        learner.add(1102).await.unwrap();
        let order = shop.purchase(&learner).await;
        (shop, learner, order)
    }

    /// Orders the cart, pays, and delivers the grants.
    pub(crate) async fn purchase(&self, buyer: &Customer) -> Order {
        self.purchase_by(buyer, buyer.order_request().await).await
    }

    /// Places an order, pays, and delivers the grants.
    pub(crate) async fn purchase_by(&self, buyer: &Customer, request: PlaceOrderRequest) -> Order {
        let order = buyer.send(request).await.unwrap();
        self.provider.pay(self.provider.sessions().len() - 1);
        self.clock.advance(Duration::SECOND);
        assert_eq!(buyer.check(&order.id).await.unwrap().state(), OrderState::Paid);
        {
            let _workers = self.work();
            self.texts("DELETE FROM outbox").await;
            self.until("SELECT id::text FROM orders WHERE fulfilled_at IS NULL AND paid_at IS NOT NULL", 0)
                .await;
        }
        buyer.order(&order.id).await.unwrap()
    }
}

impl Customer {
    fn refunds(&self) -> RefundServiceClient<kit::client::Channel> {
        RefundServiceClient::new(self.channel.clone())
    }

    pub(crate) async fn quote(&self, order: &str) -> Result<RefundQuote, Status> {
        let request = GetRefundQuoteRequest { order_id: order.to_owned() };
        Ok(self.refunds().get_refund_quote(request).await?.into_inner().quote.unwrap())
    }

    /// Requests the refund of lines as quoted, with a new key.
    pub(crate) async fn refund(
        &self,
        order: &str,
        quote: &RefundQuote,
        lines: &[u32],
    ) -> Result<Order, Status> {
        self.send_refund(refund_request(order, &quote.digest, lines)).await
    }

    async fn send_refund(&self, request: RequestRefundRequest) -> Result<Order, Status> {
        Ok(self.refunds().request_refund(request).await?.into_inner().order.unwrap())
    }

    async fn return_invoice(&self, order: &str, refund: &str) -> Result<ReturnInvoice, Status> {
        let request = GetReturnInvoiceRequest { order_id: order.to_owned(), refund_id: refund.to_owned() };
        Ok(self.refunds().get_return_invoice(request).await?.into_inner().invoice.unwrap())
    }
}

/// A request with a new key.
fn refund_request(order: &str, digest: &str, lines: &[u32]) -> RequestRefundRequest {
    RequestRefundRequest {
        order_id: order.to_owned(),
        quote_digest: digest.to_owned(),
        lines: lines.to_vec(),
        idempotency_key: Uuid::now_v7().to_string(),
    }
}

/// Yen and state of each refund of an order.
fn refunds(order: &Order) -> Vec<(i32, RefundState)> {
    order.refunds.iter().map(|refund| (refund.amount, refund.state())).collect()
}

/// The refunded yen of each line.
fn refunded(order: &Order) -> Vec<i32> {
    order.lines.iter().map(|line| line.refunded).collect()
}
