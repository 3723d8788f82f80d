//! Receipts as PDF.

use std::sync::Arc;

use lopdf::Document;
use proto::commerce::GetReceiptPdfResponse;
use time::Duration;
use tokio::task::JoinSet;

use crate::buying::{COURSE, OTHER};
use crate::shop::{Shop, refusal};
use crate::stored_order::StoredOrder;

const PAID: (&str, &str) = ("paid", "succeeded");
const NOT_FOUND: &str = "NotFound NOT_FOUND";

/// The texts of each page, without spaces.
pub(crate) fn pages(pdf: &[u8]) -> Vec<String> {
    let document = Document::load_mem(pdf).unwrap();
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    let text = |number: u32| document.extract_text(&[number]).unwrap();
    numbers.into_iter().map(|number| text(number).split_whitespace().collect()).collect()
}

#[tokio::test]
async fn the_pdf_has_all_that_a_qualified_invoice_must_have() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    let lines = &[(1101, 16_500), (1102, 9_900)];
    let order = StoredOrder { state: PAID, lines, tax: 2_400, ..Default::default() };
    let order = shop.store(&learner, &order).await;
    assert_eq!(refusal(learner.receipt_pdf(&order).await), NOT_FOUND, "it is not issued");
    shop.clock.advance(Duration::days(3));
    learner.issue_receipt(&order, "株式会社 髙﨑").await.unwrap();
    let GetReceiptPdfResponse { number, pdf } = learner.receipt_pdf(&order).await.unwrap();
    assert_eq!(number, "R-261120-7Q4F2");
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() < 100_000, "{} bytes: the font is a subset", pdf.len());
    let [page] = &pages(&pdf)[..] else { panic!("one page") };
    for fact in [
        "領収書",
        "（適格請求書）",
        "領収書番号R-261120-7Q4F2",
        "注文番号KM-261120-7Q4F2",
        "発行日2026年11月23日",
        "株式会社髙﨑様",
        "金額26,400円（税込）",
        "株式会社コノマナ",
        "登録番号T0000000000000",
        "商品",
        "受講される方：葵太郎さん",
        "16,500円",
        "9,900円",
        "合計26,400円",
        "10%対象（税込）26,400円",
        "内消費税（10%）2,400円",
        "お支払い日2026年11月20日",
        "お支払い方法クレジットカード",
        "1/1ページ",
    ] {
        assert!(page.contains(fact), "{fact}: {page}");
    }
    assert!(!page.contains("再発行"), "{page}");
}

#[tokio::test]
async fn each_issue_is_written_once_and_a_later_one_is_marked() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = Arc::new(shop.learner());
    let order = shop.store(&learner, &StoredOrder { state: PAID, ..Default::default() }).await;
    learner.issue_receipt(&order, "葵 太郎 御中").await.unwrap();
    let mut reading = JoinSet::new();
    for _ in 0..8 {
        let (learner, order) = (learner.clone(), order.clone());
        reading.spawn(async move { learner.receipt_pdf(&order).await.unwrap().pdf });
    }
    let mut first = reading.join_all().await;
    first.dedup();
    assert_eq!(first.len(), 1, "the same bytes for all");
    assert_eq!(shop.texts("SELECT issue::text FROM receipt_pdf").await, ["1"]);
    shop.clock.advance(Duration::DAY);
    assert_eq!(learner.receipt_pdf(&order).await.unwrap().pdf, first[0]);
    assert!(pages(&first[0])[0].contains("葵太郎御中") && !pages(&first[0])[0].contains("様"));

    learner.issue_receipt(&order, "葵 花子").await.unwrap();
    let page = pages(&learner.receipt_pdf(&order).await.unwrap().pdf).remove(0);
    assert!(
        page.contains("再発行") && page.contains("葵花子様") && page.contains("2026年11月21日"),
        "{page}"
    );
    assert_eq!(shop.texts("SELECT issue::text FROM receipt_pdf ORDER BY issue").await, ["1", "2"]);
    let mut connection = shop.database.pool.acquire().await.unwrap();
    let changed = sqlx::query!("UPDATE receipt_pdf SET pdf = ''").execute(&mut *connection).await;
    assert!(changed.unwrap_err().to_string().contains("not changed"));
}

#[tokio::test]
async fn twenty_lines_with_the_longest_addressee_take_two_pages() {
    let shop = Shop::with(&[COURSE]).await;
    let learner = shop.learner();
    let lines: Vec<(i64, i32)> = (0..20).map(|n| (1101 + n, 1_000 + i32::try_from(n).unwrap())).collect();
    let order = StoredOrder { state: PAID, lines: &lines, tax: 1_835, ..Default::default() };
    let order = shop.store(&learner, &order).await;
    learner.issue_receipt(&order, &"葵".repeat(60)).await.unwrap();
    let pdf = learner.receipt_pdf(&order).await.unwrap().pdf;
    let pages = pages(&pdf);
    assert_eq!(pages.len(), 2);
    let text = pages.concat();
    for (_, price) in &lines {
        assert!(text.contains(&format!("1,{:03}円", price - 1_000)), "{price}: {text}");
    }
    assert_eq!(pages[0].matches('葵').count() - pages[0].matches("葵太郎").count(), 60, "{}", pages[0]);
    assert!(pages[1].contains("領収書（続き）") && pages[1].contains("合計20,190円"), "{}", pages[1]);
    assert!(pages[1].contains("R-261120-7Q4F22/2ページ"), "{}", pages[1]);
}

#[tokio::test]
async fn the_pdf_of_another_account_is_not_found() {
    let shop = Shop::with(&[COURSE]).await;
    let (owner, stranger) = (shop.learner(), shop.learner());
    let order = shop.store(&owner, &StoredOrder { state: PAID, ..Default::default() }).await;
    owner.issue_receipt(&order, "葵 太郎").await.unwrap();
    for _ in 0..2 {
        assert_eq!(refusal(stranger.receipt_pdf(&order).await), NOT_FOUND);
        // Also after the owner has rendered it.
        owner.receipt_pdf(&order).await.unwrap();
    }
    assert_eq!(refusal(owner.receipt_pdf("1").await), NOT_FOUND);
}

#[tokio::test]
async fn an_erased_learner_is_in_no_pdf_any_more() {
    let shop = Shop::with(&[COURSE, OTHER]).await;
    let guardian = shop.guardian(2);
    let order = shop.buy(&guardian).await;
    guardian.issue_receipt(&order.id, "葵 花子").await.unwrap();
    let before = guardian.receipt_pdf(&order.id).await.unwrap().pdf;
    assert!(pages(&before)[0].contains("葵一郎") && pages(&before)[0].contains("葵二郎"));
    shop.erase(guardian.learner(0)).await;
    let after = guardian.receipt_pdf(&order.id).await.unwrap().pdf;
    assert!(!pages(&after)[0].contains("葵一郎") && pages(&after)[0].contains("葵二郎"));
    assert!(pages(&after)[0].contains("受講される方：退会された方"), "{}", pages(&after)[0]);
    shop.erase(&guardian.id.to_string()).await;
    assert!(shop.texts("SELECT issue::text FROM receipt_pdf").await.is_empty());
}
