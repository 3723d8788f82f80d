//! PostgreSQL is killed repeatedly under load.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use http::{Method, StatusCode};
use rustix::process::Signal;
use tokio::task::JoinSet;

use crate::learner::Learner;
use crate::product::{Product, RECOVERY, until};

const ROUNDS: usize = 20;
/// Learners that star lessons at once. Each has its own lessons.
const WRITERS: usize = 8;
/// Duration of the load before and after PostgreSQL is killed.
const LOAD: Duration = Duration::from_millis(300);
/// Limit for PostgreSQL to recover from its log. It depends on the disk.
const RESTART: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_mark_is_lost_and_the_only_errors_are_502_and_504() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let before: BTreeSet<i64> = learner.favorites().await.into_iter().collect();
    let free: Vec<i64> =
        learner.lessons().await.into_iter().filter(|lesson| !before.contains(lesson)).collect();
    let mut slowest = Duration::ZERO;
    let mut known = 0;
    for round in 0..ROUNDS {
        let stop = Arc::new(AtomicBool::new(false));
        let mut writers = JoinSet::new();
        for share in free.chunks(free.len().div_ceil(WRITERS)) {
            writers.spawn(star(learner.clone(), share.to_vec(), stop.clone()));
        }
        tokio::time::sleep(LOAD).await;
        let killed = product.signal("postgres", Signal::KILL);
        tokio::time::sleep(LOAD).await;
        stop.store(true, Ordering::Relaxed);
        let acknowledged: Vec<i64> = writers.join_all().await.into_iter().flatten().collect();
        until(RESTART, "PostgreSQL is ready again", async || product.is_replaced("postgres", killed)).await;
        let begun = Instant::now();
        until(RECOVERY, "marks can be listed again", async || {
            learner.get("/api/lms/favorite/").await.status.is_success()
        })
        .await;
        slowest = slowest.max(begun.elapsed());
        let starred = learner.favorites().await;
        for lesson in &acknowledged {
            assert!(starred.contains(lesson), "round {round}: lesson {lesson} was acknowledged and is lost");
        }
        known += acknowledged.len();
        for lesson in starred.iter().filter(|lesson| !before.contains(lesson)) {
            let answer = learner.ask(Method::DELETE, &format!("/api/lms/favorite/{lesson}/"), None).await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.body);
        }
    }
    let seen = learner.count_statuses();
    println!(
        "{ROUNDS} rounds, {known} acknowledged marks, answers by status {seen:?}, slowest recovery {slowest:?}"
    );
    assert!(seen.keys().all(|status| *status < 400 || [502, 504].contains(status)), "{seen:?}");
    assert!(seen.contains_key(&502) || seen.contains_key(&504), "the fault caused errors: {seen:?}");
    assert!(known > ROUNDS, "enough marks were acknowledged: {known}");
}

/// Stars one lesson after the other until `stop`. Returns the acknowledged ones.
async fn star(learner: Learner, lessons: Vec<i64>, stop: Arc<AtomicBool>) -> Vec<i64> {
    let mut acknowledged = Vec::new();
    for lesson in lessons {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let answer = learner.ask(Method::PUT, &format!("/api/lms/favorite/{lesson}/"), None).await;
        if answer.status.is_success() {
            acknowledged.push(lesson);
        }
    }
    acknowledged
}
