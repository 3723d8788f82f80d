//! The terms of an order. They say the same as the page 特定商取引法に基づく表記.

use serde::Serialize;
use time::Duration;

use crate::cart::Line;
use crate::japan_time::{date_in_japan, format_date};
use crate::payment::Method;
use crate::tax;

/// A condition of the order.
#[derive(Serialize)]
pub(super) struct Term {
    title: &'static str,
    text: String,
}

/// Writes the terms.
pub(super) fn write_terms(cart: &[Line], total: i32, tax: i32, method: Method) -> Vec<Term> {
    let term = |title, text: String| Term { title, text };
    vec![
        term("分量", write_quantity(cart)),
        term("販売価格", write_price(total, tax)),
        term("支払方法", method.describe().to_owned()),
        term("支払時期", method.describe_due()),
        term("提供時期", write_delivery()),
        term("利用期間", write_period(cart)),
        term("申込みの撤回・解約", write_withdrawal()),
        term("申込期間", write_sale_ends(cart)),
    ]
}

/// How much is sold.
fn write_quantity(cart: &[Line]) -> String {
    format!("オンライン講座 {}点（各1点）。", cart.len())
}

/// What it costs.
fn write_price(total: i32, tax: i32) -> String {
    format!(
        "合計{}円（税込。うち消費税（{}%）{}円）。ほかに、インターネットの通信料はお客さまのご負担です。",
        group_digits(total),
        tax::RATE,
        group_digits(tax),
    )
}

/// When it can be used.
fn write_delivery() -> String {
    "お支払いの完了後すぐに（通常5秒以内）、マイページで使えるようになります。".to_owned()
}

/// How the order can be withdrawn.
fn write_withdrawal() -> String {
    "お支払いの完了までは、注文を取り消せます。お支払いの後は、お客さまの都合による返品・返金はお受けしていません。講座が説明とちがう、使えないなど、当社に原因があるときは、使えるようにするか、全額を返金します。クーリング・オフの制度は、通信販売には適用されません。"
        .to_owned()
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
fn group_digits(yen: i32) -> String {
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
