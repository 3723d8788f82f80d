//! Return invoices (返還インボイス) as PDF.

use std::sync::Arc;

use proto::commerce::{GetReturnInvoicePdfRequest, GetReturnInvoicePdfResponse};
use tokio::task::JoinSet;
use tonic::Status;

use super::SUCCEEDED;
use crate::customer::Customer;
use crate::receipt_pdf::pages;
use crate::shop::{Shop, refusal};

impl Customer {
    async fn return_invoice_pdf(
        &self,
        order: &str,
        refund: &str,
    ) -> Result<GetReturnInvoicePdfResponse, Status> {
        let request = GetReturnInvoicePdfRequest { order_id: order.to_owned(), refund_id: refund.to_owned() };
        Ok(self.refunds().get_return_invoice_pdf(request).await?.into_inner())
    }
}

#[tokio::test]
async fn the_pdf_has_all_that_a_return_invoice_must_have_and_stays_the_same() {
    let (shop, learner, order) = Shop::with_paid_order().await;
    let quote = learner.quote(&order.id).await.unwrap();
    let asked = learner.refund(&order.id, &quote, &[2]).await.unwrap();
    let refund = asked.refunds[0].id.clone();
    assert_eq!(refusal(learner.return_invoice_pdf(&order.id, &refund).await), "NotFound NOT_FOUND");
    let workers = shop.work();
    shop.until(SUCCEEDED, 1).await;
    drop(workers);
    let learner = Arc::new(learner);
    let mut reading = JoinSet::new();
    for _ in 0..8 {
        let (learner, order, refund) = (learner.clone(), order.id.clone(), refund.clone());
        reading.spawn(async move { learner.return_invoice_pdf(&order, &refund).await.unwrap().pdf });
    }
    let mut first = reading.join_all().await;
    first.dedup();
    assert_eq!(first.len(), 1, "the same bytes for all");
    let rest = order.number.strip_prefix("KM-").unwrap();
    let [page] = &pages(&first[0])[..] else { panic!("one page") };
    for fact in [
        "返還インボイス",
        "（適格返還請求書）",
        &format!("番号H-{rest}-1"),
        &format!("もとの領収書R-{rest}"),
        "葵太郎様",
        "返金額9,900円（税込）",
        "10%対象（税込）9,900円",
        "内消費税（10%）900円",
        "登録番号T0000000000000",
        "返金日2026年11月20日",
    ] {
        assert!(page.contains(fact), "{fact}: {page}");
    }
    // The receipt is issued to another name afterwards.
    learner.issue_receipt(&order.id, "あおい商店").await.unwrap();
    let answer = learner.return_invoice_pdf(&order.id, &refund).await.unwrap();
    assert_eq!((answer.number, answer.pdf), (format!("H-{rest}-1"), first.remove(0)));
    let stranger = shop.learner();
    assert_eq!(refusal(stranger.return_invoice_pdf(&order.id, &refund).await), "NotFound NOT_FOUND");
    shop.erase(&learner.id.to_string()).await;
    assert!(shop.texts("SELECT refund_id::text FROM return_invoice_pdf").await.is_empty());
}
