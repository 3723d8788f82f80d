//! The emails of events.

mod purchase;

use kit::timestamp::from_timestamp;
use prost_types::Timestamp;
use proto::auth as event_types;
use time::OffsetDateTime;

use crate::account_age::parse_birth_date;
use crate::email::{Email, Recipient, account, exam, guardian, weekly_report};

impl Recipient {
    fn new(to: String, account: &str, name: String) -> Self {
        Self { to, account: account.parse().ok(), name }
    }
}

fn to_time(timestamp: Option<Timestamp>) -> Option<OffsetDateTime> {
    timestamp.and_then(|timestamp| from_timestamp(timestamp).ok())
}

impl From<event_types::SignUpStarted> for Email {
    fn from(event: event_types::SignUpStarted) -> Self {
        account::write_sign_up(event.to, &event.token, to_time(event.expires_at), event.code)
    }
}

impl From<event_types::SignUpOfAccount> for Email {
    fn from(event: event_types::SignUpOfAccount) -> Self {
        account::write_sign_up_of_account(Recipient::new(event.to, &event.account_id, String::new()))
    }
}

impl From<event_types::AccountCreated> for Email {
    fn from(event: event_types::AccountCreated) -> Self {
        account::write_welcome(Recipient::new(event.to, &event.account_id, event.name))
            .born(parse_birth_date(&event.birth_date))
    }
}

impl From<event_types::PasswordResetRequested> for Email {
    fn from(event: event_types::PasswordResetRequested) -> Self {
        account::write_password_reset(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.uid,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::PasswordChanged> for Email {
    fn from(event: event_types::PasswordChanged) -> Self {
        account::write_password_changed(
            Recipient::new(event.to, &event.account_id, event.name),
            event.suspended_passkeys,
            event.active_passkeys,
        )
    }
}

impl From<event_types::EmailChangeRequested> for Email {
    fn from(event: event_types::EmailChangeRequested) -> Self {
        account::write_email_change(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::EmailChangePending> for Email {
    fn from(event: event_types::EmailChangePending) -> Self {
        account::write_email_change_pending(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.new_email,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::EmailChanged> for Email {
    fn from(event: event_types::EmailChanged) -> Self {
        account::write_email_changed(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.new_email,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::EmailChangeUndone> for Email {
    fn from(event: event_types::EmailChangeUndone) -> Self {
        account::write_email_change_undone(
            Recipient::new(event.to, &event.account_id, event.name),
            event.suspended_passkeys,
        )
    }
}

impl From<event_types::GuardianConsentRequested> for Email {
    fn from(event: event_types::GuardianConsentRequested) -> Self {
        account::write_consent_request(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::GuardianConsentGiven> for Email {
    fn from(event: event_types::GuardianConsentGiven) -> Self {
        account::write_consent_given(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.guardian_name,
        )
    }
}

impl From<event_types::GuardianLinked> for Email {
    fn from(event: event_types::GuardianLinked) -> Self {
        account::write_guardian_linked(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.guardian_name,
        )
    }
}

impl From<event_types::GuardianLinkReceipt> for Email {
    fn from(event: event_types::GuardianLinkReceipt) -> Self {
        guardian::write_link_receipt(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.learner_id,
            event.is_consent,
        )
    }
}

impl From<event_types::ExamResultAnnounced> for Email {
    fn from(event: event_types::ExamResultAnnounced) -> Self {
        let child = exam::Child { id: event.child_id, name: event.child_name };
        exam::write_result_announced(
            Recipient::new(event.to, &event.account_id, event.name),
            event.exam_id,
            event.exam_name,
            Some(&child).filter(|child| !child.id.is_empty()),
        )
        .born(event.birth_date.as_deref().and_then(parse_birth_date))
    }
}

impl From<event_types::WeeklyReportDue> for Email {
    fn from(event: event_types::WeeklyReportDue) -> Self {
        let pairs = |facts: Vec<event_types::WeeklyReportFact>| {
            facts.into_iter().map(|fact| (fact.name, fact.value)).collect()
        };
        let children = event.children.into_iter().map(|child| weekly_report::ChildReport {
            id: child.id,
            name: child.name,
            note: child.note,
            facts: pairs(child.facts),
            next: pairs(child.next),
        });
        weekly_report::write_weekly_report(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.week,
            children.collect(),
        )
    }
}

impl From<event_types::GuardianUnlinked> for Email {
    fn from(event: event_types::GuardianUnlinked) -> Self {
        account::write_guardian_unlinked(
            Recipient::new(event.to, &event.account_id, event.name),
            event.to_guardian,
            &event.other_name,
        )
    }
}

impl From<event_types::PasskeyRemoved> for Email {
    fn from(event: event_types::PasskeyRemoved) -> Self {
        account::write_passkey_removed(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.passkey_name,
        )
    }
}

impl From<event_types::PasskeyAdded> for Email {
    fn from(event: event_types::PasskeyAdded) -> Self {
        account::write_passkey_added(
            Recipient::new(event.to, &event.account_id, event.name),
            &event.passkey_name,
        )
    }
}

impl From<event_types::AccountClosing> for Email {
    fn from(event: event_types::AccountClosing) -> Self {
        account::write_account_closing(
            Recipient::new(event.to, &event.account_id, event.name),
            to_time(event.erase_at),
        )
    }
}

impl From<event_types::AccountReopened> for Email {
    fn from(event: event_types::AccountReopened) -> Self {
        account::write_account_reopened(Recipient::new(event.to, &event.account_id, event.name))
    }
}

impl From<event_types::GuardianMailboxRefused> for Email {
    fn from(event: event_types::GuardianMailboxRefused) -> Self {
        guardian::write_guardian_mailbox_refused(Recipient::new(event.to, &event.account_id, String::new()))
    }
}

impl From<event_types::GuardianConsentReceipt> for Email {
    fn from(event: event_types::GuardianConsentReceipt) -> Self {
        guardian::write_consent_receipt(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.token,
        )
    }
}

impl From<event_types::GuardianConsentWithdrawn> for Email {
    fn from(event: event_types::GuardianConsentWithdrawn) -> Self {
        guardian::write_consent_withdrawn(Recipient::new(event.to, &event.account_id, event.name))
    }
}

impl From<event_types::GuardianConsentWithdrawnReceipt> for Email {
    fn from(event: event_types::GuardianConsentWithdrawnReceipt) -> Self {
        guardian::write_withdrawal_receipt(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
        )
    }
}

impl From<event_types::BirthDateChangeRequested> for Email {
    fn from(event: event_types::BirthDateChangeRequested) -> Self {
        guardian::write_birth_date_change(
            Recipient::new(event.to, &event.account_id, event.guardian_name),
            &event.learner_name,
            &event.token,
            to_time(event.expires_at),
        )
    }
}

impl From<event_types::BirthDateChangeDecided> for Email {
    fn from(event: event_types::BirthDateChangeDecided) -> Self {
        guardian::write_birth_date_decided(
            Recipient::new(event.to, &event.account_id, event.name),
            event.is_approved,
        )
    }
}
