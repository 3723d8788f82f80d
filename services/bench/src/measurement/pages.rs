//! The measured pages, requested by signed-in learners.

use std::net::SocketAddr;
use std::sync::Arc;

use ::http::header::CONTENT_TYPE;
use ::http::{Method, Request};
use bytes::Bytes;
use runner::http;
use serde_json::Value;
use tooling::failure::{Doing as _, Outcome, fail};

use super::load;

/// Number of signed-in learners: enough that successive requests are of different learners.
pub(super) const SIGNED_IN: usize = 300;

/// A learner with a session.
pub(super) struct Learner {
    /// Its number among those that were filled, from 1.
    pub(super) number: usize,
    email: String,
    pub(super) token: String,
    /// Ids of inventory items.
    items: Vec<i64>,
    /// Lessons that can be watched now: id and length in seconds.
    pub(super) lessons: Vec<(i64, u32)>,
}

/// A page, with its request of every learner.
pub(super) struct Page {
    /// Name for `--only`.
    pub(super) name: &'static str,
    /// Complete requests.
    pub(super) requests: Arc<Vec<Bytes>>,
}

impl Page {
    /// Returns a function that picks one of the requests for each turn.
    pub(super) fn any(&self) -> impl Fn(u32) -> Bytes + Send + use<> {
        let requests = self.requests.clone();
        move |turn| load::any(&requests, turn.into()).clone()
    }
}

/// Signs in `count` learners, spread evenly over `emails`.
pub(super) async fn sign_in(edges: &[SocketAddr], emails: &[String], count: usize) -> Outcome<Vec<Learner>> {
    let step = (emails.len() / count).max(1);
    let mut learners = Vec::new();
    for (place, email) in emails.iter().enumerate().step_by(step).take(count) {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/api/accounts/login/")
            .header(CONTENT_TYPE, "application/json")
            .body(Bytes::from(credentials(email)))?;
        let (status, body) = http::send(edges[0], request).await?;
        let answer: Value =
            serde_json::from_slice(&body).doing(|| format!("signing in {email}: {status}"))?;
        let Some(token) = answer["access_token"].as_str() else {
            return fail(format!("signing in {email} answers {status}"));
        };
        let (status, body) = http::get(edges[0], "/api/lms/inventory/", Some(token)).await?;
        let page: Value =
            serde_json::from_slice(&body).doing(|| format!("the inventory of {email}: {status}"))?;
        let items = list(&page["results"]).filter_map(|item| item["id"].as_i64()).collect();
        let lessons = list(&page["results"])
            .filter(|item| item["is_expired"] == false)
            .flat_map(|item| list(&item["course"]["course_chapter"]))
            .flat_map(|chapter| list(&chapter["units"]))
            .flat_map(|unit| list(&unit["lessons"]))
            .filter_map(|lesson| {
                Some((lesson["id"].as_i64()?, lesson["duration"].as_u64()?.try_into().ok()?))
            })
            .collect();
        learners.push(Learner {
            number: place + 1,
            email: email.clone(),
            token: token.to_owned(),
            items,
            lessons,
        });
    }
    Ok(learners)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Builds the requests of all measured pages.
pub(super) fn build_pages(learners: &[Learner]) -> Vec<Page> {
    let page = |name, path: &str| Page {
        name,
        requests: Arc::new(learners.iter().map(|learner| get(path, &learner.token)).collect()),
    };
    let details = learners.iter().flat_map(|learner| {
        learner.items.iter().map(|item| get(&format!("/api/lms/inventory/{item}/"), &learner.token))
    });
    vec![
        page("inventory", "/api/lms/inventory/?sort_by_watchhistory=true&page=1"),
        Page { name: "detail", requests: Arc::new(details.collect()) },
        page("bookmark", "/api/lms/bookmark/"),
        page("user", "/api/accounts/user/"),
        Page { name: "login", requests: Arc::new(learners.iter().map(login).collect()) },
    ]
}

/// Builds a GET request with the headers of a browser.
pub(super) fn get(path: &str, token: &str) -> Bytes {
    format!(
        "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip, deflate, br, zstd\r\nauthorization: Bearer {token}\r\n\r\n"
    )
    .into()
}

fn login(learner: &Learner) -> Bytes {
    let body = credentials(&learner.email);
    format!(
        "POST /api/accounts/login/ HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into()
}

fn credentials(email: &str) -> String {
    serde_json::json!({"email": email, "password": bench::fill::PASSWORD}).to_string()
}
