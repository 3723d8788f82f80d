//! Signed-in devices.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use proto::auth;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::json;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Empty, Key};
use crate::moment::moment;
use crate::session::Caller;

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
            created: moment(session.created)?,
            last_used: moment(session.last_used)?,
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
    edge.sessions().ended(id);
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
    edge.sessions().ended(caller.session());
    Ok(StatusCode::NO_CONTENT.into_response())
}
