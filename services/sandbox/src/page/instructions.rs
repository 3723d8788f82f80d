//! The pages of payment intents: 3-D Secure of a saved card, the codes for the stores, and the
//! account for a transfer.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use http::StatusCode;

use super::html::{AuthenticationPage, KonbiniPage, MessagePage, TransferPage, answer_html};
use super::{fail, read_result};
use crate::state::intent::{Intent, Method};
use crate::store::Store;

pub(super) fn routes() -> Router<Arc<Store>> {
    Router::new()
        .route("/authenticate/{intent}", get(show_authentication).post(authenticate))
        .route("/konbini/{intent}", get(show_konbini))
        .route("/transfer/{intent}", get(show_transfer))
}

async fn show_authentication(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    answer_intent_page(&store, &id, |intent| {
        // The intent of a session uses the session's page.
        let is_here = intent.method == Method::Card && intent.session.is_none();
        is_here.then(|| {
            if intent.is_challenged() {
                answer_html(StatusCode::OK, &AuthenticationPage::of_intent(intent))
            } else {
                answer_html(StatusCode::OK, &MessagePage::authenticated(intent))
            }
        })
    })
    .await
}

async fn authenticate(State(store): State<Arc<Store>>, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(succeeds) = read_result(&body) else {
        return Redirect::to(&format!("/authenticate/{id}")).into_response();
    };
    let intent = id.clone();
    let done = store.change(move |state, now| state.authenticate_intent(&intent, succeeds, now)).await;
    match done {
        Ok(()) => {
            answer_intent_page(&store, &id, |intent| {
                Some(Redirect::to(&intent.return_url()?).into_response())
            })
            .await
        }
        Err(error) => fail(&error),
    }
}

async fn show_konbini(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    answer_intent_page(&store, &id, |intent| match &intent.method {
        Method::Konbini(konbini) => Some(answer_html(StatusCode::OK, &KonbiniPage::new(intent, konbini))),
        Method::Card | Method::Transfer(_) => None,
    })
    .await
}

async fn show_transfer(State(store): State<Arc<Store>>, Path(id): Path<String>) -> Response {
    answer_intent_page(&store, &id, |intent| match &intent.method {
        Method::Transfer(transfer) => Some(answer_html(StatusCode::OK, &TransferPage::new(intent, transfer))),
        Method::Card | Method::Konbini(_) => None,
    })
    .await
}

/// Responds with a page of an intent, or with "not found".
async fn answer_intent_page(
    store: &Arc<Store>,
    id: &str,
    page: impl FnOnce(&Intent) -> Option<Response>,
) -> Response {
    let state = match store.read_state().await {
        Ok(state) => state,
        Err(error) => return fail(&error),
    };
    let page = state.intent(id).and_then(page);
    page.unwrap_or_else(|| answer_html(StatusCode::NOT_FOUND, &MessagePage::unknown()))
}
