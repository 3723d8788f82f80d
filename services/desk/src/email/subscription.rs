//! Emails about subscriptions, to their buyers.

use time::OffsetDateTime;

use super::Email;
use super::account::Recipient;
use super::order::{OrderName, format_yen};
use crate::japan_time::format_in_japan;

const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";
const WHY: &str = "このメールは、コノマナの月額サービスについてお知らせするためにお送りしています。";
const CARD: (&str, &str) = ("カードの登録を変更する", "/mypage/settings/card");

/// A subscription as its emails name it.
pub(crate) struct SubscriptionItem {
    /// UUID, for addresses.
    pub(crate) id: String,
    /// The product, followed by the learner.
    pub(crate) item: String,
}

impl SubscriptionItem {
    /// Path of the page of the subscription.
    fn path(&self) -> String {
        format!("/mypage/history/subscribe/{}", self.id)
    }

    fn email(&self, kind: &'static str, recipient: Recipient, subject: &str) -> Email {
        let mut email = Email::for_buyer(kind, recipient, &format!("コノマナ {subject}")).why(WHY, CONTACT);
        email.facts = vec![("サービス", self.item.clone())];
        email
    }
}

/// Confirms a renewal: the amount, and the end of the period.
pub(crate) fn write_renewed(
    recipient: Recipient,
    subscription: &SubscriptionItem,
    order: &OrderName,
    total: i32,
    paid_at: Option<OffsetDateTime>,
    period_end: Option<OffsetDateTime>,
) -> Email {
    let subject = format!("月額サービスを更新しました（{}）", order.number);
    let mut email = subscription
        .email("subscription_renewed", recipient, &subject)
        .line("月額サービスの更新のお支払いが完了しました。引き続きご利用いただけます。")
        .button("月額サービスの内容を見る", subscription.path());
    email.facts.push(("注文番号", order.number.clone()));
    email.facts.push(("お支払い金額", format!("{}（税込）", format_yen(total))));
    email.facts.extend(paid_at.map(|time| ("お支払い日時", format_in_japan(time))));
    email.facts.extend(period_end.map(|time| ("次回の更新", format_in_japan(time))));
    email.links = vec![("領収書を表示する", order.receipt_path().into())];
    email
}

/// Announces a charge, and the deadline for cancelling it.
pub(crate) fn write_notice(
    recipient: Recipient,
    subscription: &SubscriptionItem,
    price: i32,
    charge_at: Option<OffsetDateTime>,
) -> Email {
    let mut email = subscription
        .email("subscription_noticed", recipient, "月額サービスの次回のお支払いのお知らせ")
        .line("次の日時に、登録されたカードに請求し、月額サービスを更新します。お手続きは必要ありません。")
        .line("解約をご希望の場合は、請求日の前日までにお手続きください。")
        .button("月額サービスの内容を見る・解約する", subscription.path());
    email.facts.push(("お支払い金額", format!("{}（税込）", format_yen(price))));
    email.facts.extend(charge_at.map(|time| ("請求日時", format_in_japan(time))));
    email.links = vec![(CARD.0, CARD.1.into())];
    email
}

