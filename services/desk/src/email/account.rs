//! Emails about accounts, and the builder of all emails.

use kit::timestamp::from_timestamp;
use prost_types::Timestamp;
use proto::auth as event_types;
use uuid::Uuid;

use super::{Button, Email};
use crate::japan_time::format_in_japan;

const NO_ACTION: &str = "お心当たりがある場合は、このままで大丈夫です。";
const CHANGE_PASSWORD: &str = "お心当たりがない場合は、ほかの人がログインしているおそれがあります。「パスワードを忘れた方」からパスワードを変更してください。";
const IGNORE: &str = "お心当たりがない場合は、このメールを削除してください。何も変更されません。";
const NEVER_TELL: &str =
    "このコードやリンクを、ほかの人に教えないでください。コノマナからお聞きすることもありません。";

/// Path of the page that requests a password reset.
const RESET: &str = "/login/password";

/// The paragraph about suspended passkeys; `None` if there are none.
fn suspended_passkeys(count: u32) -> Option<String> {
    (count > 0).then(|| {
        format!(
            "登録されているパスキー（{count}個）は、ご本人が確かめるまで使えません。パスワードでログインして「設定」の「パスワードとパスキー」を開き、使いつづけるものと削除するものを選んでください。"
        )
    })
}

/// The paragraph about active passkeys; `None` if there are none.
fn active_passkeys(count: u32) -> Option<String> {
    (count > 0).then(|| {
        format!(
            "登録されているパスキー（{count}個）は、これまでどおり使えます。心当たりのないパスキーがあるときは、「設定」の「パスワードとパスキー」で削除してください。"
        )
    })
}

impl Email {
    pub(super) fn new(kind: &'static str, to: String, subject: impl Into<String>) -> Self {
        Self {
            kind,
            to,
            account: None,
            subject: subject.into(),
            greeting: None,
            lines: Vec::new(),
            facts: Vec::new(),
            quote: None,
            code: None,
            button: None,
            until: None,
            why: Vec::new(),
            reply_to: None,
            picture: None,
        }
    }

    pub(super) fn for_account(mut self, account: &str) -> Self {
        self.account = account.parse::<Uuid>().ok();
        self
    }

    pub(super) fn greet(mut self, name: &str) -> Self {
        self.greeting = (!name.is_empty()).then(|| format!("{name} さん"));
        self
    }

    pub(super) fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    fn lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    pub(super) fn button(mut self, label: &'static str, path: impl Into<String>) -> Self {
        self.button = Some(Button { label, path: path.into() });
        self
    }

    pub(super) fn until(mut self, what: &str, time: Option<Timestamp>) -> Self {
        self.until = time
            .and_then(|time| from_timestamp(time).ok())
            .map(|time| format!("{what}は {} まで使えます。", format_in_japan(time)));
        self
    }

    pub(super) fn why(mut self, why: &str, not_you: &str) -> Self {
        self.why = vec![why.to_owned(), not_you.to_owned()];
        self
    }
}

impl From<event_types::SignUpStarted> for Email {
    fn from(event: event_types::SignUpStarted) -> Self {
        let mut email = Self::new("sign_up", event.to, "コノマナ 登録の確認コード")
            .line("コノマナに登録していただき、ありがとうございます。")
            .line("登録の画面に、次の6けたの確認コードを入力してください。下のボタンから進むこともできます。")
            .button("メールアドレスを確認する", format!("/signup/verify#token={}", event.token))
            .until("コードとリンク", event.expires_at)
            .why("このメールは、このアドレスで登録の手続きがあったためお送りしています。", IGNORE);
        email.code = Some(event.code);
        email.why.push(NEVER_TELL.to_owned());
        email
    }
}

impl From<event_types::SignUpOfAccount> for Email {
    fn from(event: event_types::SignUpOfAccount) -> Self {
        Self::new("sign_up_of_account", event.to, "コノマナ このアドレスは登録済みです")
            .for_account(&event.account_id)
            .line("このメールアドレスで新しく登録する手続きがありましたが、このアドレスはすでにコノマナに登録されています。")
            .line("ログインしてお使いください。パスワードを忘れたときは、ログイン画面の「パスワードを忘れた方」から新しくできます。")
            .button("ログインする", "/login")
            .why("このメールは、このアドレスで登録の手続きがあったためお送りしています。", IGNORE)
    }
}

impl From<event_types::AccountCreated> for Email {
    fn from(event: event_types::AccountCreated) -> Self {
        Self::new("account_created", event.to, "コノマナへようこそ")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("登録が終わりました。マイページから学習を始められます。")
            .button("マイページを開く", "/mypage")
            .why(
                "このメールは、コノマナのアカウントができたことをお知らせするためにお送りしています。",
                "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。",
            )
    }
}

impl From<event_types::PasswordResetRequested> for Email {
    fn from(event: event_types::PasswordResetRequested) -> Self {
        let path = format!("/login/password/reset/{}/{}", event.uid, event.token);
        let mut email = Self::new("password_reset", event.to, "コノマナ パスワードの再設定")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("下のボタンから、新しいパスワードを決めてください。")
            .button("新しいパスワードを決める", path)
            .until("このリンク", event.expires_at)
            .why("このメールは、パスワードを再設定する手続きがあったためお送りしています。", IGNORE);
        email.why.push(NEVER_TELL.to_owned());
        email
    }
}

