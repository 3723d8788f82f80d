//! Seats of mock exams: never more than the places, and available again when returned.

use futures_util::future::join_all;
use proto::commerce::OrderState::{AwaitingPayment, Expired, Fulfilled, Paid, Refunded};
use proto::commerce::{LineProblem, OrderPaid, PaymentMethod, ProductKind, RefundRequested, RefundRule};
use proto::exam::{ExamSeatGranted, ExamSeatRevoked};
use time::Duration;
use time::macros::datetime;

use crate::buying::COURSE;
use crate::confirmation::{document, term};
use crate::customer::{Customer, lines};
use crate::receipt_pdf::pages;
use crate::shop::{Shop, refusal};

pub(crate) const SEAT: &str = "id: 2301, kind: exam_seat, exam: 2, name: コノ模試 第2回, price: 4400, places: 10, \
    application_closes: 2026-12-20";
const NOTHING: LineProblem = LineProblem::Unspecified;
const CART_EMPTY: &str = "Conflict CART_EMPTY";

/// A seat product with `places` places.
fn seat(places: u32) -> String {
    SEAT.replace("places: 10", &format!("places: {places}"))
}

impl Shop {
    async fn places_left(&self) -> Option<u32> {
        self.get(2301).await.unwrap().places_left
    }
}

#[tokio::test]
async fn a_seat_is_bought_like_a_course_and_granted_to_exam() {
    let shop = Shop::with(&[SEAT, COURSE]).await;
    let learner = shop.learner();
    let product = shop.get(2301).await.unwrap();
    assert_eq!(
        (product.kind(), product.exam_id, product.places_left),
        (ProductKind::ExamSeat, Some(2), Some(10))
    );
    let closes = datetime!(2026-12-21 00:00 +9).unix_timestamp();
    assert_eq!(product.application_closes_at.unwrap().seconds, closes);
    assert_eq!(product.sale_ends_at.unwrap().seconds, closes, "the sale ends with the application");

    learner.add(2301).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    let shown = document(&confirmation);
    assert_eq!((&shown["lines"][0]["kind"], &shown["lines"][0]["exam_id"]), (&"exam_seat".into(), &2.into()));
    assert_eq!(term(&confirmation, "分量"), "模試の受験 1点（各1点）。");
    assert!(term(&confirmation, "受験期間").contains("1回受験できます。"));
    assert!(shown["terms"].as_array().unwrap().iter().all(|term| term["title"] != "利用期間"));
    let withdrawal = term(&confirmation, "申込みの撤回・解約");
    assert!(
        withdrawal
            .contains("「コノ模試 第2回」は、申込みの締め切り（2026年12月20日）まで、全額を返金します。"),
        "{withdrawal}"
    );
    assert!(!withdrawal.contains("レッスン"), "{withdrawal}");

    let order = learner.place().await.unwrap();
    assert_eq!(shop.places_left().await, Some(9), "reserved");
    assert_eq!(shop.pay_last(&learner, &order).await.state(), Paid);
    let [granted] = &shop.events::<ExamSeatGranted>("exam").await[..] else { panic!("one seat") };
    assert_eq!(
        (granted.order_line_id.as_str(), granted.learner_id.as_str(), granted.exam_id),
        (format!("{}:1", order.id).as_str(), learner.learner(0), 2)
    );
    let [mail] = &shop.events::<OrderPaid>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.kinds, [i32::from(ProductKind::ExamSeat)]);

    let workers = shop.work();
    shop.texts("DELETE FROM outbox WHERE receiver = 'exam'").await;
    shop.until("SELECT id::text FROM orders WHERE state = 'fulfilled'", 1).await;
    drop(workers);
    let order = learner.order(&order.id).await.unwrap();
    assert_eq!((order.state(), order.lines[0].exam_id), (Fulfilled, Some(2)));
    let cart = learner.add(2301).await.unwrap();
    assert_eq!(lines(&cart)[0].2, LineProblem::Owned);
    assert_eq!(shop.places_left().await, Some(9));

    learner.issue_receipt(&order.id, "葵 花子").await.unwrap();
    let pdf = learner.receipt_pdf(&order.id).await.unwrap().pdf;
    let [page] = &pages(&pdf)[..] else { panic!("one page") };
    assert!(page.contains("受験される方：葵太郎") && !page.contains("受講される方"), "{page}");
}

#[tokio::test]
async fn the_confirmation_of_a_course_and_a_seat_tells_them_apart() {
    let shop = Shop::with(&[SEAT, COURSE]).await;
    let learner = shop.learner();
    learner.join(&[1101, 2301]).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    assert_eq!(term(&confirmation, "分量"), "オンライン講座 1点、模試の受験 1点（各1点）。");
    assert!(term(&confirmation, "利用期間").starts_with("お支払いの完了から、それぞれの講座に示した日数"));
    assert!(term(&confirmation, "提供時期").contains("模試は、お支払いの完了後すぐに"));
    let withdrawal = term(&confirmation, "申込みの撤回・解約");
    assert!(withdrawal.contains("開いたレッスンが20%未満") && withdrawal.contains("「コノ模試 第2回」は"));
}

