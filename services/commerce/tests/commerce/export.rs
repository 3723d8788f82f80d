//! The export of carts and orders.

use kit::test;
use proto::commerce::order_service_client::OrderServiceClient;
use proto::commerce::{
    ExportPurchasesRequest, ExportPurchasesResponse, OrderState, PaymentMethod, PaymentState,
};
use time::Duration;
use uuid::Uuid;

use crate::buying::{COURSE, OTHER};
use crate::coupon::{FUYU15, WELCOME};
use crate::customer::Customer;
use crate::shop::{NOON, Shop};
use crate::stored_order::StoredOrder;

impl Customer {
    /// All parts of the export.
    async fn export(&self) -> Vec<ExportPurchasesResponse> {
        let mut stream =
            self.orders().export_purchases(ExportPurchasesRequest {}).await.unwrap().into_inner();
        let mut parts = Vec::new();
        while let Some(part) = stream.message().await.unwrap() {
            parts.push(part);
        }
        parts
    }
}

#[tokio::test]
async fn an_export_has_the_cart_and_every_order_with_its_payments_and_receipt() {
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[WELCOME, FUYU15]).await;
    let (guardian, other) = (shop.guardian(2), shop.learner());
    other.add(1101).await.unwrap();
    other.place().await.unwrap();
    guardian.add_for(1101, guardian.learner(1)).await.unwrap();
    let order = guardian.place().await.unwrap();
    shop.provider.decline(1, "insufficient_funds");
    shop.provider.close(1);
    guardian.pay(&order.id).await.unwrap();
    shop.provider.pay(2);
    shop.clock.advance(Duration::MINUTE);
    guardian.check(&order.id).await.unwrap();
    guardian.issue_receipt(&order.id, "株式会社あおい").await.unwrap();
    guardian.add(1102).await.unwrap();
    guardian.claim("fuyu15").await.unwrap();
    shop.clock.advance(Duration::MINUTE);
    guardian.apply(2).await.unwrap();
    other.claim("WELCOME1000").await.unwrap();

    let parts = guardian.export().await;
    let [line] = &parts[0].cart[..] else { panic!("one line") };
    assert_eq!((line.product_id, line.product_name.as_str()), (1102, "中3理科"));
    assert_eq!(line.learner_id, guardian.learner(0));
    let added = NOON + Duration::MINUTE;
    assert_eq!((line.added_at.unwrap().seconds, line.touched_at), (added.unix_timestamp(), line.added_at));

    let [coupon] = &parts[0].coupons[..] else { panic!("one coupon, and not the other's") };
    assert_eq!((coupon.id, coupon.code.as_str(), coupon.name.as_str()), (2, "FUYU15", "冬の学習応援"));
    let seconds = |moment: Option<prost_types::Timestamp>| moment.unwrap().seconds - NOON.unix_timestamp();
    assert_eq!((seconds(coupon.claimed_at), seconds(coupon.applied_at)), (60, 120));
    assert_eq!((line.asked_by.as_deref(), parts[0].asked_at), (None, None));

    let orders: Vec<_> = parts.iter().flat_map(|part| &part.orders).collect();
    let [exported] = orders[..] else { panic!("one order, and not the other's") };
    assert_eq!(exported.order, guardian.order(&order.id).await.ok());
    let shown = exported.order.as_ref().unwrap();
    assert_eq!((shown.number.as_str(), shown.total), (order.number.as_str(), 16_500));
    assert_eq!(shown.lines[0].learner_name, "葵 二郎");
    assert!(shown.confirmation.is_some());
    assert_eq!(
        (exported.buyer_name.as_str(), exported.buyer_email.as_str()),
        ("葵 花子", "hanako@example.jp")
    );
    let receipt = exported.receipt.as_ref().unwrap();
    assert_eq!(receipt.number, format!("R-{}", &order.number[3..]));
    assert_eq!((receipt.addressee.as_str(), receipt.issues), ("株式会社あおい", 1));
    assert_eq!(receipt.issued_at.unwrap().seconds, added.unix_timestamp());
    let payments: Vec<_> =
        exported.payments.iter().map(|it| (it.state(), it.decline_code(), it.amount)).collect();
    assert_eq!(
        payments,
        [(PaymentState::Expired, "insufficient_funds", 16_500), (PaymentState::Succeeded, "", 16_500),]
    );
    assert_eq!(exported.payments[1].settled_at.unwrap().seconds, added.unix_timestamp());
}

