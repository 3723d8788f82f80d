//! Emails about consent and birth dates, to guardians and learners.

use proto::auth as event_types;

use super::Email;

/// The kind of every answer to a request for consent. Learners see it in their data export. It must not reveal whether
/// the mailbox belongs to a minor.
const REQUEST: &str = "guardian_consent";

const WHY_GUARDIAN: &str =
    "このメールは、保護者の方の連絡先としてこのアドレスが登録されているためお送りしています。";
const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";

impl Email {
    fn greet_guardian(mut self, name: &str) -> Self {
        self.greeting = (!name.is_empty()).then(|| format!("{name} 様"));
        self
    }
}

impl From<event_types::GuardianMailboxRefused> for Email {
    fn from(event: event_types::GuardianMailboxRefused) -> Self {
        Self::new(REQUEST, event.to, "コノマナ 保護者の方のメールアドレスについて")
            .for_account(&event.account_id)
            .line("コノマナで、保護者の方の連絡先としてこのメールアドレスが入力されました。")
            .line("このアドレスは18歳未満の方のアカウントで使われているため、保護者の方の同意の手続きにはお使いいただけません。保護者の方ご自身の、別のメールアドレスを入力してもらってください。")
            .why(
                "このメールは、保護者の方の連絡先としてこのアドレスが入力されたためお送りしています。",
                "お心当たりがない場合は、このメールを削除してください。何も変更されません。",
            )
    }
}

impl From<event_types::GuardianConsentReceipt> for Email {
    fn from(event: event_types::GuardianConsentReceipt) -> Self {
        Self::new("guardian_consent_receipt", event.to, "コノマナ 同意を受け付けました")
            .for_account(&event.account_id)
            .greet_guardian(&event.guardian_name)
            .line(format!(
                "{} さんがコノマナを利用し、講座などを購入することへの同意を受け付けました。ありがとうございます。",
                event.learner_name
            ))
            .line("同意は、いつでも下のボタンから取り消せます。取り消すと、その後の購入ができなくなります。このメールは大切に保管してください。")
            .button("同意を取り消す", format!("/confirm/withdraw#token={}", event.token))
            .why("このメールは、保護者の方の同意の手続きがあったためお送りしています。", "お心当たりがない場合は、上のボタンから取り消してください。")
    }
}

impl From<event_types::GuardianConsentWithdrawn> for Email {
    fn from(event: event_types::GuardianConsentWithdrawn) -> Self {
        Self::new("guardian_consent_withdrawn", event.to, "コノマナ 保護者の方の同意が取り消されました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("保護者の方が、同意を取り消しました。新しい講座などの購入はできなくなりますが、いま持っている講座はこれまでどおり学習できます。")
            .line("もう一度同意してもらうときは、保護者の方と話してから、「設定」の「基本情報」でお願いのメールを送ってください。")
            .button("基本情報を開く", "/mypage/settings/base")
            .why("このメールは、保護者の方の同意が取り消されたことをお知らせするためにお送りしています。", CONTACT)
    }
}

impl From<event_types::GuardianConsentWithdrawnReceipt> for Email {
    fn from(event: event_types::GuardianConsentWithdrawnReceipt) -> Self {
        Self::new("guardian_consent_withdrawn_receipt", event.to, "コノマナ 同意の取り消しを受け付けました")
            .for_account(&event.account_id)
            .greet_guardian(&event.guardian_name)
            .line(format!(
                "{} さんのコノマナの利用への同意を取り消しました。これからは、保護者の方がもう一度同意するまで購入できません。{0} さんにもメールでお知らせしました。",
                event.learner_name
            ))
            .line("アカウントと、すでに購入した講座は残ります。")
            .why(WHY_GUARDIAN, CONTACT)
    }
}

impl From<event_types::BirthDateChangeRequested> for Email {
    fn from(event: event_types::BirthDateChangeRequested) -> Self {
        Self::new("birth_date_change", event.to, "コノマナ 生年月日の変更のご確認")
            .for_account(&event.account_id)
            .greet_guardian(&event.guardian_name)
            .line(format!(
                "{} さんのアカウントで、登録した生年月日を変える手続きがありました。",
                event.learner_name
            ))
            .line("18歳以上になると、購入に保護者の方の同意がいらなくなります。新しい生年月日では、その日が早まります。正しい生年月日かどうかをご確認のうえ、下のボタンから承認するか、断るかを選んでください。それまでは、いまの生年月日のままです。")
            .button("内容を確認する", format!("/confirm/birth-date#token={}", event.token))
            .until("このリンク", event.expires_at)
            .why(WHY_GUARDIAN, "何もしなければ、生年月日は変わりません。")
    }
}

impl From<event_types::BirthDateChangeDecided> for Email {
    fn from(event: event_types::BirthDateChangeDecided) -> Self {
        let (subject, line) = if event.is_approved {
            ("コノマナ 生年月日を変更しました", "アカウントの生年月日を変更しました。")
        } else {
            (
                "コノマナ 生年月日は変更されませんでした",
                "生年月日の変更は承認されませんでした。いまの生年月日のままです。",
            )
        };
        Self::new("birth_date_decided", event.to, subject)
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(line)
            .button("基本情報を開く", "/mypage/settings/base")
            .why("このメールは、生年月日の変更の手続きの結果をお知らせするためにお送りしています。", CONTACT)
    }
}