#[tokio::test]
async fn the_last_place_is_reserved_until_its_order_ends_unpaid() {
    let shop = Shop::with(&[&seat(1), COURSE]).await;
    let (first, second) = (shop.learner(), shop.learner());
    first.add(2301).await.unwrap();
    second.add(2301).await.unwrap();
    let order = first.place().await.unwrap();
    let cart = second.cart().await;
    assert_eq!((lines(&cart)[0].2, cart.total), (LineProblem::SoldOut, 0));
    assert_eq!(refusal(second.confirmation().await), CART_EMPTY);
    assert_eq!(lines(&first.cart().await)[0].2, NOTHING, "it is theirs");
    assert_eq!(second.add(1101).await.unwrap().total, 16_500, "the rest can be bought");

    first.cancel(&order.id).await.unwrap();
    assert_eq!((shop.places_left().await, second.cart().await.total), (Some(1), 20_900));
    // The same again with an order that expires.
    first.place().await.unwrap();
    let workers = shop.work();
    shop.clock.advance(Duration::HOUR);
    shop.until("SELECT id::text FROM orders WHERE state = 'expired'", 1).await;
    drop(workers);
    assert_eq!(lines(&second.cart().await)[0].2, NOTHING);
}

#[tokio::test]
async fn money_that_comes_after_the_last_place_is_gone_goes_back() {
    let shop = Shop::with(&[&seat(1)]).await;
    let (late, other) = (shop.learner(), shop.learner());
    late.add(2301).await.unwrap();
    other.add(2301).await.unwrap();
    let missed = late.place().await.unwrap();
    late.cancel(&missed.id).await.unwrap();
    let order = other.place().await.unwrap();
    assert_eq!(shop.pay_last(&other, &order).await.state(), Paid);

    // The page was paid nevertheless.
    shop.provider.pay(0);
    let workers = shop.work();
    shop.receive("evt_1", "checkout.session.completed", "cs_0").await.unwrap();
    shop.until("SELECT id::text FROM refund WHERE state = 'succeeded'", 1).await;
    drop(workers);
    let [returned] = &shop.provider.refunds()[..] else { panic!("one refund") };
    assert_eq!((returned.intent.as_str(), returned.amount), ("pi_0", 4_400));
    let [granted] = &shop.events::<ExamSeatGranted>("exam").await[..] else { panic!("one seat") };
    assert_eq!(granted.learner_id, other.learner(0));
    assert_eq!(shop.places_left().await, Some(0));
}

#[tokio::test]
async fn children_of_a_guardian_share_the_places_that_are_left() {
    let shop = Shop::with(&[&seat(1)]).await;
    let guardian = shop.guardian(2);
    guardian.add(2301).await.unwrap();
    let cart = guardian.add_for(2301, guardian.learner(1)).await.unwrap();
    assert_eq!(lines(&cart), [(2301, "葵 一郎", NOTHING), (2301, "葵 二郎", LineProblem::SoldOut)]);
    let order = guardian.place().await.unwrap();
    assert_eq!((order.lines.len(), shop.places_left().await), (1, Some(0)));
}

#[tokio::test]
async fn a_seat_can_be_given_back_until_the_application_closes() {
    let shop = Shop::with(&[&seat(1)]).await;
    let (learner, other) = (shop.learner(), shop.learner());
    learner.add(2301).await.unwrap();
    let order = shop.purchase(&learner).await;
    other.add(2301).await.unwrap();
    shop.clock.advance(datetime!(2026-12-20 23:59:59 +9) - shop.clock.clock().now());
    let quote = learner.quote(&order.id).await.unwrap();
    let line = &quote.lines[0];
    assert_eq!((line.rule(), line.amount, line.kind()), (RefundRule::Full, 4_400, ProductKind::ExamSeat));
    assert_eq!(line.full_until.unwrap().seconds, datetime!(2026-12-21 00:00 +9).unix_timestamp());
    assert!(line.rule_text.starts_with("申込みの締め切り（2026年12月20日）まで"), "{}", line.rule_text);

    let given_back = learner.refund(&order.id, &quote, &[1]).await.unwrap();
    assert_eq!(given_back.state(), Refunded);
    let [revoked] = &shop.events::<ExamSeatRevoked>("exam").await[..] else { panic!("one seat") };
    assert_eq!(revoked.order_line_id, format!("{}:1", order.id));
    let [mail] = &shop.events::<RefundRequested>("desk").await[..] else { panic!("one email") };
    assert_eq!(mail.items[0].kind(), ProductKind::ExamSeat);
    assert_eq!((shop.places_left().await, lines(&other.cart().await)[0].2), (Some(1), NOTHING));
    assert_eq!(other.place().await.unwrap().state(), AwaitingPayment);
    assert_eq!(lines(&learner.add(2301).await.unwrap())[0].2, LineProblem::SoldOut);
}

