//! Events from other services that desk acts on.

mod email;

use std::sync::LazyLock;

use kit::error::FieldError;
use kit_db::inbox::EventTypes;
use proto::auth as event_types;
use proto::commerce::{
    OrderEnded, OrderPaid, OrderPlaced, OrderRefunded, PaymentAsked, PaymentReminder, RefundFailed,
    RefundRequested, SubscriptionCancelled, SubscriptionEnded, SubscriptionNoticed, SubscriptionRefused,
    SubscriptionRenewed, SubscriptionStopped, TransferShort,
};
use proto::desk::{QuestionPlanGranted, QuestionPlanRevoked};
use time::Date;
use uuid::Uuid;

use crate::account_age::parse_birth_date;
use crate::email::Email;
use crate::question_plan::PlanGrant;

/// The action of desk for an event.
pub(crate) enum Action {
    SendEmail(Box<Email>),
    EraseAccount(Uuid),
    /// Stores the age of this account.
    SetBirthDate(Uuid, Date),
    GrantPlan(PlanGrant),
    /// Revokes the plan of this subscription.
    RevokePlan(Uuid),
}

/// The events that desk takes.
pub(crate) static EVENT_TYPES: LazyLock<EventTypes<Action>> = LazyLock::new(|| {
    EventTypes::default()
        .on(erase_account)
        .on(set_birth_date)
        .on(grant_plan)
        .on(|revoked: QuestionPlanRevoked| parse_id(&revoked.subscription_id).map(Action::RevokePlan))
        .on(send_email::<event_types::SignUpStarted>)
        .on(send_email::<event_types::SignUpOfAccount>)
        .on(send_email::<event_types::AccountCreated>)
        .on(send_email::<event_types::PasswordResetRequested>)
        .on(send_email::<event_types::PasswordChanged>)
        .on(send_email::<event_types::EmailChangeRequested>)
        .on(send_email::<event_types::EmailChangePending>)
        .on(send_email::<event_types::EmailChanged>)
        .on(send_email::<event_types::EmailChangeUndone>)
        .on(send_email::<event_types::GuardianConsentRequested>)
        .on(send_email::<event_types::GuardianConsentGiven>)
        .on(send_email::<event_types::GuardianLinked>)
        .on(send_email::<event_types::GuardianLinkReceipt>)
        .on(send_email::<event_types::GuardianMailboxRefused>)
        .on(send_email::<event_types::GuardianConsentReceipt>)
        .on(send_email::<event_types::GuardianConsentWithdrawn>)
        .on(send_email::<event_types::GuardianConsentWithdrawnReceipt>)
        .on(send_email::<event_types::BirthDateChangeRequested>)
        .on(send_email::<event_types::BirthDateChangeDecided>)
        .on(send_email::<event_types::GuardianUnlinked>)
        .on(send_email::<event_types::PasskeyAdded>)
        .on(send_email::<event_types::PasskeyRemoved>)
        .on(send_email::<event_types::AccountClosing>)
        .on(send_email::<event_types::AccountReopened>)
        .on(send_email::<event_types::ExamResultAnnounced>)
        .on(send_email::<event_types::WeeklyReportDue>)
        .on(send_email::<OrderPlaced>)
        .on(send_email::<PaymentReminder>)
        .on(send_email::<TransferShort>)
        .on(send_email::<OrderPaid>)
        .on(send_email::<OrderEnded>)
        .on(send_email::<RefundRequested>)
        .on(send_email::<OrderRefunded>)
        .on(send_email::<RefundFailed>)
        .on(send_email::<PaymentAsked>)
        .on(send_email::<SubscriptionRenewed>)
        .on(send_email::<SubscriptionNoticed>)
        .on(send_email::<SubscriptionRefused>)
        .on(send_email::<SubscriptionCancelled>)
        .on(send_email::<SubscriptionStopped>)
        .on(send_email::<SubscriptionEnded>)
        .ignore::<event_types::PasswordResetRefused>()
});

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of all event types")]
fn send_email<Payload: Into<Email>>(event: Payload) -> Result<Action, FieldError> {
    Ok(Action::SendEmail(Box::new(event.into())))
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is that of all event types")]
fn erase_account(erased: event_types::AccountErased) -> Result<Action, FieldError> {
    parse_id(&erased.account_id).map(Action::EraseAccount)
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is that of all event types")]
fn set_birth_date(changed: event_types::BirthDateChanged) -> Result<Action, FieldError> {
    let birth = parse_birth_date(&changed.birth_date).ok_or(FieldError::new("payload", "INVALID_FORMAT"))?;
    Ok(Action::SetBirthDate(parse_id(&changed.account_id)?, birth))
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is that of all event types")]
fn grant_plan(granted: QuestionPlanGranted) -> Result<Action, FieldError> {
    let (subscription, account) = (parse_id(&granted.subscription_id)?, parse_id(&granted.learner_id)?);
    Ok(Action::GrantPlan(PlanGrant { subscription, account }))
}

fn parse_id(text: &str) -> Result<Uuid, FieldError> {
    text.parse().map_err(|_| FieldError::new("payload", "INVALID_FORMAT"))
}

#[cfg(test)]
mod tests {
    use super::EVENT_TYPES;

    #[test]
    fn every_event_for_desk_is_taken_once() {
        let mut taken: Vec<_> = EVENT_TYPES.names().collect();
        let mut received = proto::event::received_by("desk");
        taken.sort_unstable();
        received.sort_unstable();
        assert_eq!(taken, received);
    }
}
