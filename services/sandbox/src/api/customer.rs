//! Customers, their cash balance and their saved cards.

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::{HeaderMap, Uri};

use super::Api;
use super::paging::Paging;
use crate::error::ApiError;
use crate::state::cash_balance::ReconciliationMode;
use crate::state::customer::CustomerFields;

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/v1/customers", post(create_customer))
        .route("/v1/customers/{id}", get(get_customer).post(update_customer).delete(delete_customer))
        .route("/v1/customers/{id}/cash_balance", get(get_cash_balance).post(update_cash_balance))
        .route("/v1/customers/{id}/cash_balance_transactions", get(list_cash_transactions))
        .route("/v1/customers/{id}/cash_balance_transactions/{transaction}", get(get_cash_transaction))
        .route("/v1/customers/{id}/payment_methods", get(list_payment_methods))
}

async fn create_customer(State(api): State<Api>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    api.answer_write(&uri, &headers, body, &[], |state, form, now| {
        let fields = CustomerFields::parse(form)?;
        form.finish()?;
        Ok(state.create_customer(fields, now))
    })
    .await
}

async fn get_customer(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        form.finish()?;
        Ok(state.customer(&id)?.to_json())
    })
    .await
}

async fn update_customer(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, &[], move |state, form, _| {
        let fields = CustomerFields::parse(form)?;
        form.finish()?;
        state.update_customer(&id, fields)
    })
    .await
}

async fn delete_customer(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, &[], move |state, form, now| {
        form.finish()?;
        state.delete_customer(&id, now)
    })
    .await
}

async fn get_cash_balance(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        form.finish()?;
        state.cash_balance_json(&id)
    })
    .await
}

async fn update_cash_balance(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.answer_write(&uri, &headers, body, &[], move |state, form, now| {
        let mode = ReconciliationMode::take(form, "settings")?;
        form.finish()?;
        match mode {
            Some(mode) => state.set_reconciliation(&id, &mode, now),
            None => state.cash_balance_json(&id),
        }
    })
    .await
}

async fn list_cash_transactions(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        let paging = Paging::take(form)?;
        form.finish()?;
        state.customer(&id)?;
        let found = state.cash_transactions.iter().rev().filter(|transaction| transaction.customer == id);
        let url = format!("/v1/customers/{id}/cash_balance_transactions");
        paging.list(&url, found.map(crate::state::cash_balance::CashTransaction::to_json))
    })
    .await
}

async fn get_cash_transaction(
    State(api): State<Api>,
    Path((id, transaction)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        form.finish()?;
        let mut found = state.cash_transactions.iter();
        let found = found.find(|found| found.customer == id && found.id == transaction);
        let found = found.ok_or_else(|| ApiError::missing("customer_cash_balance_transaction", &transaction));
        Ok(found?.to_json())
    })
    .await
}

async fn list_payment_methods(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.answer_read(&headers, query, &[], |state, form| {
        form.take_word("type", &["card"])?;
        let paging = Paging::take(form)?;
        form.finish()?;
        state.customer(&id)?;
        let found = state.payment_methods.iter().rev();
        let found = found.filter(|method| method.customer.as_ref() == Some(&id));
        let url = format!("/v1/customers/{id}/payment_methods");
        paging.list(&url, found.map(crate::state::payment_method::PaymentMethod::to_json))
    })
    .await
}
