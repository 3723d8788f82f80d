//! Emails about accounts, and the builder of all emails.

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{Button, Email};
use crate::japan_time::format_in_japan;
use crate::notification_topic::Topic;

const NO_ACTION: &str = "お心当たりがある場合は、このままで大丈夫です。";
const CHANGE_PASSWORD: &str = "お心当たりがない場合は、ほかの人がログインしているおそれがあります。「パスワードを忘れた方」からパスワードを変更してください。";
const IGNORE: &str = "お心当たりがない場合は、このメールを削除してください。何も変更されません。";
const NEVER_TELL: &str =
    "このコードやリンクを、ほかの人に教えないでください。コノマナからお聞きすることもありません。";

/// Path of the page that requests a password reset.
const RESET: &str = "/login/password";

/// The recipient of an email about an account.
pub(crate) struct Recipient {
    /// The address.
    pub(crate) to: String,
    /// The account that the email is about.
    pub(crate) account: Option<Uuid>,
    /// The name in the greeting; empty for no greeting.
    pub(crate) name: String,
}

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
            topic: None,
            occurrence: None,
            to,
            account: None,
            birth_date: None,
            has_notice: false,
            subject: subject.into(),
            greeting: None,
            lines: Vec::new(),
            facts: Vec::new(),
            links: Vec::new(),
            quote: None,
            code: None,
            button: None,
            until: None,
            documents: Vec::new(),
            why: Vec::new(),
            unsubscribe: None,
            reply_to: None,
            picture: None,
        }
    }

    pub(super) fn for_learner(kind: &'static str, recipient: Recipient, subject: &str) -> Self {
        Self::about_account(kind, recipient, "さん", subject)
    }

    pub(super) fn for_guardian(kind: &'static str, recipient: Recipient, subject: &str) -> Self {
        Self::about_account(kind, recipient, "様", subject)
    }

    pub(super) fn for_buyer(kind: &'static str, recipient: Recipient, subject: &str) -> Self {
        Self::about_account(kind, recipient, "様", subject)
    }

    fn about_account(kind: &'static str, recipient: Recipient, title: &str, subject: &str) -> Self {
        let Recipient { to, account, name } = recipient;
        let greeting = (!name.is_empty()).then(|| format!("{name} {title}"));
        Self { account, greeting, ..Self::new(kind, to, subject) }
    }

    /// Makes it a notification, which its recipient can switch off.
    pub(super) fn topic(mut self, topic: Topic) -> Self {
        self.topic = Some(topic);
        self
    }

    /// Stores the birth date of the account with the email.
    pub(crate) fn born(mut self, birth_date: Option<Date>) -> Self {
        self.birth_date = birth_date;
        self
    }

    /// Sends the notification once for this occurrence.
    pub(super) fn occurrence(mut self, occurrence: String) -> Self {
        self.occurrence = Some(occurrence);
        self
    }

    /// Adds the links that end such emails.
    pub(crate) fn with_unsubscribe(mut self, token: String) -> Self {
        self.unsubscribe = Some(token);
        self
    }

    /// Gives the account a notice in the site with the same text.
    fn with_notice(mut self) -> Self {
        self.has_notice = true;
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

    pub(super) fn until(mut self, what: &str, time: Option<OffsetDateTime>) -> Self {
        self.until = time.map(|time| format!("{what}は {} まで使えます。", format_in_japan(time)));
        self
    }

    pub(super) fn why(mut self, why: &str, not_you: &str) -> Self {
        self.why = vec![why.to_owned(), not_you.to_owned()];
        self
    }
}

/// Writes the email with the code and the link of a sign-up.
pub(crate) fn write_sign_up(
    to: String,
    token: &str,
    expires_at: Option<OffsetDateTime>,
    code: String,
) -> Email {
    let mut email = Email::new("sign_up", to, "コノマナ 登録の確認コード")
        .line("コノマナに登録していただき、ありがとうございます。")
        .line("登録の画面に、次の6けたの確認コードを入力してください。下のボタンから進むこともできます。")
        .button("メールアドレスを確認する", format!("/signup/verify#token={token}"))
        .until("コードとリンク", expires_at)
        .why("このメールは、このアドレスで登録の手続きがあったためお送りしています。", IGNORE);
    email.code = Some(code);
    email.why.push(NEVER_TELL.to_owned());
    email
}

