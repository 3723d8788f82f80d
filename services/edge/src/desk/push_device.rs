//! The browsers in which the caller gets notifications (Web Push).

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::incomplete;
use crate::Edge;
use crate::answer::json;
use crate::client::Client;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody, Key};
use crate::session::Caller;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Longest endpoint in characters.
const ENDPOINT_LIMIT: usize = 1_000;
/// Longest key in characters.
const KEY_LIMIT: usize = 100;

/// A browser of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct PushDevice {
    id: Uuid,
    /// Display text.
    #[schema(example = "iPhone の Safari")]
    device: String,
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    /// When its push service last accepted a notification; null: never.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    sent_at: Option<OffsetDateTime>,
    /// When its push service ended it; null unless it did.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    ended_at: Option<OffsetDateTime>,
}

impl PushDevice {
    pub(super) fn new(device: desk::PushDevice) -> Result<Self, Error> {
        Ok(Self {
            id: device.id.parse().map_err(|_| incomplete("id"))?,
            device: device.device,
            created_at: parse_timestamp(device.created_at)?,
            sent_at: parse_optional_timestamp(device.sent_at)?,
            ended_at: parse_optional_timestamp(device.ended_at)?,
        })
    }
}

/// The subscription of a browser, as its Push API gives it.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PushSubscriptionForm {
    #[schema(max_length = 1000)]
    endpoint: String,
    /// The public key in base64url.
    p256dh: String,
    /// The authentication secret in base64url.
    auth: String,
}

impl Form for PushSubscriptionForm {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let endpoint = fields.text("endpoint", ENDPOINT_LIMIT);
        let (p256dh, auth) = (fields.text("p256dh", KEY_LIMIT), fields.text("auth", KEY_LIMIT));
        Some(Self { endpoint: endpoint?, p256dh: p256dh?, auth: auth? })
    }
}

/// A stored browser.
#[derive(Serialize, ToSchema)]
pub(crate) struct SavedPushDevice {
    id: Uuid,
}

/// Stores the browser that calls, or its new keys. It then gets the notifications of the caller alone. Idempotent. 404 if the
/// server offers no pushes.
#[utoipa::path(
    post,
    path = "/api/desk/notification/device/",
    operation_id = "save_push_device",
    tag = "desk",
    request_body = PushSubscriptionForm,
    responses((status = 200, description = "The browser.", body = SavedPushDevice))
)]
pub(crate) async fn save(
    State(edge): State<Edge>,
    caller: Caller,
    client: Client,
    JsonBody(form): JsonBody<PushSubscriptionForm>,
) -> Result<Response, Error> {
    let request = desk::SavePushDeviceRequest {
        endpoint: form.endpoint,
        p256dh: form.p256dh,
        auth: form.auth,
        user_agent: client.user_agent,
    };
    let saved = edge.notifications(&caller).save_push_device(request).await?.into_inner();
    Ok(json(&SavedPushDevice { id: saved.id.parse().map_err(|_| incomplete("id"))? }))
}

/// Deletes a browser of the caller. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/desk/notification/device/{id}/",
    operation_id = "delete_push_device",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the browser.")),
    responses((status = 204, description = "The browser is deleted."))
)]
pub(crate) async fn delete(
    State(edge): State<Edge>,
    caller: Caller,
    Key(id): Key,
) -> Result<Response, Error> {
    edge.notifications(&caller)
        .delete_push_device(desk::DeletePushDeviceRequest { id: id.to_string() })
        .await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
