//! PostgreSQL dies, again and again, under load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use http::Method;
use rustix::process::Signal;
use tokio::task::JoinSet;

use crate::learner::Learner;
use crate::product::{Product, RECOVERY, until};

const ROUNDS: usize = 20;
/// Stars are set and removed by so many at once, each on a lesson of its own.
const WRITERS: usize = 8;
/// How long PostgreSQL may take to read its log and begin again; that is the disk's affair more than ours.
const RESTART: Duration = Duration::from_secs(30);
/// How long the load runs before PostgreSQL dies in it.
const LOAD: Duration = Duration::from_millis(300);

/// What a writer knows of its lesson: starred or not, unless the last answer was a failure.
struct Writer {
    lesson: i64,
    starred: Option<bool>,
}

impl Writer {
    /// Stars, unstars, and so on, until told to stop.
    async fn write(mut self, learner: Learner, stop: Arc<AtomicBool>) -> Self {
        let path = format!("/api/lms/favorite/{}/", self.lesson);
        let mut star = self.starred != Some(true);
        while !stop.load(Ordering::Relaxed) {
            let method = if star { Method::PUT } else { Method::DELETE };
            let answer = learner.ask(method, &path, None).await;
            self.starred = answer.status.is_success().then_some(star);
            star = !star;
        }
        self
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_mark_is_lost_and_nothing_but_502_and_504_is_seen() {
    let product = Product::start();
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let lessons = learner.lessons().await;
    let starred = learner.favorites().await;
    let free = lessons.iter().filter(|lesson| !starred.contains(lesson));
    let mut writers: Vec<_> =
        free.take(WRITERS).map(|lesson| Writer { lesson: *lesson, starred: None }).collect();
    assert_eq!(writers.len(), WRITERS);
    let mut slowest = Duration::ZERO;
    let mut known = 0;
    for round in 0..ROUNDS {
        let stop = Arc::new(AtomicBool::new(false));
        let mut running = JoinSet::new();
        for writer in writers.drain(..) {
            running.spawn(writer.write(learner.clone(), stop.clone()));
        }
        tokio::time::sleep(LOAD).await;
        let killed = product.signal("postgres", Signal::KILL);
        tokio::time::sleep(LOAD).await;
        stop.store(true, Ordering::Relaxed);
        writers = running.join_all().await;
        until(RESTART, "PostgreSQL is there again", async || product.is_replaced("postgres", killed)).await;
        let begun = Instant::now();
        until(RECOVERY, "marks are there again", async || {
            learner.get("/api/lms/favorite/").await.status.is_success()
        })
        .await;
        slowest = slowest.max(begun.elapsed());
        let starred = learner.favorites().await;
        for writer in &writers {
            if let Some(expected) = writer.starred {
                known += 1;
                let lesson = writer.lesson;
                assert_eq!(starred.contains(&lesson), expected, "round {round}, lesson {lesson}");
            }
        }
    }
    let seen = learner.seen();
    println!(
        "{ROUNDS} rounds, answers by status {seen:?}, slowest recovery {slowest:?}, {known} marks compared"
    );
    assert!(seen.keys().all(|status| *status < 400 || [502, 504].contains(status)), "{seen:?}");
    assert!(seen.contains_key(&502) || seen.contains_key(&504), "the fault was felt: {seen:?}");
    assert!(slowest < RECOVERY, "{slowest:?}");
}
