//! The page of a payment, with buttons for a store payment, refunds and disputes.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use http::StatusCode;

use super::back;
use super::table::intent_state;
use crate::error::ApiError;
use crate::form::{Form, invalid};
use crate::page::{MessagePage, answer_html, format_time, format_yen};
use crate::state;
use crate::state::dispute::{Dispute, DisputeStatus};
use crate::state::intent::{IntentStatus, Method};
use crate::state::refund::{NewRefund, Refund, RefundStatus};
use crate::store::Store;

/// The difference of a transfer that is too small or too large, in yen.
const DIFFERENCE: i64 = 1_000;
/// The sender of a transfer in a different name.
const OTHER_NAME: &str = "ベツノ メイギ";

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/tool/intents/{id}", get(show_intent))
        .route("/tool/intents/{id}/pay", post(pay_konbini))
        .route("/tool/intents/{id}/expire", post(expire_konbini))
        .route("/tool/intents/{id}/refund", post(refund_outside))
        .route("/tool/intents/{id}/dispute", post(open_dispute))
        .route("/tool/refunds/{id}", post(change_refund))
        .route("/tool/disputes/{id}", post(close_dispute))
}

async fn show_intent(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let state = match store.read_state().await {
        Ok(state) => state,
        Err(error) => return back("/", Err(error)),
    };
    match IntentPage::new(&state, &id) {
        Ok(page) => answer_html(StatusCode::OK, &page),
        Err(error) => answer_html(error.status, &MessagePage::unknown()),
    }
}

/// Simulates the payment at a store.
async fn pay_konbini(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let page = intent_page(&id);
    back(&page, store.change(move |state, now| state.pay_konbini(&id, now)).await.flatten())
}

/// Expires the codes for the stores now.
async fn expire_konbini(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let page = intent_page(&id);
    back(&page, store.change(move |state, now| state.expire_konbini(&id, now)).await.flatten())
}

/// Makes an outside refund of `amount`, or of all that is left.
async fn refund_outside(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let page = intent_page(&id);
    let amount = match Form::parse(&body).take_number("amount") {
        Ok(amount) => amount,
        Err(error) => return back(&page, Err(error)),
    };
    let refunded = store.change(move |state, now| {
        let new = NewRefund::outside(state.named_intent(&id)?, amount);
        state.create_refund(new, now).map(drop)
    });
    back(&page, refunded.await.flatten())
}

async fn open_dispute(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let page = intent_page(&id);
    back(&page, store.change(move |state, now| state.open_dispute(&id, now)).await.flatten())
}

/// Changes the status of a refund to `status`.
async fn change_refund(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let name = Form::parse(&body).take("status").unwrap_or_default();
    let status = RefundStatus::ALL.into_iter().find(|status| status.name() == name);
    let changed = store.change(move |state, now| {
        let page = refund_page(state.refund(&id)?);
        state.change_refund(&id, status.ok_or_else(|| invalid("status"))?, now)?;
        Ok(page)
    });
    back_to(changed.await.flatten())
}

/// Ends a dispute with `result`, `won` or `lost` from the merchant's view.
async fn close_dispute(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let result = Form::parse(&body).take("result").unwrap_or_default();
    let status = DisputeStatus::from_name(&result);
    let closed = store.change(move |state, now| {
        let page = intent_page(&state.dispute(&id)?.intent);
        state.close_dispute(&id, status.ok_or_else(|| invalid("result"))?, now)?;
        Ok(page)
    });
    back_to(closed.await.flatten())
}

/// Redirects the browser to a page, or explains why the request was refused.
fn back_to(page: Result<String, ApiError>) -> Response {
    match page {
        Ok(page) => back(&page, Ok(())),
        Err(error) => back("/", Err(error)),
    }
}

fn intent_page(id: &str) -> String {
    format!("/tool/intents/{id}")
}

/// The page with the buttons of a refund.
pub(super) fn refund_page(refund: &Refund) -> String {
    match (&refund.intent, &refund.customer) {
        (Some(intent), _) => intent_page(intent),
        (None, Some(customer)) => format!("/tool/customers/{customer}"),
        (None, None) => "/".to_owned(),
    }
}

