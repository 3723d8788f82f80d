//! Changes of a password: by its owner, by a link in an email, or at sign-in if a change is required.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use utoipa::ToSchema;

use super::sessions::Tokens;
use crate::Edge;
use crate::client::Client;
use crate::device_cookie;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::session::{Anonymous, Caller};

/// Credentials and a new password.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeRequest {
    /// Registered email address; case is ignored.
    #[schema(min_length = 1, max_length = 254, pattern = "^[^\\u0000]+$")]
    email: String,
    /// As typed.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    /// As typed; at least 10 characters, and hard to guess.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    new_password: String,
}

impl Form for ChangeRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (email, password) = (fields.text("email", 254), fields.text("password", 128));
        let new_password = fields.text("new_password", 128);
        Some(Self { email: email?, password: password?, new_password: new_password? })
    }
}

/// The account whose password is to be reset.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetRequest {
    /// As typed.
    #[schema(min_length = 1, max_length = 512, pattern = "^[^\\u0000]+$")]
    email: String,
}

impl Form for ResetRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { email: fields.text("email", 512)? })
    }
}

/// A password reset link.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetLink {
    /// `uid` in the path of the link.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    uid: String,
    /// `token` in the path of the link.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    token: String,
}

impl Form for ResetLink {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (uid, token) = (fields.text("uid", 64), fields.text("token", 64));
        Some(Self { uid: uid?, token: token? })
    }
}

/// A password reset link and the new password.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetConfirmation {
    /// `uid` in the path of the link.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    uid: String,
    /// `token` in the path of the link.
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]+$")]
    token: String,
    /// As typed; at least 10 characters, and hard to guess.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
}

impl Form for ResetConfirmation {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (uid, token) = (fields.text("uid", 64), fields.text("token", 64));
        let password = fields.text("password", 128);
        Some(Self { uid: uid?, token: token?, password: password? })
    }
}

/// Signs in with a new password, after 403 `PASSWORD_CHANGE_REQUIRED`.
///
/// Ends every other session and cancels all pending changes of the account. Same errors as `POST
/// /api/accounts/login/`.
#[utoipa::path(
    post,
    path = "/api/accounts/login/change/",
    operation_id = "changePasswordAtLogin",
    tag = "accounts",
    request_body = ChangeRequest,
    responses((status = 200, description = "The tokens of the new session.", body = Tokens))
)]
pub(crate) async fn change(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<ChangeRequest>,
) -> Result<Response, Error> {
    let request = auth::ChangePasswordAtLoginRequest {
        email: form.email,
        password: form.password,
        new_password: form.new_password,
        client_address: client.address,
        user_agent: client.user_agent,
        device: client.device,
    };
    Tokens::into_answer(edge.entry(&Anonymous).change_password_at_login(request).await?.into_inner().tokens)
}

/// Requests a password reset link by email.
///
/// The response does not reveal whether the address has an account.
#[utoipa::path(
    post,
    path = "/api/accounts/password/reset/",
    operation_id = "requestPasswordReset",
    tag = "accounts",
    request_body = ResetRequest,
    responses((status = 202, description = "The request is accepted. If there is an account, an email is sent."))
)]
pub(crate) async fn reset(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<ResetRequest>,
) -> Result<Response, Error> {
    let request = auth::RequestPasswordResetRequest { email: form.email, client_address: client.address };
    edge.entry(&Anonymous).request_password_reset(request).await?;
    Ok(StatusCode::ACCEPTED.into_response())
}

/// Checks a password reset link. Changes nothing.
///
/// 400 `LINK_DEAD` if the link is unknown, used or expired.
#[utoipa::path(
    post,
    path = "/api/accounts/password/reset/check/",
    operation_id = "checkPasswordReset",
    tag = "accounts",
    request_body = ResetLink,
    responses((status = 204, description = "The link is valid."))
)]
pub(crate) async fn check(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<ResetLink>,
) -> Result<Response, Error> {
    let request =
        auth::CheckPasswordResetRequest { uid: form.uid, token: form.token, client_address: client.address };
    edge.entry(&Anonymous).check_password_reset(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Sets a new password by a reset link, once.
///
/// Ends every session, cancels all pending changes and suspends every passkey. Sets the cookie
/// `konomana-device`, as a sign-in does: wrong passwords of this browser are counted separately.
#[utoipa::path(
    post,
    path = "/api/accounts/password/reset/confirm/",
    operation_id = "confirmPasswordReset",
    tag = "accounts",
    request_body = ResetConfirmation,
    responses((status = 204, description = "The new password is in force."))
)]
pub(crate) async fn confirm(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<ResetConfirmation>,
) -> Result<Response, Error> {
    let request = auth::ConfirmPasswordResetRequest {
        uid: form.uid,
        token: form.token,
        password: form.password,
        client_address: client.address,
        device: client.device,
    };
    let confirmed = edge.entry(&Anonymous).confirm_password_reset(request).await?.into_inner();
    let mut answer = StatusCode::NO_CONTENT.into_response();
    device_cookie::give(&mut answer, confirmed.device);
    Ok(answer)
}

/// The caller's password.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnPasswordRequest {
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    pub(super) password: String,
}

impl Form for OwnPasswordRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { password: fields.text("password", 128)? })
    }
}

/// The current and the new password.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordRequest {
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    new_password: String,
}

impl Form for PasswordRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (password, new_password) = (fields.text("password", 128), fields.text("new_password", 128));
        Some(Self { password: password?, new_password: new_password? })
    }
}

/// Changes the caller's password.
///
/// Ends every session, the caller's included, cancels all pending changes of the account and starts a new
/// session. 400 `BAD_CREDENTIALS` for a wrong password, 429 `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/password/",
    operation_id = "change_password",
    tag = "accounts",
    request_body = PasswordRequest,
    responses((status = 200, description = "The tokens of the new session.", body = Tokens))
)]
pub(crate) async fn change_password(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<PasswordRequest>,
) -> Result<Response, Error> {
    let request = auth::ChangePasswordRequest {
        user_id: caller.user().to_string(),
        sid: caller.session().to_string(),
        password: form.password,
        new_password: form.new_password,
        client_address: client.address,
        user_agent: client.user_agent,
        device: client.device,
    };
    let tokens = edge.profiles(&caller).change_password(request).await?.into_inner().tokens;
    if tokens.is_none() {
        // An auth of the previous release: the caller's session continues.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    edge.sessions().mark_ended(caller.session());
    Tokens::into_answer(tokens)
}
