//! Every email with example values, for people who check the wording.
#![allow(clippy::needless_update, reason = "the macro fills events of which some have no further fields")]

use proto::auth as event;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::interview::{Guardian, Occasion, write_interview, write_interview_to_guardian};
use super::school_event::{EventFacts, News, write_news};
use super::{Email, Recipient, inquiry, notice, question};
use crate::contact::Inquiry;
use crate::interview::Kind;
use crate::interview::slot::Slot;
use crate::learner_contact::LearnerContact;

/// When the examples happen: a Saturday at 18:00 in Japan.
const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);
const ACCOUNT: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4aff);
const LEARNER: &str = "山田 花子";
const GUARDIAN: &str = "山田 恵子";

fn text(text: &str) -> String {
    text.to_owned()
}

fn to() -> String {
    text("hanako@demo.example")
}

fn id() -> String {
    ACCOUNT.to_string()
}

fn token() -> String {
    text("T0ken")
}

#[expect(clippy::unnecessary_wraps, reason = "the type of the fields")]
fn in_hours(hours: i64) -> Option<prost_types::Timestamp> {
    Some(kit::timestamp::to_timestamp(NOW + Duration::hours(hours)))
}

/// All emails. A kind may occur several times, with other values.
pub(super) fn list_examples() -> Vec<Email> {
    let mut all = list_account_emails();
    all.extend(list_guardian_emails());
    all.extend(list_learning_emails());
    all.extend(list_school_emails());
    all.extend(order::list_order_emails());
    all.extend(order::list_subscription_emails());
    all
}

/// An event to a learner, unless the fields say otherwise. A field without a value has that of the function of its name.
macro_rules! example {
    (@value $field:ident $value:expr) => {
        $value
    };
    (@value $field:ident) => {
        $field()
    };
    ($($event:ident)::+ { $($field:ident $(: $value:expr)?),* $(,)? }) => {
        Email::from($($event)::+ {
            to: to(),
            account_id: id(),
            $($field: example!(@value $field $($value)?),)*
            ..Default::default()
        })
    };
}

mod order;

fn name() -> String {
    text(LEARNER)
}

fn learner_name() -> String {
    text(LEARNER)
}

fn guardian_name() -> String {
    text(GUARDIAN)
}

fn list_account_emails() -> Vec<Email> {
    let sign_up =
        event::SignUpStarted { to: to(), code: text("493817"), token: token(), expires_at: in_hours(24) };
    vec![
        sign_up.into(),
        example!(event::SignUpOfAccount {}),
        example!(event::AccountCreated { name }),
        example!(event::PasswordResetRequested { name, uid: id(), token, expires_at: in_hours(1) }),
        example!(event::PasswordChanged { name, active_passkeys: 1, suspended_passkeys: 2 }),
        example!(event::EmailChangeRequested { name, token, expires_at: in_hours(24) }),
        example!(event::EmailChangePending {
            name,
            new_email: text("n***@demo.example"),
            token,
            expires_at: in_hours(24),
        }),
        example!(event::EmailChanged {
            name,
            new_email: text("n***@demo.example"),
            token,
            expires_at: in_hours(24),
        }),
        example!(event::EmailChangeUndone { name, suspended_passkeys: 1 }),
        example!(event::PasskeyAdded { name, passkey_name: text("iPhone") }),
        example!(event::PasskeyRemoved { name, passkey_name: text("iPhone") }),
        example!(event::AccountClosing { name, erase_at: in_hours(30 * 24) }),
        example!(event::AccountReopened { name }),
        example!(event::BirthDateChangeDecided { name, is_approved: true }),
        example!(event::BirthDateChangeDecided { name, is_approved: false }),
    ]
}

fn list_guardian_emails() -> Vec<Email> {
    vec![
        example!(event::GuardianConsentRequested {
            guardian_name,
            learner_name,
            token,
            expires_at: in_hours(48),
        }),
        example!(event::GuardianMailboxRefused {}),
        example!(event::GuardianConsentReceipt { guardian_name, learner_name, token }),
        example!(event::GuardianConsentGiven { name, guardian_name }),
        example!(event::GuardianConsentWithdrawn { name }),
        example!(event::GuardianConsentWithdrawnReceipt { guardian_name, learner_name }),
        example!(event::GuardianLinked { name, guardian_name }),
        example!(event::GuardianLinkReceipt {
            guardian_name,
            learner_name,
            learner_id: id(),
            is_consent: true
        }),
        example!(event::GuardianLinkReceipt {
            guardian_name,
            learner_name,
            learner_id: id(),
            is_consent: false
        }),
        example!(event::GuardianUnlinked { name, other_name: guardian_name(), to_guardian: false }),
        example!(event::GuardianUnlinked { name: guardian_name(), other_name: name(), to_guardian: true }),
        example!(event::BirthDateChangeRequested {
            guardian_name,
            learner_name,
            token,
            expires_at: in_hours(48),
        }),
    ]
}