impl From<event_types::PasswordChanged> for Email {
    fn from(event: event_types::PasswordChanged) -> Self {
        Self::new("password_changed", event.to, "コノマナ パスワードが変更されました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("パスワードが変更されました。ほかの端末では、もう一度ログインが必要です。")
            .lines(suspended_passkeys(event.suspended_passkeys))
            .lines(active_passkeys(event.active_passkeys))
            .line(NO_ACTION)
            .button("パスワードを再設定する", RESET)
            .why(
                "このメールは、アカウントを守るために、パスワードが変わるたびにお送りしています。",
                CHANGE_PASSWORD,
            )
    }
}

impl From<event_types::EmailChangeRequested> for Email {
    fn from(event: event_types::EmailChangeRequested) -> Self {
        let mut email = Self::new("email_change", event.to, "コノマナ 新しいメールアドレスの確認")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("メールアドレスをこのアドレスに変更します。下のボタンから確認してください。")
            .line("確認が終わるまでは、これまでのアドレスのままです。")
            .button("このアドレスに変更する", format!("/confirm/email#token={}", event.token))
            .until("このリンク", event.expires_at)
            .why("このメールは、このアドレスに変更する手続きがあったためお送りしています。", IGNORE);
        email.why.push(NEVER_TELL.to_owned());
        email
    }
}

impl From<event_types::EmailChangePending> for Email {
    fn from(event: event_types::EmailChangePending) -> Self {
        let mut email = Self::new("email_change_pending", event.to, "コノマナ メールアドレスの変更の手続きがありました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!("メールアドレスを {} に変更する手続きがありました。まだ変更されていません。", event.new_email))
            .line("ご自分で手続きをした場合は、新しいアドレスに届いたメールから確認してください。")
            .line("覚えがない場合は、下のボタンで変更を止めてください。パスワードを知られているおそれがあるため、そのあと「パスワードを忘れた方」からパスワードを変更することをおすすめします。")
            .button("アドレスの変更を止める", format!("/confirm/stop#token={}", event.token))
            .until("このリンク", event.expires_at)
            .why(
                "このメールは、アカウントを守るために、いまのアドレスにお送りしています。",
                "お心当たりがある場合は、このボタンを押さないでください。",
            );
        email.why.push(NEVER_TELL.to_owned());
        email
    }
}

impl From<event_types::EmailChanged> for Email {
    fn from(event: event_types::EmailChanged) -> Self {
        let mut email = Self::new("email_changed", event.to, "コノマナ メールアドレスが変更されました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!("メールアドレスが {} に変更されました。", event.new_email))
            .line("変更した覚えがないときは、下のボタンで元に戻せます。すべての端末からログアウトし、いまのパスワードとパスキーは使えなくなります。")
            .button("元のアドレスに戻す", format!("/confirm/undo#token={}", event.token))
            .until("このリンク", event.expires_at)
            .why("このメールは、アカウントを守るために、これまでのアドレスにお送りしています。", NO_ACTION);
        email.why.push(NEVER_TELL.to_owned());
        email
    }
}

impl From<event_types::EmailChangeUndone> for Email {
    fn from(event: event_types::EmailChangeUndone) -> Self {
        Self::new("email_change_undone", event.to, "コノマナ メールアドレスを元に戻しました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("メールアドレスをこのアドレスに戻し、すべての端末からログアウトしました。")
            .line("ほかの人に使われないように、これまでのパスワードは使えなくしました。変更の手続きのあとに追加されたパスキーも削除しました。")
            .lines(suspended_passkeys(event.suspended_passkeys))
            .line("下のボタンから、新しいパスワードを決めてください。")
            .button("新しいパスワードを決める", RESET)
            .why("このメールは、メールアドレスの変更が取り消されたためお送りしています。", NO_ACTION)
    }
}

impl From<event_types::GuardianConsentRequested> for Email {
    fn from(event: event_types::GuardianConsentRequested) -> Self {
        let mut email = Self::new("guardian_consent", event.to, "コノマナ 保護者の方へ ご確認のお願い")
            .for_account(&event.account_id)
            .line(format!(
                "{} さんがコノマナ（オンライン学習サービス）を利用しています。18歳未満の方のご購入には、保護者の方の同意が必要です。",
                event.learner_name
            ))
            .line("内容をご確認のうえ、下のボタンから同意の手続きをお願いします。同意だけで料金がかかることはありません。")
            .button("内容を確認する", format!("/confirm/guardian#token={}", event.token))
            .until("このリンク", event.expires_at)
            .why(
                "このメールは、保護者の方の連絡先としてこのアドレスが入力されたためお送りしています。",
                "お心当たりがない場合は、このメールを削除してください。同意したことにはなりません。",
            );
        email.greeting = (!event.guardian_name.is_empty()).then(|| format!("{} 様", event.guardian_name));
        email
    }
}

impl From<event_types::GuardianConsentGiven> for Email {
    fn from(event: event_types::GuardianConsentGiven) -> Self {
        Self::new("guardian_consent_given", event.to, "コノマナ 保護者の方の同意を確認しました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!(
                "{} 様の同意を確認しました。講座などを購入できるようになりました。",
                event.guardian_name
            ))
            .button("マイページを開く", "/mypage")
            .why(
                "このメールは、保護者の方の同意が確認できたことをお知らせするためにお送りしています。",
                "お心当たりがない場合は、「設定」の「保護者」をご確認ください。",
            )
    }
}

impl From<event_types::GuardianLinked> for Email {
    fn from(event: event_types::GuardianLinked) -> Self {
        Self::new("guardian_linked", event.to, "コノマナ 保護者の方とつながりました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!(
                "{} 様があなたのコードを使い、保護者としてつながりました。学習の進み方を見られるようになります。",
                event.guardian_name
            ))
            .line("だれがいつ見たかは「設定」の「保護者」で確かめられます。つながりは、いつでもやめられます。")
            .button("保護者の設定を開く", "/mypage/settings/guardian")
            .why(
                "このメールは、あなたのコードが使われたことをお知らせするためにお送りしています。",
                "お心当たりがない場合は、上のボタンから、つながりをやめてください。",
            )
    }
}

impl From<event_types::GuardianUnlinked> for Email {
    fn from(event: event_types::GuardianUnlinked) -> Self {
        let email =
            Self::new("guardian_unlinked", event.to, "コノマナ 保護者の方とのつながりが解除されました")
                .for_account(&event.account_id);
        let email = if event.to_guardian {
            let mut email = email.line(format!(
                "{} さんとのつながりが解除されました。学習の進み方は見られなくなります。",
                event.other_name
            ));
            email.greeting = (!event.name.is_empty()).then(|| format!("{} 様", event.name));
            email
        } else {
            email.greet(&event.name).line(format!(
                "{} 様とのつながりが解除されました。{} 様は、あなたの学習の進み方を見られなくなります。",
                event.other_name, event.other_name
            ))
        };
        email
            .line("もう一度つながるには、生徒の「設定」の「保護者とのつながり」で新しいコードを発行してください。")
            .button("マイページを開く", "/mypage")
            .why(
                "このメールは、つながりが解除されたことを、生徒と保護者の両方にお知らせするためにお送りしています。",
                "つながりは、生徒と保護者のどちらからでも解除できます。お心当たりがない場合は、ご家族に確かめてください。",
            )
    }
}

impl From<event_types::PasskeyRemoved> for Email {
    fn from(event: event_types::PasskeyRemoved) -> Self {
        Self::new("passkey_removed", event.to, "コノマナ パスキーが削除されました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!(
                "パスキー「{}」が削除されました。このパスキーでは、もうログインできません。",
                event.passkey_name
            ))
            .line(NO_ACTION)
            .button("パスキーを確かめる", "/mypage/settings/password")
            .why(
                "このメールは、アカウントを守るために、パスキーが削除されるたびにお送りしています。",
                CHANGE_PASSWORD,
            )
    }
}

impl From<event_types::PasskeyAdded> for Email {
    fn from(event: event_types::PasskeyAdded) -> Self {
        Self::new("passkey_added", event.to, "コノマナ パスキーが追加されました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!(
                "パスキー「{}」が追加されました。これからは、パスワードの代わりにこのパスキーでもログインできます。",
                event.passkey_name
            ))
            .button("パスキーを確かめる", "/mypage/settings/password")
            .why(
                "このメールは、アカウントを守るために、パスキーが追加されるたびにお送りしています。",
                "お心当たりがない場合は、上のボタンからそのパスキーを削除し、パスワードを変更してください。",
            )
    }
}

impl From<event_types::AccountClosing> for Email {
    fn from(event: event_types::AccountClosing) -> Self {
        let until = event
            .erase_at
            .and_then(|time| from_timestamp(time).ok())
            .map(format_in_japan)
            .unwrap_or_default();
        Self::new("account_closing", event.to, "コノマナ 退会の手続きを受け付けました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line(format!("退会の手続きを受け付けました。{until} に、アカウントと学習の記録を削除します。"))
            .line("それまでにログインすると、退会を取りやめることができます。法律で保存が必要な購入の記録だけは残ります。")
            .button("退会を取りやめる", "/login")
            .why("このメールは、退会の手続きがあったためお送りしています。", CHANGE_PASSWORD)
    }
}

impl From<event_types::AccountReopened> for Email {
    fn from(event: event_types::AccountReopened) -> Self {
        Self::new("account_reopened", event.to, "コノマナ 退会を取りやめました")
            .for_account(&event.account_id)
            .greet(&event.name)
            .line("退会を取りやめました。アカウントも学習の記録も、これまでどおりです。")
            .button("マイページを開く", "/mypage")
            .why("このメールは、退会が取りやめられたためお送りしています。", CHANGE_PASSWORD)
    }
}
