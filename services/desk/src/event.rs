//! Events from other services that desk acts on.

use kit::error::FieldError;
use kit::timestamp::from_timestamp;
use prost::{Message, Name};
use proto::auth as event_types;
use proto::common::Event;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::email::Email;
use crate::error::Error;

/// An event with the action that it requires.
pub(crate) struct IncomingEvent {
    pub(crate) id: Uuid,
    pub(crate) occurred_at: OffsetDateTime,
    pub(crate) action: Action,
}

/// What desk does about an event.
pub(crate) enum Action {
    SendEmail(Box<Email>),
    EraseAccount(Uuid),
}

impl IncomingEvent {
    /// Decodes an event. `None` if desk does not act on its type.
    pub(crate) fn from_proto(event: &Event) -> Result<Option<Self>, Error> {
        let id = event.id.parse().map_err(|_| Error::Field(FieldError::new("id", "INVALID_FORMAT")))?;
        let occurred_at = event
            .occurred_at
            .and_then(|time| from_timestamp(time).ok())
            .ok_or(Error::Field(FieldError::new("occurred_at", "INVALID_FORMAT")))?;
        Ok(decode_action(event)?.map(|action| Self { id, occurred_at, action }))
    }
}

fn decode_action(event: &Event) -> Result<Option<Action>, Error> {
    let row = EMAIL_EVENTS.iter().find(|(name, _)| name() == event.r#type);
    if let Some((_, decode_email)) = row {
        return decode_email(&event.payload).map(|email| Some(Action::SendEmail(Box::new(email))));
    }
    if event.r#type != event_types::AccountErased::full_name() {
        return Ok(None);
    }
    let erased: event_types::AccountErased = decode(&event.payload)?;
    let account = erased.account_id.parse().map_err(|_| UNREADABLE)?;
    Ok(Some(Action::EraseAccount(account)))
}

const UNREADABLE: Error = Error::Field(FieldError::new("payload", "INVALID_FORMAT"));

fn decode<Payload: Message + Default>(payload: &[u8]) -> Result<Payload, Error> {
    Payload::decode(payload).map_err(|_| UNREADABLE)
}

fn decode_email<Payload: Message + Default + Into<Email>>(payload: &[u8]) -> Result<Email, Error> {
    decode::<Payload>(payload).map(Into::into)
}

type Row = (fn() -> String, fn(&[u8]) -> Result<Email, Error>);

const fn row<Payload: Message + Name + Default + Into<Email>>() -> Row {
    (Payload::full_name, decode_email::<Payload>)
}

/// The events that send an email.
const EMAIL_EVENTS: [Row; 23] = [
    row::<event_types::SignUpStarted>(),
    row::<event_types::SignUpOfAccount>(),
    row::<event_types::AccountCreated>(),
    row::<event_types::PasswordResetRequested>(),
    row::<event_types::PasswordChanged>(),
    row::<event_types::EmailChangeRequested>(),
    row::<event_types::EmailChangePending>(),
    row::<event_types::EmailChanged>(),
    row::<event_types::EmailChangeUndone>(),
    row::<event_types::GuardianConsentRequested>(),
    row::<event_types::GuardianConsentGiven>(),
    row::<event_types::GuardianLinked>(),
    row::<event_types::GuardianMailboxRefused>(),
    row::<event_types::GuardianConsentReceipt>(),
    row::<event_types::GuardianConsentWithdrawn>(),
    row::<event_types::GuardianConsentWithdrawnReceipt>(),
    row::<event_types::BirthDateChangeRequested>(),
    row::<event_types::BirthDateChangeDecided>(),
    row::<event_types::GuardianUnlinked>(),
    row::<event_types::PasskeyAdded>(),
    row::<event_types::PasskeyRemoved>(),
    row::<event_types::AccountClosing>(),
    row::<event_types::AccountReopened>(),
];
