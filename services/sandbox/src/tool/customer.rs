//! The page of a customer, and bank transfers to the customer's account.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use http::StatusCode;

use super::back;
use super::intent::RefundPanel;
use super::table::{Table, cards, intents, transfers};
use crate::error::ApiError;
use crate::form::Form;
use crate::page::{MessagePage, answer_html, format_yen};
use crate::state;
use crate::store::Store;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/tool/customers/{id}", get(show_customer))
        .route("/tool/customers/{id}/transfer", post(receive_transfer))
}

async fn show_customer(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let state = match store.read_state().await {
        Ok(state) => state,
        Err(error) => return back("/", Err(error)),
    };
    match CustomerPage::new(&state, &id) {
        Ok(page) => answer_html(StatusCode::OK, &page),
        Err(error) => answer_html(error.status, &MessagePage::unknown()),
    }
}

/// Receives a bank transfer of `amount` in the name `sender_name`, or else the customer's name.
async fn receive_transfer(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let page = format!("/tool/customers/{id}");
    let mut form = Form::parse(&body);
    let amount =
        form.take_number("amount").and_then(|amount| amount.ok_or_else(|| crate::form::invalid("amount")));
    let sender_name = form.take("sender_name");
    let amount = match amount {
        Ok(amount) => amount,
        Err(error) => return back(&page, Err(error)),
    };
    let received = store.change(move |state, now| state.receive_transfer(&id, amount, sender_name, now));
    back(&page, received.await.flatten())
}

#[derive(Template)]
#[template(path = "customer.html")]
struct CustomerPage {
    id: String,
    name: String,
    email: String,
    account_number: String,
    cash: String,
    is_deleted: bool,
    refunds: Vec<RefundPanel>,
    tables: Vec<Table>,
}

impl CustomerPage {
    fn new(state: &state::State, id: &str) -> Result<Self, ApiError> {
        let customer = state.customer(id)?;
        let refunds = state.refunds.iter().filter(|refund| refund.customer.as_deref() == Some(id));
        Ok(Self {
            id: id.to_owned(),
            name: customer.name.clone().unwrap_or_default(),
            email: customer.email.clone().unwrap_or_default(),
            account_number: customer.account_number.clone(),
            cash: format_yen(state.cash_of(id)),
            is_deleted: customer.is_deleted,
            refunds: refunds.map(RefundPanel::new).collect(),
            tables: vec![transfers(state, Some(id)), intents(state, Some(id)), cards(state, id)],
        })
    }
}