/// Writes the answer to a sign-up with the address of an account.
pub(crate) fn write_sign_up_of_account(recipient: Recipient) -> Email {
    Email::for_learner("sign_up_of_account", recipient, "コノマナ このアドレスは登録済みです")
        .line("このメールアドレスで新しく登録する手続きがありましたが、このアドレスはすでにコノマナに登録されています。")
        .line("ログインしてお使いください。パスワードを忘れたときは、ログイン画面の「パスワードを忘れた方」から新しくできます。")
        .button("ログインする", "/login")
        .why("このメールは、このアドレスで登録の手続きがあったためお送りしています。", IGNORE)
}

/// Welcomes the owner of a new account.
pub(crate) fn write_welcome(recipient: Recipient) -> Email {
    Email::for_learner("account_created", recipient, "コノマナへようこそ")
        .line("登録が終わりました。マイページから学習を始められます。")
        .button("マイページを開く", "/mypage")
        .why(
            "このメールは、コノマナのアカウントができたことをお知らせするためにお送りしています。",
            "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。",
        )
}

/// Writes the email with the link that resets a password.
pub(crate) fn write_password_reset(
    recipient: Recipient,
    uid: &str,
    token: &str,
    expires_at: Option<OffsetDateTime>,
) -> Email {
    let path = format!("/login/password/reset/{uid}/{token}");
    let mut email = Email::for_learner("password_reset", recipient, "コノマナ パスワードの再設定")
        .line("下のボタンから、新しいパスワードを決めてください。")
        .button("新しいパスワードを決める", path)
        .until("このリンク", expires_at)
        .why("このメールは、パスワードを再設定する手続きがあったためお送りしています。", IGNORE);
    email.why.push(NEVER_TELL.to_owned());
    email
}

/// Reports a changed password; `suspended` and `active` count the passkeys.
pub(crate) fn write_password_changed(recipient: Recipient, suspended: u32, active: u32) -> Email {
    Email::for_learner("password_changed", recipient, "コノマナ パスワードが変更されました")
        .line("パスワードが変更されました。ほかの端末では、もう一度ログインが必要です。")
        .lines(suspended_passkeys(suspended))
        .lines(active_passkeys(active))
        .line("お心当たりがないときは、ほかの人がログインしているおそれがあります。すぐに、下のボタンからパスワードを変えてください。")
        .button("パスワードを再設定する", RESET)
        .why(
            "このメールは、アカウントを守るために、パスワードが変わるたびにお送りしています。",
            NO_ACTION,
        )
}

/// Writes the email with the link that confirms a new address. It goes to the new address.
pub(crate) fn write_email_change(
    recipient: Recipient,
    token: &str,
    expires_at: Option<OffsetDateTime>,
) -> Email {
    let mut email = Email::for_learner("email_change", recipient, "コノマナ 新しいメールアドレスの確認")
        .line("メールアドレスをこのアドレスに変更します。下のボタンから確認してください。")
        .line("確認が終わるまでは、これまでのアドレスのままです。")
        .button("このアドレスに変更する", format!("/confirm/email#token={token}"))
        .until("このリンク", expires_at)
        .why("このメールは、このアドレスに変更する手続きがあったためお送りしています。", IGNORE);
    email.why.push(NEVER_TELL.to_owned());
    email
}

/// Reports a requested change of the address, with the link that stops it. It goes to the current address.
pub(crate) fn write_email_change_pending(
    recipient: Recipient,
    new_email: &str,
    token: &str,
    expires_at: Option<OffsetDateTime>,
) -> Email {
    let mut email = Email::for_learner("email_change_pending", recipient, "コノマナ メールアドレスの変更の手続きがありました")
        .line(format!("メールアドレスを {new_email} に変更する手続きがありました。まだ変更されていません。"))
        .line("ご自分で手続きをした場合は、新しいアドレスに届いたメールから確認してください。")
        .line("覚えがない場合は、下のボタンで変更を止めてください。パスワードを知られているおそれがあるため、そのあと「パスワードを忘れた方」からパスワードを変更することをおすすめします。")
        .button("アドレスの変更を止める", format!("/confirm/stop#token={token}"))
        .until("このリンク", expires_at)
        .why(
            "このメールは、アカウントを守るために、いまのアドレスにお送りしています。",
            "お心当たりがある場合は、このボタンを押さないでください。",
        );
    email.why.push(NEVER_TELL.to_owned());
    email
}

