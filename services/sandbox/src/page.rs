//! The pages for buyers: plain forms without scripts.

mod fields;
mod html;
mod instructions;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use http::StatusCode;

use crate::card::Refusal;
use crate::error::ApiError;
use crate::state;
use crate::state::session::{Outcome, Session, SessionStatus};
use crate::store::Store;
use fields::{CardFields, FieldErrors};
use html::{AuthenticationPage, PaymentPage};
pub(crate) use html::{MessagePage, answer_html, format_time, format_yen};

/// The routes of the pages.
pub(crate) fn routes(store: Arc<Store>) -> Router {
    Router::new()
        .route("/pay/{session}", get(show_payment).post(pay))
        .route("/pay/{session}/authenticate", get(show_authentication).post(authenticate))
        .merge(instructions::routes())
        .with_state(store)
}

async fn show_payment(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let answer = store.inspect(|state| match find_open(state, &id) {
        Ok(session) => {
            let message = state.refusal_of(session).map(Refusal::sentence);
            let page = PaymentPage::new(session, CardFields::default(), FieldErrors::default(), message);
            answer_html(StatusCode::OK, &page)
        }
        Err(answer) => *answer,
    });
    answer.await.unwrap_or_else(|error| fail(&error))
}

async fn pay(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let fields = CardFields::parse(&body);
    let now = store.now();
    let card = store.inspect(|state| {
        let session = find_open(state, &id)?;
        fields.read_card(now).map_err(|errors| {
            let page = PaymentPage::new(session, fields, errors, None);
            Box::new(answer_html(StatusCode::UNPROCESSABLE_ENTITY, &page))
        })
    });
    let card = match card.await {
        Ok(Ok(card)) => card,
        Ok(Err(answer)) => return *answer,
        Err(error) => return fail(&error),
    };
    let session = id.clone();
    let outcome = store.change(move |state, now| state.submit_card(&session, card, now)).await;
    match outcome {
        Ok(Outcome::Challenged) => Redirect::to(&format!("/pay/{id}/authenticate")).into_response(),
        Ok(outcome) => leave(&store, &id, outcome).await,
        Err(error) => fail(&error),
    }
}

async fn show_authentication(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    let state = match store.read_state().await {
        Ok(state) => state,
        Err(error) => return fail(&error),
    };
    let session = match find_open(&state, &id) {
        Ok(session) => session,
        Err(answer) => return *answer,
    };
    if !state.is_challenged(session) {
        return Redirect::to(&format!("/pay/{id}")).into_response();
    }
    answer_html(StatusCode::OK, &AuthenticationPage::of_session(session))
}

async fn authenticate(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(succeeds) = read_result(&body) else {
        return Redirect::to(&format!("/pay/{id}/authenticate")).into_response();
    };
    let session = id.clone();
    let outcome = store.change(move |state, now| state.authenticate_session(&session, succeeds, now)).await;
    match outcome {
        Ok(outcome) => leave(&store, &id, outcome).await,
        Err(error) => fail(&error),
    }
}

/// Whether 3-D Secure succeeds, or `None` if no button was pressed.
fn read_result(body: &[u8]) -> Option<bool> {
    let result = form_urlencoded::parse(body).find(|(name, _)| name == "result");
    match result.as_ref().map(|(_, value)| &**value) {
        Some("success") => Some(true),
        Some("failure") => Some(false),
        _ => None,
    }
}

/// Redirects the browser after a payment attempt.
async fn leave(store: &Arc<Store>, id: &str, outcome: Outcome) -> Response {
    let place = store.inspect(|state| match (outcome, state.session(id)) {
        (Outcome::Complete, Some(session)) => session.success_url(),
        // The page shows why the payment failed, or that it is closed.
        _ => format!("/pay/{id}"),
    });
    match place.await {
        Ok(place) => Redirect::to(&place).into_response(),
        Err(error) => fail(&error),
    }
}

/// The session, or the page that explains why it can't be paid. Boxed, because a response is large.
fn find_open<'a>(state: &'a state::State, id: &str) -> Result<&'a Session, Box<Response>> {
    let (status, page) = match state.session(id) {
        Some(session) if session.status == SessionStatus::Open => return Ok(session),
        Some(session) if session.status == SessionStatus::Complete => {
            (StatusCode::OK, MessagePage::complete(session))
        }
        Some(session) => (StatusCode::OK, MessagePage::expired(session)),
        None => (StatusCode::NOT_FOUND, MessagePage::unknown()),
    };
    Err(Box::new(answer_html(status, &page)))
}

fn fail(error: &ApiError) -> Response {
    answer_html(error.status, &MessagePage::failed())
}
