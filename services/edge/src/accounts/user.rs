//! The caller's account.

use axum::extract::State;
use axum::response::Response;
use proto::auth;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::incomplete;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::own_account::find_own_account;
use crate::session::Caller;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// The caller's account.
#[derive(Serialize, ToSchema)]
pub(crate) struct User {
    /// Never changes.
    id: Uuid,
    /// As registered.
    email: String,
    /// 姓
    last_name: String,
    /// 名
    first_name: String,
    /// セイ
    last_name_kana: String,
    /// メイ
    first_name_kana: String,
    /// Birth date; null: unknown.
    #[schema(required, format = Date)]
    birth_date: Option<String>,
    /// School year today in Tokyo: 小1 to 高3, or 既卒. Computed from the birth date, plus the offset that the
    /// owner chose. Null without a birth date.
    #[schema(required, example = "高1")]
    school_year: Option<String>,
    /// Granted scopes.
    #[schema(example = json!(["learner"]))]
    scope: Vec<String>,
    /// When the account was created.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// May be empty.
    school_name: String,
    /// Whether newsletters may be sent by email.
    news: bool,
    /// State of a guardian's consent for a minor.
    guardian_consent: GuardianConsent,
    /// Time of erasure; null unless the account is closing.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    erase_at: Option<OffsetDateTime>,
    /// Number of suspended passkeys, which the owner must keep or remove.
    suspended_passkeys: u32,
    /// Pending change of the birth date; null: none.
    #[schema(required)]
    requested_birth_date: Option<RequestedBirthDate>,
}

/// A pending change of the birth date.
#[derive(Serialize, ToSchema)]
struct RequestedBirthDate {
    #[schema(format = Date)]
    birth_date: String,
    #[serde(with = "time::serde::rfc3339")]
    asked: OffsetDateTime,
    /// Whether a guardian was asked by email. If not, only the staff can decide.
    is_guardian_asked: bool,
}

impl RequestedBirthDate {
    pub(super) fn new(requested: auth::RequestedBirthDate) -> Result<Self, Error> {
        Ok(Self {
            birth_date: requested.birth_date,
            asked: parse_timestamp(requested.asked)?,
            is_guardian_asked: requested.is_guardian_asked,
        })
    }
}

/// State of a guardian's consent for a minor.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum GuardianConsent {
    /// The user is 18 or older, or is not a learner.
    NotNeeded,
    /// No guardian was asked, or the request has expired.
    Missing,
    /// A guardian was asked, and the request is still valid.
    Waiting,
    /// Given, or a guardian is linked.
    Given,
}

impl GuardianConsent {
    pub(super) fn new(consent: auth::GuardianConsent) -> Result<Self, Error> {
        match consent {
            auth::GuardianConsent::Unspecified => Err(incomplete("guardian_consent")),
            auth::GuardianConsent::NotNeeded => Ok(Self::NotNeeded),
            auth::GuardianConsent::Missing => Ok(Self::Missing),
            auth::GuardianConsent::Waiting => Ok(Self::Waiting),
            auth::GuardianConsent::Given => Ok(Self::Given),
        }
    }
}

impl User {
    pub(super) fn new(user: auth::User) -> Result<Self, Error> {
        Ok(Self {
            guardian_consent: GuardianConsent::new(user.guardian_consent())?,
            id: user.id.parse().map_err(|_| incomplete("id"))?,
            email: user.email,
            last_name: user.last_name,
            first_name: user.first_name,
            last_name_kana: user.last_name_kana,
            first_name_kana: user.first_name_kana,
            birth_date: user.birth_date,
            school_year: user.school_year,
            scope: user.scope,
            created: parse_timestamp(user.created)?,
            school_name: user.school_name,
            news: user.news,
            erase_at: parse_optional_timestamp(user.erase_at)?,
            suspended_passkeys: user.suspended_passkeys,
            requested_birth_date: user.requested_birth_date.map(RequestedBirthDate::new).transpose()?,
        })
    }
}

/// Returns the caller's account.
#[utoipa::path(
    get,
    path = "/api/accounts/user/",
    operation_id = "user",
    tag = "accounts",
    responses((status = 200, description = "The account.", body = User))
)]
pub(crate) async fn user(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let user = find_own_account(&edge, &caller, caller.user().to_string()).await?;
    Ok(json(&User::new(user)?))
}
