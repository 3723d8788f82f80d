//! Contracts of a 特定継続的役務: their document, stored with the order, and their cooling-off.

use proto::commerce::{
    Order, OrderPaid, OrderPlaced, OrderTerm, PaymentMethod, PlaceOrderRequest, RefundRule, RefundState,
};
use serde_json::Value;
use time::Duration;
use time::macros::datetime;

use crate::buying::OTHER;
use crate::confirmation::{document, term};
use crate::customer::Customer;
use crate::shop::{NOON, Shop, refusal};

const PAGE: &str = include_str!("../../../../web/libs/paths/src/seller.ts");
const LESSONS_BY_A_TEACHER: &str = "id: 1101, kind: course, course: 101, name: 個別指導つき 高3数学, price: 66000, \
    period_days: 365, continuous_service: true";
/// The statement that no cooling-off applies to mail order.
const NO_COOLING_OFF: &str = "クーリング・オフの制度は、通信販売には適用されません。";

/// The sections of the contract's document as title and text. Empty if there is none.
fn sections(document: &Value) -> Vec<(&str, &str)> {
    listed(document, "contract")
}

fn listed<'document>(document: &'document Value, field: &str) -> Vec<(&'document str, &'document str)> {
    let sections = document[field].as_array().into_iter().flatten();
    sections.map(|it| (it["title"].as_str().unwrap(), it["text"].as_str().unwrap())).collect()
}

impl Shop {
    /// Orders the cart, accepts the contract, pays, and delivers the grants.
    async fn purchase_contract(&self, buyer: &Customer) -> Order {
        let request = PlaceOrderRequest { accepts_contract: true, ..buyer.order_request().await };
        self.purchase_by(buyer, request).await
    }
}

