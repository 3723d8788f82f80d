//! The API: Checkout Sessions, payment intents and refunds, with idempotency keys.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, StatusCode, Uri};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::ApiError;
use crate::fault::AnswerFault;
use crate::form::{Form, invalid};
use crate::session::Session;
use crate::state::{self, StoredAnswer};
use crate::store::Store;

/// The version of the API that the sandbox knows.
pub(crate) const API_VERSION: &str = "2026-07-29.dahlia";

/// The longest idempotency key.
const KEY_LIMIT: usize = 255;

/// The shared state of all handlers.
#[derive(Clone)]
struct Api {
    store: Arc<Store>,
    /// `Bearer sk_…`.
    authorization: Arc<str>,
    slow: Duration,
    /// The keys of requests whose answer is not sent yet.
    keys_in_use: Arc<Mutex<BTreeSet<String>>>,
}

/// The routes of the API.
pub(crate) fn routes(store: Arc<Store>, key: &str, slow: Duration) -> Router {
    let authorization = format!("Bearer {key}").into();
    Router::new()
        .route("/v1/checkout/sessions", get(list_sessions).post(create_session))
        .route("/v1/checkout/sessions/{id}", get(get_session))
        .route("/v1/checkout/sessions/{id}/expire", post(expire_session))
        .route("/v1/payment_intents/{id}", get(get_intent))
        .route("/v1/refunds", post(create_refund))
        .route("/v1/refunds/{id}", get(get_refund))
        .with_state(Api { store, authorization, slow, keys_in_use: Arc::default() })
}

async fn create_session(State(api): State<Api>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    api.write(&uri, &headers, body, |state, form, origin, now| {
        let expanded = form.take_expansion("payment_intent")?;
        let session = Session::create(form, now)?;
        form.finish()?;
        let answer = state.session_json(&session, origin, expanded);
        state.sessions.push(session);
        Ok(answer)
    })
    .await
}

async fn get_session(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.read(&headers, query, |state, form, origin| {
        let expanded = form.take_expansion("payment_intent")?;
        form.finish()?;
        let session = state.session(&id).ok_or_else(|| ApiError::missing("checkout.session", &id))?;
        Ok(state.session_json(session, origin, expanded))
    })
    .await
}

async fn list_sessions(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    api.read(&headers, query, |state, form, origin| {
        let expanded = form.take_expansion("data.payment_intent")?;
        let intent = form.take("payment_intent");
        let limit = form.take_number("limit")?.unwrap_or(10_usize);
        form.finish()?;
        if !(1..=100).contains(&limit) {
            return Err(invalid("limit"));
        }
        let is_found = |session: &&Session| intent.is_none() || session.intent == intent;
        // Newest first.
        let mut found = state.sessions.iter().rev().filter(is_found);
        let page: Vec<_> =
            found.by_ref().take(limit).map(|session| state.session_json(session, origin, expanded)).collect();
        let has_more = found.next().is_some();
        Ok(json!({"object": "list", "url": "/v1/checkout/sessions", "has_more": has_more, "data": page}))
    })
    .await
}

async fn expire_session(
    State(api): State<Api>,
    Path(id): Path<String>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    api.write(&uri, &headers, body, move |state, form, origin, now| {
        let expanded = form.take_expansion("payment_intent")?;
        form.finish()?;
        state.expire_session(&id, origin, now)?;
        let session = state.session(&id).ok_or_else(|| ApiError::missing("checkout.session", &id))?;
        Ok(state.session_json(session, origin, expanded))
    })
    .await
}

async fn get_intent(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.read(&headers, query, |state, form, _| {
        form.finish()?;
        let intent = state.intent(&id).ok_or_else(|| ApiError::missing("payment_intent", &id))?;
        Ok(intent.to_json())
    })
    .await
}

async fn create_refund(State(api): State<Api>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    api.write(&uri, &headers, body, |state, form, _, now| {
        let intent = form.require("payment_intent")?;
        let amount = form.take_number("amount")?;
        form.take_word("reason", &["duplicate", "fraudulent", "requested_by_customer"])?;
        let metadata = form.take_map("metadata");
        form.finish()?;
        Ok(state.create_refund(&intent, amount, metadata, now)?.to_json())
    })
    .await
}

async fn get_refund(
    State(api): State<Api>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    api.read(&headers, query, |state, form, _| {
        form.finish()?;
        let refund = state.refunds.iter().find(|refund| refund.id == id);
        Ok(refund.ok_or_else(|| ApiError::missing("refund", &id))?.to_json())
    })
    .await
}

