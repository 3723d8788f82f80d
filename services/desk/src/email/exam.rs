//! Emails about exams, to learners and guardians.

use super::Email;
use super::account::Recipient;
use crate::notification_topic::Topic;

const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";

/// A learner, in the email to a guardian.
pub(crate) struct Child {
    /// The account, for addresses.
    pub(crate) id: String,
    pub(crate) name: String,
}

/// Announces that the result of an exam is final. The email does not contain the result. `child` is the learner if the
/// recipient is a guardian.
pub(crate) fn write_result_announced(
    recipient: Recipient,
    exam: i64,
    exam_name: String,
    child: Option<&Child>,
) -> Email {
    const KIND: &str = "exam_result_announced";
    const SUBJECT: &str = "コノマナ 模試の成績が確定しました";
    let mut email = match child {
        None => Email::for_learner(KIND, recipient, SUBJECT)
            .line("受験した模試の成績が確定しました。")
            .line("得点と偏差値、志望校の合格判定、まちがえた問題の復習のしかたを、マイページで見られます。")
            .button("成績を見る", format!("/mypage/mockexam/{exam}/result"))
            .why("このメールは、コノマナの模試を受験した方にお送りしています。", CONTACT),
        Some(Child { id, name }) => Email::for_guardian(KIND, recipient, SUBJECT)
            .line(format!("{name} さんが受験した模試の成績が確定しました。"))
            .line("得点と偏差値、志望校の合格判定を、お子さまのページでご覧いただけます。")
            .button("成績を見る", format!("/mypage/child/{id}/mockexam/{exam}/result"))
            .why("このメールは、模試を受験した方とつながっている保護者の方にお送りしています。", CONTACT),
    };
    email.facts = vec![("模試", exam_name)];
    email.topic(Topic::ExamResult)
}