#[derive(Template)]
#[template(path = "intent.html")]
struct IntentPage {
    id: String,
    number: String,
    method: &'static str,
    amount: String,
    state: &'static str,
    created: String,
    customer: Option<String>,
    /// The URL of the buyer's page.
    instructions: Option<String>,
    transfers: Vec<TransferButton>,
    is_open_konbini: bool,
    can_refund: bool,
    can_dispute: bool,
    refunds: Vec<RefundPanel>,
    disputes: Vec<DisputePanel>,
}

/// A button for a bank transfer.
struct TransferButton {
    label: String,
    amount: i64,
    sender_name: &'static str,
}

/// A refund with buttons for its possible next statuses.
pub(super) struct RefundPanel {
    pub(super) id: String,
    pub(super) amount: String,
    pub(super) state: &'static str,
    pub(super) buttons: Vec<(&'static str, &'static str)>,
}

struct DisputePanel {
    id: String,
    amount: String,
    state: &'static str,
    is_open: bool,
}

impl RefundPanel {
    pub(super) fn new(refund: &Refund) -> Self {
        let next = RefundStatus::ALL.into_iter().filter(|next| refund.status.can_become(*next));
        Self {
            id: refund.id.clone(),
            amount: format_yen(refund.amount),
            state: refund.status.label(),
            buttons: next.map(|status| (status.name(), status.button())).collect(),
        }
    }
}

impl DisputePanel {
    fn new(dispute: &Dispute) -> Self {
        let state = match dispute.status {
            DisputeStatus::NeedsResponse => "回答待ち",
            DisputeStatus::Won => "店の勝ち",
            DisputeStatus::Lost => "店の負け",
        };
        let is_open = dispute.status == DisputeStatus::NeedsResponse;
        Self { id: dispute.id.clone(), amount: format_yen(dispute.amount), state, is_open }
    }
}

impl IntentPage {
    fn new(state: &state::State, id: &str) -> Result<Self, ApiError> {
        let intent = state.named_intent(id)?;
        let instructions = match &intent.method {
            Method::Card => None,
            Method::Konbini(_) => Some(format!("/konbini/{id}")),
            Method::Transfer(_) => Some(format!("/transfer/{id}")),
        };
        let is_paid = intent.status == IntentStatus::Succeeded;
        let is_disputed = intent.charge.as_deref().is_some_and(|charge| state.is_disputed(charge));
        let can_refund = is_paid && !is_disputed && state.refunded(id) < intent.amount;
        let refunds = state.refunds.iter().filter(|refund| refund.intent.as_deref() == Some(id));
        let disputes = state.disputes.iter().filter(|dispute| dispute.intent == id);
        Ok(Self {
            id: id.to_owned(),
            number: intent.number().to_owned(),
            method: intent.method.label(),
            amount: format_yen(intent.amount),
            state: intent_state(intent),
            created: format_time(intent.created),
            customer: intent.customer.clone(),
            instructions,
            transfers: transfer_buttons(intent.transfer_remaining().unwrap_or(intent.amount), &intent.method),
            is_open_konbini: state.open_konbini().any(|(open, _)| open == id),
            can_refund,
            can_dispute: can_refund && intent.method == Method::Card,
            refunds: refunds.map(RefundPanel::new).collect(),
            disputes: disputes.map(DisputePanel::new).collect(),
        })
    }
}

/// The transfers that testers need most. They remain after the payment, because a transfer may
/// arrive late.
fn transfer_buttons(whole: i64, method: &Method) -> Vec<TransferButton> {
    if !matches!(method, Method::Transfer(_)) {
        return Vec::new();
    }
    let button = |text: &str, amount: i64, sender_name| TransferButton {
        label: format!("{text}{}を振り込む", format_yen(amount)),
        amount,
        sender_name,
    };
    let under = (whole - DIFFERENCE).max(whole / 2).max(1);
    vec![
        button("全額", whole, ""),
        button("不足：", under, ""),
        button("過剰：", whole + DIFFERENCE, ""),
        button("別の名義で", whole, OTHER_NAME),
    ]
}
