//! The overview page, which lists the whole state.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::StatusCode;

use super::back;
use super::table::{ROWS, Table, balance, customers, intents, transfers};
use crate::card::NUMBERS;
use crate::event::Event;
use crate::fault::{AnswerFault, WebhookFault};
use crate::page::{answer_html, format_time, format_yen};
use crate::state;
use crate::state::refund::Refund;
use crate::state::session::{Session, SessionMode, SessionStatus};
use crate::store::Store;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new().route("/", get(show_overview))
}

async fn show_overview(State(store): State<Arc<Store>>) -> Response {
    match store.read_state().await {
        Ok(state) => answer_html(StatusCode::OK, &Overview::new(&state, store.now())),
        Err(error) => back("/", Err(error)),
    }
}

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    webhook_faults: Vec<Switch>,
    answer_faults: Vec<Switch>,
    now: String,
    is_turned: bool,
    balance: String,
    cards: Vec<(&'static str, &'static str)>,
    tables: Vec<Table>,
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
    /// The page with its buttons.
    page: String,
}

struct EventRow {
    id: String,
    r#type: String,
    created: String,
    state: String,
}

impl Overview {
    fn new(state: &state::State, now: i64) -> Self {
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
        let sessions = state.sessions.iter().rev().take(ROWS);
        Self {
            webhook_faults: webhooks.collect(),
            answer_faults: answers.collect(),
            now: format_time(now),
            is_turned: state.clock_offset != 0,
            balance: format_yen(state.balance()),
            cards: NUMBERS.iter().map(|(number, _, text)| (*number, *text)).collect(),
            tables: vec![customers(state), intents(state, None), transfers(state, None), balance(state)],
            sessions: sessions.map(|session| session_row(state, session)).collect(),
            refunds: state.refunds.iter().rev().take(ROWS).map(refund_row).collect(),
            events: state.events.iter().rev().take(ROWS).map(event_row).collect(),
        }
    }
}

fn session_row(state: &state::State, session: &Session) -> SessionRow {
    let is_setup = session.mode == SessionMode::Setup;
    let text = match session.status {
        SessionStatus::Open if state.is_challenged(session) => "本人認証待ち",
        SessionStatus::Open if is_setup => "登録待ち",
        SessionStatus::Open => "支払い待ち",
        SessionStatus::Complete if is_setup => "登録済み",
        SessionStatus::Complete => "支払い済み",
        SessionStatus::Expired => "期限切れ",
    };
    SessionRow {
        id: session.id.clone(),
        number: session.number().to_owned(),
        amount: if is_setup { "カードの登録".to_owned() } else { format_yen(session.amount) },
        created: format_time(session.created),
        state: text,
        is_open: session.status == SessionStatus::Open,
    }
}

fn refund_row(refund: &Refund) -> RefundRow {
    let (amount, created) = (format_yen(refund.amount), format_time(refund.created));
    let page = super::intent::refund_page(refund);
    RefundRow { id: refund.id.clone(), amount, created, state: refund.status.label(), page }
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
