//! Accounts: JSON to the auth service and back.

pub(crate) mod consent;
pub(crate) mod ending;
mod export;
pub(crate) mod guardian;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod profile;
pub(crate) mod sessions;
pub(crate) mod signup;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Edge;
use crate::answer::{json, json_of};
use crate::client::Client;
use crate::device_cookie;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, JsonBody};
use crate::moment::{moment, optional};
use crate::session::{Anonymous, Caller};

/// Whom to sign in.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoginRequest {
    /// As registered, in any case.
    #[schema(min_length = 1, max_length = 254, pattern = "^[^\\u0000]+$")]
    email: String,
    /// As typed.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
}

impl Form for LoginRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        let (email, password) = (fields.text("email", 254), fields.text("password", 128));
        Some(Self { email: email?, password: password? })
    }
}

/// Which session goes on.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefreshRequest {
    /// The refresh token; used once.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    refresh: String,
}

impl Form for RefreshRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        Some(Self { refresh: fields.text("refresh", 512)? })
    }
}

/// What a browser holds.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tokens {
    /// A JWT for the Authorization header, alive for a day.
    access_token: String,
    /// For the next pair; alive until 30 days after the login.
    refresh_token: String,
}

impl Tokens {
    fn answer(tokens: Option<auth::Tokens>) -> Result<Response, Error> {
        Self::answer_with(StatusCode::OK, tokens)
    }

    /// The tokens; after a sign-in with the device cookie.
    fn answer_with(status: StatusCode, tokens: Option<auth::Tokens>) -> Result<Response, Error> {
        let tokens = tokens.ok_or_else(|| incomplete("tokens"))?;
        let auth::Tokens { access_token, refresh_token, device } = tokens;
        let mut answer = json_of(status, "application/json", &Self { access_token, refresh_token });
        device_cookie::give(&mut answer, device);
        Ok(answer)
    }
}

/// The account of the caller.
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
    /// Null where it was not told.
    #[schema(required, format = Date)]
    birth_date: Option<String>,
    /// For today in Tokyo: 小1 to 高3, or 既卒, worked out from the birth date and moved where its owner chose another;
    /// null without a birth date.
    #[schema(required, example = "高1")]
    school_year: Option<String>,
    /// What this account may do.
    #[schema(example = json!(["learner"]))]
    scope: Vec<String>,
    /// When the account was made.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// May be empty.
    school_name: String,
    /// Whether news may be sent by mail.
    news: bool,
    /// Whether a guardian agreed to what a minor does here.
    guardian_consent: GuardianConsent,
    /// When it will be erased; null unless it is closing.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    erase_at: Option<OffsetDateTime>,
    /// How many passkeys wait for their owner to keep or remove them.
    suspended_passkeys: u32,
    /// A change of the birth date that waits; null where none does.
    #[schema(required)]
    requested_birth_date: Option<RequestedBirthDate>,
}

/// A change of the birth date that is not in force yet.
#[derive(Serialize, ToSchema)]
struct RequestedBirthDate {
    #[schema(format = Date)]
    birth_date: String,
    #[serde(with = "time::serde::rfc3339")]
    asked: OffsetDateTime,
    /// Whether a guardian was asked by mail. Otherwise only the staff can decide.
    is_guardian_asked: bool,
}

impl RequestedBirthDate {
    fn new(requested: auth::RequestedBirthDate) -> Result<Self, Error> {
        Ok(Self {
            birth_date: requested.birth_date,
            asked: moment(requested.asked)?,
            is_guardian_asked: requested.is_guardian_asked,
        })
    }
}

/// Whether a guardian agreed to what a minor does here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum GuardianConsent {
    /// From 18 on, and for whoever does not learn.
    NotNeeded,
    /// Nobody was asked, or too long ago.
    Missing,
    /// Somebody was asked and can still agree.
    Waiting,
    /// Somebody agreed, or is linked.
    Given,
}

impl GuardianConsent {
    fn new(consent: auth::GuardianConsent) -> Result<Self, Error> {
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
    fn new(user: auth::User) -> Result<Self, Error> {
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
            created: moment(user.created)?,
            school_name: user.school_name,
            news: user.news,
            erase_at: optional(user.erase_at)?,
            suspended_passkeys: user.suspended_passkeys,
            requested_birth_date: user.requested_birth_date.map(RequestedBirthDate::new).transpose()?,
        })
    }
}

/// Sign in.
///
/// A wrong e-mail address or password is 400 `BAD_CREDENTIALS`; too many tries are 429 `RATE_LIMITED`. A browser that
/// signed in before has its own count of wrong passwords, by the cookie `konomana-device`. With the right pair, an
/// account whose password must be changed is 403 `PASSWORD_CHANGE_REQUIRED`, and one that is closing 403
/// `ACCOUNT_CLOSING`, which says `erase_at`.
#[utoipa::path(
    post,
    path = "/api/accounts/login/",
    operation_id = "login",
    tag = "accounts",
    request_body = LoginRequest,
    responses((status = 200, description = "A new session", body = Tokens))
)]
pub(crate) async fn login(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LoginRequest>,
) -> Result<Response, Error> {
    let request = auth::LoginRequest {
        email: form.email,
        password: form.password,
        client_address: client.address,
        user_agent: client.user_agent,
        device: client.device,
    };
    Tokens::answer(edge.auth(&Anonymous).login(request).await?.into_inner().tokens)
}

/// Exchange a refresh token for the next pair.
///
/// The same token again within 10 s gives the same pair. A dead one is 401 `REFRESH_DEAD`. More than 60 an hour in one
/// session are 429 `RATE_LIMITED`; the session stays alive.
#[utoipa::path(
    post,
    path = "/api/accounts/token/refresh/",
    operation_id = "refresh",
    tag = "accounts",
    request_body = RefreshRequest,
    responses((status = 200, description = "The session goes on", body = Tokens))
)]
pub(crate) async fn refresh(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<RefreshRequest>,
) -> Result<Response, Error> {
    let request = auth::RefreshRequest { refresh_token: form.refresh, client_address: client.address };
    Tokens::answer(edge.auth(&Anonymous).refresh(request).await?.into_inner().tokens)
}

/// The account of the caller.
#[utoipa::path(
    get,
    path = "/api/accounts/user/",
    operation_id = "user",
    tag = "accounts",
    responses((status = 200, description = "The account", body = User))
)]
pub(crate) async fn user(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = auth::GetUserRequest { user_id: caller.user().to_string() };
    let user =
        edge.auth(&caller).get_user(request).await?.into_inner().user.ok_or_else(|| incomplete("user"))?;
    Ok(json(&User::new(user)?))
}

/// End the session, on every device that shares it, within 1 s.
#[utoipa::path(
    post,
    path = "/api/accounts/logout/",
    operation_id = "logout",
    tag = "accounts",
    responses((status = 204, description = "It is over"))
)]
pub(crate) async fn logout(State(edge): State<Edge>, caller: Caller, _: Empty) -> Result<Response, Error> {
    edge.auth(&caller).logout(auth::LogoutRequest { sid: caller.session().to_string() }).await?;
    edge.sessions().ended(caller.session());
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn incomplete(what: &str) -> Error {
    tracing::error!(what, "auth left something out");
    Error::Internal
}