impl Api {
    /// Answers a GET.
    async fn read(
        &self,
        headers: &HeaderMap,
        query: Option<String>,
        find: impl FnOnce(&state::State, &mut Form, &str) -> Result<Value, ApiError>,
    ) -> Response {
        let answer = async {
            self.check_caller(headers)?;
            let state = self.store.read().await?;
            if state.answer_fault == AnswerFault::Unavailable {
                return Err(ApiError::unavailable());
            }
            let mut form = Form::parse(query.unwrap_or_default().as_bytes());
            let answer = find(&state, &mut form, &self.store.origin)?;
            self.wait(state.answer_fault).await;
            Ok(answer)
        };
        match answer.await {
            Ok(answer) => send(StatusCode::OK, answer.to_string(), false),
            Err(error) => send(error.status, error.to_json().to_string(), false),
        }
    }

    /// Answers a POST, once for each idempotency key.
    async fn write<Work>(&self, uri: &Uri, headers: &HeaderMap, body: Bytes, work: Work) -> Response
    where
        Work: FnOnce(&mut state::State, &mut Form, &str, i64) -> Result<Value, ApiError> + Send + 'static,
    {
        let answer = async {
            self.check_caller(headers)?;
            let key = idempotency_key(headers)?;
            let _in_use = key.as_deref().map(|key| KeyInUse::new(&self.keys_in_use, key)).transpose()?;
            let fault = self.store.read().await?.answer_fault;
            if fault == AnswerFault::Unavailable {
                return Err(ApiError::unavailable());
            }
            let request = hex::encode(digest(&SHA256, &[uri.path().as_bytes(), b"?", &body].concat()));
            let origin = self.store.origin.clone();
            let change = move |state: &mut state::State, now| {
                if let Some(first) = key.as_ref().and_then(|key| state.answers.get(key)) {
                    let is_same = first.request == request;
                    return if is_same {
                        Ok((first.clone(), true))
                    } else {
                        Err(ApiError::other_parameters())
                    };
                }
                let answer = work(state, &mut Form::parse(&body), &origin, now);
                let (status, body) = match answer {
                    Ok(answer) => (StatusCode::OK, answer.to_string()),
                    Err(error) if error.has_begun => (error.status, error.to_json().to_string()),
                    Err(error) => return Err(error),
                };
                let answer = StoredAnswer { created: now, request, status: status.as_u16(), body };
                if let Some(key) = key {
                    state.answers.insert(key, answer.clone());
                }
                Ok((answer, false))
            };
            let (answer, is_replayed) = self.store.change(change).await??;
            self.wait(fault).await;
            Ok((answer, is_replayed))
        };
        match answer.await {
            Ok((answer, is_replayed)) => {
                let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
                send(status, answer.body, is_replayed)
            }
            Err(error) => send(error.status, error.to_json().to_string(), false),
        }
    }

    fn check_caller(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        if authorization != Some(&*self.authorization) {
            return Err(ApiError::unauthorized());
        }
        if headers.get("stripe-version").is_none_or(|version| version != API_VERSION) {
            return Err(ApiError::version(API_VERSION));
        }
        Ok(())
    }

    async fn wait(&self, fault: AnswerFault) {
        if fault == AnswerFault::Slow {
            tokio::time::sleep(self.slow).await;
        }
    }
}

/// Refuses a second request with the same key while the first one is under way.
struct KeyInUse {
    keys: Arc<Mutex<BTreeSet<String>>>,
    key: String,
}

impl KeyInUse {
    fn new(keys: &Arc<Mutex<BTreeSet<String>>>, key: &str) -> Result<Self, ApiError> {
        let is_free = keys.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned());
        if is_free {
            Ok(Self { keys: keys.clone(), key: key.to_owned() })
        } else {
            Err(ApiError::key_in_use())
        }
    }
}

impl Drop for KeyInUse {
    fn drop(&mut self) {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    match key.to_str() {
        Ok(key) if (1..=KEY_LIMIT).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(invalid("Idempotency-Key")),
    }
}

fn send(status: StatusCode, body: String, is_replayed: bool) -> Response {
    let request_id = format!("req_{}", Uuid::new_v4().simple());
    let head = [(CONTENT_TYPE.as_str(), "application/json"), ("request-id", &request_id)];
    let mut answer = (status, head, body).into_response();
    if is_replayed {
        answer.headers_mut().insert("idempotent-replayed", http::HeaderValue::from_static("true"));
    }
    answer
}
