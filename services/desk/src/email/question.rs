//! The email about the answer of a teacher.

use uuid::Uuid;

use super::Email;
use super::account::Recipient;
use crate::learner_contact::LearnerContact;
use crate::notification_topic::Topic;

/// Tells a learner that a teacher has answered. It contains nothing of the question or the answer.
pub(crate) fn write_answered(account: Uuid, asker: &LearnerContact, question: Uuid, teacher: &str) -> Email {
    let recipient = Recipient { to: asker.email.clone(), account: Some(account), name: asker.name.clone() };
    Email::for_learner("question_answered", recipient, "コノマナ 質問に回答がありました")
        .topic(Topic::Answer)
        .line(format!("先生への質問に、{teacher}先生が回答しました。"))
        .line("下のボタンから、回答を読めます。わからないところがあれば、続けて質問できます。")
        .button("回答を読む", format!("/mypage/question/{question}"))
        .why(
            "このメールは、コノマナの「先生に質問」で質問した方にお送りしています。",
            "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。",
        )
}
