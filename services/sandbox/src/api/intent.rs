//! Payment intents and setup intents.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::{HeaderMap, Uri};

use super::Api;
use super::paging::Paging;
use crate::state::intent::NewIntent;

/// The fields that can be expanded to objects.
const EXPANDABLE: &[&str] =
    &["customer", "latest_charge", "latest_charge.balance_transaction", "payment_method"];
/// The cancellation reasons.
const REASONS: &[&str] = &["abandoned", "duplicate", "fraudulent", "requested_by_customer"];

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/v1/payment_intents", get(list_intents).post(create_intent))
        .route("/v1/payment_intents/{id}", get(get_intent))
        .route("/v1/payment_intents/{id}/cancel", post(cancel_intent))
        .route("/v1/payment_intents/{id}/apply_customer_balance", post(apply_customer_balance))
        .route("/v1/setup_intents/{id}", get(get_setup_intent))
}

async fn create_intent(State(api): State<Api>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    api.answer_write(&uri, &headers, body, EXPANDABLE, |state, form, now| {
        let new = NewIntent::parse(form, now)?;
        form.finish()?;
        state.create_intent(new, now)
    })
    .await
}

async fn get_intent(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, EXPANDABLE, |state, form| {
        form.finish()?;
        Ok(state.intent_json(state.named_intent(&id)?))
    })
    .await
}

async fn list_intents(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    api.answer_read(&headers, query, &["data.latest_charge"], |state, form| {
        let customer = form.take("customer");
        let first = form.take_number("created[gte]")?.unwrap_or(i64::MIN);
        let paging = Paging::take(form)?;
        form.finish()?;
        let found = state.intents.iter().rev().filter(|intent| intent.created >= first);
        let found = found.filter(|intent| customer.is_none() || intent.customer == customer);
        paging.list("/v1/payment_intents", found.map(|intent| state.intent_json(intent)))
    })
    .await
}

async fn cancel_intent(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, EXPANDABLE, move |state, form, now| {
        let reason = form.take_word("cancellation_reason", REASONS)?;
        form.finish()?;
        state.cancel_intent(&id, reason, now)?;
        Ok(state.intent_json(state.named_intent(&id)?))
    })
    .await
}

async fn apply_customer_balance(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, EXPANDABLE, move |state, form, now| {
        let amount = form.take_amount("amount", 1, i64::MAX)?;
        form.take_word("currency", &["jpy"])?;
        form.finish()?;
        state.apply_customer_balance(&id, amount, now)?;
        Ok(state.intent_json(state.named_intent(&id)?))
    })
    .await
}

async fn get_setup_intent(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &["customer", "payment_method"], |state, form| {
        form.finish()?;
        Ok(state.setup_intent(&id)?.to_json())
    })
    .await
}
