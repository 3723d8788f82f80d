//! Emails about interviews, to learners and to the guardians who act for them.

use uuid::Uuid;

use super::Email;
use super::account::Recipient;
use crate::interview::Kind;
use crate::interview::slot::Slot;
use crate::japan_time::format_in_japan;
use crate::learner_contact::LearnerContact;
use crate::notification_topic::Topic;

const WHY: &str = "このメールは、コノマナの面談についてお知らせするためにお送りしています。";
const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";

/// What happened to an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    Booked,
    /// Booked in place of another one.
    Changed,
    /// Cancelled by the learner or a guardian.
    Cancelled,
    /// Cancelled by the school.
    Closed,
}

/// A guardian who books, changes or cancels for a learner.
pub(crate) struct Guardian {
    pub(crate) account: Uuid,
    pub(crate) contact: LearnerContact,
}

impl Occasion {
    /// The kind of email, its subject, and what happened.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Booked => ("interview_booked", "コノマナ 面談を予約しました", "次の面談を予約しました。"),
            Self::Changed => (
                "interview_changed",
                "コノマナ 面談の日時を変更しました",
                "面談の日時を、次のとおり変更しました。前の予約は取り消しました。",
            ),
            Self::Cancelled => {
                ("interview_cancelled", "コノマナ 面談をキャンセルしました", "次の面談をキャンセルしました。")
            }
            Self::Closed => (
                "interview_closed",
                "コノマナ 面談が中止になりました",
                "申し訳ございません。都合により、次の面談は中止になりました。",
            ),
        }
    }

    /// What to do next.
    fn next(self) -> Option<&'static str> {
        match self {
            Self::Booked | Self::Changed => Some(
                "開始の10分前から、「面談」のページに参加のボタンが出ます。変更とキャンセルは、開始の24時間前までできます。",
            ),
            Self::Cancelled => None,
            Self::Closed => Some("お手数ですが、「面談」のページから、別の日時をお選びください。"),
        }
    }
}

/// Tells a learner about an interview; `guardian` did it for them. The email does not contain the address of the video
/// call.
pub(crate) fn write_interview(
    account: Uuid,
    to: &LearnerContact,
    slot: &Slot,
    occasion: Occasion,
    guardian: Option<&Guardian>,
) -> Email {
    let recipient = Recipient { to: to.email.clone(), account: Some(account), name: to.name.clone() };
    let (kind, subject, line) = occasion.words();
    let mut email = Email::for_learner(kind, recipient, subject).line(line);
    if let Some(guardian) = guardian {
        email = email.line(format!("この手続きは、保護者の{}さんが行いました。", guardian.contact.name));
    }
    if let Some(line) = occasion.next() {
        email = email.line(line);
    }
    let mut email = email.button("面談のページを開く", "/mypage/interview").why(WHY, CONTACT);
    email.facts = facts_of(slot);
    if occasion == Occasion::Closed { email.topic(Topic::Interview) } else { email }
}

/// Tells a guardian about the interview of a child that they booked, changed or cancelled.
pub(crate) fn write_interview_to_guardian(
    guardian: &Guardian,
    child: Uuid,
    child_name: &str,
    slot: &Slot,
    occasion: Occasion,
) -> Email {
    let Guardian { account, contact } = guardian;
    let recipient =
        Recipient { to: contact.email.clone(), account: Some(*account), name: contact.name.clone() };
    let (kind, subject, line) = occasion.words();
    let mut email = Email::for_guardian(kind, recipient, subject).line(line);
    email = email.line("お子さまにも、メールでお知らせしました。");
    let next = match occasion {
        Occasion::Booked | Occasion::Changed if slot.kind != Kind::Parents.id() => Some(
            "お子さまと先生の1対1の面談です。参加のボタンは、お子さまの画面だけに出ます。変更とキャンセルは、開始の24時間前までできます。",
        ),
        _ => occasion.next(),
    };
    if let Some(line) = next {
        email = email.line(line);
    }
    let mut email =
        email.button("面談のページを開く", format!("/mypage/interview?child={child}")).why(WHY, CONTACT);
    email.facts = facts_of(slot);
    email.facts.insert(0, ("お子さま", child_name.to_owned()));
    email
}

fn facts_of(slot: &Slot) -> Vec<(&'static str, String)> {
    vec![
        ("面談", Kind::name_of(slot.kind).to_owned()),
        ("日時", format_in_japan(slot.starts_at)),
        ("先生", format!("{}先生", slot.teacher)),
    ]
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_guardian_is_promised_the_button_only_for_the_meeting_of_three() {
        let contact =
            LearnerContact { name: "山田 恵子".to_owned(), email: "keiko@demo.example".to_owned() };
        let guardian = Guardian { account: Uuid::nil(), contact };
        for (kind, takes_part) in [(Kind::Study, false), (Kind::Parents, true)] {
            let slot = Slot {
                id: Uuid::nil(),
                kind: kind.id(),
                teacher: "佐倉".to_owned(),
                starts_at: datetime!(2026-11-22 09:00 +9),
                ends_at: datetime!(2026-11-22 09:20 +9),
            };
            let email =
                write_interview_to_guardian(&guardian, Uuid::nil(), "山田 花子", &slot, Occasion::Booked);
            assert_eq!(email.lines.iter().any(|line| line.contains("参加のボタンが出ます")), takes_part);
        }
    }
}
