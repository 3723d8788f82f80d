//! Disputes, charges and balance transactions.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use http::HeaderMap;

use super::Api;
use super::paging::Paging;
use crate::error::ApiError;

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/v1/disputes", get(list_disputes))
        .route("/v1/disputes/{id}", get(get_dispute))
        .route("/v1/charges/{id}", get(get_charge))
        .route("/v1/balance_transactions", get(list_balance_transactions))
        .route("/v1/balance_transactions/{id}", get(get_balance_transaction))
}

async fn get_dispute(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &["charge", "payment_intent"], |state, form| {
        form.finish()?;
        Ok(state.dispute_json(state.dispute(&id)?))
    })
    .await
}

async fn list_disputes(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        let (intent, charge) = (form.take("payment_intent"), form.take("charge"));
        let period = Paging::take_period(form)?;
        let paging = Paging::take(form)?;
        form.finish()?;
        let found = state.disputes.iter().rev().filter(|dispute| {
            period.contains(&dispute.created)
                && intent.as_ref().is_none_or(|intent| dispute.intent == *intent)
                && charge.as_ref().is_none_or(|charge| dispute.charge == *charge)
        });
        paging.list("/v1/disputes", found.map(|dispute| state.dispute_json(dispute)))
    })
    .await
}

async fn get_charge(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &["balance_transaction", "payment_intent"], |state, form| {
        form.finish()?;
        let charge = state.charge(&id).ok_or_else(|| ApiError::missing("charge", &id))?;
        Ok(state.charge_json(charge))
    })
    .await
}

async fn get_balance_transaction(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &["source"], |state, form| {
        form.finish()?;
        let found = state.balance_transactions.iter().find(|transaction| transaction.id == id);
        Ok(found.ok_or_else(|| ApiError::missing("balance_transaction", &id))?.to_json())
    })
    .await
}

async fn list_balance_transactions(
    State(api): State<Api>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &["data.source"], |state, form| {
        let period = Paging::take_period(form)?;
        let (source, kind) = (form.take("source"), form.take("type"));
        let paging = Paging::take(form)?;
        form.finish()?;
        let found = state.balance_transactions.iter().rev().filter(|transaction| {
            period.contains(&transaction.created)
                && source.as_ref().is_none_or(|source| transaction.source == *source)
        });
        let found = found.map(crate::state::balance::BalanceTransaction::to_json);
        let found = found.filter(|object| kind.as_ref().is_none_or(|kind| object["type"] == kind.as_str()));
        paging.list("/v1/balance_transactions", found)
    })
    .await
}
