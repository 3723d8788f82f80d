//! The terms of a confirmation. They say the same as the page 特定商取引法に基づく表記.

mod subscription;

use serde::Serialize;
use time::{Duration, OffsetDateTime};

pub(super) use subscription::write_renewal_terms;

use super::Sums;
use super::withdrawal::write_withdrawal;
use crate::cart::Line;
use crate::coupon::usage::ConfirmedCoupon;
use crate::japan_time::{date_in_japan, format_date};
use crate::payment::Method;
use crate::product::Kind;
use crate::refund_policy::RefundPolicy;
use crate::tax;
use crate::yen::group_digits;

/// A condition of the order.
#[derive(Serialize)]
pub(super) struct Term {
    title: &'static str,
    text: String,
}

/// Writes the terms.
pub(super) fn write_terms(
    cart: &[Line],
    coupons: &[ConfirmedCoupon],
    sums: Sums,
    method: Method,
    policy: &RefundPolicy,
    now: OffsetDateTime,
) -> Vec<Term> {
    let term = |title, text: String| Term { title, text };
    let mut terms = vec![
        term("分量", write_quantity(cart)),
        term("販売価格", write_price(coupons, sums)),
        term("支払方法", method.describe().to_owned()),
        term("支払時期", method.describe_due()),
        term("提供時期", write_delivery(method)),
        term("利用期間", write_period(cart)),
    ];
    let subscriptions: Vec<&Line> = cart.iter().filter(|line| is_subscription(line)).collect();
    if !subscriptions.is_empty() {
        terms.push(term("自動更新", subscription::write_renewal(&subscriptions, now)));
        terms.push(term("月額サービスの解約", subscription::write_cancellation()));
    }
    terms.push(term("申込みの撤回・解約", write_withdrawal(policy)));
    terms.push(term("申込期間", write_sale_ends(cart)));
    terms
}

fn is_subscription(line: &Line) -> bool {
    line.product.kind == Kind::Subscription
}

/// How much is sold.
fn write_quantity(cart: &[Line]) -> String {
    let subscriptions = cart.iter().filter(|line| is_subscription(line)).count();
    let mut parts = Vec::new();
    if subscriptions < cart.len() {
        parts.push(format!("オンライン講座 {}点", cart.len() - subscriptions));
    }
    if subscriptions > 0 {
        parts.push(format!("月額サービス {subscriptions}点"));
    }
    format!("{}（各1点）。", parts.join("、"))
}

/// What it costs, and how that is worked out.
fn write_price(coupons: &[ConfirmedCoupon], sums: Sums) -> String {
    let total = format!(
        "合計{}円（税込。うち消費税（{}%）{}円）。ほかに、インターネットの通信料はお客さまのご負担です。",
        group_digits(sums.total),
        tax::RATE,
        group_digits(sums.tax),
    );
    if sums.discount == 0 {
        return total;
    }
    let coupons = coupons
        .iter()
        .map(|coupon| format!("クーポン「{}」で{}円", coupon.name, group_digits(coupon.amount)));
    let coupons = coupons.collect::<Vec<_>>().join("、");
    format!("小計{}円から、{coupons}を割り引きます。{total}", group_digits(sums.subtotal))
}

/// When it can be used.
fn write_delivery(method: Method) -> String {
    let from = if method == Method::Coupon { "注文の確定後" } else { "お支払いの完了後" };
    format!("{from}すぐに（通常5秒以内）、マイページで使えるようになります。")
}

/// How long the products can be used.
fn write_period(cart: &[Line]) -> String {
    let mut text = String::new();
    if cart.iter().any(|line| line.product.period_days.is_some()) {
        text.push_str("お支払いの完了から、それぞれの講座に示した日数のあいだ使えます。");
    }
    let mut courses = cart.iter().filter(|line| !is_subscription(line)).peekable();
    if courses.peek().is_some() {
        if courses.any(|line| line.product.period_days.is_none()) {
            text.push_str("日数を示していない講座に、期限はありません。");
        }
        text.push_str("自動では更新されません。");
    }
    if cart.iter().any(is_subscription) {
        text.push_str("月額サービスは、お支払いの完了から1か月ごとです。");
    }
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
