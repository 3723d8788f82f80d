//! The terms of a confirmation. They match the page 特定商取引法に基づく表記.

mod subscription;

use serde::Serialize;
use time::OffsetDateTime;

pub(super) use subscription::write_renewal_terms;

use super::Sums;
use super::withdrawal::write_withdrawal;
use crate::cart::Line;
use crate::coupon::usage::ConfirmedCoupon;
use crate::japan_time::format_last_day;
use crate::payment::Method;
use crate::product::Kind;
use crate::refund_policy::RefundPolicy;
use crate::tax;
use crate::yen::group_digits;

/// The term for the exam period. The dates are on the exam's page.
const EXAM_PERIOD: &str = "模試のページに示した期間に、1回受験できます。期間が過ぎると、受験できません。";

/// A condition of the order.
#[derive(Serialize)]
pub(super) struct Term {
    pub(super) title: &'static str,
    pub(super) text: String,
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
        term("提供時期", write_delivery(cart, method)),
    ];
    if cart.iter().any(|line| !line.is_exam_seat()) {
        terms.push(term("利用期間", write_period(cart)));
    }
    if cart.iter().any(Line::is_exam_seat) {
        terms.push(term("受験期間", EXAM_PERIOD.to_owned()));
    }
    let subscriptions: Vec<&Line> = cart.iter().filter(|line| is_subscription(line)).collect();
    if !subscriptions.is_empty() {
        terms.push(term("自動更新", subscription::write_renewal(&subscriptions, now)));
        terms.push(term("月額サービスの解約", subscription::write_cancellation()));
    }
    terms.push(term("申込みの撤回・解約", write_withdrawal(cart, policy)));
    terms.push(term("申込期間", write_sale_ends(cart)));
    terms
}

fn is_subscription(line: &Line) -> bool {
    line.product.kind == Kind::Subscription
}

/// The term for the quantity.
fn write_quantity(cart: &[Line]) -> String {
    let count = |kind| cart.iter().filter(|line| line.product.kind == kind).count();
    let kinds = [
        ("オンライン講座", count(Kind::Course)),
        ("模試の受験", count(Kind::ExamSeat)),
        ("月額サービス", count(Kind::Subscription)),
    ];
    let parts = kinds.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}点"));
    format!("{}（各1点）。", parts.collect::<Vec<_>>().join("、"))
}

/// The term for the price and how it is calculated.
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

/// The term for the start of access.
fn write_delivery(cart: &[Line], method: Method) -> String {
    let from = if method == Method::Coupon { "注文の確定後" } else { "お支払いの完了後" };
    let mut parts = Vec::new();
    if cart.iter().any(|line| !line.is_exam_seat()) {
        parts.push(format!("{from}すぐに（通常5秒以内）、マイページで使えるようになります。"));
    }
    if cart.iter().any(Line::is_exam_seat) {
        parts.push(format!("模試は、{from}すぐに（通常5秒以内）、マイページで受験の準備を始められます。"));
    }
    parts.concat()
}

/// The term for the access period.
fn write_period(cart: &[Line]) -> String {
    let mut text = String::new();
    if cart.iter().any(|line| line.product.period_days.is_some()) {
        text.push_str("お支払いの完了から、それぞれの講座に示した日数のあいだ使えます。");
    }
    let mut courses = cart.iter().filter(|line| !is_subscription(line) && !line.is_exam_seat()).peekable();
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

/// The term for the end of the sale.
fn write_sale_ends(cart: &[Line]) -> String {
    let mut ends: Vec<String> = Vec::new();
    for line in cart {
        // `end` is the first moment after the sale.
        if let Some(end) = line.product.sale_ends_at {
            let text = format!("「{}」は{}まで。", line.product.name, format_last_day(end));
            if !ends.contains(&text) {
                ends.push(text);
            }
        }
    }
    if ends.is_empty() {
        return "期間の定めはありません。".to_owned();
    }
    if cart.iter().any(|line| line.product.sale_ends_at.is_none()) {
        ends.push("ほかの商品に、期間の定めはありません。".to_owned());
    }
    ends.concat()
}
