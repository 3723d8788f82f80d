//! Changing the e-mail address of an account.

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

/// The address to change to.
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

/// Ask for another e-mail address.
///
/// Nothing changes until the link in the mail to it is used. The answer is the same for an address that has an account
/// already. Fails as changing the password does.
#[utoipa::path(
    post,
    path = "/api/accounts/email/",
    operation_id = "change_email",
    tag = "accounts",
    request_body = EmailRequest,
    responses((status = 202, description = "A mail is on its way"))
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

/// The token of a link in a mail.
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

/// Use the link to a new e-mail address.
///
/// A link that is unknown, used or too old is 400 `LINK_DEAD`; an address that is somebody's by now is 409 `EMAIL_TAKEN`.
#[utoipa::path(
    post,
    path = "/api/accounts/email/confirm/",
    operation_id = "confirm_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The address is changed"))
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

/// Stop a change of the e-mail address, by the link in the mail to the address in force.
///
/// Whatever change is not confirmed yet ends. Fails as using the link to the new address does.
#[utoipa::path(
    post,
    path = "/api/accounts/email/stop/",
    operation_id = "stop_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "Nothing changes"))
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

/// Use the link back to the old e-mail address.
///
/// Every session ends, and every passkey is suspended or removed. Fails as using the link to the new one does.
#[utoipa::path(
    post,
    path = "/api/accounts/email/undo/",
    operation_id = "undo_email",
    tag = "accounts",
    request_body = LinkRequest,
    responses((status = 204, description = "The address is what it was"))
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
