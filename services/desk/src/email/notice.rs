//! The email about a new notice.

use uuid::Uuid;

use super::Email;
use super::account::Recipient;
use crate::notification_topic::Topic;

/// Tells a reader of a new notice. One for the reader's account alone is not quoted: it may be confidential.
pub(crate) fn write_new_notice(
    (account, to): (Uuid, String),
    notice: i64,
    text: Option<(&str, &str)>,
) -> Email {
    let recipient = Recipient { to, account: Some(account), name: String::new() };
    let mut email = Email::for_learner("notice_published", recipient, "コノマナ 新しいお知らせがあります")
        .topic(Topic::Notice)
        .line("新しいお知らせがあります。下のボタンから読めます。")
        .button("お知らせを読む", format!("/mypage/notice/{notice}"))
        .why(
            "このメールは、新しいお知らせをメールで受け取ると選んだ方にお送りしています。",
            "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。",
        );
    if let Some((title, summary)) = text {
        email.facts = vec![("件名", title.to_owned()), ("内容", summary.to_owned())];
    }
    email
}
