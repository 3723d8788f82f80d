//! The site's page 特定商取引法に基づく表記 states the terms of the confirmations.

use proto::commerce::{Confirmation, PaymentMethod};
use serde_json::Value;

use crate::buying::COURSE;
use crate::confirmation::document;
use crate::exam_seat::SEAT;
use crate::shop::Shop;
use crate::subscription::MONTHLY;
use crate::test_provider::card::Bank;

const PAGE: &str = include_str!("../../../../web/libs/about/src/law/CommerceScreen.tsx");

/// Beginnings of sentences with dates or amounts of one order.
const OF_ONE_ORDER: [&str; 3] = ["本日お支払いの場合", "1年間（12回）", "合計"];
/// Sentences of the page that a confirmation states with the figures of the order.
const OF_THE_PAGE: [&str; 2] = [
    "月額サービスのお支払いは、クレジットカードだけです",
    "請求の日と金額、1年間のお支払いの総額は、最終確認画面に示します",
];

/// The sentences of the terms with these titles, without the names and dates of exams.
fn sentences(confirmation: &Confirmation, titles: &[&str]) -> Vec<String> {
    let document = document(confirmation);
    let terms = document["terms"].as_array().unwrap().iter();
    let texts = terms.filter(|term| titles.iter().any(|title| term["title"] == *title));
    let text: String = texts.filter_map(|term| term["text"].as_str()).collect();
    let text = text.replace("「コノ模試 第2回」は", "模試は").replace("（2026年12月20日）", "");
    let all =
        text.split_terminator('。').filter(|it| !OF_ONE_ORDER.iter().any(|start| it.starts_with(start)));
    all.map(str::to_owned).collect()
}

/// The text of a fact of the page, without markup.
fn fact(title: &str) -> String {
    let (_, rest) = PAGE.split_once(&format!("title: \"{title}\",")).unwrap();
    let (_, rest) = rest.split_once("text:").unwrap();
    let end = ["title:", "]}"].iter().filter_map(|next| rest.find(next)).min().unwrap();
    let mut text = String::new();
    let mut in_tag = false;
    for char in rest[..end].chars() {
        match char {
            '<' => in_tag = true,
            '>' => in_tag = false,
            '"' | '{' | '}' | '(' | ')' | ',' => {}
            _ if in_tag || char.is_whitespace() => {}
            _ => text.push(char),
        }
    }
    text
}

/// Confirmations of every kind of product by every method.
async fn confirmations() -> Vec<Confirmation> {
    let shop = Shop::with(&[COURSE, SEAT, MONTHLY]).await;
    let learner = shop.learner();
    learner.save_card(&shop, Bank::Pays).await;
    learner.join(&[1101, 2301]).await.unwrap();
    let mut all = Vec::new();
    for method in
        [PaymentMethod::Card, PaymentMethod::SavedCard, PaymentMethod::Konbini, PaymentMethod::BankTransfer]
    {
        all.push(learner.confirmation_by(method).await.unwrap().confirmation.unwrap());
    }
    learner.add(3001).await.unwrap();
    all.push(learner.confirmation().await.unwrap());
    all
}

#[tokio::test]
async fn the_page_states_the_methods_renewal_and_withdrawal_of_the_confirmations_and_nothing_else() {
    let confirmations = confirmations().await;
    for (page, term) in [
        ("支払いの方法", "支払方法"),
        ("支払いの時期", "支払時期"),
        ("月額サービスの自動更新", "自動更新"),
        ("月額サービスの解約", "月額サービスの解約"),
        ("返品・返金（返品特約）", "申込みの撤回・解約"),
    ] {
        let fact = fact(page);
        // A withdrawal term names the products of its order: the last order has all kinds.
        let shown = if page.starts_with("返品") { &confirmations[4..] } else { &confirmations[..] };
        let said: Vec<String> = shown.iter().flat_map(|it| sentences(it, &[term])).collect();
        assert!(!said.is_empty(), "{term}");
        for sentence in &said {
            assert!(fact.contains(&format!("{sentence}。")), "the page lacks {sentence}: {fact}");
        }
        for sentence in fact.split_terminator('。') {
            let sentence = sentence.split_once('：').map_or(sentence, |(_, rest)| rest);
            let is_known = said.iter().any(|it| it == sentence) || OF_THE_PAGE.contains(&sentence);
            assert!(is_known, "no confirmation states {sentence}");
        }
    }
}

#[tokio::test]
async fn the_withdrawal_of_each_kind_promises_the_refund_that_it_gets() {
    let shop = Shop::with(&[COURSE, SEAT, MONTHLY]).await;
    for (product, item, is_refundable) in
        [(1101, "講座", true), (2301, "模試", true), (3001, "月額サービス", false)]
    {
        let buyer = shop.learner();
        buyer.add(product).await.unwrap();
        let confirmation = buyer.confirmation().await.unwrap();
        let document: Value = document(&confirmation);
        assert_eq!(document["lines"].as_array().unwrap().len(), 1);
        let said = sentences(&confirmation, &["申込みの撤回・解約"]);
        let promise = format!("{item}は、お支払いの後も、注文の画面から返金を申し込めます");
        assert_eq!(said.contains(&promise), is_refundable, "{said:?}");
        assert_eq!(said.iter().any(|it| it.contains("レッスン")), product == 1101, "{said:?}");
        let refusal = "月額サービスは、お支払いの後の返金はありません".to_owned();
        assert_eq!(said.contains(&refusal), !is_refundable, "{said:?}");

        let order = shop.purchase(&buyer).await;
        let quote = buyer.quote(&order.id).await.unwrap();
        assert_eq!(quote.total > 0, is_refundable, "{item}: {quote:?}");
    }
}
