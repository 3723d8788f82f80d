//! Services are killed, or shut down, while people use them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};
use rustix::process::Signal;
use tokio::task::JoinSet;

use crate::learner::Learner;
use crate::product::{Product, RECOVERY, until};

/// The services that a request of a signed-in learner passes.
const SERVICES: [&str; 3] = ["lms", "auth", "edge"];
const PEOPLE: usize = 8;
/// Duration of the load before and after a service is shut down.
const LOAD: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_service_is_restarted_automatically() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    for service in SERVICES.into_iter().chain(["commerce"]) {
        let killed = product.signal(service, Signal::KILL);
        until(RECOVERY, "all services answer again", async || {
            let user = learner.get("/api/accounts/user/").await.status;
            let inventory = learner.get("/api/lms/inventory/").await.status;
            let products = learner.get("/api/commerce/product/").await.status;
            product.is_replaced(service, killed)
                && [user, inventory, products].iter().all(StatusCode::is_success)
        })
        .await;
    }
    let seen = learner.count_statuses();
    assert!(seen.keys().all(|status| *status < 400 || [502, 504].contains(status)), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_shuts_down_fails_no_request() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let lessons = learner.lessons().await;
    for service in SERVICES {
        let stop = Arc::new(AtomicBool::new(false));
        let mut people = JoinSet::new();
        for lesson in lessons.iter().take(PEOPLE) {
            people.spawn(send_requests(learner.clone(), *lesson, stop.clone()));
        }
        tokio::time::sleep(LOAD).await;
        let stopped = product.signal(service, Signal::TERM);
        until(RECOVERY, "another process is ready", async || product.is_replaced(service, stopped)).await;
        tokio::time::sleep(LOAD).await;
        stop.store(true, Ordering::Relaxed);
        people.join_all().await;
        let seen = learner.count_statuses();
        println!("{service} shut down: {seen:?}");
        assert!(seen.keys().all(|status| *status < 400), "{service}: {seen:?}");
    }
}

/// Reads and writes until `stop`.
async fn send_requests(learner: Learner, lesson: i64, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        learner.get("/api/lms/inventory/").await;
        learner.ask(Method::PUT, &format!("/api/lms/favorite/{lesson}/"), None).await;
        learner.get("/api/accounts/user/").await;
    }
}

#[tokio::test]
async fn a_logout_revokes_the_token_within_a_second() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "second").await;
    assert_eq!(learner.get("/api/lms/bookmark/").await.status, StatusCode::OK);
    let answer = learner.ask(Method::POST, "/api/accounts/logout/", None).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    until(Duration::from_secs(1), "the token is refused", async || {
        learner.get("/api/lms/bookmark/").await.status == StatusCode::UNAUTHORIZED
    })
    .await;
}
