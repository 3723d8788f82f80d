//! Sessions: sign-in and sign-out, token refresh, and the list of signed-in devices.

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

/// Credentials.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoginRequest {
    /// Registered email address; case is ignored.
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

/// The session to refresh.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefreshRequest {
    /// Refresh token; can be used once.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    refresh: String,
}

impl Form for RefreshRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { refresh: fields.text("refresh", 512)? })
    }
}

/// Tokens that the browser stores.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tokens {
    /// JWT for the Authorization header, valid for one day.
    access_token: String,
    /// Token for the next refresh, valid until 30 days after the login.
    refresh_token: String,
}

impl Tokens {
    pub(super) fn into_answer(tokens: Option<auth::Tokens>) -> Result<Response, Error> {
        Self::into_answer_with(StatusCode::OK, tokens)
    }

    /// Converts tokens to a response. After a sign-in it sets the device cookie.
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

/// Signs in.
///
/// 400 `BAD_CREDENTIALS` for a wrong email address or password. 429 `RATE_LIMITED` after too many attempts;
/// wrong passwords from a browser that signed in before are counted separately, by the cookie
/// `konomana-device`. With correct credentials: 403 `PASSWORD_CHANGE_REQUIRED` if the password must be
/// changed, 403 `ACCOUNT_CLOSING` with `erase_at` if the account is closing.
#[utoipa::path(
    post,
    path = "/api/accounts/login/",
    operation_id = "login",
    tag = "accounts",
    request_body = LoginRequest,
    responses((status = 200, description = "The tokens of the new session.", body = Tokens))
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

/// Exchanges a refresh token for new tokens.
///
/// The same token again within 10 s returns the same tokens. 401 `REFRESH_DEAD` if the token is invalid. 429
/// `RATE_LIMITED` beyond 60 requests an hour in one session; the session stays active.
#[utoipa::path(
    post,
    path = "/api/accounts/token/refresh/",
    operation_id = "refresh",
    tag = "accounts",
    request_body = RefreshRequest,
    responses((status = 200, description = "The new tokens of the session.", body = Tokens))
)]
pub(crate) async fn refresh(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<RefreshRequest>,
) -> Result<Response, Error> {
    let request = auth::RefreshRequest { refresh_token: form.refresh, client_address: client.address };
    Tokens::into_answer(edge.auth(&Anonymous).refresh(request).await?.into_inner().tokens)
}

/// Ends the caller's session, within 1 s on every device that shares it.
#[utoipa::path(
    post,
    path = "/api/accounts/logout/",
    operation_id = "logout",
    tag = "accounts",
    responses((status = 204, description = "The session has ended."))
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
    /// Device name, for display.
    #[schema(example = "iPhone の Safari")]
    device: String,
    /// Place of the last use, for display.
    #[schema(example = "いまと同じネットワーク")]
    place: &'static str,
    /// When it signed in.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    last_used: OffsetDateTime,
    /// Whether it is the caller's own device.
    is_current: bool,
}

/// Signed-in devices.
#[derive(Serialize, ToSchema)]
pub(crate) struct Devices {
    results: Vec<SignedIn>,
}

/// Lists the caller's signed-in devices, last used first.
#[utoipa::path(
    get,
    path = "/api/accounts/sessions/",
    operation_id = "sessions",
    tag = "accounts",
    responses((status = 200, description = "The devices.", body = Devices))
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

/// Signs a device out, within 1 s. 404 for a device of another account.
#[utoipa::path(
    delete,
    path = "/api/accounts/sessions/{id}/",
    operation_id = "end_session",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "Id of the device.")),
    responses((status = 204, description = "The device is signed out."))
)]
pub(crate) async fn end(State(edge): State<Edge>, caller: Caller, Key(id): Key) -> Result<Response, Error> {
    let request = auth::EndSessionRequest { user_id: caller.user().to_string(), sid: id.to_string() };
    edge.profiles(&caller).end_session(request).await?;
    edge.sessions().mark_ended(id);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends every session of the caller within 1 s, this one included.
#[utoipa::path(
    post,
    path = "/api/accounts/logout/all/",
    operation_id = "logout_everywhere",
    tag = "accounts",
    responses((status = 204, description = "The sessions have ended."))
)]
pub(crate) async fn end_all(State(edge): State<Edge>, caller: Caller, _: Empty) -> Result<Response, Error> {
    let request = auth::EndAllSessionsRequest { user_id: caller.user().to_string() };
    edge.profiles(&caller).end_all_sessions(request).await?;
    edge.sessions().mark_ended(caller.session());
    Ok(StatusCode::NO_CONTENT.into_response())
}
