//! Emails about orders, to their buyers.

use time::OffsetDateTime;

use super::Email;
use super::account::Recipient;
use crate::japan_time::format_in_japan;

pub(super) const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";
pub(super) const WHY: &str = "このメールは、コノマナでのご注文についてお知らせするためにお送りしています。";

/// An order as its emails name it.
pub(crate) struct OrderName {
    /// UUID, for addresses.
    pub(crate) id: String,
    /// For people, e.g. `KM-261125-7Q4F2`.
    pub(crate) number: String,
}

impl OrderName {
    /// Path of the page of the order.
    pub(super) fn path(&self) -> String {
        format!("/mypage/history/{}", self.id)
    }

    /// Path of the page of its receipt (領収書).
    pub(super) fn receipt_path(&self) -> String {
        format!("/mypage/history/{}/purchase", self.id)
    }
}

/// Formats an amount, e.g. `16,500円`.
pub(super) fn format_yen(amount: i32) -> String {
    let digits = amount.unsigned_abs().to_string();
    let mut text = String::from(if amount < 0 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + "円"
}

/// Confirms a payment: number, items, total and time, with links to the order and its receipt.
pub(crate) fn write_order_paid(
    recipient: Recipient,
    order: &OrderName,
    items: Vec<String>,
    total: i32,
    paid_at: Option<OffsetDateTime>,
) -> Email {
    let mut email = Email::for_buyer(
        "order_paid",
        recipient,
        &format!("コノマナ お支払いが完了しました（{}）", order.number),
    )
    .line("ご注文いただき、ありがとうございます。次の内容で、お支払いが完了しました。")
    .line("講座は、受講する方の「マイページ」の「所有講座」からご利用いただけます。")
    .button("注文の内容を見る", order.path())
    .why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone())];
    email.facts.extend(items.into_iter().map(|item| ("商品", item)));
    email.facts.push(("お支払い金額", format!("{}（税込）", format_yen(total))));
    email.facts.extend(paid_at.map(|time| ("お支払い日時", format_in_japan(time))));
    email.links = vec![
        ("領収書を表示する", order.receipt_path().into()),
        ("特定商取引法に基づく表記", "/commerce".into()),
    ];
    email
}

/// Reports an order that ended without a payment. What had arrived of a bank transfer, `returned` yen, goes back.
pub(crate) fn write_order_ended(
    recipient: Recipient,
    order: &OrderName,
    is_cancelled: bool,
    returned: i32,
) -> Email {
    let (subject, line) = if is_cancelled {
        ("ご注文を取り消しました", "ご注文を取り消しました。")
    } else {
        ("ご注文の期限が過ぎました", "期限までにお支払いが完了しなかったため、ご注文は無効になりました。")
    };
    let mut email =
        Email::for_buyer("order_ended", recipient, &format!("コノマナ {subject}（{}）", order.number))
            .line(line)
            .line(&if returned > 0 {
                format!("お振り込みいただいた{}は、お返しします。", format_yen(returned))
            } else {
                "このご注文の代金は、請求していません。".to_owned()
            })
            .line("カートの内容はそのまま残っています。ご希望の場合は、カートからもう一度ご注文ください。")
            .button("カートを開く", "/cart")
            .why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone())];
    email.links = vec![("注文の内容を見る", order.path().into())];
    email
}

/// Reports money that goes back because it arrived for an order that had ended, or that was paid already.
pub(crate) fn write_order_refunded(
    recipient: Recipient,
    order: &OrderName,
    amount: i32,
    is_card: bool,
) -> Email {
    let (reason, way) = if is_card {
        (
            "期限が過ぎたご注文、取り消されたご注文、またはすでにお支払い済みのご注文に、お支払いが届きました。お受け取りせず、全額をお返しします。",
            "お支払いに使われたカードに返金されます。ご利用明細に表示されるまで、数日かかることがあります。",
        )
    } else {
        (
            "期限が過ぎたご注文、取り消されたご注文、またはすでにお支払い済みのご注文に、お支払いが届きました。ご注文に必要のない金額をお返しします。",
            "銀行口座に返金されます。決済代行会社から口座をおたずねするメールが届いた場合は、ご回答ください。着金まで、数日かかることがあります。",
        )
    };
    let mut email = Email::for_buyer(
        "order_refunded",
        recipient,
        &format!("コノマナ ご返金のお知らせ（{}）", order.number),
    )
    .line(reason)
    .line(way)
    .line("ご希望の講座が「所有講座」にない場合は、お手数ですが、もう一度ご注文ください。")
    .button("注文の内容を見る", order.path())
    .why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone()), ("返金額", format_yen(amount))];
    email
}

#[cfg(test)]
mod tests {
    use super::format_yen;

    #[test]
    fn an_amount_has_a_comma_after_every_three_digits() {
        for (amount, text) in [
            (0, "0円"),
            (980, "980円"),
            (1_050, "1,050円"),
            (16_500, "16,500円"),
            (2_147_483_647, "2,147,483,647円"),
            (-12_000, "-12,000円"),
        ] {
            assert_eq!(format_yen(amount), text);
        }
    }
}
