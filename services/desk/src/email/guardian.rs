//! Emails about consent and birth dates, to guardians and learners.

use time::OffsetDateTime;

use super::Email;
use super::account::Recipient;

/// The kind of every answer to a request for consent. Learners see it in their data export. It must not reveal whether
/// the mailbox belongs to a minor.
const REQUEST: &str = "guardian_consent";

const WHY_GUARDIAN: &str =
    "このメールは、保護者の方の連絡先としてこのアドレスが登録されているためお送りしています。";
const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";

impl Email {
    /// What a guardian consents to: with whom, what can be bought, at what price, under which terms, how to withdraw.
    pub(super) fn consent_terms(mut self, withdrawal: &str) -> Self {
        self.facts = vec![
            ("運営", "株式会社コノマナ（実在しない、架空の会社です）".to_owned()),
            ("購入できるもの", "学年・教科ごとの講座と、ご希望の方だけの月額サービス".to_owned()),
            (
                "料金",
                "講座のページに、税込で表示しています。注文の前に、合計を確かめる画面があります。".to_owned(),
            ),
            ("取り消し", withdrawal.to_owned()),
        ];
        self.links = vec![
            ("講座と料金", "/course".into()),
            ("利用規約", "/eula".into()),
            ("特定商取引法に基づく表記", "/commerce".into()),
            ("プライバシーポリシー", "/privacy".into()),
        ];
        self
    }
}

/// Refuses a mailbox that belongs to a minor as that of a guardian.
pub(crate) fn write_guardian_mailbox_refused(recipient: Recipient) -> Email {
    Email::for_guardian(REQUEST, recipient, "コノマナ 保護者の方のメールアドレスについて")
        .line("コノマナで、保護者の方の連絡先としてこのメールアドレスが入力されました。")
        .line("このアドレスは18歳未満の方のアカウントで使われているため、保護者の方の同意の手続きにはお使いいただけません。保護者の方ご自身の、別のメールアドレスを入力してもらってください。")
        .why(
            "このメールは、保護者の方の連絡先としてこのアドレスが入力されたためお送りしています。",
            "お心当たりがない場合は、このメールを削除してください。何も変更されません。",
        )
}

/// Confirms the consent to the guardian, with the link that withdraws it.
pub(crate) fn write_consent_receipt(recipient: Recipient, learner_name: &str, token: &str) -> Email {
    Email::for_guardian("guardian_consent_receipt", recipient, "コノマナ 同意を受け付けました")
        .line(format!("{learner_name} さんがコノマナを利用し、講座などを購入することへの同意を受け付けました。ありがとうございます。"))
        .line("このメールは、同意の控えです。大切に保管してください。")
        .consent_terms("いつでも、下のボタンから取り消せます。取り消すと、その後の購入ができなくなります。")
        .button("同意を取り消す", format!("/confirm/withdraw#token={token}"))
        .why("このメールは、保護者の方の同意の手続きがあったためお送りしています。", "お心当たりがない場合は、上のボタンから取り消してください。")
}

/// The receipt for a new link, to its guardian. Says whether the link counts as consent.
pub(crate) fn write_link_receipt(
    recipient: Recipient,
    learner_name: &str,
    learner_id: &str,
    is_consent: bool,
) -> Email {
    let email = Email::for_guardian("guardian_link_receipt", recipient, "コノマナ お子さまとつながりました")
        .line(format!(
            "{learner_name} さんとつながりました。学習の進みぐあいを、マイページでご覧いただけます。"
        ))
        .button("お子さまのページを開く", format!("/mypage/child/{learner_id}"))
        .why(
            "このメールは、お子さまのコードがあなたのアカウントで使われたためお送りしています。",
            "お心当たりがない場合は、パスワードを変更し、マイページでつながりを解除してください。",
        );
    if !is_consent {
        return email;
    }
    email
        .line(format!("{learner_name} さんは18歳未満のため、つながったことで、コノマナの利用と講座などの購入に同意したことになります。同意だけで料金がかかることはありません。"))
        .consent_terms("いつでも、お子さまのページの「同意を取り消す」から取り消せます。つながりはそのまま残せます。")
}

/// Reports a withdrawn consent to the learner.
pub(crate) fn write_consent_withdrawn(recipient: Recipient) -> Email {
    Email::for_learner("guardian_consent_withdrawn", recipient, "コノマナ 保護者の方の同意が取り消されました")
        .line("保護者の方が、同意を取り消しました。新しい講座などの購入はできなくなりますが、いま持っている講座はこれまでどおり学習できます。")
        .line("もう一度同意してもらうときは、保護者の方と話してから、「設定」の「基本情報」でお願いのメールを送ってください。")
        .button("基本情報を開く", "/mypage/settings/base")
        .why("このメールは、保護者の方の同意が取り消されたことをお知らせするためにお送りしています。", CONTACT)
}

/// Confirms the withdrawal to the guardian.
pub(crate) fn write_withdrawal_receipt(recipient: Recipient, learner_name: &str) -> Email {
    Email::for_guardian("guardian_consent_withdrawn_receipt", recipient, "コノマナ 同意の取り消しを受け付けました")
        .line(format!("{learner_name} さんのコノマナの利用への同意を取り消しました。これからは、保護者の方がもう一度同意するまで購入できません。{learner_name} さんにもメールでお知らせしました。"))
        .line("アカウントと、すでに購入した講座は残ります。")
        .why(WHY_GUARDIAN, CONTACT)
}

/// Asks a guardian to approve a new birth date.
pub(crate) fn write_birth_date_change(
    recipient: Recipient,
    learner_name: &str,
    token: &str,
    expires_at: Option<OffsetDateTime>,
) -> Email {
    Email::for_guardian("birth_date_change", recipient, "コノマナ 生年月日の変更のご確認")
        .line(format!("{learner_name} さんのアカウントで、登録した生年月日を変える手続きがありました。"))
        .line("18歳以上になると、購入に保護者の方の同意がいらなくなります。新しい生年月日では、その日が早まります。正しい生年月日かどうかをご確認のうえ、下のボタンから承認するか、断るかを選んでください。それまでは、いまの生年月日のままです。")
        .button("内容を確認する", format!("/confirm/birth-date#token={token}"))
        .until("このリンク", expires_at)
        .why(WHY_GUARDIAN, "何もしなければ、生年月日は変わりません。")
}

/// Reports the decision on a new birth date to the learner.
pub(crate) fn write_birth_date_decided(recipient: Recipient, is_approved: bool) -> Email {
    let (subject, line) = if is_approved {
        ("コノマナ 生年月日を変更しました", "アカウントの生年月日を変更しました。")
    } else {
        (
            "コノマナ 生年月日は変更されませんでした",
            "生年月日の変更は承認されませんでした。いまの生年月日のままです。",
        )
    };
    Email::for_learner("birth_date_decided", recipient, subject)
        .line(line)
        .button("基本情報を開く", "/mypage/settings/base")
        .why("このメールは、生年月日の変更の手続きの結果をお知らせするためにお送りしています。", CONTACT)
}
