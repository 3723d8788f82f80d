//! Passkeys. Options and credentials are the JSON of the browser's credential API, passed on unchanged.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::incomplete;
use super::password::OwnPasswordRequest;
use super::sessions::Tokens;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::client::Client;
use crate::error::Error;
use crate::input::{Empty, Fields, Form, JsonBody};
use crate::session::{Anonymous, Caller};
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Password check before a passkey is added.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyOptionsRequest {
    /// Caller's password, as typed.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
}

impl Form for PasskeyOptionsRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { password: fields.text("password", 128)? })
    }
}

/// Options for the browser's credential API.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasskeyOptions {
    /// Id to send back with the credential. Valid once, for five minutes.
    challenge: Uuid,
    /// Argument of `navigator.credentials`, with bytes in base64url.
    #[schema(value_type = Object)]
    options: Box<RawValue>,
}

impl PasskeyOptions {
    fn answer(challenge: &str, options: String) -> Result<Response, Error> {
        Ok(json(&Self {
            challenge: challenge.parse().map_err(|_| incomplete("challenge"))?,
            options: RawValue::from_string(options).map_err(|_| incomplete("options"))?,
        }))
    }
}

/// A passkey to add.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPasskey {
    /// `challenge` of the options.
    challenge: Uuid,
    /// Name of the passkey.
    #[schema(min_length = 1, max_length = 30, pattern = "^[^\\u0000]+$")]
    name: String,
    /// `PublicKeyCredential` of the browser, with bytes in base64url.
    #[schema(value_type = Object)]
    credential: String,
}

impl Form for NewPasskey {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (challenge, name) = (fields.uuid("challenge"), fields.text("name", 30));
        let credential = fields.object("credential");
        Some(Self { challenge: challenge?, name: name?, credential: credential? })
    }
}

/// The name of a passkey.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyName {
    /// New name.
    #[schema(min_length = 1, max_length = 30, pattern = "^[^\\u0000]+$")]
    name: String,
}

impl Form for PasskeyName {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { name: fields.text("name", 30)? })
    }
}

/// A sign-in by passkey.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyLogin {
    /// `challenge` of the options.
    challenge: Uuid,
    /// `PublicKeyCredential` of the browser, with bytes in base64url.
    #[schema(value_type = Object)]
    credential: String,
}

impl Form for PasskeyLogin {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (challenge, credential) = (fields.uuid("challenge"), fields.object("credential"));
        Some(Self { challenge: challenge?, credential: credential? })
    }
}

/// A passkey of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Passkey {
    /// Never changes.
    id: Uuid,
    /// Name chosen by the owner.
    name: String,
    /// When it was added.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// Last sign-in; null: never.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_used: Option<OffsetDateTime>,
    /// Start of the suspension; null: active. A suspended passkey cannot sign in until its owner keeps it.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    suspended: Option<OffsetDateTime>,
}

impl Passkey {
    fn new(passkey: auth::Passkey) -> Result<Self, Error> {
        Ok(Self {
            id: passkey.id.parse().map_err(|_| incomplete("id"))?,
            name: passkey.name,
            created: parse_timestamp(passkey.created)?,
            last_used: parse_optional_timestamp(passkey.last_used)?,
            suspended: parse_optional_timestamp(passkey.suspended)?,
        })
    }
}

/// The caller's passkeys.
#[derive(Serialize, ToSchema)]
pub(crate) struct Passkeys {
    /// Oldest first.
    results: Vec<Passkey>,
}

/// Lists the caller's passkeys.
#[utoipa::path(
    get,
    path = "/api/accounts/passkeys/",
    operation_id = "passkeys",
    tag = "accounts",
    responses((status = 200, description = "The passkeys.", body = Passkeys))
)]
pub(crate) async fn list(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = auth::ListPasskeysRequest { account_id: caller.user().to_string() };
    let passkeys = edge.passkeys(&caller).list_passkeys(request).await?.into_inner().passkeys;
    let results = passkeys.into_iter().map(Passkey::new).collect::<Result<_, _>>()?;
    Ok(json(&Passkeys { results }))
}