/// Reports a charge that was refused, and what to do.
pub(crate) fn write_refused(
    recipient: Recipient,
    subscription: &SubscriptionItem,
    order: &str,
    total: i32,
    decline_code: &str,
    (retry_at, ends_at): (Option<OffsetDateTime>, Option<OffsetDateTime>),
) -> Email {
    let what = match decline_code {
        "authentication_required" => {
            "カード会社が本人認証（3Dセキュア）を求めています。下のボタンから、認証をしてお支払いください。"
        }
        "card_missing" => {
            "登録されたカードがありません。カードを登録すると、すぐに請求します。下のボタンからお支払いいただくこともできます。"
        }
        "insufficient_funds" => {
            "カードの利用可能額が足りませんでした。下のボタンから、もう一度お支払いいただくか、別のカードを登録してください。"
        }
        "expired_card" => {
            "カードの有効期限が切れています。別のカードを登録すると、すぐに請求します。下のボタンからお支払いいただくこともできます。"
        }
        _ => {
            "カード会社の承認が得られませんでした。下のボタンから、もう一度お支払いいただくか、別のカードを登録してください。"
        }
    };
    let mut email = subscription
        .email("subscription_refused", recipient, "月額サービスのお支払いができませんでした")
        .line("月額サービスの更新のお支払いができませんでした。")
        .line(what)
        .line("下の期限まではこれまでどおりご利用いただけますが、お支払いがないと、そのときに終了します。")
        .button("お支払いに進む", format!("/payment?order={order}"));
    email.facts.push(("お支払い金額", format!("{}（税込）", format_yen(total))));
    email.facts.extend(retry_at.map(|time| ("次に請求する日時", format_in_japan(time))));
    email.facts.extend(ends_at.map(|time| ("お支払いの期限", format_in_japan(time))));
    email.links = vec![(CARD.0, CARD.1.into()), ("月額サービスの内容を見る", subscription.path().into())];
    email
}

/// Confirms a cancellation.
pub(crate) fn write_cancelled(
    recipient: Recipient,
    subscription: &SubscriptionItem,
    ends_at: Option<OffsetDateTime>,
    is_consent_withdrawn: bool,
) -> Email {
    let [subject, what, until] = if is_consent_withdrawn {
        [
            "月額サービスは更新されません",
            "保護者の方が同意を取り消したため、月額サービスは次から更新されません。これから後の請求はありません。",
            "お支払い済みの期間の終わりまで、ご利用いただけます。続けたいときは、保護者の方にもう一度同意してもらい、終了したあとに、あらためてお申し込みください。",
        ]
    } else {
        [
            "月額サービスの解約を受け付けました",
            "月額サービスの解約を受け付けました。これから後の請求はありません。",
            "お支払い済みの期間の終わりまで、ご利用いただけます。それまでは、解約を取り消せます。",
        ]
    };
    let mut email = subscription
        .email("subscription_cancelled", recipient, subject)
        .line(what)
        .line(until)
        .button("月額サービスの内容を見る", subscription.path());
    email.facts.extend(ends_at.map(|time| ("ご利用の終了", format_in_japan(time))));
    email
}

/// Tells a guardian who withdrew their consent that a subscription for the learner is charged no more.
pub(crate) fn write_stopped(
    recipient: Recipient,
    learner_name: &str,
    item: String,
    ends_at: Option<OffsetDateTime>,
) -> Email {
    let until = match ends_at {
        Some(_) => "お支払い済みの期間の終わりまでは、使えます。",
        None => "お支払いのなかった期間は、すぐに終了します。",
    };
    let mut email =
        Email::for_guardian("subscription_stopped", recipient, "コノマナ 月額サービスの請求を止めました")
            .line(format!(
                "同意の取り消しにより、{learner_name} さんの月額サービスを、次から更新しないようにしました。これから後の請求はありません。"
            ))
            .line(until)
            .why("このメールは、保護者の方の同意の取り消しについてお知らせするためにお送りしています。", CONTACT);
    email.facts = vec![("サービス", item)];
    email.facts.extend(ends_at.map(|time| ("ご利用の終了", format_in_japan(time))));
    email
}

/// Reports that a subscription has ended.
pub(crate) fn write_ended(recipient: Recipient, subscription: &SubscriptionItem, is_unpaid: bool) -> Email {
    let line = if is_unpaid {
        "お支払いがなかったため、月額サービスを終了しました。お支払いのなかった分の請求はありません。"
    } else {
        "解約のお手続き、退会、または保護者の方の同意の取り消しにより、月額サービスを終了しました。"
    };
    subscription
        .email("subscription_ended", recipient, "月額サービスを終了しました")
        .line(line)
        .line("もう一度ご利用になりたい場合は、あらためてお申し込みください。")
        .button("月額サービスの内容を見る", subscription.path())
}
