//! A child and a guardian order the same course. The second one is refused, or refunded if both are
//! paid.

use proto::commerce::OrderState::{Cancelled, Paid, Refunded};
use proto::commerce::{LineProblem, OrderPaid, RefundReason, RefundRequested, RefundState};
use proto::lms::{EntitlementGranted, EntitlementRevoked};
use time::Duration;

use crate::buying::{COURSE, OTHER};
use crate::customer::lines;
use crate::shop::{Shop, refusal};
use crate::stored_order::StoredOrder;

const SEAT: &str =
    "id: 2301, kind: exam_seat, exam: 2, price: 4400, places: 10, application_closes: 2026-12-20";
const NOTHING: LineProblem = LineProblem::Unspecified;

#[tokio::test]
async fn a_course_in_an_open_order_cannot_be_ordered_by_another_account() {
    let shop = Shop::with(&[COURSE, OTHER, SEAT]).await;
    let (child, guardian) = shop.family();
    child.join(&[1101, 2301]).await.unwrap();
    guardian.join(&[1101, 2301, 1102]).await.unwrap();
    let order = child.place().await.unwrap();
    let elsewhere = LineProblem::OrderedElsewhere;
    let cart = guardian.cart().await;
    assert_eq!(
        lines(&cart),
        [(1101, "葵 太郎", elsewhere), (2301, "葵 太郎", elsewhere), (1102, "葵 太郎", NOTHING)]
    );
    assert_eq!(cart.total, 9_900);
    assert!(lines(&child.cart().await).iter().all(|line| line.2 == NOTHING), "their own order");
    assert_eq!(child.cancel(&order.id).await.unwrap().state(), Cancelled);
    assert_eq!(guardian.cart().await.total, 30_800);

    // The same with the roles swapped, until the order is paid.
    let order = guardian.place().await.unwrap();
    assert_eq!(lines(&child.cart().await)[0].2, elsewhere);
    assert_eq!(refusal(child.confirmation().await), "Conflict CART_EMPTY");
    assert_eq!(shop.pay_last(&guardian, &order).await.state(), Paid);
    assert!(lines(&child.cart().await).iter().all(|line| line.2 == LineProblem::Owned));
}

#[tokio::test]
async fn simultaneous_orders_of_a_child_and_a_guardian_have_one_winner() {
    for _ in 0..4 {
        let shop = Shop::with(&[COURSE]).await;
        let (child, guardian) = shop.family();
        guardian.add(1101).await.unwrap();
        child.add(1101).await.unwrap();
        let (one, two) = (guardian.order_request().await, child.order_request().await);
        let (one, two) = tokio::join!(guardian.send(one), child.send(two));
        let (placed, refused) = if one.is_ok() { (one, two) } else { (two, one) };
        placed.unwrap();
        assert_eq!(refusal(refused), "Conflict CART_EMPTY");
    }
}

#[tokio::test]
async fn a_duplicate_that_is_paid_is_refunded_at_once() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let (child, guardian) = shop.family();
    guardian.join(&[1101, 1102]).await.unwrap();
    let order = guardian.place().await.unwrap();
    // Stores the state that results if the child's order is placed and paid at the same moment.
    let lines = &[(1101, 16_500)];
    let stored =
        StoredOrder { state: ("fulfilled", "succeeded"), lines, tax: 1_500, ..StoredOrder::default() };
    shop.store(&child, &stored).await;

    let paid = shop.pay_last(&guardian, &order).await;
    assert_eq!(paid.lines.iter().map(|line| line.refunded).collect::<Vec<_>>(), [16_500, 0]);
    let [refund] = &paid.refunds[..] else { panic!("one refund") };
    assert_eq!(
        (refund.amount, refund.reason(), refund.state()),
        (16_500, RefundReason::Duplicate, RefundState::Pending)
    );
    let [granted] = &shop.events::<EntitlementGranted>("lms").await[..] else { panic!("one grant") };
    assert_eq!(granted.course_id, 102);
    assert!(shop.events::<EntitlementRevoked>("lms").await.is_empty(), "the child's access stays");
    let [mail] = &shop.events::<RefundRequested>("desk").await[..] else { panic!("one email") };
    assert_eq!(
        (mail.reason(), mail.amount, mail.to.as_str()),
        (RefundReason::Duplicate, 16_500, "hanako@example.jp")
    );
    assert_eq!(mail.items[0].name, "中3数学 二次方程式と関数（葵 太郎さん）");
    assert_eq!(shop.events::<OrderPaid>("desk").await.len(), 1);

    let workers = shop.work();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    shop.texts("DELETE FROM outbox WHERE receiver = 'lms'").await;
    shop.until("SELECT id::text FROM orders WHERE fulfilled_at IS NOT NULL", 1).await;
    drop(workers);
    let [made] = &shop.provider.refunds()[..] else { panic!("one refund") };
    assert_eq!((made.intent.as_str(), made.amount), ("pi_0", 16_500));
    let order = guardian.order(&order.id).await.unwrap();
    assert!(order.refunds[0].has_invoice);
    // 9,900 yen of the sale remain, with 900 yen of tax.
    assert_eq!(shop.balances().await, ["provider_cash 9900", "revenue -24000", "tax -900", "refund 15000"]);
}

#[tokio::test]
async fn an_order_of_nothing_but_duplicates_is_refunded_whole() {
    let shop = Shop::with(&[COURSE]).await;
    let (child, guardian) = shop.family();
    guardian.add(1101).await.unwrap();
    let order = guardian.place().await.unwrap();
    let state = ("fulfilled", "succeeded");
    shop.store(&child, &StoredOrder { state, ..StoredOrder::default() }).await;
    assert_eq!(shop.pay_last(&guardian, &order).await.state(), Refunded);
    assert!(shop.events::<EntitlementGranted>("lms").await.is_empty());
}

#[tokio::test]
async fn a_course_whose_time_is_over_is_no_duplicate() {
    let shop = Shop::with(&[COURSE]).await;
    let (child, guardian) = shop.family();
    let state = ("fulfilled", "succeeded");
    shop.store(&child, &StoredOrder { state, ..StoredOrder::default() }).await;
    shop.clock.advance(Duration::days(366));
    guardian.add(1101).await.unwrap();
    let order = guardian.place().await.unwrap();
    assert_eq!(shop.pay_last(&guardian, &order).await.state(), Paid);
}
