//! Two replicas of auth, lms and the edge. One at a time shuts down, or is killed, while people use
//! the product.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};
use rustix::process::Signal;
use serde_json::json;
use sqlx::{Executor as _, PgConnection, Row as _};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::learner::Learner;
use crate::product::{Product, until};

const SERVICES: [&str; 3] = ["lms", "auth", "edge"];
/// Suffixes of the process names of the replicas.
const REPLICAS: [&str; 2] = ["", "-2"];
const PEOPLE: usize = 3;
/// Pause before a retry. The site waits between 200 and 600 ms.
const BEFORE_RETRY: Duration = Duration::from_millis(400);
/// Limit for a replica to be replaced. It lingers for a second after SIGTERM, and is then started
/// again.
const REPLACED: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread")]
async fn ten_rolling_restarts_fail_no_post() {
    let product = Product::start_with(&["--no-web", "--replicas", "2"]);
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let load = Load::begin(PEOPLE, move |_| sign_in(learner.clone()));
    for _ in 0..10 {
        for replica in REPLICAS {
            let stopped = SERVICES.map(|service| {
                let name = format!("{service}{replica}");
                let pid = product.signal(&name, Signal::TERM);
                (name, pid)
            });
            for (name, pid) in stopped {
                until(REPLACED, &format!("another {name} is ready"), async || {
                    product.is_replaced(&name, pid)
                })
                .await;
            }
        }
    }
    let answers = load.end().await;
    println!("POST during ten rolling restarts: {} answers", answers.len());
    assert!(answers.len() > 100);
    let failed: Vec<&StatusCode> = answers.iter().filter(|status| !status.is_success()).collect();
    assert!(failed.is_empty(), "{} failed, e.g. {:?}", failed.len(), failed.first());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_killed_20_times_fails_no_read_and_repeats_no_write() {
    let product = Product::start_with(&["--no-web", "--replicas", "2"]);
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let mut database = product.database("auth").await;
    let retrying = Arc::new(AtomicUsize::new(0));
    let (reader, waiting) = (learner.clone(), retrying.clone());
    let reads = Load::begin(PEOPLE, move |turn| read_as_a_browser(reader.clone(), turn, waiting.clone()));
    // Each request has its own user agent, which is stored in its session.
    let run = Uuid::now_v7();
    let posts =
        Load::begin(1, move |turn| sign_in(learner.clone().with("user-agent", format!("{run} {turn}"))));
    let names: Vec<String> =
        REPLICAS.iter().flat_map(|replica| SERVICES.map(|service| format!("{service}{replica}"))).collect();
    for name in names.iter().cycle().take(20) {
        let killed = product.signal(name, Signal::KILL);
        until(REPLACED, &format!("another {name} is ready"), async || product.is_replaced(name, killed))
            .await;
        // One fault at a time: all retries finish before the next kill.
        until(REPLACED, "no read is retried", async || retrying.load(Ordering::Relaxed) == 0).await;
    }
    let (reads, posts) = (reads.end().await, posts.end().await);
    let (made, browsers) = sessions(&mut database, run).await;
    let succeeded = posts.iter().filter(|status| status.is_success()).count();
    println!("{} reads, {} posts of which {succeeded} succeeded, {made} sessions", reads.len(), posts.len());
    assert!(reads.len() > 100 && succeeded > 20);
    let failed: Vec<&StatusCode> = reads.iter().filter(|status| !status.is_success()).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert!(
        posts.iter().all(|status| status.is_success() || [502, 504].contains(&status.as_u16())),
        "{posts:?}"
    );
    // A request without an answer may have been executed or not. No request was executed twice.
    assert!((succeeded..=posts.len()).contains(&made), "{made} sessions of {succeeded} to {}", posts.len());
    assert_eq!(browsers, made, "sessions of one post");
}

/// People who send one request after the other.
struct Load {
    stop: Arc<AtomicBool>,
    people: JoinSet<Vec<StatusCode>>,
}

impl Load {
    /// Starts `people` tasks. Each calls `ask` with the number of its earlier calls.
    fn begin<Ask, Asking>(people: usize, ask: Ask) -> Self
    where
        Ask: Fn(usize) -> Asking + Clone + Send + 'static,
        Asking: Future<Output = StatusCode> + Send,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let mut load = Self { stop, people: JoinSet::new() };
        for _ in 0..people {
            let (ask, stop) = (ask.clone(), load.stop.clone());
            load.people.spawn(async move {
                let mut answers = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    answers.push(ask(answers.len()).await);
                }
                answers
            });
        }
        load
    }

    /// Stops the tasks. Returns the statuses of all answers.
    async fn end(self) -> Vec<StatusCode> {
        self.stop.store(true, Ordering::Relaxed);
        self.people.join_all().await.concat()
    }
}

async fn sign_in(learner: Learner) -> StatusCode {
    let body = json!({ "email": "second@demo.example", "password": "demo-konomana-2026" });
    let answer = learner.ask(Method::POST, "/api/accounts/login/", Some(body)).await;
    answer.status
}

/// Reads as the site does: retries once after a pause, and counts as `retrying` meanwhile.
async fn read_as_a_browser(learner: Learner, turn: usize, retrying: Arc<AtomicUsize>) -> StatusCode {
    let path = ["/api/lms/inventory/", "/api/accounts/user/"][turn % 2];
    let first = learner.get(path).await.status;
    if first.is_success() {
        return first;
    }
    retrying.fetch_add(1, Ordering::Relaxed);
    tokio::time::sleep(BEFORE_RETRY).await;
    let second = learner.get(path).await.status;
    retrying.fetch_sub(1, Ordering::Relaxed);
    second
}

/// Returns the number of sessions that a run created, and the number of requests that created one.
async fn sessions(database: &mut PgConnection, run: Uuid) -> (usize, usize) {
    let rows = database.fetch_all("SELECT user_agent FROM session").await.expect("the sessions can be read");
    let browsers: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let of_run = || browsers.iter().filter(|browser| browser.starts_with(&run.to_string()));
    (of_run().count(), of_run().collect::<BTreeSet<_>>().len())
}
