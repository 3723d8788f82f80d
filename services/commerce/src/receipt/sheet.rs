//! The content of a printed receipt.

use kit_pdf::{Fact, Row, Sheet};
use time::OffsetDateTime;

use super::Receipt;
use crate::config::Issuer;
use crate::japan_time::{date_in_japan, format_date};
use crate::order::Line;
use crate::payment::Method;
use crate::product::Kind;
use crate::tax;
use crate::yen::group_digits;

/// Makes the sheet of an issued receipt, with everything that a qualified invoice requires.
pub(crate) fn make_sheet(receipt: &Receipt, issuer: &Issuer) -> Sheet {
    let mut numbers =
        vec![Fact::new("領収書番号", receipt.number()), Fact::new("注文番号", receipt.order_number.clone())];
    numbers.extend(receipt.issued_at.map(|time| Fact::new("発行日", format_day(time))));
    Sheet {
        title: "領収書".to_owned(),
        subtitle: "（適格請求書）".to_owned(),
        mark: if receipt.issues > 1 { "再発行".to_owned() } else { String::new() },
        number: receipt.number(),
        numbers,
        addressee: receipt.addressee.as_deref().map(address).unwrap_or_default(),
        amount: Fact::new("金額", format_yen(receipt.total)),
        amount_note: "（税込）".to_owned(),
        statement: state_payment(receipt.total).to_owned(),
        issuer: issuer_lines(issuer),
        heads: ["品名", "数量", "金額（税込）"].map(str::to_owned),
        rows: receipt.lines.iter().map(make_row).collect(),
        before_total: list_discount(receipt),
        total: Fact::new("合計", format_yen(receipt.total)),
        after_total: vec![
            Fact::new(format!("{}%対象（税込）", tax::RATE), format_yen(receipt.total)),
            Fact::new(format!("内消費税（{}%）", tax::RATE), format_yen(receipt.tax)),
        ],
        facts: vec![
            Fact::new("お支払い日", format_day(receipt.paid_at)),
            Fact::new("お支払い方法", name_method(receipt.method)),
        ],
    }
}

/// The lines with the issuer of a document.
pub(crate) fn issuer_lines(issuer: &Issuer) -> Vec<String> {
    vec![issuer.name.clone(), format!("登録番号　{}", issuer.number)]
}

/// Adds `様` to an addressee without a title.
pub(crate) fn address(addressee: &str) -> String {
    if ["様", "御中"].iter().any(|title| addressee.ends_with(title)) {
        addressee.to_owned()
    } else {
        format!("{addressee} 様")
    }
}

/// Formats an amount, e.g. `16,500円`.
pub(crate) fn format_yen(yen: i32) -> String {
    format!("{}円", group_digits(yen))
}

/// Formats the day in Tokyo, e.g. `2026年11月21日`.
pub(crate) fn format_day(time: OffsetDateTime) -> String {
    format_date(date_in_japan(time))
}

fn state_payment(total: i32) -> &'static str {
    if total == 0 {
        "クーポンのご利用により、お支払いいただいた金額は0円です。"
    } else {
        "下記のとおり、領収いたしました。"
    }
}

fn make_row(line: &Line) -> Row {
    let label = match line.kind {
        Kind::ExamSeat => "受験される方",
        Kind::Subscription => "利用される方",
        _ => "受講される方",
    };
    let name = match line.learner_name.as_str() {
        // The learner's account was erased.
        "" => "退会された方".to_owned(),
        name => format!("{name}さん"),
    };
    let detail = format!("{label}：{name}");
    Row { name: line.name.clone(), detail, quantity: "1".to_owned(), amount: format_yen(line.price) }
}

/// The sum of the lines and the discount of each coupon, or nothing without coupons.
fn list_discount(receipt: &Receipt) -> Vec<Fact> {
    if receipt.discount == 0 {
        return Vec::new();
    }
    let mut facts = vec![Fact::new("小計", format_yen(receipt.total + receipt.discount))];
    facts.extend(receipt.coupons.iter().map(|coupon| {
        Fact::new(format!("クーポン「{}」", coupon.name), format!("−{}", format_yen(coupon.amount)))
    }));
    facts
}

/// The name of a method on the receipt. The site uses the same names.
fn name_method(method: Method) -> &'static str {
    match method {
        Method::Card => "クレジットカード",
        Method::SavedCard => "登録済みのクレジットカード",
        Method::Konbini => "コンビニ払い",
        Method::BankTransfer => "銀行振込",
        Method::Coupon => "クーポン",
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_addressee_gets_a_title_unless_one_was_typed() {
        assert_eq!(address("葵 花子"), "葵 花子 様");
        assert_eq!(address("葵 花子 様"), "葵 花子 様");
        assert_eq!(address("株式会社 葵 御中"), "株式会社 葵 御中");
    }
}