#[tokio::test]
async fn the_document_is_shown_before_the_order_and_stored_with_it() {
    let shop = Shop::with(&[LESSONS_BY_A_TEACHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let shown = learner.confirmation().await.unwrap();
    let parsed = document(&shown);
    let sections = sections(&parsed);
    let text = |title: &str| {
        let found = sections.iter().find(|section| section.0 == title);
        found.unwrap_or_else(|| panic!("{title}: {sections:?}")).1
    };
    assert_eq!(text("役務の内容"), "個別指導つき 高3数学：一行の要約");
    assert_eq!(text("役務の提供期間"), "個別指導つき 高3数学：お支払いの完了から365日間");
    assert!(
        text("支払う金額")
            .contains("個別指導つき 高3数学 66,000円\nご注文の合計 66,000円（税込。うち消費税6,000円）")
    );
    for part in ["8日間は、理由を問わず", "発した時に効力", "違約金", "事実とちがうことを告げ"]
    {
        assert!(text("クーリング・オフ").contains(part), "{part}");
    }
    for title in [
        "この書面について",
        "中途解約",
        "購入が必要な商品",
        "前受金の保全",
        "特約",
        "割賦販売法に基づく抗弁権の接続",
    ] {
        assert!(!text(title).is_empty());
    }
    // The seller is that of the site's page.
    for line in text("事業者").lines() {
        let line = line.strip_prefix("電話 ").unwrap_or(line);
        assert!(PAGE.contains(line), "{line}");
    }
    let withdrawal = term(&shown, "申込みの撤回・解約");
    assert!(withdrawal.contains("「個別指導つき 高3数学」は特定継続的役務提供にあたり"), "{withdrawal}");
    assert!(!withdrawal.contains(NO_COOLING_OFF), "{withdrawal}");
    // The name of the learner is in one place, from which it can be erased.
    assert_eq!(String::from_utf8_lossy(&shown.document).matches("葵 太郎").count(), 1);

    let order = shop.purchase_contract(&learner).await;
    assert_eq!(learner.order(&order.id).await.unwrap().confirmation.unwrap(), shown);
}

#[tokio::test]
async fn the_events_for_its_emails_have_the_confirmed_terms_and_document() {
    let shop = Shop::with(&[LESSONS_BY_A_TEACHER, OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let shown = document(&learner.confirmation().await.unwrap());
    let request = PlaceOrderRequest { accepts_contract: true, ..learner.order_request().await };
    let order = learner.send(request).await.unwrap();
    shop.provider.pay(0);
    shop.clock.advance(Duration::SECOND);
    learner.check(&order.id).await.unwrap();
    let [paid] = &shop.events::<OrderPaid>("desk").await[..] else { panic!("one email") };
    assert_eq!(pairs(&paid.contract), sections(&shown));
    assert_eq!(pairs(&paid.terms), listed(&shown, "terms"));
    assert_eq!(paid.placed_at.unwrap().seconds, NOON.unix_timestamp());

    // An order that is no such contract, with payment instructions.
    let other = shop.learner();
    other.add(1102).await.unwrap();
    let shown = other.confirmation_by(PaymentMethod::BankTransfer).await.unwrap().confirmation.unwrap();
    other.place_by(PaymentMethod::BankTransfer).await.unwrap();
    let [placed] = &shop.events::<OrderPlaced>("desk").await[..] else { panic!("one email") };
    assert_eq!(pairs(&placed.terms), listed(&document(&shown), "terms"));
    assert!(placed.contract.is_empty());
}

fn pairs(terms: &[OrderTerm]) -> Vec<(&str, &str)> {
    terms.iter().map(|term| (term.title.as_str(), term.text.as_str())).collect()
}

#[tokio::test]
async fn a_contract_is_placed_only_with_its_acceptance() {
    let shop = Shop::with(&[LESSONS_BY_A_TEACHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let request = learner.order_request().await;
    assert_eq!(refusal(learner.send(request.clone()).await), "accepts_contract REQUIRED");
    assert_eq!(shop.texts("SELECT id::text FROM orders").await, Vec::<String>::new());
    assert_eq!(shop.provider.sessions().len(), 0);

    // The refused request did not use up its key.
    let accepted = PlaceOrderRequest { accepts_contract: true, ..request.clone() };
    let order = learner.send(accepted.clone()).await.unwrap();
    assert_eq!(learner.send(accepted).await.unwrap().id, order.id);
    assert_eq!(refusal(learner.send(request).await), "Unprocessable IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_contract_is_over_two_months_and_over_50_000_yen() {
    let course = |id: i64, price: i32, days: i32| {
        format!(
            "id: {id}, kind: course, course: {id}, price: {price}, period_days: {days}, continuous_service: true"
        )
    };
    let shop = Shop::with(&[
        &course(1, 50_000, 60),
        &course(2, 1, 60),
        &course(3, 99_000, 59),
        "id: 4, kind: course, course: 4, price: 99000",
        "id: 5, kind: course, course: 5, price: 50001, continuous_service: true",
    ])
    .await;
    for (products, is_contract) in [
        (&[1][..], false),
        // The price of all of them counts.
        (&[1, 2], true),
        (&[1, 3, 4], false),
        (&[5], true),
        (&[2, 4, 5], true),
    ] {
        let learner = shop.learner();
        learner.join(products).await.unwrap();
        let shown = learner.confirmation().await.unwrap();
        assert_eq!(sections(&document(&shown)).is_empty(), !is_contract, "{products:?}");
        let withdrawal = term(&shown, "申込みの撤回・解約");
        assert_eq!(withdrawal.contains(NO_COOLING_OFF), !is_contract, "{products:?}: {withdrawal}");
    }
}

#[tokio::test]
async fn its_cooling_off_returns_everything_for_eight_days_whatever_was_opened() {
    let other = "id: 1102, kind: course, course: 102, name: 中3理科, price: 9900";
    let shop = Shop::with(&[LESSONS_BY_A_TEACHER, other]).await;
    let learner = shop.learner();
    learner.join(&[1101, 1102]).await.unwrap();
    let order = shop.purchase_contract(&learner).await;
    shop.lms.open(101, 17);
    shop.lms.open(102, 17);
    // The last second of the eighth day in Tokyo.
    let end = datetime!(2026-11-28 15:00 UTC);
    shop.clock.advance(end - NOON - Duration::seconds(2));
    let quote = learner.quote(&order.id).await.unwrap();
    let lines: Vec<_> = quote.lines.iter().map(|line| (line.rule(), line.amount)).collect();
    assert_eq!(lines, [(RefundRule::Full, 66_000), (RefundRule::ProRata, 550)]);
    assert_eq!(quote.lines[0].full_until.unwrap().seconds, end.unix_timestamp());
    assert!(quote.lines[0].rule_text.starts_with("クーリング・オフの期間（2026年11月28日まで）"));

    shop.clock.advance(Duration::SECOND);
    let later = learner.quote(&order.id).await.unwrap();
    assert_eq!((later.lines[0].rule(), later.lines[0].amount), (RefundRule::ProRata, 3_666));
    shop.clock.advance(-Duration::SECOND);
    let refunded = learner.refund(&order.id, &quote, &[1]).await.unwrap();
    assert_eq!((refunded.refunds[0].amount, refunded.refunds[0].state()), (66_000, RefundState::Pending));
}
