//! The terms of products with a monthly charge, and of their renewals.

use time::{Date, Duration, OffsetDateTime};

use super::{Sums, Term, group_digits};
use crate::cart::Line;
use crate::japan_time::{date_in_japan, format_date};
use crate::subscription_rules::{Period, list_charge_days};
use crate::tax;

/// Charges per year.
const YEAR: i32 = 12;

/// The term for the renewal: the dates of the first and later charges, and the yearly total.
pub(super) fn write_renewal(lines: &[&Line], now: OffsetDateTime) -> String {
    // At most 20 lines of at most 1,000,000 yen.
    let price: i32 = lines.iter().map(|line| line.product.price).sum();
    let today = date_in_japan(now);
    let days: Vec<Date> = list_charge_days(today).take(3).collect();
    let month = group_digits(price);
    let charges = days.iter().zip(1..).map(|(day, n)| format!("{n}回目は{}に{month}円", format_date(*day)));
    format!(
        "解約のお手続きがあるまで、1か月ごとに自動で更新され、登録されたカードに請求します。本日お支払いの場合、{}で、その後も毎月{}日に{month}円です（その日がない月は、その月の末日）。1年間（12回）のお支払いの総額は{}円です。請求の7日前に、メールでお知らせします。",
        charges.collect::<Vec<_>>().join("、"),
        today.day(),
        group_digits(price * YEAR),
    )
}

/// The term for cancellation: how and until when.
pub(super) fn write_cancellation() -> String {
    "次の請求日の前日の23時59分まで、マイページの「ご注文履歴」から、いつでも解約できます。違約金はありません。解約しても、お支払い済みの期間の終わりまで使えます。日割りの返金はありません。"
        .to_owned()
}

/// Writes the terms of a renewal: the paid period, and the reference to the consent in the first
/// order.
pub(in crate::confirmation) fn write_renewal_terms(
    name: &str,
    sums: Sums,
    period: Period,
    ordered_as: &str,
) -> Vec<Term> {
    let first = format_date(date_in_japan(period.start));
    let last = format_date(date_in_japan(period.end - Duration::MICROSECOND));
    let term = |title, text: String| Term { title, text };
    vec![
        term(
            "自動更新",
            format!(
                "ご注文番号 {ordered_as} でお申し込みいただいた「{name}」の、{}回目のお支払いです。",
                period.number
            ),
        ),
        term("利用期間", format!("{first}から{last}まで。")),
        term(
            "販売価格",
            format!(
                "{}円（税込。うち消費税（{}%）{}円）。",
                group_digits(sums.total),
                tax::RATE,
                group_digits(sums.tax)
            ),
        ),
        term("支払方法", "登録済みのクレジットカード。".to_owned()),
        term("月額サービスの解約", write_cancellation()),
    ]
}
