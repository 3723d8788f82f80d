//! lms and PostgreSQL are killed repeatedly while people watch, star lessons, write notes and
//! answer questions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use http::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::{Executor as _, Row as _};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::learner::Learner;
use crate::product::{Product, until};
use crate::student::{ANSWERING, students};

/// The number of kills of each.
const KILLS: [(&str, usize); 2] = [("lms", 100), ("postgres", 20)];
/// Duration of the load before and after a kill.
const LOAD: Duration = Duration::from_millis(150);
/// Limit for a killed process to be ready again. After several kills its restart is delayed.
const RESTART: Duration = Duration::from_secs(30);
/// Pause between two heartbeats of a player, so that all players together play less than a day's
/// limit.
const BEAT_PAUSE: Duration = Duration::from_millis(20);
/// Above this number the oldest note is deleted. A learner may have 500.
const MOST_NOTES: usize = 30;
/// Lessons watched at once, each by its own player.
const PLAYERS: usize = 4;
/// One learner runs all players, which is more than the default limit.
const STREAMS: &str = "LMS_STREAM_LIMIT=4";
/// Seconds in a heartbeat.
const BEAT: i64 = 5;
/// The player's highest speed. Coverage grows by at most this many seconds a second.
const SPEED: u64 = 3;
/// A day begins at 04:00 in Tokyo, which is this time before midnight UTC.
const MORNING: Duration = Duration::from_hours(5);
/// Limits of the time since the day began, within which counts can be compared. A day counts at
/// most three times its seconds so far: the lower limit leaves room for everything that is played
/// here, the upper limit keeps the test within the day.
const COMPARABLE: [Duration; 2] = [Duration::from_hours(4), Duration::from_hours(23)];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_or_counted_twice() {
    let product = Product::start_with(&["--no-web", "--set", STREAMS]);
    let learner = Learner::sign_in(&product.origin, "adult").await;
    let watched = watched(&learner).await;
    let mut lessons = lessons(&learner).await;
    lessons.retain(|(lesson, _)| !watched.contains(lesson));
    let is_comparable = COMPARABLE[0] < passed() && passed() < COMPARABLE[1];
    let before = seconds(&product).await;
    let mut players = Vec::new();
    for lesson in &lessons[..PLAYERS] {
        players.push(Player::start(&learner, *lesson).await);
    }
    let mut star = Star { lesson: lessons[PLAYERS].0, is_set: false };
    let mut notes = Notes { lesson: lessons[0].0, kept: written(&learner).await, written: 0 };
    let mut students = students(&product, &learner).await;
    for (name, rounds) in KILLS {
        for round in 0..rounds {
            let stop = Arc::new(AtomicBool::new(false));
            let mut playing = JoinSet::new();
            for player in players.drain(..) {
                playing.spawn(player.play(learner.clone(), stop.clone()));
            }
            let mut answering = JoinSet::new();
            for student in students.drain(..ANSWERING) {
                answering.spawn(student.answer(stop.clone()));
            }
            let (mut starring, mut writing) = (JoinSet::new(), JoinSet::new());
            starring.spawn(star.toggle(learner.clone(), stop.clone()));
            writing.spawn(notes.write(learner.clone(), stop.clone()));
            tokio::time::sleep(LOAD).await;
            let killed = product.signal(name, Signal::KILL);
            tokio::time::sleep(LOAD).await;
            stop.store(true, Ordering::Relaxed);
            until(RESTART, "the killed process is ready again", async || product.is_replaced(name, killed))
                .await;
            players = playing.join_all().await;
            star = starring.join_all().await.remove(0);
            notes = writing.join_all().await.remove(0);
            let answered = answering.join_all().await;

            for player in &players {
                player.check(&learner, round).await;
            }
            let starred =
                &learner.get_body(&format!("/api/lms/lesson/{}/", star.lesson)).await["is_favorite"];
            assert_eq!(*starred, star.is_set, "{name} {round}: the star of lesson {}", star.lesson);
            assert_eq!(written(&learner).await, notes.kept, "{name} {round}: the notes");
            for mut student in answered {
                student.check(name, round).await;
                students.push(student);
            }
        }
    }
    for student in &students {
        student.check_all().await;
    }
    for player in &players {
        player.end(&learner).await;
    }
    let played: i64 = players.iter().map(|player| player.played).sum();
    let covered: Vec<i64> = players.iter().map(|player| player.reached).collect();
    let counted = seconds(&product).await - before;
    let [graded, practised] = [true, false]
        .map(|is_graded| students.iter().map(|student| student.answers(is_graded)).sum::<usize>());
    let seen = learner.count_statuses();
    println!(
        "{KILLS:?}: {played} seconds acknowledged, {counted} counted, {covered:?} covered, {} notes kept of {} writes, {graded} graded \
         answers, {practised} of practice, answers by status {seen:?}",
        notes.kept.len(),
        notes.written
    );
    assert!(
        graded.min(practised) > KILLS.map(|(_, rounds)| rounds).iter().sum(),
        "enough answers were acknowledged"
    );
    assert!(counted <= played, "{counted} seconds are counted of {played}");
    if is_comparable {
        assert_eq!(counted, played, "every acknowledged second counts once for the day");
    }
    assert!(seen.keys().all(|status| *status < 400 || [502, 504].contains(status)), "{seen:?}");
    assert!(seen.contains_key(&502) || seen.contains_key(&504), "the fault caused errors: {seen:?}");
}