/// Reports a changed address, with the link that undoes it. It goes to the former address.
pub(crate) fn write_email_changed(
    recipient: Recipient,
    new_email: &str,
    token: &str,
    expires_at: Option<OffsetDateTime>,
) -> Email {
    let mut email = Email::for_learner("email_changed", recipient, "コノマナ メールアドレスが変更されました")
        .line(format!("メールアドレスが {new_email} に変更されました。"))
        .line("変更した覚えがないときは、下のボタンで元に戻せます。すべての端末からログアウトし、いまのパスワードとパスキーは使えなくなります。")
        .button("元のアドレスに戻す", format!("/confirm/undo#token={token}"))
        .until("このリンク", expires_at)
        .why("このメールは、アカウントを守るために、これまでのアドレスにお送りしています。", NO_ACTION);
    email.why.push(NEVER_TELL.to_owned());
    email
}

/// Reports that the former address is restored; `suspended` counts the passkeys.
pub(crate) fn write_email_change_undone(recipient: Recipient, suspended: u32) -> Email {
    Email::for_learner("email_change_undone", recipient, "コノマナ メールアドレスを元に戻しました")
        .line("メールアドレスをこのアドレスに戻し、すべての端末からログアウトしました。")
        .line("ほかの人に使われないように、これまでのパスワードは使えなくしました。変更の手続きのあとに追加されたパスキーも削除しました。")
        .lines(suspended_passkeys(suspended))
        .line("下のボタンから、新しいパスワードを決めてください。")
        .button("新しいパスワードを決める", RESET)
        .why("このメールは、メールアドレスの変更が取り消されたためお送りしています。", NO_ACTION)
}

/// Asks a guardian for consent.
pub(crate) fn write_consent_request(
    recipient: Recipient,
    learner_name: &str,
    token: &str,
    expires_at: Option<OffsetDateTime>,
) -> Email {
    Email::for_guardian("guardian_consent", recipient, "コノマナ 保護者の方へ ご確認のお願い")
        .line(format!("{learner_name} さんがコノマナ（オンライン学習サービス）を利用しています。18歳未満の方のご購入には、保護者の方の同意が必要です。"))
        .line("内容をご確認のうえ、下のボタンから同意の手続きをお願いします。同意だけで料金がかかることはありません。")
        .consent_terms("いつでも取り消せます。同意のあとにお送りする控えのメールのボタンから、手続きできます。")
        .button("内容を確認する", format!("/confirm/guardian#token={token}"))
        .until("このリンク", expires_at)
        .why(
            "このメールは、保護者の方の連絡先としてこのアドレスが入力されたためお送りしています。",
            "お心当たりがない場合は、このメールを削除してください。同意したことにはなりません。",
        )
}

/// Reports the consent of a guardian to the learner.
pub(crate) fn write_consent_given(recipient: Recipient, guardian_name: &str) -> Email {
    let mut email =
        Email::for_learner("guardian_consent_given", recipient, "コノマナ 保護者の方の同意を確認しました")
            .line(format!("{guardian_name} 様の同意を確認しました。講座などを購入できるようになりました。"))
            .line("カートに入れた商品は、そのまま残っています。カートに戻って、ご注文を続けられます。")
            .button("カートに戻る", "/cart")
            .why(
                "このメールは、保護者の方の同意が確認できたことをお知らせするためにお送りしています。",
                "お心当たりがない場合は、「設定」の「保護者」をご確認ください。",
            );
    email.links = vec![("マイページを開く", "/mypage".into())];
    email
}

