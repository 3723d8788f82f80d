//! Orders with coupons: confirmation, storage, booking and display, and orders of 0 yen.

use proto::commerce::CouponState::{Usable, Used};
use proto::commerce::OrderState::{AwaitingPayment, Cancelled, Fulfilled, Paid};
use proto::commerce::PaymentState::{self, RequiresAction, Succeeded};
use proto::commerce::{CouponProblem, Order, OrderCoupon, OrderPaid, PaymentMethod, PlaceOrderRequest};
use proto::lms::EntitlementGranted;
use serde_json::json;
use time::Duration;

use super::{FUYU15, WELCOME, sums};
use crate::buying::{COURSE, OTHER, states};
use crate::confirmation::{document, term};
use crate::customer::{Customer, products};
use crate::receipt_pdf::pages;
use crate::shop::{NOON, Shop, refusal};

/// A coupon of 100 %.
const FREE: &str = "id: 20, code: MURYOU, name: 無料体験, percent: 100, public: true";

impl Customer {
    /// Claims a coupon, applies it to the cart and orders.
    pub(super) async fn hold_and_place(&self, code: &str) -> Order {
        self.hold(code).await;
        self.place().await.unwrap()
    }

    /// A request for a confirmation that coupons cover.
    async fn free_request(&self) -> PlaceOrderRequest {
        PlaceOrderRequest { method: PaymentMethod::Coupon.into(), ..self.order_request().await }
    }
}

#[tokio::test]
async fn the_confirmation_shows_how_the_total_is_worked_out() {
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[WELCOME, FUYU15]).await;
    let learner = shop.learner();
    learner.join(&[1101, 1102]).await.unwrap();
    learner.apply(1).await.unwrap();
    learner.hold("FUYU15").await;
    let confirmation = learner.confirmation().await.unwrap();
    let shown = document(&confirmation);
    // 26,400 − 15 % − 1,000. 3,960 is split by 16,500 and 9,900; then 1,000 by 14,025 and 8,415.
    assert_eq!((&shown["subtotal"], &shown["discount"]), (&json!(26_400), &json!(4_960)));
    assert_eq!((&shown["total"], &shown["tax"]), (&json!(21_440), &json!(1_949)));
    let coupons = json!([
        {"id": 2, "name": "冬の学習応援", "amount": 3_960},
        {"id": 1, "name": "はじめてのご注文", "amount": 1_000},
    ]);
    assert_eq!(shown["coupons"], coupons);
    let parts: Vec<_> = shown["lines"].as_array().unwrap().iter().map(|line| &line["discount"]).collect();
    assert_eq!(parts, [3_100, 1_860]);
    assert_eq!(shown["method"], "card");
    let price = term(&confirmation, "販売価格");
    let worked_out = "小計26,400円から、クーポン「冬の学習応援」で3,960円、クーポン「はじめてのご注文」で1,000円を割り引きます。合計21,440円（税込。うち消費税（10%）1,949円）。";
    assert!(price.starts_with(worked_out), "{price}");

    // The cart and the confirmation have the same amounts.
    assert_eq!(sums(&learner.cart().await), (26_400, 4_960, 21_440));
    learner.take_off(1).await.unwrap();
    assert_ne!(learner.confirmation().await.unwrap().digest, confirmation.digest);
}

