//! Passkeys. The JSON of the browser's credential API is passed on unchanged.

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

/// Who adds a passkey.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyOptionsRequest {
    /// The password of the caller, as typed.
    #[schema(min_length = 1, max_length = 128, format = Password, pattern = "^[^\\u0000]+$")]
    password: String,
}

impl Form for PasskeyOptionsRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { password: fields.text("password", 128)? })
    }
}

/// What to ask a browser for.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasskeyOptions {
    /// To be sent back with what the browser gives, once, within five minutes.
    challenge: Uuid,
    /// What `navigator.credentials` takes, its bytes in base64url.
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

/// A new passkey.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPasskey {
    /// From the options.
    challenge: Uuid,
    /// How to call it.
    #[schema(min_length = 1, max_length = 30, pattern = "^[^\\u0000]+$")]
    name: String,
    /// The `PublicKeyCredential` of the browser, its bytes in base64url.
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

/// How to call a passkey.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyName {
    /// Its new name.
    #[schema(min_length = 1, max_length = 30, pattern = "^[^\\u0000]+$")]
    name: String,
}

impl Form for PasskeyName {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { name: fields.text("name", 30)? })
    }
}

/// What a passkey signed.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyLogin {
    /// From the options.
    challenge: Uuid,
    /// The `PublicKeyCredential` of the browser, its bytes in base64url.
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
    /// How its owner calls it.
    name: String,
    /// When it was added.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// When it last signed in; null if never.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    last_used: Option<OffsetDateTime>,
    /// Since when it signs in nobody, until its owner keeps it; null unless it is suspended.
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

/// The passkeys of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Passkeys {
    /// Oldest first.
    results: Vec<Passkey>,
}

/// The passkeys of the caller.
#[utoipa::path(
    get,
    path = "/api/accounts/passkeys/",
    operation_id = "passkeys",
    tag = "accounts",
    responses((status = 200, description = "All of them", body = Passkeys))
)]
pub(crate) async fn list(State(edge): State<Edge>, caller: Caller) -> Result<Response, Error> {
    let request = auth::ListPasskeysRequest { account_id: caller.user().to_string() };
    let passkeys = edge.passkeys(&caller).list_passkeys(request).await?.into_inner().passkeys;
    let results = passkeys.into_iter().map(Passkey::new).collect::<Result<_, _>>()?;
    Ok(json(&Passkeys { results }))
}

/// Begin to add a passkey.
///
/// A wrong password is 400 `BAD_CREDENTIALS`; too many are 429 `RATE_LIMITED`.
#[utoipa::path(
    post,
    path = "/api/accounts/passkeys/options/",
    operation_id = "passkeyOptions",
    tag = "accounts",
    request_body = PasskeyOptionsRequest,
    responses((status = 200, description = "What to ask the browser for", body = PasskeyOptions))
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

/// Add a passkey.
///
/// A challenge that is unknown, taken or too old is 400 `CHALLENGE_DEAD`, a credential that does not hold 400
/// `PASSKEY_REFUSED`; an eleventh passkey is 409 `PASSKEYS_FULL`.
#[utoipa::path(
    post,
    path = "/api/accounts/passkeys/",
    operation_id = "addPasskey",
    tag = "accounts",
    request_body = NewPasskey,
    responses((status = 201, description = "It signs in from now on", body = Passkey))
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

/// Call a passkey by another name.
#[utoipa::path(
    put,
    path = "/api/accounts/passkeys/{id}/",
    operation_id = "renamePasskey",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "The passkey")),
    request_body = PasskeyName,
    responses((status = 204, description = "It has that name"))
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

/// Take a passkey away; the owner is told by mail.
#[utoipa::path(
    delete,
    path = "/api/accounts/passkeys/{id}/",
    operation_id = "removePasskey",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "The passkey")),
    responses((status = 204, description = "It opens nothing any more"))
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

/// Let a suspended passkey sign in again.
///
/// A wrong password is 400 `BAD_CREDENTIALS`; too many are 429 `RATE_LIMITED`.
#[utoipa::path(
    post,
    path = "/api/accounts/passkeys/{id}/keep/",
    operation_id = "keepPasskey",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "The passkey")),
    request_body = OwnPasswordRequest,
    responses((status = 204, description = "It signs in"))
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

/// Begin to sign in with a passkey.
#[utoipa::path(
    post,
    path = "/api/accounts/login/passkey/options/",
    operation_id = "passkeyLoginOptions",
    tag = "accounts",
    responses((status = 200, description = "What to ask the browser for", body = PasskeyOptions))
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

/// Sign in with a passkey.
///
/// One that belongs to no account, or is suspended, is 400 `PASSKEY_UNKNOWN`, one that does not hold 400 `PASSKEY_REFUSED`, a challenge
/// that is unknown, taken or too old 400 `CHALLENGE_DEAD`.
#[utoipa::path(
    post,
    path = "/api/accounts/login/passkey/",
    operation_id = "passkeyLogin",
    tag = "accounts",
    request_body = PasskeyLogin,
    responses((status = 200, description = "A new session", body = Tokens))
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
