//! The confirmation: what the page before an order shows, as the Act on Specified Commercial Transactions
//! (特定商取引法) wants it.
//!
//! It is a JSON document with fixed bytes: the same cart, prices, learners and texts give the same document. Its SHA-256
//! comes back with the order, which stores the document.

use aws_lc_rs::digest::{SHA256, digest};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::cart::{self, Line};
use crate::error::Error;
use crate::japan_time::{date_in_japan, format_date};
use crate::owned_courses::OwnedCourses;
use crate::tax;

/// The version of the document's fields.
const VERSION: u32 = 1;

/// What the buyer agrees to.
pub(crate) struct Confirmation {
    pub(crate) document: Vec<u8>,
    /// The SHA-256 of the document.
    pub(crate) digest: [u8; 32],
    /// Oldest first.
    pub(crate) lines: Vec<ConfirmedLine>,
    /// Yen, tax included.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
}

/// A line of the document.
#[derive(Serialize)]
pub(crate) struct ConfirmedLine {
    #[serde(rename = "product_id")]
    pub(crate) product: i64,
    #[serde(rename = "course_id")]
    pub(crate) course: Option<i64>,
    pub(crate) name: String,
    pub(crate) period_days: Option<i32>,
    /// Yen, tax included.
    pub(crate) price: i32,
    #[serde(rename = "learner_id")]
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
}

/// The document. The order of its fields is part of its bytes.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    lines: &'a [ConfirmedLine],
    total: i32,
    tax: i32,
    tax_rate: i32,
    terms: Vec<Term>,
}

/// A condition of the order.
#[derive(Serialize)]
struct Term {
    title: &'static str,
    text: String,
}

/// Renders the confirmation of the lines that the account can order now. Fails with [`Error::CartEmpty`] if there are
/// none.
pub(crate) async fn render(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    owned: &OwnedCourses,
    now: OffsetDateTime,
) -> Result<Confirmation, Error> {
    let cart = cart::lines_for_order(connection, account, buyer, owned, now).await?;
    if cart.is_empty() {
        return Err(Error::CartEmpty);
    }
    let lines: Vec<_> = cart.iter().map(|line| confirm_line(line, buyer)).collect();
    // At most 20 lines of at most 1,000,000 yen.
    let total = lines.iter().map(|line| line.price).sum();
    let tax = tax::included_in(total);
    let terms = write_terms(&cart, total, tax);
    let document = Document { version: VERSION, lines: &lines, total, tax, tax_rate: tax::RATE, terms };
    let document = serde_json::to_vec(&document)?;
    let mut sha256 = [0; 32];
    sha256.copy_from_slice(digest(&SHA256, &document).as_ref());
    Ok(Confirmation { document, digest: sha256, lines, total, tax })
}

/// Empties the id and the name of a learner in a stored document. Every other byte stays, so that a person who knows both
/// can still check the document by its SHA-256.
pub(crate) fn erase_learner(document: &[u8], learner: Uuid, name: &str) -> Vec<u8> {
    // As serde_json writes the two fields, one after the other.
    let fields = |id: Uuid, name| format!(r#""learner_id":"{id}","learner_name":{}"#, Value::from(name));
    let (stored, erased) = (fields(learner, name), fields(Uuid::nil(), ""));
    String::from_utf8_lossy(document).replace(&stored, &erased).into_bytes()
}

fn confirm_line(line: &Line, buyer: &Buyer) -> ConfirmedLine {
    ConfirmedLine {
        product: line.product.id,
        course: line.product.course_id,
        name: line.product.name.clone(),
        period_days: line.product.period_days,
        price: line.product.price,
        learner: line.learner,
        learner_name: buyer
            .find_learner(line.learner)
            .map_or_else(String::new, |learner| learner.name.clone()),
    }
}

/// Writes the terms. They say the same as the page 特定商取引法に基づく表記.
fn write_terms(cart: &[Line], total: i32, tax: i32) -> Vec<Term> {
    let term = |title, text: String| Term { title, text };
    vec![
        term("分量", format!("オンライン講座 {}点（各1点）。", cart.len())),
        term(
            "販売価格",
            format!(
                "合計{}円（税込。うち消費税（{}%）{}円）。ほかに、インターネットの通信料はお客さまのご負担です。",
                group_digits(total),
                tax::RATE,
                group_digits(tax),
            ),
        ),
        term("支払方法", "クレジットカード。決済代行会社のページでお支払いいただきます。".to_owned()),
        term(
            "支払時期",
            "注文の確定から1時間以内にお支払いください。過ぎると、注文は取り消されます。引き落としの日は、カード会社の定めによります。"
                .to_owned(),
        ),
        term("提供時期", "お支払いの完了後すぐに（通常5秒以内）、マイページで使えるようになります。".to_owned()),
        term("利用期間", write_period(cart)),
        term(
            "申込みの撤回・解約",
            "お支払いの完了までは、注文を取り消せます。お支払いの後は、お客さまの都合による返品・返金はお受けしていません。講座が説明とちがう、使えないなど、当社に原因があるときは、使えるようにするか、全額を返金します。クーリング・オフの制度は、通信販売には適用されません。"
                .to_owned(),
        ),
        term("申込期間", write_sale_ends(cart)),
    ]
}

/// How long the products can be used.
fn write_period(cart: &[Line]) -> String {
    let mut text = String::new();
    if cart.iter().any(|line| line.product.period_days.is_some()) {
        text.push_str("お支払いの完了から、それぞれの講座に示した日数のあいだ使えます。");
    }
    if cart.iter().any(|line| line.product.period_days.is_none()) {
        text.push_str("日数を示していない講座に、期限はありません。");
    }
    text.push_str("自動では更新されません。");
    text
}

/// Until when the products are sold.
fn write_sale_ends(cart: &[Line]) -> String {
    let mut ends: Vec<String> = Vec::new();
    for line in cart {
        // The sale ends at the first moment at which it is over.
        if let Some(end) = line.product.sale_ends_at {
            let last_day = format_date(date_in_japan(end - Duration::MICROSECOND));
            let text = format!("「{}」は{last_day}まで。", line.product.name);
            if !ends.contains(&text) {
                ends.push(text);
            }
        }
    }
    if ends.is_empty() {
        return "期間の定めはありません。".to_owned();
    }
    if cart.iter().any(|line| line.product.sale_ends_at.is_none()) {
        ends.push("ほかの講座に、期間の定めはありません。".to_owned());
    }
    ends.concat()
}

/// Formats whole yen, e.g. `16,500`.
pub(crate) fn group_digits(yen: i32) -> String {
    let digits = yen.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
