//! Closing and reopening an account.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::password::OwnPasswordRequest;
use super::sessions::{LoginRequest, Tokens};
use crate::Edge;
use crate::answer::json_of;
use crate::client::Client;
use crate::error::Error;
use crate::input::JsonBody;
use crate::session::{Anonymous, Caller};
use crate::timestamp::parse_timestamp;

/// A closing account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Closing {
    #[serde(with = "time::serde::rfc3339")]
    erase_at: OffsetDateTime,
}

/// Closes the caller's account.
///
/// Ends every session. Until `erase_at`, the account can be reopened. 400 `BAD_CREDENTIALS` for a wrong
/// password, 429 `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/close/",
    operation_id = "close_account",
    tag = "accounts",
    request_body = OwnPasswordRequest,
    responses((status = 202, description = "The account is closing.", body = Closing))
)]
pub(crate) async fn close(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<OwnPasswordRequest>,
) -> Result<Response, Error> {
    let request = auth::CloseAccountRequest {
        user_id: caller.user().to_string(),
        password: form.password,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    let erase_at =
        parse_timestamp(edge.profiles(&caller).close_account(request).await?.into_inner().erase_at)?;
    edge.sessions().mark_ended(caller.session());
    Ok(json_of(StatusCode::ACCEPTED, "application/json", &Closing { erase_at }))
}

/// Reopens a closing account and signs in.
///
/// Same errors as `POST /api/accounts/login/`. For an account that is not closing, it only signs in.
#[utoipa::path(
    post,
    path = "/api/accounts/login/reopen/",
    operation_id = "reopen_account",
    tag = "accounts",
    request_body = LoginRequest,
    responses((status = 200, description = "The tokens of the new session.", body = Tokens))
)]
pub(crate) async fn reopen(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<LoginRequest>,
) -> Result<Response, Error> {
    let request = auth::ReopenRequest {
        email: form.email,
        password: form.password,
        client_address: client.address,
        user_agent: client.user_agent,
        device: client.device,
    };
    Tokens::into_answer(edge.profiles(&Anonymous).reopen(request).await?.into_inner().tokens)
}
