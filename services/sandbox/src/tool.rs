//! The tools: a page that lists what the sandbox holds, and switches its faults.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use http::StatusCode;

use crate::card::NUMBERS;
use crate::error::ApiError;
use crate::event::Event;
use crate::fault::{AnswerFault, WebhookFault};
use crate::intent::IntentStatus;
use crate::page::{answer_html, format_time, format_yen};
use crate::refund::{Refund, RefundStatus};
use crate::session::{Session, SessionStatus};
use crate::state;
use crate::store::Store;

/// Most rows of a table, newest first.
const ROWS: usize = 100;

/// The routes of the tools.
pub(crate) fn routes(store: Arc<Store>) -> Router {
    Router::new()
        .route("/", get(show_overview))
        .route("/tool/webhooks", post(set_webhook_fault))
        .route("/tool/answers", post(set_answer_fault))
        .route("/tool/events/{id}/send", post(send_event))
        .with_state(store)
}

async fn show_overview(State(store): State<Arc<Store>>) -> Response {
    match store.read().await {
        Ok(state) => answer_html(StatusCode::OK, &Overview::new(&state)),
        Err(error) => refuse(&error),
    }
}

async fn set_webhook_fault(State(store): State<Arc<Store>>, body: Bytes) -> Response {
    let name = read_fault(&body);
    let Some(fault) = WebhookFault::ALL.into_iter().find(|fault| fault.name() == name) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    back(store.change(move |state, _| state.webhook_fault = fault).await)
}

async fn set_answer_fault(State(store): State<Arc<Store>>, body: Bytes) -> Response {
    let name = read_fault(&body);
    let Some(fault) = AnswerFault::ALL.into_iter().find(|fault| fault.name() == name) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    back(store.change(move |state, _| state.answer_fault = fault).await)
}

/// Sends an event now, also one that was lost or delivered.
async fn send_event(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let sent = store.change(move |state, now| {
        if let Some(event) = state.events.iter_mut().find(|event| event.id == id) {
            event.send_again(now);
        }
    });
    back(sent.await)
}

fn read_fault(body: &[u8]) -> String {
    let fault = form_urlencoded::parse(body).find(|(name, _)| name == "fault");
    fault.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn back(changed: Result<(), ApiError>) -> Response {
    match changed {
        Ok(()) => Redirect::to("/").into_response(),
        Err(error) => refuse(&error),
    }
}

fn refuse(error: &ApiError) -> Response {
    (error.status, error.to_json().to_string()).into_response()
}

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    webhook_faults: Vec<Switch>,
    answer_faults: Vec<Switch>,
    cards: Vec<(&'static str, &'static str)>,
    sessions: Vec<SessionRow>,
    refunds: Vec<RefundRow>,
    events: Vec<EventRow>,
}

/// A button for a fault.
struct Switch {
    name: &'static str,
    label: &'static str,
    is_on: bool,
}

struct SessionRow {
    id: String,
    number: String,
    amount: String,
    created: String,
    state: &'static str,
    is_open: bool,
}

struct RefundRow {
    id: String,
    amount: String,
    created: String,
    state: &'static str,
}

struct EventRow {
    id: String,
    r#type: String,
    created: String,
    state: String,
}

impl Overview {
    fn new(state: &state::State) -> Self {
        let webhooks = WebhookFault::ALL.into_iter().map(|fault| Switch {
            name: fault.name(),
            label: fault.label(),
            is_on: fault == state.webhook_fault,
        });
        let answers = AnswerFault::ALL.into_iter().map(|fault| Switch {
            name: fault.name(),
            label: fault.label(),
            is_on: fault == state.answer_fault,
        });
        Self {
            webhook_faults: webhooks.collect(),
            answer_faults: answers.collect(),
            cards: NUMBERS.iter().map(|(number, _, text)| (*number, *text)).collect(),
            sessions: state
                .sessions
                .iter()
                .rev()
                .take(ROWS)
                .map(|session| session_row(state, session))
                .collect(),
            refunds: state.refunds.iter().rev().take(ROWS).map(refund_row).collect(),
            events: state.events.iter().rev().take(ROWS).map(event_row).collect(),
        }
    }
}

fn session_row(state: &state::State, session: &Session) -> SessionRow {
    let intent = state.intent_of(session).map(|intent| intent.status);
    let text = match (session.status, intent) {
        (SessionStatus::Open, Some(IntentStatus::RequiresAction)) => "本人認証待ち",
        (SessionStatus::Open, _) => "支払い待ち",
        (SessionStatus::Complete, _) => "支払い済み",
        (SessionStatus::Expired, _) => "期限切れ",
    };
    SessionRow {
        id: session.id.clone(),
        number: session.number().to_owned(),
        amount: format_yen(session.amount),
        created: format_time(session.created),
        state: text,
        is_open: session.status == SessionStatus::Open,
    }
}

fn refund_row(refund: &Refund) -> RefundRow {
    let state = match refund.status {
        RefundStatus::Pending => "処理中",
        RefundStatus::Succeeded => "返金済み",
        RefundStatus::Failed => "失敗",
    };
    let (amount, created) = (format_yen(refund.amount), format_time(refund.created));
    RefundRow { id: refund.id.clone(), amount, created, state }
}

fn event_row(event: &Event) -> EventRow {
    let result = event.result.as_deref().unwrap_or("未送信");
    let state = match event.next_at {
        Some(at) => format!("{result}（{}回、次は{}）", event.tries, format_time(at)),
        None => format!("{result}（{}回）", event.tries),
    };
    let (id, r#type) = (event.id.clone(), event.r#type.clone());
    EventRow { id, r#type, created: format_time(event.created), state }
}
