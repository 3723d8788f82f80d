//! The confirmation on the page before an order.

use aws_lc_rs::digest::{SHA256, digest};
use proto::commerce::Confirmation;
use serde_json::{Value, json};
use time::Duration;

use crate::customer::Customer;
use crate::lms::Answer;
use crate::shop::{Shop, refusal};
use crate::stored_order::StoredOrder;

const COURSE: &str =
    "id: 1101, kind: course, course: 101, name: 中3数学 二次方程式と関数, price: 16500, period_days: 365";
const OTHER: &str = "id: 1102, kind: course, course: 102, name: 中3理科, price: 9900";

pub(crate) fn document(confirmation: &Confirmation) -> Value {
    serde_json::from_slice(&confirmation.document).unwrap()
}

/// The text of a term.
pub(crate) fn term(confirmation: &Confirmation, title: &str) -> String {
    let document = document(confirmation);
    let terms = document["terms"].as_array().unwrap();
    let term = terms.iter().find(|term| term["title"] == title).unwrap();
    term["text"].as_str().unwrap().to_owned()
}

impl Customer {
    async fn digest(&self) -> String {
        self.confirmation().await.unwrap().digest
    }
}

#[tokio::test]
async fn the_document_has_the_lines_the_total_with_its_tax_and_the_terms() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    let mut document = document(&confirmation);
    let terms = document.as_object_mut().unwrap().remove("terms").unwrap();
    let line = json!({
        "product_id": 1101, "course_id": 101, "kind": "course", "name": "中3数学 二次方程式と関数", "period_days": 365,
        "price": 16500, "discount": 0, "learner_id": learner.id.to_string(), "learner_name": "葵 太郎",
    });
    let expected = json!({
        "version": 2, "method": "card", "lines": [line], "subtotal": 16500, "discount": 0, "coupons": [],
        "total": 16500, "tax": 1500, "tax_rate": 10,
    });
    assert_eq!(document, expected);
    let titles: Vec<_> =
        terms.as_array().unwrap().iter().map(|term| term["title"].as_str().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "分量",
            "販売価格",
            "支払方法",
            "支払時期",
            "提供時期",
            "利用期間",
            "申込みの撤回・解約",
            "申込期間"
        ]
    );
    assert!(term(&confirmation, "販売価格").starts_with("合計16,500円（税込。うち消費税（10%）1,500円）。"));
    assert_eq!(term(&confirmation, "申込期間"), "期間の定めはありません。");
    assert_eq!(confirmation.digest, hex::encode(digest(&SHA256, &confirmation.document)));
}

#[tokio::test]
async fn the_same_cart_has_the_same_bytes_and_every_change_another_digest() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let mut guardian = shop.guardian(2);
    guardian.add(1101).await.unwrap();
    let first = guardian.confirmation().await.unwrap();
    shop.clock.advance(Duration::days(3));
    assert_eq!(guardian.confirmation().await.unwrap(), first, "time alone changes nothing");
    let mut digests = vec![first.digest];

    shop.folder.write(&[&COURSE.replace("16500", "15000"), OTHER]);
    shop.import(false).await.unwrap();
    digests.push(guardian.digest().await);
    let line = guardian.add(1102).await.unwrap().lines.remove(1).id;
    digests.push(guardian.digest().await);
    guardian.assign(&line, guardian.learner(1)).await.unwrap();
    digests.push(guardian.digest().await);
    guardian.buyer.learners[1].name = "葵 次郎".to_owned();
    digests.push(guardian.digest().await);
    let all = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), all);
}

#[tokio::test]
async fn lines_with_a_problem_are_left_out_and_a_cart_of_them_is_empty() {
    let shop = Shop::with(&[COURSE, OTHER, "id: 4001, kind: konoshiki"]).await;
    let learner = shop.learner();
    assert_eq!(refusal(learner.confirmation().await), "Conflict CART_EMPTY");
    for product in [1101, 1102, 4001] {
        learner.add(product).await.unwrap();
    }
    shop.lms.answer(Answer::Owned(vec![(learner.id, 101)]));
    let document = document(&learner.confirmation().await.unwrap());
    assert_eq!((document["lines"].as_array().unwrap().len(), &document["total"]), (1, &json!(9_900)));
    shop.lms.answer(Answer::Owned(vec![(learner.id, 101), (learner.id, 102)]));
    assert_eq!(refusal(learner.confirmation().await), "Conflict CART_EMPTY");
}

#[tokio::test]
async fn nothing_is_confirmed_beside_an_open_order() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let learner = shop.learner();
    learner.add(1102).await.unwrap();
    let order = shop.store(&learner, &StoredOrder::default()).await;
    assert_eq!(refusal(learner.confirmation().await), "Conflict ORDER_OPEN");
    shop.expire(&order).await;
    learner.confirmation().await.unwrap();
}

#[tokio::test]
async fn three_lines_at_1050_yen_hold_286_yen_of_tax() {
    let products = [1, 2, 3].map(|id| format!("id: 110{id}, kind: course, course: 10{id}, price: 1050"));
    let shop = Shop::with(&products.each_ref().map(String::as_str)).await;
    let learner = shop.learner();
    learner.join(&[1101, 1102, 1103]).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    let document = document(&confirmation);
    assert_eq!((&document["total"], &document["tax"]), (&json!(3_150), &json!(286)));
    assert!(term(&confirmation, "分量").contains("3点"));
}

#[tokio::test]
async fn the_terms_group_yen_by_thousands() {
    let shop = Shop::with(&[&COURSE.replace("16500", "999000"), &OTHER.replace("9900", "1001")]).await;
    let learner = shop.learner();
    learner.join(&[1101, 1102]).await.unwrap();
    let price = term(&learner.confirmation().await.unwrap(), "販売価格");
    assert!(price.starts_with("合計1,000,001円（税込。うち消費税（10%）90,909円）。"), "{price}");
}

#[tokio::test]
async fn the_terms_name_the_last_day_of_a_sale_and_products_without_an_end() {
    let ending = format!("{COURSE}, sale_ends: 2026-11-30");
    let shop = Shop::with(&[&ending, OTHER]).await;
    let learner = shop.learner();
    learner.add(1101).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    assert_eq!(term(&confirmation, "申込期間"), "「中3数学 二次方程式と関数」は2026年11月30日まで。");
    let limited = "お支払いの完了から、それぞれの講座に示した日数のあいだ使えます。";
    let renewal = "自動では更新されません。";
    assert_eq!(term(&confirmation, "利用期間"), format!("{limited}{renewal}"));

    learner.add(1102).await.unwrap();
    let confirmation = learner.confirmation().await.unwrap();
    assert_eq!(
        term(&confirmation, "申込期間"),
        "「中3数学 二次方程式と関数」は2026年11月30日まで。ほかの商品に、期間の定めはありません。"
    );
    let endless = "日数を示していない講座に、期限はありません。";
    assert_eq!(term(&confirmation, "利用期間"), format!("{limited}{endless}{renewal}"));
}
