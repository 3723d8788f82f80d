//! Events of other services, and what they mean here.

use prost::{Message, Name};
use proto::auth as happened;
use proto::common::Event;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Error;
use crate::letter::Letter;
use crate::moment::utc;

/// An event that desk acts on.
pub(crate) struct Taken {
    pub(crate) id: Uuid,
    pub(crate) occurred_at: OffsetDateTime,
    pub(crate) what: What,
}

/// What is to be done.
pub(crate) enum What {
    /// A letter is to be sent.
    Tell(Box<Letter>),
    /// The account is to be forgotten.
    Forget(Uuid),
}

/// Reads an event; `None` for those that are no business of desk's.
pub(crate) fn read(event: &Event) -> Result<Option<Taken>, Error> {
    let id = event.id.parse().map_err(|_| Error::Field { name: "id", code: "INVALID_FORMAT" })?;
    let occurred_at =
        utc(event.occurred_at).ok_or(Error::Field { name: "occurred_at", code: "INVALID_FORMAT" })?;
    Ok(what(event)?.map(|what| Taken { id, occurred_at, what }))
}

fn what(event: &Event) -> Result<Option<What>, Error> {
    let letter = LETTERS.iter().find(|(name, _)| name() == event.r#type);
    if let Some((_, letter)) = letter {
        return letter(&event.payload).map(|letter| Some(What::Tell(Box::new(letter))));
    }
    if event.r#type != happened::AccountErased::full_name() {
        return Ok(None);
    }
    let erased: happened::AccountErased = decode(&event.payload)?;
    let account = erased.account_id.parse().map_err(|_| UNREADABLE)?;
    Ok(Some(What::Forget(account)))
}

const UNREADABLE: Error = Error::Field { name: "payload", code: "INVALID_FORMAT" };

fn decode<Payload: Message + Default>(payload: &[u8]) -> Result<Payload, Error> {
    Payload::decode(payload).map_err(|_| UNREADABLE)
}

fn letter<Payload: Message + Default + Into<Letter>>(payload: &[u8]) -> Result<Letter, Error> {
    decode::<Payload>(payload).map(Into::into)
}

type Row = (fn() -> String, fn(&[u8]) -> Result<Letter, Error>);

const fn row<Payload: Message + Name + Default + Into<Letter>>() -> Row {
    (Payload::full_name, letter::<Payload>)
}

/// The events that a letter is written for.
const LETTERS: [Row; 23] = [
    row::<happened::SignUpStarted>(),
    row::<happened::SignUpOfAccount>(),
    row::<happened::AccountCreated>(),
    row::<happened::PasswordResetRequested>(),
    row::<happened::PasswordChanged>(),
    row::<happened::EmailChangeRequested>(),
    row::<happened::EmailChangePending>(),
    row::<happened::EmailChanged>(),
    row::<happened::EmailChangeUndone>(),
    row::<happened::GuardianConsentRequested>(),
    row::<happened::GuardianConsentGiven>(),
    row::<happened::GuardianLinked>(),
    row::<happened::GuardianMailboxRefused>(),
    row::<happened::GuardianConsentReceipt>(),
    row::<happened::GuardianConsentWithdrawn>(),
    row::<happened::GuardianConsentWithdrawnReceipt>(),
    row::<happened::BirthDateChangeRequested>(),
    row::<happened::BirthDateChangeDecided>(),
    row::<happened::GuardianUnlinked>(),
    row::<happened::PasskeyAdded>(),
    row::<happened::PasskeyRemoved>(),
    row::<happened::AccountClosing>(),
    row::<happened::AccountReopened>(),
];