fn list_learning_emails() -> Vec<Email> {
    let fact = |name: &str, value: &str| event::WeeklyReportFact { name: text(name), value: text(value) };
    let children = vec![
        event::WeeklyReportChild {
            id: id(),
            name: name(),
            facts: vec![fact("学習した日", "4日"), fact("見た時間", "3時間20分")],
            next: vec![fact("来週の予定", "5レッスン")],
            ..event::WeeklyReportChild::default()
        },
        event::WeeklyReportChild {
            id: id(),
            name: text("山田 太郎"),
            note: text("この週の学習はありませんでした。"),
            ..event::WeeklyReportChild::default()
        },
    ];
    let exam_name = || text("第2回 コノ模試");
    let contact = LearnerContact { name: name(), email: to() };
    let excerpt = ("冬休みの自習室", "冬休みの間、自習室を開きます。");
    vec![
        question::write_answered(ACCOUNT, &contact, ACCOUNT, "佐倉"),
        example!(event::ExamResultAnnounced { name, exam_id: 3, exam_name: exam_name() }),
        example!(event::ExamResultAnnounced {
            name: guardian_name(),
            exam_id: 3,
            exam_name: exam_name(),
            child_id: id(),
            child_name: name(),
        }),
        example!(event::WeeklyReportDue {
            name: guardian_name(),
            week: text("2026-11-16"),
            children: children
        }),
        notice::write_new_notice((ACCOUNT, to()), 12, Some(excerpt)),
        notice::write_new_notice((ACCOUNT, to()), 1_000_000_000, None),
    ]
}

fn list_school_emails() -> Vec<Email> {
    let contact = LearnerContact { name: name(), email: to() };
    let slot = Slot {
        id: ACCOUNT,
        kind: Kind::Study.id(),
        teacher: text("佐倉"),
        starts_at: NOW + Duration::DAY,
        ends_at: NOW + Duration::DAY + Duration::HOUR,
    };
    let event = EventFacts {
        id: 1,
        title: "入試説明会",
        place: "オンライン",
        starts_at: NOW + Duration::DAY,
        ends_at: NOW + Duration::DAY + Duration::HOUR,
    };
    let interviews = [Occasion::Booked, Occasion::Changed, Occasion::Cancelled, Occasion::Closed]
        .map(|occasion| write_interview(ACCOUNT, &contact, &slot, occasion, None));
    let guardian =
        Guardian { account: ACCOUNT, contact: LearnerContact { name: text(GUARDIAN), email: to() } };
    let by_guardian = [
        write_interview(ACCOUNT, &contact, &slot, Occasion::Booked, Some(&guardian)),
        write_interview_to_guardian(&guardian, ACCOUNT, LEARNER, &slot, Occasion::Booked),
    ];
    let news = [
        News::SignedUp,
        News::Waiting(3),
        News::Offered(NOW + Duration::DAY),
        News::OfferLapsed,
        News::Cancelled,
        News::Reminder,
    ];
    let news = news.map(|news| {
        let recipient = Recipient { to: to(), account: Some(ACCOUNT), name: name() };
        write_news(recipient, &event, name(), news)
    });
    let question = Inquiry {
        kind: "course",
        kind_name: "講座について",
        name: name(),
        email: to(),
        text: text("冬休みの講座は、いつから申し込めますか。"),
    };
    let number = "Q-261121-7Q4F2";
    let copy = inquiry::write_copy(&question, number, "support@konomana.example", "4bf92f3577b34da6", None);
    let mut all = vec![inquiry::write_receipt(&question, number, NOW), copy];
    all.extend(interviews.into_iter().chain(by_guardian).chain(news));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The kinds in the code of the emails: the literals in `snake_case` of their modules.
    fn find_kinds() -> BTreeSet<&'static str> {
        let sources = [
            include_str!("account.rs"),
            include_str!("exam.rs"),
            include_str!("guardian.rs"),
            include_str!("inquiry.rs"),
            include_str!("interview.rs"),
            include_str!("notice.rs"),
            include_str!("order.rs"),
            include_str!("payment.rs"),
            include_str!("question.rs"),
            include_str!("school_event.rs"),
            include_str!("subscription.rs"),
            include_str!("weekly_report.rs"),
        ];
        // Codes of declined cards and payment methods look like kinds.
        let others = ["authentication_required", "card_missing", "expired_card", "insufficient_funds"];
        let is_kind = |word: &&str| {
            word.len() > 4
                && !others.contains(word)
                && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        };
        sources.into_iter().flat_map(|source| source.split('"')).filter(is_kind).collect()
    }

    #[test]
    fn every_kind_of_email_has_an_example() {
        let examples: BTreeSet<_> = list_examples().iter().map(|email| email.kind).collect();
        assert_eq!(examples, find_kinds());
    }
}
