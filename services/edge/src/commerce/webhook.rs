//! The webhook of the payment provider.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use proto::commerce as wire;

use crate::Edge;
use crate::audience::Provider;
use crate::error::Error;
use crate::input::RawBody;

/// The payment provider.
pub(crate) const PROVIDER: Provider =
    Provider { name: "payment_provider", signature_header: "stripe-signature" };

/// Takes an event of the payment provider. Commerce verifies the signature of the raw body.
///
/// A repeated event changes nothing. 400 `SIGNATURE_INVALID` without a valid signature. Anything but 204
/// makes the provider send the event again later.
#[utoipa::path(
    post,
    path = "/api/commerce/webhook/",
    operation_id = "provider_webhook",
    tag = "commerce",
    request_body(content = Object, content_type = "application/json"),
    responses((status = 204, description = "The event is stored."))
)]
pub(crate) async fn receive_event(
    State(edge): State<Edge>,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> Result<Response, Error> {
    let signature = headers.get(PROVIDER.signature_header).and_then(|signature| signature.to_str().ok());
    let signature = signature.ok_or(Error::SignatureInvalid)?.to_owned();
    edge.providers().receive_event(wire::ReceiveEventRequest { body: body.into(), signature }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
