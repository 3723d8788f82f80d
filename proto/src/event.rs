//! The events between the services: who publishes each type, and who receives it.

use prost::{Message, Name};

use crate::{auth, commerce, desk, exam, lms};

/// A message that travels as an event: a sender's outbox publishes it, and the inbox of each receiver takes it.
pub trait EventPayload: Message + Name + Default {
    /// The service that publishes it.
    const SENDER: &'static str;
    /// The services that receive it.
    const RECEIVERS: &'static [&'static str];
}

macro_rules! declare_events {
    ($($sender:literal to $receivers:expr => [$($payload:path),+ $(,)?])+) => {
        $($(impl EventPayload for $payload {
            const SENDER: &'static str = $sender;
            const RECEIVERS: &'static [&'static str] = &$receivers;
        })+)+

        /// The full names of the events that a service receives, e.g. `auth.v1.AccountErased`.
        #[must_use]
        pub fn received_by(receiver: &str) -> Vec<String> {
            let all = [$($((<$payload>::full_name(), <$payload>::RECEIVERS)),+),+];
            all.into_iter().filter(|(_, receivers)| receivers.contains(&receiver)).map(|(name, _)| name).collect()
        }
    };
}

declare_events! {
    "auth" to ["commerce", "desk", "exam", "lms"] => [auth::AccountErased]
    "auth" to ["commerce"] => [auth::PurchaseConsentWithdrawn, auth::AccountRenamed]
    "auth" to ["desk"] => [
        auth::SignUpStarted,
        auth::SignUpOfAccount,
        auth::AccountCreated,
        auth::PasswordResetRequested,
        // Makes a reset of an unknown address take as long as one of a known address.
        auth::PasswordResetRefused,
        auth::PasswordChanged,
        auth::EmailChangeRequested,
        auth::EmailChangePending,
        auth::EmailChanged,
        auth::EmailChangeUndone,
        auth::GuardianConsentRequested,
        auth::GuardianConsentGiven,
        auth::GuardianLinked,
        auth::GuardianLinkReceipt,
        auth::GuardianMailboxRefused,
        auth::GuardianConsentReceipt,
        auth::GuardianConsentWithdrawn,
        auth::GuardianConsentWithdrawnReceipt,
        auth::BirthDateChangeRequested,
        auth::BirthDateChangeDecided,
        auth::BirthDateChanged,
        auth::GuardianUnlinked,
        auth::PasskeyAdded,
        auth::PasskeyRemoved,
        auth::AccountClosing,
        auth::AccountReopened,
        auth::ExamResultAnnounced,
        auth::WeeklyReportDue,
    ]
    "commerce" to ["desk"] => [
        commerce::OrderPlaced,
        commerce::PaymentReminder,
        commerce::TransferShort,
        commerce::OrderPaid,
        commerce::OrderEnded,
        commerce::RefundRequested,
        commerce::OrderRefunded,
        commerce::RefundFailed,
        commerce::PaymentAsked,
        commerce::SubscriptionRenewed,
        commerce::SubscriptionNoticed,
        commerce::SubscriptionRefused,
        commerce::SubscriptionCancelled,
        commerce::SubscriptionStopped,
        commerce::SubscriptionEnded,
    ]
    "commerce" to ["desk"] => [desk::QuestionPlanGranted, desk::QuestionPlanRevoked]
    "commerce" to ["exam"] => [exam::ExamSeatGranted, exam::ExamSeatRevoked]
    "exam" to ["auth"] => [exam::ExamResultFinal]
    "exam" to ["lms"] => [exam::ExamQuestionsMissed]
    "commerce" to ["lms"] => [
        lms::EntitlementGranted,
        lms::EntitlementExtended,
        lms::EntitlementRevoked,
        commerce::PriceListPublished,
    ]
}
