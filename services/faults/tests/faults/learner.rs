//! A learner's browser as the API sees it. It retries only where a test asks for it, and counts all
//! statuses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

/// The timeout in `spec.md`.
const TIMEOUT: Duration = Duration::from_secs(25);
/// Pause before a request is sent again.
const PAUSE: Duration = Duration::from_millis(50);

/// A signed-in learner. Clones share the connections and the counts.
#[derive(Clone)]
pub(crate) struct Learner {
    client: Client<HttpConnector, Full<Bytes>>,
    origin: String,
    token: String,
    /// Headers of every request.
    headers: Vec<(&'static str, String)>,
    seen: Arc<Mutex<BTreeMap<u16, usize>>>,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// `Null` for an empty body.
    pub(crate) body: Value,
}

impl Learner {
    /// Signs in as a demo account.
    pub(crate) async fn sign_in(origin: &str, name: &str) -> Self {
        let stranger = Self::stranger(origin);
        let body = json!({ "email": format!("{name}@demo.example"), "password": "demo-konomana-2026" });
        let answer = stranger.ask(Method::POST, "/api/accounts/login/", Some(body)).await;
        assert_eq!(answer.status, StatusCode::OK, "signing in: {}", answer.body);
        stranger.signed_in(&answer)
    }

    /// Uses the access token of an answer.
    pub(crate) fn signed_in(self, answer: &Answer) -> Self {
        let token = answer.body["access_token"].as_str().expect("the answer has a token").to_owned();
        Self { token, ..self }
    }

    /// Signs in. Sends the request again until it is accepted.
    pub(crate) async fn sign_in_as(&self, email: &str, password: &str) -> Self {
        let body = json!({ "email": email, "password": password });
        let answer = self.send_until_accepted(Method::POST, "/api/accounts/login/", Some(body)).await;
        self.clone().signed_in(&answer)
    }

    /// Adds a header to every request.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// A client without an account.
    pub(crate) fn stranger(origin: &str) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self {
            client,
            origin: origin.to_owned(),
            token: String::new(),
            headers: Vec::new(),
            seen: Arc::default(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None).await
    }

    /// Sends a request. Panics without an answer.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let mut request = Request::builder().method(&method).uri(format!("{}{path}", self.origin));
        if !self.token.is_empty() {
            request = request.header("authorization", &self.token);
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let request = request.body(Full::new(body)).expect("the request is valid");
        let answer = async {
            let answer = self.client.request(request).await.expect("the gateway answers");
            let (head, body) = answer.into_parts();
            (head, body.collect().await.expect("the answer is complete").to_bytes())
        };
        let (head, body) = tokio::time::timeout(TIMEOUT, answer)
            .await
            .unwrap_or_else(|_| panic!("{method} {path}: no answer"));
        *self
            .seen
            .lock()
            .expect("no thread panicked with the lock")
            .entry(head.status.as_u16())
            .or_default() += 1;
        let body = serde_json::from_slice(&body).unwrap_or_default();
        Answer { status: head.status, headers: head.headers, body }
    }

    /// Sends the same request until it succeeds, as a browser does. Retries only server errors.
    pub(crate) async fn send_until_accepted(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        loop {
            let answer = self.ask(method.clone(), path, body.clone()).await;
            if answer.status.is_success() {
                return answer;
            }
            assert!(answer.status.is_server_error(), "{method} {path}: {} {}", answer.status, answer.body);
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Gets a body. Retries until there is one.
    pub(crate) async fn get_body(&self, path: &str) -> Value {
        self.send_until_accepted(Method::GET, path, None).await.body
    }

    /// Gets the rows of all pages of a list.
    pub(crate) async fn get_pages(&self, path: &str) -> Vec<Value> {
        let mut rows = Vec::new();
        for page in 1.. {
            let answer = self.get_body(&format!("{path}?page={page}")).await;
            rows.extend(list(&answer["results"]).cloned());
            if answer["next"].is_null() {
                break;
            }
        }
        rows
    }

    /// Returns the number of answers for each status.
    pub(crate) fn count_statuses(&self) -> BTreeMap<u16, usize> {
        self.seen.lock().expect("no thread panicked with the lock").clone()
    }

    /// Lists the lessons of everything that the learner owns.
    pub(crate) async fn lessons(&self) -> Vec<i64> {
        let answer = self.get("/api/lms/inventory/").await;
        let mut lessons: Vec<i64> = list(&answer.body["results"])
            .flat_map(|item| list(&item["course"]["course_chapter"]))
            .flat_map(|chapter| list(&chapter["units"]))
            .flat_map(|unit| list(&unit["lessons"]))
            .filter_map(|lesson| lesson["id"].as_i64())
            .collect();
        lessons.sort_unstable();
        lessons.dedup();
        lessons
    }

    /// Lists the lessons that the learner starred.
    pub(crate) async fn favorites(&self) -> Vec<i64> {
        let mut starred = Vec::new();
        for page in 1.. {
            let answer = self.get(&format!("/api/lms/favorite/?page={page}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            starred.extend(list(&answer.body["results"]).filter_map(|mark| mark["lesson"]["id"].as_i64()));
            if answer.body["next"].is_null() {
                break;
            }
        }
        starred
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
