//! Taking one's data along, closing an account, coming back.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, header};
use proto::{auth, desk, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::export::Export;
use super::export::body::body;
use super::{LoginRequest, Tokens, incomplete};
use crate::Edge;
use crate::answer::json_of;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::moment::moment;
use crate::session::{Anonymous, Caller};

/// The caller's own password.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnPasswordRequest {
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    pub(super) password: String,
}

impl Form for OwnPasswordRequest {
    fn read(fields: &mut Fields) -> Option<Self> {
        Some(Self { password: fields.text("password", 128)? })
    }
}

/// All that is kept about the caller, as one file.
///
/// A wrong password is 400 `BAD_CREDENTIALS`; too many tries are 429 `RATE_LIMITED`.
#[utoipa::path(
    post,
    path = "/api/accounts/export/",
    operation_id = "export_account",
    tag = "accounts",
    request_body = OwnPasswordRequest,
    responses((status = 200, description = "All of it", body = Export))
)]
pub(crate) async fn export(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<OwnPasswordRequest>,
) -> Result<Response, Error> {
    let id = caller.user().to_string();
    let request = auth::ExportAccountRequest {
        user_id: id.clone(),
        password: form.password,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    // First the one who looks at the password.
    let account = edge.profiles(&caller).export_account(request).await?.into_inner();
    let request = lms::ExportLearnerInPartsRequest {};
    let mut parts = edge.learners(&caller).export_learner_in_parts(request).await?.into_inner();
    let first = parts.message().await?.and_then(|first| first.part);
    let learning = first.ok_or_else(|| incomplete("the export"))?;
    let mails = edge.mails(&caller).export(desk::ExportRequest { account_id: id }).await?.into_inner();
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"konomana.json\""),
    ];
    Ok((headers, body(&Export::new(account, learning, mails)?, parts)?).into_response())
}

/// When an account will be erased.
#[derive(Serialize, ToSchema)]
pub(crate) struct Closing {
    #[serde(with = "time::serde::rfc3339")]
    erase_at: OffsetDateTime,
}

/// Close the account.
///
/// Every session ends; until `erase_at` it can be taken back. Fails as the export does.
#[utoipa::path(
    post,
    path = "/api/accounts/close/",
    operation_id = "close_account",
    tag = "accounts",
    request_body = OwnPasswordRequest,
    responses((status = 202, description = "It is closing", body = Closing))
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
    let erase_at = moment(edge.profiles(&caller).close_account(request).await?.into_inner().erase_at)?;
    edge.sessions().ended(caller.session());
    Ok(json_of(StatusCode::ACCEPTED, "application/json", &Closing { erase_at }))
}

/// Take the closing of an account back, and sign in.
///
/// Fails as signing in does; of an account that is not closing it is signing in.
#[utoipa::path(
    post,
    path = "/api/accounts/login/reopen/",
    operation_id = "reopen_account",
    tag = "accounts",
    request_body = LoginRequest,
    responses((status = 200, description = "A new session", body = Tokens))
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
    Tokens::answer(edge.profiles(&Anonymous).reopen(request).await?.into_inner().tokens)
}