#[tokio::test]
async fn an_order_keeps_its_discount_and_the_ledger_books_it() {
    let shop = Shop::with_coupons(&[COURSE, OTHER], &[WELCOME, FUYU15]).await;
    let learner = shop.learner();
    learner.join(&[1101, 1102]).await.unwrap();
    learner.apply(1).await.unwrap();
    let order = learner.hold_and_place("FUYU15").await;
    let of = |id, name: &str, amount| OrderCoupon { id, name: name.to_owned(), amount };
    assert_eq!(order.coupons, [of(2, "冬の学習応援", 3_960), of(1, "はじめてのご注文", 1_000)]);
    assert_eq!((order.total, order.discount, order.tax), (21_440, 4_960, 1_949));
    let parts: Vec<_> = order.lines.iter().map(|line| (line.price, line.discount)).collect();
    assert_eq!(parts, [(16_500, 3_100), (9_900, 1_860)]);
    // The provider asks for the total.
    assert_eq!(shop.provider.sessions()[0].form["line_items[0][price_data][unit_amount]"], "21440");
    let balances = ["receivable 21440", "revenue -24451", "tax -1949", "discount 4960"];
    assert_eq!(shop.balances().await, balances);
    // The coupons belong to the open order, and are no longer on the cart.
    let cart = learner.cart().await;
    assert_eq!((cart.coupons.len(), sums(&cart)), (0, (0, 0, 0)));
    let coupon = learner.coupon(2).await.unwrap();
    assert_eq!((coupon.state(), coupon.used_order_id(), coupon.used_at), (Used, order.id.as_str(), None));

    let paid = shop.pay_last(&learner, &order).await;
    assert_eq!(states(&paid), (Paid, Succeeded));
    let balances = ["provider_cash 21440", "revenue -24451", "tax -1949", "discount 4960"];
    assert_eq!(shop.balances().await, balances);
    assert_eq!(shop.uses().await, ["2 used", "1 used"]);
    let receipt = learner.receipt(&order.id).await.unwrap();
    assert_eq!((receipt.total, receipt.discount, receipt.tax), (21_440, 4_960, 1_949));
    assert_eq!((&receipt.coupons, &receipt.lines), (&order.coupons, &order.lines));
    let cart = learner.cart().await;
    assert!(cart.lines.is_empty() && cart.coupons.is_empty());
    let coupon = learner.coupon(2).await.unwrap();
    assert_eq!((coupon.state(), coupon.used_order_id(), coupon.remaining_uses), (Used, order.id.as_str(), 0));
    assert_eq!(coupon.used_at.unwrap().seconds, (NOON + Duration::SECOND).unix_timestamp());
    assert_eq!(learner.order_page(1).await.unwrap().orders[0].coupons, order.coupons);
    learner.issue_receipt(&order.id, "葵 太郎").await.unwrap();
    let page = pages(&learner.receipt_pdf(&order.id).await.unwrap().pdf).remove(0);
    let sums = "小計26,400円クーポン「冬の学習応援」−3,960円クーポン「はじめてのご注文」−1,000円合計21,440円";
    assert!(page.contains(sums) && page.contains("領収いたしました"), "{page}");
    // A later import does not change an order.
    shop.folder.write_coupons(&[
        WELCOME,
        &FUYU15.replace("冬の学習応援", "春").replace("percent: 15", "percent: 5"),
    ]);
    shop.import(false).await.unwrap();
    assert_eq!(learner.order(&order.id).await.unwrap().coupons, order.coupons);
}