/// Reports a new link with a guardian to the learner.
pub(crate) fn write_guardian_linked(recipient: Recipient, guardian_name: &str) -> Email {
    Email::for_learner("guardian_linked", recipient, "コノマナ 保護者の方とつながりました")
        .line(format!("{guardian_name} 様があなたのコードを使い、保護者としてつながりました。学習の進み方を見られるようになります。"))
        .line("だれがいつ見たかは「設定」の「保護者」で確かめられます。つながりは、いつでもやめられます。")
        .button("保護者の設定を開く", "/mypage/settings/guardian")
        .why(
            "このメールは、あなたのコードが使われたことをお知らせするためにお送りしています。",
            "お心当たりがない場合は、上のボタンから、つながりをやめてください。",
        )
}

/// Reports the end of a link to one of its two sides.
pub(crate) fn write_guardian_unlinked(recipient: Recipient, to_guardian: bool, other_name: &str) -> Email {
    let (kind, subject) = ("guardian_unlinked", "コノマナ 保護者の方とのつながりが解除されました");
    let email = if to_guardian {
        Email::for_guardian(kind, recipient, subject).line(format!(
            "{other_name} さんとのつながりが解除されました。学習の進み方は見られなくなります。"
        ))
    } else {
        Email::for_learner(kind, recipient, subject).line(format!("{other_name} 様とのつながりが解除されました。{other_name} 様は、あなたの学習の進み方を見られなくなります。"))
    };
    email
        .line("もう一度つながるには、生徒の「設定」の「保護者とのつながり」で新しいコードを発行してください。")
        .with_notice()
        .button("マイページを開く", "/mypage")
        .why(
            "このメールは、つながりが解除されたことを、生徒と保護者の両方にお知らせするためにお送りしています。",
            "つながりは、生徒と保護者のどちらからでも解除できます。お心当たりがない場合は、ご家族に確かめてください。",
        )
}

/// Reports a removed passkey.
pub(crate) fn write_passkey_removed(recipient: Recipient, passkey_name: &str) -> Email {
    Email::for_learner("passkey_removed", recipient, "コノマナ パスキーが削除されました")
        .line(format!(
            "パスキー「{passkey_name}」が削除されました。このパスキーでは、もうログインできません。"
        ))
        .line(NO_ACTION)
        .button("パスキーを確かめる", "/mypage/settings/password")
        .why(
            "このメールは、アカウントを守るために、パスキーが削除されるたびにお送りしています。",
            CHANGE_PASSWORD,
        )
}

/// Reports an added passkey.
pub(crate) fn write_passkey_added(recipient: Recipient, passkey_name: &str) -> Email {
    Email::for_learner("passkey_added", recipient, "コノマナ パスキーが追加されました")
        .line(format!("パスキー「{passkey_name}」が追加されました。これからは、パスワードの代わりにこのパスキーでもログインできます。"))
        .button("パスキーを確かめる", "/mypage/settings/password")
        .why(
            "このメールは、アカウントを守るために、パスキーが追加されるたびにお送りしています。",
            "お心当たりがない場合は、上のボタンからそのパスキーを削除し、パスワードを変更してください。",
        )
}

/// Confirms the request to close an account.
pub(crate) fn write_account_closing(recipient: Recipient, erase_at: Option<OffsetDateTime>) -> Email {
    let until = erase_at.map(format_in_japan).unwrap_or_default();
    Email::for_learner("account_closing", recipient, "コノマナ 退会の手続きを受け付けました")
        .line(format!("退会の手続きを受け付けました。{until} に、アカウントと学習の記録を削除します。"))
        .line("それまでにログインすると、退会を取りやめることができます。法律で保存が必要な購入の記録だけは残ります。")
        .button("退会を取りやめる", "/login")
        .why("このメールは、退会の手続きがあったためお送りしています。", CHANGE_PASSWORD)
}

/// Reports that an account is not closed after all.
pub(crate) fn write_account_reopened(recipient: Recipient) -> Email {
    Email::for_learner("account_reopened", recipient, "コノマナ 退会を取りやめました")
        .line("退会を取りやめました。アカウントも学習の記録も、これまでどおりです。")
        .button("マイページを開く", "/mypage")
        .why("このメールは、退会が取りやめられたためお送りしています。", CHANGE_PASSWORD)
}