#[tokio::test]
async fn a_seat_is_kept_once_the_application_has_closed() {
    let shop = Shop::with(&[SEAT]).await;
    let learner = shop.learner();
    learner.add(2301).await.unwrap();
    let order = shop.purchase(&learner).await;
    let quote = learner.quote(&order.id).await.unwrap();
    shop.clock.advance(datetime!(2026-12-21 00:00 +9) - shop.clock.clock().now());
    let closed = learner.quote(&order.id).await.unwrap();
    assert_eq!((closed.is_refundable, closed.lines[0].amount), (false, 0));
    assert!(closed.lines[0].rule_text.contains("過ぎたため、返金はありません"));
    assert_eq!(refusal(learner.refund(&order.id, &quote, &[1]).await), "Conflict QUOTE_CHANGED");
    assert_eq!(refusal(learner.refund(&order.id, &closed, &[1]).await), "Conflict NOT_REFUNDABLE");
    assert_eq!(shop.places_left().await, Some(9));
}

#[tokio::test]
async fn a_transfer_for_a_seat_keeps_its_place_for_days() {
    let shop = Shop::with(&[&seat(1)]).await;
    let (learner, other) = (shop.learner(), shop.learner());
    learner.add(2301).await.unwrap();
    let order = learner.place_by(PaymentMethod::BankTransfer).await.unwrap();
    other.add(2301).await.unwrap();
    shop.clock.advance(Duration::days(7));
    assert_eq!(lines(&other.cart().await)[0].2, LineProblem::SoldOut);
    let workers = shop.work();
    shop.clock.advance(Duration::DAY);
    shop.until("SELECT id::text FROM orders WHERE state = 'expired'", 1).await;
    drop(workers);
    assert_eq!(learner.order(&order.id).await.unwrap().state(), Expired);
    assert_eq!(lines(&other.cart().await)[0].2, NOTHING);
}

/// Retries until the order is placed or the cart shows that no place is left. Retries after an
/// outdated confirmation and after a refusal by the busy server.
async fn buy(learner: &Customer) {
    loop {
        let placed = match learner.confirmation().await {
            Ok(confirmation) => learner.send(learner.request_of(confirmation.digest)).await,
            Err(status) => Err(status),
        };
        let Err(status) = placed else { return };
        if [CART_EMPTY, "Conflict ORDER_OPEN"].contains(&refusal(Err::<(), _>(status)).as_str()) {
            return;
        }
    }
}

#[tokio::test]
async fn of_500_buyers_at_once_ten_get_the_ten_places_and_one_the_last_coupon() {
    let coupon =
        "id: 40, code: SAIGO500, fixed: 500, total_uses: 1, product_kinds: [exam_seat], public: true";
    let shop = Shop::with_coupons(&[SEAT], &[coupon]).await;
    let buyers: Vec<Customer> = (0..500).map(|_| shop.learner()).collect();
    join_all(buyers.iter().enumerate().map(async |(n, learner)| {
        while learner.add(2301).await.is_err() {}
        // Three of ten have no coupon, so its lock does not stand in for that of the places.
        while n % 10 >= 3 && learner.apply(40).await.is_err() {}
    }))
    .await;
    join_all(buyers.iter().map(buy)).await;
    assert_eq!(shop.texts("SELECT state FROM orders").await, ["awaiting_payment"; 10]);
    assert_eq!(shop.uses().await, ["40 reserved"]);
    assert_eq!(shop.places_left().await, Some(0));
    // Ten orders of 4,400 yen, one of them with 500 yen off.
    assert_eq!(shop.texts("SELECT sum(total)::text FROM orders").await, ["43500"]);
    assert_eq!(shop.audit().await, [""; 0]);
}

#[tokio::test]
async fn two_buyers_at_once_never_share_the_last_place() {
    for _ in 0..4 {
        let shop = Shop::with(&[&seat(1)]).await;
        let buyers = [shop.learner(), shop.learner()];
        let mut requests = Vec::new();
        for learner in &buyers {
            learner.add(2301).await.unwrap();
            requests.push(learner.order_request().await);
        }
        let sent = buyers.iter().zip(requests).map(|(learner, request)| learner.send(request));
        let (won, lost): (Vec<_>, Vec<_>) = join_all(sent).await.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), 1);
        assert_eq!(lost.into_iter().map(refusal).collect::<Vec<_>>(), [CART_EMPTY]);
    }
}
