//! Payment methods.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::{HeaderMap, Uri};

use super::Api;

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/v1/payment_methods/{id}", get(get_payment_method))
        .route("/v1/payment_methods/{id}/detach", post(detach_payment_method))
}

async fn get_payment_method(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &["customer"], |state, form| {
        form.finish()?;
        Ok(state.payment_method(&id)?.to_json())
    })
    .await
}

async fn detach_payment_method(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, &[], move |state, form, now| {
        form.finish()?;
        state.detach_payment_method(&id, now)
    })
    .await
}
