//! Refunds.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;
use http::{HeaderMap, Uri};

use super::Api;
use super::paging::Paging;
use crate::state::refund::NewRefund;

/// The fields that can be expanded to objects.
const EXPANDABLE: &[&str] = &["balance_transaction", "charge", "payment_intent"];

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/v1/refunds", get(list_refunds).post(create_refund))
        .route("/v1/refunds/{id}", get(get_refund))
}

async fn create_refund(State(api): State<Api>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    api.answer_write(&uri, &headers, body, EXPANDABLE, |state, form, now| {
        let new = NewRefund::parse(form)?;
        form.finish()?;
        Ok(state.create_refund(new, now)?.to_json())
    })
    .await
}

async fn get_refund(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, EXPANDABLE, |state, form| {
        form.finish()?;
        Ok(state.refund(&id)?.to_json())
    })
    .await
}

async fn list_refunds(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        let (intent, charge) = (form.take("payment_intent"), form.take("charge"));
        let period = Paging::take_period(form)?;
        let paging = Paging::take(form)?;
        form.finish()?;
        let found = state.refunds.iter().rev().filter(|refund| {
            period.contains(&refund.created)
                && (intent.is_none() || refund.intent == intent)
                && (charge.is_none() || refund.charge == charge)
        });
        paging.list("/v1/refunds", found.map(crate::state::refund::Refund::to_json))
    })
    .await
}
