//! Data of an export that concerns minors: consent and changes of the birth date.

use proto::auth;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::Error;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

#[derive(Serialize, ToSchema)]
pub(super) struct ExportedConsent {
    name: String,
    relation: String,
    email: String,
    #[serde(with = "time::serde::rfc3339")]
    asked: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    given: Option<OffsetDateTime>,
    /// Guardian's name as typed by the guardian; empty until consent is given.
    given_name: String,
}

impl ExportedConsent {
    pub(super) fn new(consent: auth::ExportedConsent) -> Result<Self, Error> {
        Ok(Self {
            name: consent.name,
            relation: consent.relation,
            email: consent.email,
            asked: parse_timestamp(consent.asked)?,
            given: parse_optional_timestamp(consent.given)?,
            given_name: consent.given_name,
        })
    }
}

#[derive(Serialize, ToSchema)]
pub(super) struct ExportedWithdrawal {
    /// Guardian's name as typed by the guardian; empty if a link to the guardian counted as consent.
    given_name: String,
    /// When consent was given; null if a link to the guardian counted as consent.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    given: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339")]
    withdrawn: OffsetDateTime,
}

impl ExportedWithdrawal {
    pub(super) fn new(withdrawal: auth::ExportedWithdrawal) -> Result<Self, Error> {
        Ok(Self {
            given_name: withdrawal.given_name,
            given: parse_optional_timestamp(withdrawal.given)?,
            withdrawn: parse_timestamp(withdrawal.withdrawn)?,
        })
    }
}

#[derive(Serialize, ToSchema)]
pub(super) struct ExportedBirthDateChange {
    /// Earlier birth date; null: unknown.
    #[schema(required, format = Date)]
    old_birth_date: Option<String>,
    #[schema(format = Date)]
    new_birth_date: String,
    #[serde(with = "time::serde::rfc3339")]
    asked: OffsetDateTime,
    /// When it was decided; null while it waits.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    decided: Option<OffsetDateTime>,
    /// `waiting`, `applied`, `approved`, `declined` or `replaced`.
    #[schema(example = "applied")]
    state: String,
}

impl ExportedBirthDateChange {
    pub(super) fn new(change: auth::ExportedBirthDateChange) -> Result<Self, Error> {
        Ok(Self {
            old_birth_date: change.old_birth_date,
            new_birth_date: change.new_birth_date,
            asked: parse_timestamp(change.asked)?,
            decided: parse_optional_timestamp(change.decided)?,
            state: change.state,
        })
    }
}
