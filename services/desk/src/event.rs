//! Events from other services that desk acts on.

mod email;

use std::sync::LazyLock;

use kit::caller::Service;
use kit::error::FieldError;
use kit_db::inbox::EventTypes;
use proto::auth as event_types;
use uuid::Uuid;

use crate::email::Email;

/// What desk does about an event.
pub(crate) enum Action {
    SendEmail(Box<Email>),
    EraseAccount(Uuid),
}

/// The events that desk takes.
pub(crate) static EVENT_TYPES: LazyLock<EventTypes<Action>> = LazyLock::new(|| {
    EventTypes::default()
        .on(Service::Auth, erase_account)
        .on(Service::Auth, send_email::<event_types::SignUpStarted>)
        .on(Service::Auth, send_email::<event_types::SignUpOfAccount>)
        .on(Service::Auth, send_email::<event_types::AccountCreated>)
        .on(Service::Auth, send_email::<event_types::PasswordResetRequested>)
        .on(Service::Auth, send_email::<event_types::PasswordChanged>)
        .on(Service::Auth, send_email::<event_types::EmailChangeRequested>)
        .on(Service::Auth, send_email::<event_types::EmailChangePending>)
        .on(Service::Auth, send_email::<event_types::EmailChanged>)
        .on(Service::Auth, send_email::<event_types::EmailChangeUndone>)
        .on(Service::Auth, send_email::<event_types::GuardianConsentRequested>)
        .on(Service::Auth, send_email::<event_types::GuardianConsentGiven>)
        .on(Service::Auth, send_email::<event_types::GuardianLinked>)
        .on(Service::Auth, send_email::<event_types::GuardianMailboxRefused>)
        .on(Service::Auth, send_email::<event_types::GuardianConsentReceipt>)
        .on(Service::Auth, send_email::<event_types::GuardianConsentWithdrawn>)
        .on(Service::Auth, send_email::<event_types::GuardianConsentWithdrawnReceipt>)
        .on(Service::Auth, send_email::<event_types::BirthDateChangeRequested>)
        .on(Service::Auth, send_email::<event_types::BirthDateChangeDecided>)
        .on(Service::Auth, send_email::<event_types::GuardianUnlinked>)
        .on(Service::Auth, send_email::<event_types::PasskeyAdded>)
        .on(Service::Auth, send_email::<event_types::PasskeyRemoved>)
        .on(Service::Auth, send_email::<event_types::AccountClosing>)
        .on(Service::Auth, send_email::<event_types::AccountReopened>)
        // auth adds this event so that a reset of an unknown address takes as long as one of a known address.
        .ignore::<event_types::PasswordResetRefused>(Service::Auth)
});

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of all event types")]
fn send_email<Payload: Into<Email>>(event: Payload) -> Result<Action, FieldError> {
    Ok(Action::SendEmail(Box::new(event.into())))
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is that of all event types")]
fn erase_account(erased: event_types::AccountErased) -> Result<Action, FieldError> {
    let account = erased.account_id.parse().map_err(|_| FieldError::new("payload", "INVALID_FORMAT"))?;
    Ok(Action::EraseAccount(account))
}
