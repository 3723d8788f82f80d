//! Checkout Sessions.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::{HeaderMap, Uri};

use super::Api;
use super::paging::Paging;
use crate::state::session::Session;

/// The fields that can be expanded to objects.
const EXPANDABLE: &[&str] = &[
    "payment_intent",
    "payment_intent.latest_charge",
    "payment_intent.payment_method",
    "setup_intent",
    "setup_intent.payment_method",
    "customer",
];

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/v1/checkout/sessions", get(list_sessions).post(create_session))
        .route("/v1/checkout/sessions/{id}", get(get_session))
        .route("/v1/checkout/sessions/{id}/expire", post(expire_session))
}

async fn create_session(State(api): State<Api>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    api.answer_write(&uri, &headers, body, EXPANDABLE, |state, form, now| {
        let session = Session::parse(form, now)?;
        form.finish()?;
        let id = state.create_session(session, now)?;
        Ok(state.named_session(&id)?.to_json(&state.origin))
    })
    .await
}

async fn get_session(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, EXPANDABLE, |state, form| {
        form.finish()?;
        Ok(state.named_session(&id)?.to_json(&state.origin))
    })
    .await
}

async fn list_sessions(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    api.answer_read(&headers, query, &["data.payment_intent", "data.setup_intent"], |state, form| {
        let (intent, customer) = (form.take("payment_intent"), form.take("customer"));
        let paging = Paging::take(form)?;
        form.finish()?;
        let found = state.sessions.iter().rev().filter(|session| {
            (intent.is_none() || session.intent == intent)
                && (customer.is_none() || session.customer == customer)
        });
        paging.list("/v1/checkout/sessions", found.map(|session| session.to_json(&state.origin)))
    })
    .await
}

async fn expire_session(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, EXPANDABLE, move |state, form, now| {
        form.finish()?;
        state.expire_session(&id, now)?;
        Ok(state.named_session(&id)?.to_json(&state.origin))
    })
    .await
}