/// Plays a lesson repeatedly from its beginning, each time a little further, no faster than a real
/// player.
struct Player {
    lesson: i64,
    duration: i64,
    device: Uuid,
    stream: String,
    started: Instant,
    at: i64,
    /// The end of the covered part, which has no gap.
    reached: i64,
    /// Sequence of the last acknowledged heartbeat.
    sequence: i64,
    /// Acknowledged seconds.
    played: i64,
}

impl Player {
    async fn start(learner: &Learner, (lesson, duration): (i64, i64)) -> Self {
        let sequence = SystemTime::UNIX_EPOCH.elapsed().expect("the clock is after 1970").as_millis();
        let sequence = i64::try_from(sequence).expect("the number fits into an i64");
        let device = Uuid::new_v4();
        let stream = stream(learner, lesson, device).await;
        Self {
            lesson,
            duration,
            device,
            stream,
            started: Instant::now(),
            at: 0,
            reached: 0,
            sequence,
            played: 0,
        }
    }

    async fn play(mut self, learner: Learner, stop: Arc<AtomicBool>) -> Self {
        let stream = stream(&learner, self.lesson, self.device).await;
        assert_eq!(stream, self.stream, "the device continues its stream of lesson {}", self.lesson);
        let path = format!("/api/lms/lesson/{}/beat/", self.lesson);
        loop {
            let playable =
                i64::try_from(self.started.elapsed().as_secs() * SPEED).expect("the number fits into an i64");
            let playable = playable.clamp(BEAT, self.duration);
            let from = if self.at + BEAT > playable { 0 } else { self.at };
            let end = from + BEAT;
            let beat = json!({
                "sequence": self.sequence + 1,
                "position": end,
                "watched": [[from, end]],
                "stream": self.stream,
            });
            learner.send_until_accepted(Method::POST, &path, Some(beat)).await;
            self.sequence += 1;
            self.at = end;
            self.reached = self.reached.max(end);
            self.played += BEAT;
            // After the heartbeat, so something is played even if the start of the stream met the
            // fault.
            if stop.load(Ordering::Relaxed) {
                return self;
            }
            tokio::time::sleep(BEAT_PAUSE).await;
        }
    }

    async fn check(&self, learner: &Learner, round: usize) {
        let watch = &learner.get_body(&format!("/api/lms/lesson/{}/", self.lesson)).await["watch"];
        assert_eq!(watch["position"], self.at, "round {round}: the position in lesson {}", self.lesson);
        assert_eq!(watch["covered"], self.reached, "round {round}: the coverage of lesson {}", self.lesson);
    }

    async fn end(&self, learner: &Learner) {
        learner.send_until_accepted(Method::DELETE, &format!("/api/lms/stream/{}/", self.stream), None).await;
    }
}

