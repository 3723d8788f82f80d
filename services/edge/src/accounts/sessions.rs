//! Sessions: signing in and out, refreshing, and the list of signed-in devices.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::client::Client;
use crate::device_cookie;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, JsonBody, Key};
use crate::session::{Anonymous, Caller};
use crate::timestamp::parse_timestamp;

/// Whom to sign in.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoginRequest {
    /// As registered, in any case.
    #[schema(min_length = 1, max_length = 254, pattern = "^[^\\u0000]+$")]
    pub(super) email: String,
    /// As typed.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    pub(super) password: String,
}

impl Form for LoginRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
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
    fn from_fields(fields: &mut Fields) -> Option<Self> {
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
    pub(super) fn into_answer(tokens: Option<auth::Tokens>) -> Result<Response, Error> {
        Self::into_answer_with(StatusCode::OK, tokens)
    }

    /// The tokens; after a sign-in with the device cookie.
    pub(super) fn into_answer_with(
        status: StatusCode,
        tokens: Option<auth::Tokens>,
    ) -> Result<Response, Error> {
        let tokens = tokens.ok_or_else(|| incomplete("tokens"))?;
        let auth::Tokens { access_token, refresh_token, device } = tokens;
        let mut answer = json_of(status, "application/json", &Self { access_token, refresh_token });
        device_cookie::give(&mut answer, device);
        Ok(answer)
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
    Tokens::into_answer(edge.auth(&Anonymous).login(request).await?.into_inner().tokens)
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
    Tokens::into_answer(edge.auth(&Anonymous).refresh(request).await?.into_inner().tokens)
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
    edge.sessions().mark_ended(caller.session());
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A signed-in device.
#[derive(Serialize, ToSchema)]
struct SignedIn {
    #[schema(format = Uuid)]
    id: String,
    /// In words to show.
    #[schema(example = "iPhone の Safari")]
    device: String,
    /// In words to show: where it was last used.
    #[schema(example = "いまと同じネットワーク")]
    place: &'static str,
    /// When it signed in.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    last_used: OffsetDateTime,
    /// Whether it is the one that asks.
    is_current: bool,
}

/// Signed-in devices.
#[derive(Serialize, ToSchema)]
pub(crate) struct Devices {
    results: Vec<SignedIn>,
}

/// The signed-in devices of the caller, last used first.
#[utoipa::path(
    get,
    path = "/api/accounts/sessions/",
    operation_id = "sessions",
    tag = "accounts",
    responses((status = 200, description = "All of them", body = Devices))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
) -> Result<Response, Error> {
    let request = auth::ListSessionsRequest {
        user_id: caller.user().to_string(),
        sid: caller.session().to_string(),
        client_address: client.address,
    };
    let sessions = edge.profiles(&caller).list_sessions(request).await?.into_inner().sessions;
    let results = sessions.into_iter().map(|session| {
        Ok(SignedIn {
            id: session.id,
            device: session.device,
            place: if session.is_same_network {
                "いまと同じネットワーク"
            } else {
                "別のネットワーク"
            },
            created: parse_timestamp(session.created)?,
            last_used: parse_timestamp(session.last_used)?,
            is_current: session.is_current,
        })
    });
    Ok(json(&Devices { results: results.collect::<Result<_, Error>>()? }))
}

/// Sign a device out, within 1 s. Another account's is 404.
#[utoipa::path(
    delete,
    path = "/api/accounts/sessions/{id}/",
    operation_id = "end_session",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "The device")),
    responses((status = 204, description = "It is signed out"))
)]
pub(crate) async fn end(State(edge): State<Edge>, caller: Caller, Key(id): Key) -> Result<Response, Error> {
    let request = auth::EndSessionRequest { user_id: caller.user().to_string(), sid: id.to_string() };
    edge.profiles(&caller).end_session(request).await?;
    edge.sessions().mark_ended(id);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Sign out everywhere, within 1 s, here as well.
#[utoipa::path(
    post,
    path = "/api/accounts/logout/all/",
    operation_id = "logout_everywhere",
    tag = "accounts",
    responses((status = 204, description = "It is over"))
)]
pub(crate) async fn end_all(State(edge): State<Edge>, caller: Caller, _: Empty) -> Result<Response, Error> {
    let request = auth::EndAllSessionsRequest { user_id: caller.user().to_string() };
    edge.profiles(&caller).end_all_sessions(request).await?;
    edge.sessions().mark_ended(caller.session());
    Ok(StatusCode::NO_CONTENT.into_response())
}
