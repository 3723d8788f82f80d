//! The API, with idempotency keys. The endpoints of an object are in the file with its name.

mod balance;
mod customer;
mod event;
mod intent;
mod paging;
mod payment_method;
mod refund;
mod session;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, StatusCode, Uri};
use serde_json::Value;
use uuid::Uuid;

use crate::error::ApiError;
use crate::fault::AnswerFault;
use crate::form::{Form, invalid};
use crate::state::{State, StoredAnswer};
use crate::store::Store;

/// The API version that the sandbox supports.
pub(crate) const API_VERSION: &str = "2026-07-29.dahlia";

/// The maximum length of an idempotency key.
const KEY_LIMIT: usize = 255;

/// The shared state of all handlers.
#[derive(Clone)]
struct Api {
    store: Arc<Store>,
    /// `Bearer sk_…`.
    authorization: Arc<str>,
    slow: Duration,
    /// The idempotency keys of requests in progress.
    keys_in_use: Arc<Mutex<BTreeSet<String>>>,
}

/// The routes of the API.
pub(crate) fn routes(store: Arc<Store>, key: &str, slow: Duration) -> Router {
    let authorization = format!("Bearer {key}").into();
    Router::new()
        .merge(session::routes())
        .merge(customer::routes())
        .merge(payment_method::routes())
        .merge(intent::routes())
        .merge(refund::routes())
        .merge(balance::routes())
        .merge(event::routes())
        .with_state(Api { store, authorization, slow, keys_in_use: Arc::default() })
}

impl Api {
    /// Answers a GET. `expandable`: the fields that can be expanded to objects.
    async fn answer_read(
        &self,
        headers: &HeaderMap,
        query: Option<String>,
        expandable: &[&str],
        find: impl FnOnce(&State, &mut Form) -> Result<Value, ApiError>,
    ) -> Response {
        let answer = async {
            self.check_caller(headers)?;
            let read = self.store.inspect(|state| {
                if state.answer_fault == AnswerFault::Unavailable {
                    return Err(ApiError::unavailable());
                }
                let mut form = Form::parse(query.unwrap_or_default().as_bytes());
                let expansions = form.take_expansions(expandable)?;
                let mut answer = find(state, &mut form)?;
                state.expand(&mut answer, &expansions);
                Ok((answer, state.answer_fault))
            });
            let (answer, fault) = read.await??;
            self.wait(fault).await;
            Ok::<Value, ApiError>(answer)
        };
        match answer.await {
            Ok(answer) => send(StatusCode::OK, answer.to_string(), false),
            Err(error) => send(error.status, error.to_json().to_string(), false),
        }
    }

    /// Answers a POST or DELETE, once for each idempotency key. `expandable`: the fields that can
    /// be expanded to objects.
    ///
    /// `work` must change nothing before it fails, except with an error that
    /// [has begun](ApiError::has_begun).
    async fn answer_write<Work>(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        body: Bytes,
        expandable: &'static [&'static str],
        work: Work,
    ) -> Response
    where
        Work: FnOnce(&mut State, &mut Form, i64) -> Result<Value, ApiError> + Send + 'static,
    {
        let answer = async {
            self.check_caller(headers)?;
            let key = idempotency_key(headers)?;
            let _in_use = key.as_deref().map(|key| KeyInUse::new(&self.keys_in_use, key)).transpose()?;
            let fault = self.store.inspect(|state| state.answer_fault).await?;
            if fault == AnswerFault::Unavailable {
                return Err(ApiError::unavailable());
            }
            let request = hex::encode(digest(&SHA256, &[uri.path().as_bytes(), b"?", &body].concat()));
            let change = move |state: &mut State, now| {
                if let Some(first) = key.as_ref().and_then(|key| state.answers.get(key)) {
                    let is_same = first.request == request;
                    return if is_same {
                        Ok((first.clone(), true))
                    } else {
                        Err(ApiError::other_parameters())
                    };
                }
                let mut form = Form::parse(&body);
                let answer = form.take_expansions(expandable).and_then(|expansions| {
                    let mut answer = work(state, &mut form, now)?;
                    state.expand(&mut answer, &expansions);
                    Ok(answer)
                });
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

/// Rejects a second request with the same key while the first one is in progress.
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
