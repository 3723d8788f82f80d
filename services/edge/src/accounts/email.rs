//! Changes of an account's email address.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use utoipa::ToSchema;

use super::MAX_TEXT;
use crate::Edge;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::session::{Anonymous, Caller};

/// The new email address.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmailRequest {
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
    #[schema(min_length = 1, max_length = 254, format = Email)]
    email: String,
}

impl Form for EmailRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (password, email) = (fields.text("password", 128), fields.text("email", MAX_TEXT));
        Some(Self { password: password?, email: email? })
    }
}

/// Requests a change of the email address.
///
/// The change takes effect when the link in the email to the new address is used. The response does not
/// reveal whether the new address has an account. 400 `BAD_CREDENTIALS` for a wrong password, 429
/// `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/email/",
    operation_id = "change_email",
    tag = "accounts",
    request_body = EmailRequest,
    responses((status = 202, description = "The request is accepted; an email is sent."))
)]
pub(crate) async fn change_email(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<EmailRequest>,
) -> Result<Response, Error> {
    let request = auth::ChangeEmailRequest {
        user_id: caller.user().to_string(),
        password: form.password,
        email: form.email,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    edge.profiles(&caller).change_email(request).await?;
    Ok(StatusCode::ACCEPTED.into_response())
}

/// The token of a link in an email.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkRequest {
    #[schema(min_length = 1, max_length = 254)]
    pub(super) token: String,
}

impl Form for LinkRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { token: fields.text("token", MAX_TEXT)? })
    }
}

/// Confirms the new email address by the link in the email to it.
///
/// 400 `LINK_DEAD` if the link is unknown, used or expired. 409 `EMAIL_TAKEN` if the address has got an
/// account since.
#[utoipa::path(
    post,
    path = "/api/accounts/email/confirm/",
    operation_id = "confirm_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The address is changed."))
)]
pub(crate) async fn confirm_email(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::ConfirmEmailRequest { token: form.token, client_address: client.address };
    edge.profiles(&Anonymous).confirm_email(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Cancels a change of the email address by the link in the email to the current address.
///
/// Cancels every unconfirmed change. Same errors as confirming the new address.
#[utoipa::path(
    post,
    path = "/api/accounts/email/stop/",
    operation_id = "stop_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The change is cancelled."))
)]
pub(crate) async fn stop_email(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::StopEmailRequest { token: form.token, client_address: client.address };
    edge.profiles(&Anonymous).stop_email(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Restores the old email address by the link in the email to it.
///
/// Ends every session, and suspends or removes every passkey. Same errors as confirming the new address.
#[utoipa::path(
    post,
    path = "/api/accounts/email/undo/",
    operation_id = "undo_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The old address is restored."))
)]
pub(crate) async fn undo_email(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LinkRequest>,
) -> Result<Response, Error> {
    let request = auth::UndoEmailRequest { token: form.token, client_address: client.address };
    edge.profiles(&Anonymous).undo_email(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
