//! The tools: pages that list the state, and buttons that simulate buyers, banks and the passing of
//! time.

mod customer;
mod intent;
mod overview;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::post;
use http::StatusCode;

use crate::error::ApiError;
use crate::fault::{AnswerFault, WebhookFault};
use crate::form::Form;
use crate::page::{MessagePage, answer_html};
use crate::store::Store;

/// The maximum number of days that the clock can be turned at once.
const MOST_DAYS: i64 = 400;

/// The routes of the tools.
pub(crate) fn routes(store: Arc<Store>) -> Router {
    Router::new()
        .merge(overview::routes())
        .merge(customer::routes())
        .merge(intent::routes())
        .route("/tool/webhooks", post(set_webhook_fault))
        .route("/tool/answers", post(set_answer_fault))
        .route("/tool/clock", post(turn_clock))
        .route("/tool/payouts", post(pay_out))
        .route("/tool/events/{id}/send", post(send_event))
        .with_state(store)
}

async fn set_webhook_fault(State(store): State<Arc<Store>>, body: Bytes) -> Response {
    let name = read_fault(&body);
    let Some(fault) = WebhookFault::ALL.into_iter().find(|fault| fault.name() == name) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    back("/", store.change(move |state, _| state.webhook_fault = fault).await)
}

async fn set_answer_fault(State(store): State<Arc<Store>>, body: Bytes) -> Response {
    let name = read_fault(&body);
    let Some(fault) = AnswerFault::ALL.into_iter().find(|fault| fault.name() == name) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    back("/", store.change(move |state, _| state.answer_fault = fault).await)
}

/// Turns the clock by `days` and `hours`, or back to the real time by `reset`.
async fn turn_clock(State(store): State<Arc<Store>>, body: Bytes) -> Response {
    let mut form = Form::parse(&body);
    let seconds = match read_turn(&mut form) {
        Ok(seconds) => seconds,
        Err(error) => return back("/", Err(error)),
    };
    let turned = store.change(move |state, _| {
        state.clock_offset = seconds.map_or(0, |seconds| state.clock_offset + seconds);
    });
    back("/", turned.await)
}

/// The number of seconds to turn the clock by, or `None` to reset it.
fn read_turn(form: &mut Form) -> Result<Option<i64>, ApiError> {
    if form.take("reset").is_some() {
        return Ok(None);
    }
    let days: i64 = form.take_number("days")?.unwrap_or_default();
    let hours: i64 = form.take_number("hours")?.unwrap_or_default();
    let seconds = days.checked_mul(24).and_then(|day| day.checked_add(hours)).unwrap_or(i64::MAX);
    if (1..=MOST_DAYS * 24).contains(&seconds) {
        Ok(Some(seconds * 60 * 60))
    } else {
        Err(crate::form::invalid("days"))
    }
}

async fn pay_out(State(store): State<Arc<Store>>) -> Response {
    back("/", store.change(crate::state::State::pay_out).await.flatten())
}

/// Sends an event now, even if it was lost or delivered.
async fn send_event(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let sent = store.change(move |state, now| {
        let real_now = now - state.clock_offset;
        if let Some(event) = state.events.iter_mut().find(|event| event.id == id) {
            event.send_again(real_now);
        }
    });
    back("/", sent.await)
}

fn read_fault(body: &[u8]) -> String {
    Form::parse(body).take("fault").unwrap_or_default()
}

/// Redirects the browser to the page of the button, or explains why the request was refused.
fn back(page: &str, changed: Result<(), ApiError>) -> Response {
    match changed {
        Ok(()) => Redirect::to(page).into_response(),
        Err(error) => {
            tracing::info!(error = error.message(), "a tool request was refused");
            let text = match error.status {
                StatusCode::NOT_FOUND => "見つかりません。一覧を開き直してください。",
                StatusCode::INTERNAL_SERVER_ERROR => "サンドボックスのファイルに書き込めませんでした。",
                _ => "今の状態、またはこの金額では、この操作はできません。何も変更していません。",
            };
            answer_html(error.status, &MessagePage::refused(text, page.to_owned()))
        }
    }
}
