//! Emails about interviews, to learners.

use uuid::Uuid;

use super::Email;
use super::account::Recipient;
use crate::interview::Kind;
use crate::interview::slot::Slot;
use crate::japan_time::format_in_japan;
use crate::learner_contact::LearnerContact;
use crate::notification_topic::Topic;

/// What happened to an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    Booked,
    /// Booked in place of another one.
    Changed,
    /// Cancelled by the learner.
    Cancelled,
    /// Cancelled by the school.
    Closed,
}

/// Tells a learner about an interview. The email does not contain the address of the video call.
pub(crate) fn write_interview(account: Uuid, to: &LearnerContact, slot: &Slot, occasion: Occasion) -> Email {
    let recipient = Recipient { to: to.email.clone(), account: Some(account), name: to.name.clone() };
    let (kind, subject, lines): (_, _, &[&str]) = match occasion {
        Occasion::Booked => (
            "interview_booked",
            "コノマナ 面談を予約しました",
            &[
                "次の面談を予約しました。",
                "開始の10分前から、「面談」のページに参加のボタンが出ます。変更とキャンセルは、開始の24時間前までできます。",
            ],
        ),
        Occasion::Changed => (
            "interview_changed",
            "コノマナ 面談の日時を変更しました",
            &[
                "面談の日時を、次のとおり変更しました。前の予約は取り消しました。",
                "開始の10分前から、「面談」のページに参加のボタンが出ます。変更とキャンセルは、開始の24時間前までできます。",
            ],
        ),
        Occasion::Cancelled => {
            ("interview_cancelled", "コノマナ 面談をキャンセルしました", &["次の面談をキャンセルしました。"])
        }
        Occasion::Closed => (
            "interview_closed",
            "コノマナ 面談が中止になりました",
            &[
                "申し訳ございません。都合により、次の面談は中止になりました。",
                "お手数ですが、「面談」のページから、別の日時をお選びください。",
            ],
        ),
    };
    let mut email = Email::for_learner(kind, recipient, subject);
    for line in lines {
        email = email.line(*line);
    }
    email = email.button("面談のページを開く", "/mypage/interview").why(
        "このメールは、コノマナの面談についてお知らせするためにお送りしています。",
        "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。",
    );
    email.facts = vec![
        ("面談", Kind::name_of(slot.kind).to_owned()),
        ("日時", format_in_japan(slot.starts_at)),
        ("先生", format!("{}先生", slot.teacher)),
    ];
    if occasion == Occasion::Closed { email.topic(Topic::Interview) } else { email }
}