/// Starts the registration of a passkey.
///
/// 400 `BAD_CREDENTIALS` for a wrong password, 429 `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/passkeys/options/",
    operation_id = "passkeyOptions",
    tag = "accounts",
    request_body = PasskeyOptionsRequest,
    responses((status = 200, description = "The options for the browser.", body = PasskeyOptions))
)]
pub(crate) async fn options(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<PasskeyOptionsRequest>,
) -> Result<Response, Error> {
    let request = auth::BeginPasskeyRequest {
        account_id: caller.user().to_string(),
        password: form.password,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    let begun = edge.passkeys(&caller).begin_passkey(request).await?.into_inner();
    PasskeyOptions::answer(&begun.challenge_id, begun.options)
}

/// Adds a passkey.
///
/// 400 `CHALLENGE_DEAD` if the challenge is unknown, used or expired. 400 `PASSKEY_REFUSED` if the credential
/// is invalid. 409 `PASSKEYS_FULL` beyond ten passkeys.
#[utoipa::path(
    post,
    path = "/api/accounts/passkeys/",
    operation_id = "addPasskey",
    tag = "accounts",
    request_body = NewPasskey,
    responses((status = 201, description = "The new passkey.", body = Passkey))
)]
pub(crate) async fn add(
    State(edge): State<Edge>,
    caller: Caller,
    JsonBody(form): JsonBody<NewPasskey>,
) -> Result<Response, Error> {
    let request = auth::AddPasskeyRequest {
        account_id: caller.user().to_string(),
        challenge_id: form.challenge.to_string(),
        name: form.name,
        credential: form.credential,
    };
    let added = edge.passkeys(&caller).add_passkey(request).await?.into_inner().passkey;
    let added = Passkey::new(added.ok_or_else(|| incomplete("passkey"))?)?;
    Ok(json_of(StatusCode::CREATED, "application/json", &added))
}

/// Renames a passkey.
#[utoipa::path(
    put,
    path = "/api/accounts/passkeys/{id}/",
    operation_id = "renamePasskey",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "Id of the passkey.")),
    request_body = PasskeyName,
    responses((status = 204, description = "The passkey was renamed."))
)]
pub(crate) async fn rename(
    State(edge): State<Edge>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody(form): JsonBody<PasskeyName>,
) -> Result<Response, Error> {
    let request = auth::RenamePasskeyRequest { account_id: caller.user().to_string(), id, name: form.name };
    edge.passkeys(&caller).rename_passkey(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a passkey. The owner is notified by email.
#[utoipa::path(
    delete,
    path = "/api/accounts/passkeys/{id}/",
    operation_id = "removePasskey",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "Id of the passkey.")),
    responses((status = 204, description = "The passkey was removed."))
)]
pub(crate) async fn remove(
    State(edge): State<Edge>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let request = auth::RemovePasskeyRequest { account_id: caller.user().to_string(), id };
    edge.passkeys(&caller).remove_passkey(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Reactivates a suspended passkey.
///
/// 400 `BAD_CREDENTIALS` for a wrong password, 429 `RATE_LIMITED` after too many attempts.
#[utoipa::path(
    post,
    path = "/api/accounts/passkeys/{id}/keep/",
    operation_id = "keepPasskey",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "Id of the passkey.")),
    request_body = OwnPasswordRequest,
    responses((status = 204, description = "The passkey is active."))
)]
pub(crate) async fn keep(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    Path(id): Path<String>,
    JsonBody(form): JsonBody<OwnPasswordRequest>,
) -> Result<Response, Error> {
    let request = auth::KeepPasskeyRequest {
        account_id: caller.user().to_string(),
        id,
        password: form.password,
        client_address: client.address,
        sid: caller.session().to_string(),
    };
    edge.passkeys(&caller).keep_passkey(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Starts a sign-in by passkey.
#[utoipa::path(
    post,
    path = "/api/accounts/login/passkey/options/",
    operation_id = "passkeyLoginOptions",
    tag = "accounts",
    responses((status = 200, description = "The options for the browser.", body = PasskeyOptions))
)]
pub(crate) async fn login_options(
    State(edge): State<Edge>,
    client: Client,
    _: Empty,
) -> Result<Response, Error> {
    let request = auth::BeginPasskeyLoginRequest { client_address: client.address };
    let begun = edge.passkeys(&Anonymous).begin_passkey_login(request).await?.into_inner();
    PasskeyOptions::answer(&begun.challenge_id, begun.options)
}

/// Signs in by passkey.
///
/// 400 `PASSKEY_UNKNOWN` if the passkey is unknown or suspended. 400 `PASSKEY_REFUSED` if the credential is
/// invalid. 400 `CHALLENGE_DEAD` if the challenge is unknown, used or expired.
#[utoipa::path(
    post,
    path = "/api/accounts/login/passkey/",
    operation_id = "passkeyLogin",
    tag = "accounts",
    request_body = PasskeyLogin,
    responses((status = 200, description = "The tokens of the new session.", body = Tokens))
)]
pub(crate) async fn log_in(
    State(edge): State<Edge>,
    client: Client,
    JsonBody(form): JsonBody<PasskeyLogin>,
) -> Result<Response, Error> {
    let request = auth::LogInWithPasskeyRequest {
        challenge_id: form.challenge.to_string(),
        credential: form.credential,
        client_address: client.address,
        user_agent: client.user_agent,
        device: client.device,
    };
    Tokens::into_answer(edge.passkeys(&Anonymous).log_in_with_passkey(request).await?.into_inner().tokens)
}
