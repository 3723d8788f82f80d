//! All that is kept about one person, as they take it along.

pub(super) mod body;
mod learning;
mod minors;

use proto::{auth, desk, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

pub(super) use self::learning::Learning;
use self::minors::{ExportedBirthDateChange, ExportedConsent, ExportedWithdrawal};
use super::guardian::GuardianView;
use super::profile::Address;
use super::{User, incomplete};
use crate::error::Error;
use crate::moment::{moment, optional};

/// All that is kept about the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    account: User,
    /// Null where it was never told.
    #[schema(required)]
    address: Option<Address>,
    /// Signed-in devices, also those that signed out lately.
    sessions: Vec<ExportedSession>,
    passkeys: Vec<ExportedPasskey>,
    /// The guardian who agreed, or was asked to.
    #[schema(required)]
    consent: Option<ExportedConsent>,
    /// Those who see the progress of this account.
    guardians: Vec<ExportedPerson>,
    /// When they looked, newest first.
    views: Vec<GuardianView>,
    /// Those whose progress this account sees.
    children: Vec<ExportedPerson>,
    /// Changes of the e-mail address under way.
    email_changes: Vec<ExportedEmailChange>,
    /// Changes of the birth date, oldest first.
    birth_date_changes: Vec<ExportedBirthDateChange>,
    /// Consents that guardians withdrew, oldest first.
    withdrawals: Vec<ExportedWithdrawal>,
    /// Mails of the last 30 days, newest first.
    mails: Vec<ExportedMail>,
    // The last field: its longest lists are written as they come.
    learning: Learning,
}

impl Export {
    pub(super) fn new(
        account: auth::ExportAccountResponse,
        learning: lms::ExportLearnerResponse,
        mails: desk::ExportResponse,
    ) -> Result<Self, Error> {
        Ok(Self {
            account: User::new(account.user.ok_or_else(|| incomplete("user"))?)?,
            address: account.address.map(Address::from),
            sessions: all(account.sessions, ExportedSession::new)?,
            passkeys: all(account.passkeys, ExportedPasskey::new)?,
            consent: account.consent.map(ExportedConsent::new).transpose()?,
            guardians: all(account.guardians, ExportedPerson::new)?,
            views: all(account.views, GuardianView::new)?,
            children: all(account.children, ExportedPerson::new)?,
            email_changes: all(account.email_changes, ExportedEmailChange::new)?,
            birth_date_changes: all(account.birth_date_changes, ExportedBirthDateChange::new)?,
            withdrawals: all(account.withdrawals, ExportedWithdrawal::new)?,
            learning: Learning::new(learning)?,
            mails: all(mails.mails, ExportedMail::new)?,
        })
    }
}

fn all<From, To>(list: Vec<From>, new: impl Fn(From) -> Result<To, Error>) -> Result<Vec<To>, Error> {
    list.into_iter().map(new).collect()
}

#[derive(Serialize, ToSchema)]
struct ExportedSession {
    /// What the browser called itself.
    user_agent: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    last_used: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ended: Option<OffsetDateTime>,
}

impl ExportedSession {
    fn new(session: auth::ExportedSession) -> Result<Self, Error> {
        Ok(Self {
            user_agent: session.user_agent,
            created: moment(session.created)?,
            last_used: moment(session.last_used)?,
            ended: optional(session.ended)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedPasskey {
    /// As its owner calls it.
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// Null until it signs in.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_used: Option<OffsetDateTime>,
    /// Since when it signs in nobody, until its owner keeps it; null unless it is suspended.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    suspended: Option<OffsetDateTime>,
}

impl ExportedPasskey {
    fn new(passkey: auth::ExportedPasskey) -> Result<Self, Error> {
        Ok(Self {
            name: passkey.name,
            created: moment(passkey.created)?,
            last_used: optional(passkey.last_used)?,
            suspended: optional(passkey.suspended)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedPerson {
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    since: OffsetDateTime,
}

impl ExportedPerson {
    fn new(person: auth::ExportedPerson) -> Result<Self, Error> {
        Ok(Self { name: person.name, since: moment(person.since)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedEmailChange {
    /// Empty until the change is confirmed.
    old_email: String,
    new_email: String,
    #[serde(with = "time::serde::rfc3339")]
    asked: OffsetDateTime,
}

impl ExportedEmailChange {
    fn new(change: auth::ExportedEmailChange) -> Result<Self, Error> {
        Ok(Self { old_email: change.old_email, new_email: change.new_email, asked: moment(change.asked)? })
    }
}

#[derive(Serialize, ToSchema)]
struct ExportedMail {
    /// What it was about.
    #[schema(example = "password_changed")]
    kind: String,
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// `waiting`, `sent`, `bounced` or `expired`.
    #[schema(example = "sent")]
    state: String,
    /// When it was sent or given up.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    done: Option<OffsetDateTime>,
}

impl ExportedMail {
    fn new(mail: desk::Mail) -> Result<Self, Error> {
        Ok(Self {
            kind: mail.kind,
            created: moment(mail.created)?,
            state: mail.state,
            done: optional(mail.done)?,
        })
    }
}
