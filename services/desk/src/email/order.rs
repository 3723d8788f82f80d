//! Emails about orders, to their buyers.

use time::OffsetDateTime;

use super::account::Recipient;
use super::{Document, Email, Section};
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

/// What the buyer agreed to when they placed the order.
pub(crate) struct Agreement {
    pub(crate) placed_at: Option<OffsetDateTime>,
    pub(crate) terms: Vec<Section>,
    /// Empty unless the order is a contract of a 特定継続的役務.
    pub(crate) contract: Vec<Section>,
}

impl Agreement {
    /// The date of the contract.
    pub(super) fn fact(&self) -> Option<(&'static str, String)> {
        self.placed_at.map(|time| ("注文日時", format_in_japan(time)))
    }

    /// The documents to keep, without empty ones.
    pub(super) fn into_documents(self) -> Vec<Document> {
        let documents = [
            Document {
                title: "ご注文の条件（特定商取引法に基づく表示）".into(), sections: self.terms
            },
            Document {
                title: "契約書面（特定継続的役務提供）".into(), sections: self.contract
            },
        ];
        documents.into_iter().filter(|document| !document.sections.is_empty()).collect()
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

/// What was bought, as far as it decides where it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsePlaces {
    pub(crate) courses: bool,
    pub(crate) exams: bool,
}

/// Confirms a payment: number, items, total and time, with links to the order and its receipt, and with its terms.
pub(crate) fn write_order_paid(
    recipient: Recipient,
    order: &OrderName,
    items: Vec<String>,
    places: UsePlaces,
    total: i32,
    paid_at: Option<OffsetDateTime>,
    agreement: Agreement,
) -> Email {
    let mut email = Email::for_buyer(
        "order_paid",
        recipient,
        &format!("コノマナ お支払いが完了しました（{}）", order.number),
    )
    .line("ご注文いただき、ありがとうございます。次の内容で、お支払いが完了しました。")
    .button("注文の内容を見る", order.path())
    .why(WHY, CONTACT);
    if places.courses {
        email = email.line("講座は、受講する方の「マイページ」の「所有講座」からご利用いただけます。");
    }
    if places.exams {
        email = email.line("模試は、受験する方の「マイページ」の「模試」から、受験の準備を始められます。");
    }
    email.facts = vec![("注文番号", order.number.clone())];
    email.facts.extend(items.into_iter().map(|item| ("商品", item)));
    email.facts.push(("お支払い金額", format!("{}（税込）", format_yen(total))));
    email.facts.extend(agreement.fact());
    email.facts.extend(paid_at.map(|time| ("お支払い日時", format_in_japan(time))));
    email.links = vec![
        ("領収書を表示する", order.receipt_path().into()),
        ("特定商取引法に基づく表記", "/commerce".into()),
    ];
    email.documents = agreement.into_documents();
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

/// Where the money of an order goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReturnWay {
    /// To the card.
    Card,
    /// To a bank account that the provider asks for.
    Bank,
    /// Nothing was paid.
    Nothing,
}

impl ReturnWay {
    fn arrival(self) -> Option<&'static str> {
        match self {
            Self::Card => Some(
                "お支払いに使われたカードに返金されます。ご利用明細に表示されるまで、数日かかることがあります。",
            ),
            Self::Bank => Some("銀行口座に振り込まれます。入金まで、数日かかることがあります。"),
            Self::Nothing => None,
        }
    }
}

/// Why money goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReturnReason {
    /// It arrived after the order had ended or was already paid.
    Late,
    /// It was more than the order's total.
    Excess,
    /// The buyer asked for it, or the school returned it.
    Sale,
    /// The card's bank took it back.
    Dispute,
}

/// Why lines of an order are refunded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RefundCause {
    /// The buyer requested it, and can no longer use the items.
    Wish(UsePlaces),
    /// The learner already had the item from another order.
    Duplicate,
}

/// Confirms that a refund was requested: the lines with their amounts, the sum, and when it arrives.
pub(crate) fn write_refund_requested(
    recipient: Recipient,
    order: &OrderName,
    items: Vec<(String, i32)>,
    cause: RefundCause,
    amount: i32,
    way: ReturnWay,
) -> Email {
    let subject = match cause {
        RefundCause::Wish(_) => "返金のお申し込みを受け付けました",
        RefundCause::Duplicate => "重複したお支払いを返金します",
    };
    let subject = format!("コノマナ {subject}（{}）", order.number);
    let mut email = Email::for_buyer("refund_requested", recipient, &subject);
    match cause {
        RefundCause::Wish(places) => {
            email = email.line("次の内容で、返金のお申し込みを受け付けました。");
            if places.courses {
                email = email.line(
                    "返金する講座は、もう使えません。進みぐあいの記録とノートは、これからも見られます。",
                );
            }
            if places.exams {
                email = email.line("返金する模試は、受験できません。");
            }
        }
        RefundCause::Duplicate => {
            email = email
                .line("同じ商品が、生徒ご本人または保護者の方の別のご注文で、先に支払われていました。そのため、あとから支払われた次の商品の代金を、すぐに全額お返しします。")
                .line("先に支払われた商品は、これまでどおり使えます。お客さまのお手続きは必要ありません。");
        }
    }
    if way == ReturnWay::Bank && amount > 0 {
        email = email.line(
            "振込先をお聞きするメールが、決済代行会社から別に届きます。お手数ですが、そのメールからご入力ください。",
        );
    }
    if amount > 0 {
        email = email.line("返金の手続きが終わりましたら、もう一度メールでお知らせします。");
    }
    email = email.button("注文の内容を見る", order.path()).why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone())];
    let items = items.into_iter().map(|(name, amount)| ("商品", format!("{name} {}", format_yen(amount))));
    email.facts.extend(items);
    email.facts.push(("返金額", format!("{}（税込）", format_yen(amount))));
    email
}