#[tokio::test]
async fn an_order_that_ends_unpaid_frees_its_coupons_and_leaves_the_books_even() {
    let shop = Shop::with_coupons(&[COURSE], &[FUYU15]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.hold_and_place("FUYU15").await;
    assert_eq!(shop.uses().await, ["2 reserved"]);
    let ended = learner.cancel(&order.id).await.unwrap();
    assert_eq!((ended.state(), ended.discount, ended.coupons.len()), (Cancelled, 2_475, 1));
    assert_eq!(shop.uses().await, ["2 freed"]);
    assert_eq!(shop.balances().await, Vec::<String>::new());
    let cart = learner.cart().await;
    assert_eq!((cart.coupons.len(), sums(&cart)), (1, (16_500, 2_475, 14_025)), "it is on the cart again");
    let coupon = learner.coupon(2).await.unwrap();
    assert_eq!((coupon.state(), coupon.remaining_uses, coupon.used_order_id), (Usable, 1, None));

    // The same again with an order that expires.
    let order = learner.place().await.unwrap();
    assert_eq!(order.total, 14_025);
    let _workers = shop.work();
    shop.clock.advance(Duration::HOUR);
    shop.until("SELECT 'one' FROM orders WHERE state = 'expired'", 1).await;
    assert_eq!(shop.uses().await, ["2 freed", "2 freed"]);
    assert_eq!(learner.cart().await.discount, 2_475);
}

#[tokio::test]
async fn an_order_whose_card_is_tried_again_uses_its_coupon_once() {
    let twice = "id: 21, code: NIKAI500, fixed: 500, per_account: 2, total_uses: 2, public: true";
    let shop = Shop::with_coupons(&[COURSE], &[twice]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    learner.apply(21).await.unwrap();
    let request = learner.order_request().await;
    let order = learner.send(request.clone()).await.unwrap();
    assert_eq!(learner.send(request).await.unwrap().id, order.id, "pressed twice");
    shop.provider.decline(0, "insufficient_funds");
    shop.provider.close(0);
    assert_eq!(states(&learner.pay(&order.id).await.unwrap()), (AwaitingPayment, RequiresAction));
    assert_eq!(shop.provider.sessions()[1].form["line_items[0][price_data][unit_amount]"], "16000");
    shop.pay_last(&learner, &order).await;
    // The provider repeats the event.
    shop.receive("evt_1", "checkout.session.completed", "cs_1").await.unwrap();
    assert_eq!(shop.uses().await, ["21 used"]);
    assert_eq!(learner.coupon(21).await.unwrap().remaining_uses, 1);
}

#[tokio::test]
async fn money_that_comes_after_the_end_goes_back_and_its_coupon_stays_free() {
    let shop = Shop::with_coupons(&[COURSE], &[FUYU15]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let order = learner.hold_and_place("FUYU15").await;
    learner.cancel(&order.id).await.unwrap();
    shop.provider.pay(0);
    let _workers = shop.work();
    shop.receive("evt_1", "checkout.session.completed", "cs_0").await.unwrap();
    shop.until("SELECT 'one' FROM refund WHERE state = 'succeeded'", 1).await;
    // The refund is the paid amount, after the discount.
    assert_eq!(shop.provider.refunds()[0].amount, 14_025);
    assert_eq!(shop.uses().await, ["2 freed"]);
    assert_eq!(shop.balances().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_order_of_0_yen_is_paid_at_once_without_the_provider() {
    let shop = Shop::with_coupons(&[COURSE], &[FREE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let cart = learner.apply(20).await.unwrap();
    assert_eq!(sums(&cart), (16_500, 16_500, 0));
    let confirmation = learner.confirmation().await.unwrap();
    assert_eq!(document(&confirmation)["method"], "coupon");
    assert!(term(&confirmation, "支払方法").starts_with("お支払いはありません"));
    assert_eq!(term(&confirmation, "支払時期"), "お支払いはありません。");
    assert!(term(&confirmation, "提供時期").starts_with("注文の確定後すぐに"));

    let request = learner.free_request().await;
    let order = learner.send(request.clone()).await.unwrap();
    assert_eq!(states(&order), (Paid, Succeeded));
    assert_eq!((order.total, order.tax, order.discount), (0, 0, 16_500));
    let payment = order.payment.as_ref().unwrap();
    assert_eq!((payment.method(), payment.page_url()), (PaymentMethod::Coupon, ""));
    assert_eq!(order.paid_at.unwrap().seconds, NOON.unix_timestamp());
    assert!(shop.provider.sessions().is_empty());
    // The same request again, and a second click.
    assert_eq!(learner.send(request.clone()).await.unwrap().id, order.id);
    let again = PlaceOrderRequest { idempotency_key: "another-key".to_owned(), ..request };
    assert_eq!(refusal(learner.send(again).await), "Conflict CART_EMPTY");

    assert_eq!(shop.events::<EntitlementGranted>("lms").await.len(), 1);
    let [mail] = &shop.events::<OrderPaid>("desk").await[..] else { panic!("one email") };
    assert_eq!((mail.total, mail.order_number.as_str()), (0, order.number.as_str()));
    assert_eq!(shop.balances().await, ["revenue -16500", "discount 16500"]);
    assert_eq!(shop.journals().await, ["order_placed"]);
    assert_eq!(shop.uses().await, ["20 used"]);
    let receipt = learner.receipt(&order.id).await.unwrap();
    assert_eq!((receipt.total, receipt.tax, receipt.method()), (0, 0, PaymentMethod::Coupon));
    assert_eq!(learner.issue_receipt(&order.id, "葵 太郎").await.unwrap().issues, 1);
    let page = pages(&learner.receipt_pdf(&order.id).await.unwrap().pdf).remove(0);
    for fact in [
        "クーポンのご利用により、お支払いいただいた金額は0円です。",
        "小計16,500円クーポン「無料体験」−16,500円合計0円",
        "お支払い方法クーポン",
    ] {
        assert!(page.contains(fact), "{fact}: {page}");
    }
    assert!(!page.contains("領収いたしました"), "{page}");
    let cart = learner.cart().await;
    assert!(products(&cart).is_empty() && cart.coupons.is_empty() && cart.open_order.is_none());
    // The order is settled: it can't be paid, checked or cancelled.
    assert_eq!(refusal(learner.pay(&order.id).await), "Conflict ORDER_CLOSED");
    assert_eq!(learner.cancel(&order.id).await.unwrap().state(), Paid);
    assert_eq!(learner.check(&order.id).await.unwrap().state(), Paid);
}

#[tokio::test]
async fn an_order_of_0_yen_is_fulfilled_once_lms_has_its_grants() {
    let shop = Shop::with_coupons(&[COURSE], &[FREE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    learner.apply(20).await.unwrap();
    let order = learner.send(learner.free_request().await).await.unwrap();
    let _workers = shop.work();
    shop.texts("DELETE FROM outbox").await;
    shop.until("SELECT 'one' FROM orders WHERE state = 'fulfilled'", 1).await;
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Fulfilled);
    assert!(shop.provider.sessions().is_empty() && shop.provider.refunds().is_empty());
}

#[tokio::test]
async fn the_method_of_an_order_is_that_of_its_confirmation() {
    let shop = Shop::with_coupons(&[COURSE], &[FREE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let forged = learner.free_request().await;
    assert_eq!(refusal(learner.send(forged).await), "method UNKNOWN_CHOICE");
    learner.apply(20).await.unwrap();
    let card = learner.order_request().await;
    assert_eq!(refusal(learner.send(card).await), "method UNKNOWN_CHOICE");
    assert_eq!(learner.order_page(1).await.unwrap().count, 0);
    assert_eq!(shop.uses().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_coupon_that_takes_nothing_off_is_not_used() {
    let shop = Shop::with_coupons(&[COURSE], &[FREE, WELCOME]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    learner.apply(20).await.unwrap();
    let cart = learner.apply(1).await.unwrap();
    let coupons: Vec<_> = cart.coupons.iter().map(|it| (it.id, it.amount, it.problem())).collect();
    assert_eq!(coupons, [(20, 16_500, CouponProblem::Unspecified), (1, 0, CouponProblem::Unspecified)]);
    let order = learner.send(learner.free_request().await).await.unwrap();
    assert_eq!(order.coupons.len(), 1);
    assert_eq!(shop.uses().await, ["20 used"]);
    assert_eq!(learner.cart().await.coupons[0].id, 1, "it is still on the cart");
}

#[tokio::test]
async fn the_order_of_another_account_and_its_coupons_are_not_found() {
    let shop = Shop::with_coupons(&[COURSE], &[FUYU15]).await;
    let (learner, other) = (shop.learner(), shop.learner());
    learner.add(1101).await.unwrap();
    let order = learner.hold_and_place("FUYU15").await;
    assert_eq!(refusal(other.order(&order.id).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(other.coupon(2).await), "NotFound NOT_FOUND");
    other.claim("FUYU15").await.unwrap();
    let coupon = other.coupon(2).await.unwrap();
    assert_eq!((coupon.used_order_id, coupon.remaining_uses), (None, 1));
    let cancelled = learner.cancel(&order.id).await.unwrap();
    assert_eq!(states(&cancelled), (Cancelled, PaymentState::Expired));
}