#[tokio::test]
async fn an_export_has_the_transfers_and_their_senders() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.place_by(PaymentMethod::BankTransfer).await.unwrap();
    shop.provider.transfer(0, 6_500, "ｱｵｲ ﾊﾅｺ", NOON);
    shop.clock.advance(Duration::SECOND);
    learner.check(&order.id).await.unwrap();
    let parts = learner.export().await;
    let exported = parts.iter().flat_map(|part| &part.orders).next().unwrap();
    assert_eq!(exported.buyer_kana, "アオイ タロウ");
    assert_eq!(exported.payments[0].state(), PaymentState::PartFunded);
    let [transfer] = &exported.payments[0].transfers[..] else { panic!("one transfer") };
    assert_eq!((transfer.amount, transfer.sender_name.as_str()), (6_500, "ｱｵｲ ﾊﾅｺ"));
    assert!(transfer.is_other_name && !transfer.is_returned);
    assert!(exported.order.as_ref().unwrap().payment.as_ref().unwrap().bank_transfer.is_some());
}

#[tokio::test]
async fn an_export_says_who_asked_whom_to_pay() {
    let shop = Shop::with(&[COURSE]).await;
    let (child, guardian) = (shop.learner(), shop.guardian(0));
    child.add(1101).await.unwrap();
    let asked = child.ask(&[&guardian]).await.unwrap();
    let of_child = child.export().await.remove(0);
    assert_eq!((of_child.asked_at, of_child.cart[0].asked_by.as_deref()), (asked.asked_at, None));
    let of_guardian = guardian.export().await.remove(0);
    assert_eq!(of_guardian.asked_at, None);
    assert_eq!(of_guardian.cart[0].asked_by, Some(child.id.to_string()));
}

#[tokio::test]
async fn an_export_of_any_size_comes_in_parts_and_has_each_order_once() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    for n in 0..102 {
        let number = format!("KM-261120-{n:05}");
        let placed_at = NOON + Duration::MINUTE * (n / 2);
        let state = ("cancelled", "cancelled");
        shop.store(&learner, &StoredOrder { number: &number, state, placed_at, ..StoredOrder::default() })
            .await;
    }
    let parts = learner.export().await;
    let sizes: Vec<usize> = parts.iter().map(|part| part.orders.len()).collect();
    assert_eq!(sizes, [0, 50, 50, 2, 0]);
    let orders: Vec<_> =
        parts.iter().flat_map(|part| &part.orders).map(|it| it.order.as_ref().unwrap()).collect();
    assert!(orders.iter().all(|order| order.state() == OrderState::Cancelled && order.lines.len() == 1));
    assert!(orders.is_sorted_by_key(|order| order.placed_at.unwrap().seconds), "oldest first");
    let mut numbers: Vec<&str> = orders.iter().map(|order| order.number.as_str()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 102);
}

#[tokio::test]
async fn an_account_without_purchases_gets_an_empty_export() {
    let shop = Shop::with(&[COURSE]).await;
    let staff = shop.server.channel_as(test::learner(Uuid::now_v7()));
    let parts = OrderServiceClient::new(staff).export_purchases(ExportPurchasesRequest {}).await.unwrap();
    let first = parts.into_inner().message().await.unwrap().unwrap();
    assert_eq!(first, ExportPurchasesResponse::default());
}
