//! A hung service, and a statement that waits for a lock.

use std::time::{Duration, Instant};

use http::StatusCode;
use rustix::process::Signal;
use sqlx::{Executor as _, Row as _};

use crate::learner::Learner;
use crate::product::{Product, RECOVERY, until};

const INVENTORY: &str = "/api/lms/inventory/";

#[tokio::test]
async fn a_call_to_a_hung_service_fails_within_10_3_seconds() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    product.signal("lms", Signal::STOP);
    let begun = Instant::now();
    let answer = learner.get(INVENTORY).await;
    let took = begun.elapsed();
    product.signal("lms", Signal::CONT);
    assert_eq!(answer.status, StatusCode::GATEWAY_TIMEOUT, "{}", answer.body);
    assert_eq!(answer.body["code"], "OUT_OF_TIME");
    assert!(took < Duration::from_millis(10_300), "{took:?}");
    until(RECOVERY, "the inventory can be listed again", async || {
        learner.get(INVENTORY).await.status.is_success()
    })
    .await;
}

#[tokio::test]
async fn a_statement_that_waits_too_long_is_cancelled_within_6_seconds() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let mut blocker = product.lock_table("lms", "learner_inventory").await;
    let mut watcher = product.database("lms").await;
    let begun = Instant::now();
    let answer = learner.get(INVENTORY).await;
    assert_eq!(answer.status, StatusCode::GATEWAY_TIMEOUT, "{}", answer.body);
    until(Duration::from_secs(6).saturating_sub(begun.elapsed()), "no statement of lms runs", async || {
        let running = "SELECT count(*) AS running FROM pg_stat_activity \
                       WHERE usename LIKE 'konomana_lms_%' AND state = 'active'";
        watcher.fetch_one(running).await.expect("the query succeeds").get::<i64, _>("running") == 0
    })
    .await;
    blocker.execute("ROLLBACK").await.expect("the lock is released");
    until(RECOVERY, "the inventory can be listed again", async || {
        learner.get(INVENTORY).await.status.is_success()
    })
    .await;
}