/// Reports money that went back. `invoice`: the refund, if it has a return invoice (返還インボイス).
pub(crate) fn write_order_refunded(
    recipient: Recipient,
    order: &OrderName,
    amount: i32,
    reason: ReturnReason,
    way: ReturnWay,
    invoice: Option<&str>,
) -> Email {
    let mut email = Email::for_buyer(
        "order_refunded",
        recipient,
        &format!("コノマナ ご返金のお知らせ（{}）", order.number),
    );
    email = match reason {
        ReturnReason::Late => email.line(
            "期限が過ぎたご注文、取り消されたご注文、またはすでにお支払い済みのご注文に、お支払いが届きました。お受け取りせず、全額をお返しします。",
        ),
        ReturnReason::Excess => {
            email.line("ご注文の金額より多くお支払いいただいたため、差額をお返しします。")
        }
        ReturnReason::Sale => email.line("返金の手続きが終わりました。"),
        ReturnReason::Dispute => email
            .line("カード会社の判断により、お支払いが取り消されました。このご注文の講座は、もう使えません。")
            .line("代金は、カード会社からお客さまに返金されます。"),
    };
    if let Some(arrival) = way.arrival().filter(|_| reason != ReturnReason::Dispute) {
        email = email.line(arrival);
    }
    if reason == ReturnReason::Late {
        email = email.line("ご希望の講座が「所有講座」にない場合は、お手数ですが、もう一度ご注文ください。");
    }
    email = email.button("注文の内容を見る", order.path()).why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone()), ("返金額", format_yen(amount))];
    if let Some(refund) = invoice {
        let path = format!("{}/refund/{refund}", order.path());
        email.links = vec![("適格返還請求書（返還インボイス）を表示する", path.into())];
    }
    email
}

/// Reports that money could not be returned, and what happens next. `can_retry`: the buyer can name another bank account.
pub(crate) fn write_refund_failed(
    recipient: Recipient,
    order: &OrderName,
    amount: i32,
    can_retry: bool,
) -> Email {
    let [what, next] = if can_retry {
        [
            "ご入力いただいた口座に振り込めなかったか、期限までに口座のご入力がなかったため、返金できませんでした。返金額は、当社でお預かりしています。",
            "お手数ですが、注文の内容のページで「返金先の口座をもう一度入力する」を押してください。振込先をお聞きするメールが、決済代行会社からもう一度届きます。",
        ]
    } else {
        [
            "お使いのカード会社が返金を受け付けなかったため、返金できませんでした。返金額は、当社でお預かりしています。",
            "5営業日以内に、別の方法での返金について、担当者からメールでご連絡します。お客さまのお手続きは必要ありません。",
        ]
    };
    let mut email = Email::for_buyer(
        "refund_failed",
        recipient,
        &format!("コノマナ 返金できませんでした（{}）", order.number),
    )
    .line(what)
    .line(next)
    .button("注文の内容を見る", order.path())
    .why(WHY, CONTACT);
    email.facts = vec![("注文番号", order.number.clone()), ("返金額", format_yen(amount))];
    email
}

/// Tells a guardian that a learner asks them to pay for what is in the learner's cart.
pub(crate) fn write_payment_asked(
    recipient: Recipient,
    learner_name: &str,
    items: Vec<String>,
    total: i32,
    left_out: u32,
) -> Email {
    let mut email = Email::for_guardian(
        "payment_asked",
        recipient,
        &format!("コノマナ {learner_name} さんから、お支払いのお願いが届いています"),
    )
    .line(format!("{learner_name} さんが、カートに入れた商品のお支払いをお願いしています。"));
    if !items.is_empty() {
        email.facts = items.into_iter().map(|item| ("商品", item)).collect();
        email.facts.push(("合計", format!("{}（税込）", format_yen(total))));
        email = email.line("次の商品を、あなたのカートに入れました。内容をご確認のうえ、ご注文ください。このメールだけで料金がかかることはありません。");
    }
    if left_out > 0 {
        email = email.line(format!(
            "あなたのカートがいっぱいのため、{left_out}件の商品は入りませんでした。カートを空けてから、{learner_name} さんにもう一度送ってもらってください。"
        ));
    }
    email.links = vec![("特定商取引法に基づく表記", "/commerce".into())];
    email.button("カートを開く", "/cart").why(
        "このメールは、つながっている生徒が、保護者の方にお支払いをお願いしたためお送りしています。",
        "購入を希望されない場合は、何もしないか、カートから商品を削除してください。",
    )
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