/// Starts a stream, or continues the one that the device has for the lesson.
async fn stream(learner: &Learner, lesson: i64, device: Uuid) -> String {
    let path = format!("/api/lms/lesson/{lesson}/stream/");
    let start = json!({ "device": device, "take_over": true });
    let started = learner.send_until_accepted(Method::POST, &path, Some(start)).await.body;
    started["stream"].as_str().expect("a stream has an id").to_owned()
}

/// Stars a lesson and removes the star, repeatedly.
struct Star {
    lesson: i64,
    is_set: bool,
}

impl Star {
    async fn toggle(mut self, learner: Learner, stop: Arc<AtomicBool>) -> Self {
        let path = format!("/api/lms/favorite/{}/", self.lesson);
        while !stop.load(Ordering::Relaxed) {
            let method = if self.is_set { Method::DELETE } else { Method::PUT };
            learner.send_until_accepted(method, &path, None).await;
            self.is_set = !self.is_set;
        }
        self
    }
}

/// Writes, changes and deletes notes.
struct Notes {
    lesson: i64,
    /// Acknowledged notes, by id.
    kept: BTreeMap<String, String>,
    written: usize,
}

impl Notes {
    async fn write(mut self, learner: Learner, stop: Arc<AtomicBool>) -> Self {
        while !stop.load(Ordering::Relaxed) {
            self.written += 1;
            let oldest = self.kept.keys().next().cloned();
            let is_full = self.kept.len() > MOST_NOTES;
            let id = match oldest {
                Some(oldest) if is_full || self.written % 5 < 2 => oldest,
                _ => Uuid::now_v7().to_string(),
            };
            let path = format!("/api/lms/note/{id}/");
            if is_full {
                learner.send_until_accepted(Method::DELETE, &path, None).await;
                self.kept.remove(&id);
            } else {
                let text = format!("{}回目", self.written);
                let note = json!({ "lesson": self.lesson, "at": self.written, "text": text });
                learner.send_until_accepted(Method::PUT, &path, Some(note)).await;
                self.kept.insert(id, text);
            }
        }
        self
    }
}

/// Lists all notes of the learner, by id.
async fn written(learner: &Learner) -> BTreeMap<String, String> {
    let notes = learner.get_pages("/api/lms/note/").await.into_iter().map(|note| {
        let text = |name: &str| note[name].as_str().expect("the field is a text").to_owned();
        (text("id"), text("text"))
    });
    notes.collect()
}

/// Lists lessons that the learner may watch and has not starred, with their lengths in seconds.
pub(crate) async fn lessons(learner: &Learner) -> Vec<(i64, i64)> {
    let items = learner.get_body("/api/lms/inventory/").await;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let lessons: BTreeMap<i64, i64> = list(&items["results"])
        .iter()
        .filter(|item| item["is_expired"] == false)
        .flat_map(|item| list(&item["course"]["course_chapter"]))
        .flat_map(|chapter| list(&chapter["units"]))
        .flat_map(|unit| list(&unit["lessons"]))
        .filter_map(|lesson| Some((lesson["id"].as_i64()?, lesson["duration"].as_i64()?)))
        .collect();
    let starred = learner.favorites().await;
    lessons.into_iter().filter(|(lesson, _)| !starred.contains(lesson)).collect()
}

/// Lists the lessons that the learner has watched.
async fn watched(learner: &Learner) -> BTreeSet<i64> {
    let recent = learner.get_pages("/api/lms/recent/").await;
    recent.iter().map(|watched| watched["lesson"]["id"].as_i64().expect("a lesson has an id")).collect()
}

/// Returns the sum of all counted seconds, over all learners and days.
async fn seconds(product: &Product) -> i64 {
    let mut lms = product.database("lms").await;
    let row = lms.fetch_one("SELECT coalesce(sum(seconds), 0)::bigint FROM watch_day").await;
    row.expect("the days can be read").get(0)
}

/// Returns the time since the day began.
fn passed() -> Duration {
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("the clock is after 1970") + MORNING;
    Duration::from_secs(now.as_secs() % 86_400)
}
