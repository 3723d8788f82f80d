//! exam, PostgreSQL and the edge are killed repeatedly while candidates answer. No acknowledged answer is lost, no sitting
//! ends early, and the time in every reply is right.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::Method;
use kit::clock::Clock;
use rustix::process::Signal;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::learner::Learner;
use crate::product::{Product, setting, until};

/// The processes to kill, in turn.
const VICTIMS: [&str; 3] = ["exam", "postgres", "edge"];
/// Kills of each process before the answers are checked, and the number of rounds. `FAULTS_ROUNDS` sets another number of
/// rounds.
const KILLS: usize = 2;
const ROUNDS: usize = 2;
/// Number of concurrent candidates.
const CANDIDATES: usize = 12;
/// Pause between two answers of a candidate.
const BREATH: Duration = Duration::from_millis(100);
/// Load before each kill.
const LOAD: Duration = Duration::from_millis(400);
/// Limit for a killed process to be ready again. After several kills its restart is delayed.
const RESTART: Duration = Duration::from_secs(30);
/// Tolerance of a reply's time before the request and after the arrival.
const CLOCK_ERROR: time::Duration = time::Duration::SECOND;

/// The free exam of the demo, and its paper of mathematics.
const EXAM: &str = "/api/exam/application/1";
const PAPER: &str = "/api/exam/paper/103/sitting/";

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_answer_is_lost_and_no_sitting_ends_early_despite_kills() {
    let product = Product::start();
    let rounds = setting("FAULTS_ROUNDS").map_or(ROUNDS, |text| {
        text.into_string().ok().and_then(|text| text.parse().ok()).expect("FAULTS_ROUNDS is a number")
    });
    let mut candidates = candidates(&product).await;
    for round in 0..rounds {
        let stop = Arc::new(AtomicBool::new(false));
        let mut answering = JoinSet::new();
        for candidate in candidates.drain(..) {
            answering.spawn(candidate.answer(stop.clone()));
        }
        for name in VICTIMS.into_iter().cycle().take(VICTIMS.len() * KILLS) {
            tokio::time::sleep(LOAD).await;
            let killed = product.signal(name, Signal::KILL);
            until(RESTART, &format!("{name} is ready again"), async || product.is_replaced(name, killed))
                .await;
        }
        stop.store(true, Ordering::Relaxed);
        candidates = answering.join_all().await;
        for candidate in &candidates {
            candidate.check(round).await;
        }
    }
    let acknowledged: i64 = candidates.iter().map(|candidate| candidate.sequence).sum();
    let seen = candidates[0].learner.count_statuses();
    for candidate in candidates {
        candidate.hand_in().await;
    }
    let kills = VICTIMS.len() * KILLS * rounds;
    println!("{kills} kills, {acknowledged} acknowledged answers, answers by status {seen:?}");
    assert!(seen.keys().all(|status| *status < 400 || [502, 504].contains(status)), "{seen:?}");
    assert!(seen.contains_key(&502) || seen.contains_key(&504), "the faults caused errors: {seen:?}");
    assert!(acknowledged > i64::try_from(kills).expect("it is small"), "enough answers were acknowledged");
}

/// A learner with a sitting of the paper.
struct Candidate {
    learner: Learner,
    device: Uuid,
    sitting: String,
    deadline: String,
    /// The questions with a numeric answer.
    questions: Vec<i64>,
    /// Counts all answers.
    sequence: i64,
    /// The newest acknowledged answer by question.
    saved: BTreeMap<i64, (i64, String)>,
}

impl Candidate {
    /// Completes every step before the exam, and starts the paper.
    async fn start(learner: Learner) -> Self {
        let device = Uuid::new_v4();
        let send = async |method: Method, path: &str, body: Value| {
            learner.send_until_accepted(method, &format!("{EXAM}/{path}"), Some(body)).await
        };
        learner.send_until_accepted(Method::POST, &format!("{EXAM}/seat/"), None).await;
        let info = json!({
            "last_name": "木下", "first_name": "葵", "last_kana": "キノシタ", "first_kana": "アオイ",
            "school_year": "中3", "school_name": "みどり中学校", "prefecture": "東京都",
        });
        send(Method::PUT, "basic-info/", info).await;
        let schools = learner.get_body("/api/exam/school/").await;
        let schools = schools["results"].as_array().expect("there are schools");
        let school = schools.iter().find(|school| school["counts_school_marks"] == false);
        let school = school.expect("one does not count marks");
        let wish = json!({
            "school_id": school["id"], "department_id": school["departments"][0]["id"], "school_marks": null,
        });
        send(Method::PUT, "desired-school/1/", wish).await;
        let report = json!({
            "browser": "Chromium", "clock_offset_ms": 0, "storage_kept": true, "round_trip_ms": 20, "sound": true,
            "quiet_place": true,
        });
        send(Method::PUT, &format!("device-check/{device}/"), report).await;
        let start = json!({ "device_id": device, "device_time": now() });
        let sitting = learner.send_until_accepted(Method::POST, PAPER, Some(start)).await.body;
        let text = |name: &str| sitting[name].as_str().expect("it is a text").to_owned();
        let questions = sitting["paper"]["questions"].as_array().expect("there are questions");
        let questions = questions.iter().filter(|question| question["kind"] == "number");
        Self {
            device,
            sitting: text("id"),
            deadline: text("deadline_at"),
            questions: questions.filter_map(|question| question["id"].as_i64()).collect(),
            sequence: 0,
            saved: BTreeMap::new(),
            learner,
        }
    }

    fn path(&self, end: &str) -> String {
        format!("/api/exam/sitting/{}/{end}", self.sitting)
    }

    /// Answers one question after the other until `stop`. A save that fails is sent again unchanged.
    async fn answer(mut self, stop: Arc<AtomicBool>) -> Self {
        while !stop.load(Ordering::Relaxed) {
            for index in 0..self.questions.len() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                self.save(self.questions[index]).await;
                tokio::time::sleep(BREATH).await;
            }
        }
        self
    }

    async fn save(&mut self, question: i64) {
        self.sequence += 1;
        let typed = self.sequence.to_string();
        let answer = json!({
            "question_id": question, "sequence": self.sequence, "answer": { "number": typed },
            "is_flagged": false, "answered_at": now(),
        });
        let body = json!({
            "device_id": self.device, "epoch": 1, "device_time": now(), "pending": 0, "away_seconds": 0,
            "answers": [answer],
        });
        let sent_at = Clock::system().now();
        let reply =
            self.learner.send_until_accepted(Method::PUT, &self.path("answers/"), Some(body)).await.body;
        let ack = &reply["acks"][0];
        assert_eq!(
            (&ack["question_id"], &ack["sequence"]),
            (&json!(question), &json!(self.sequence)),
            "{reply}"
        );
        self.check_time(&reply, sent_at);
        self.saved.insert(question, (self.sequence, typed));
    }

    /// Checks the state, the deadline and the clock of a reply to a request that was first sent at `sent_at`.
    fn check_time(&self, reply: &Value, sent_at: OffsetDateTime) {
        assert_eq!(reply["state"], "running", "{}", self.sitting);
        assert_eq!(reply["deadline_at"], self.deadline.as_str(), "{}", self.sitting);
        let server_time = reply["now"].as_str().expect("the reply has the server's time");
        let server_time = OffsetDateTime::parse(server_time, &Rfc3339).expect("it is an RFC 3339 time");
        let possible = sent_at - CLOCK_ERROR..=Clock::system().now() + CLOCK_ERROR;
        assert!(possible.contains(&server_time), "{server_time} is not in {possible:?}");
    }

    /// Checks that the server has exactly the acknowledged answers.
    async fn check(&self, round: usize) {
        let sent_at = Clock::system().now();
        let sitting = self.learner.get_body(&self.path("")).await;
        self.check_time(&sitting, sent_at);
        assert_eq!(sitting["epoch"], 1);
        let answers = sitting["answers"].as_array().expect("there are answers").iter();
        let stored: BTreeMap<i64, (i64, String)> = answers
            .map(|answer| {
                let number = |name: &str| answer[name].as_i64().expect("it is a number");
                let typed = answer["answer"]["number"].as_str().expect("it is a number").to_owned();
                (number("question_id"), (number("sequence"), typed))
            })
            .collect();
        assert_eq!(stored, self.saved, "round {round}: the answers of sitting {}", self.sitting);
    }

    /// Checks that the handed-in answers are the acknowledged ones.
    async fn hand_in(self) {
        let body = json!({ "device_id": self.device, "epoch": 1 });
        let path = self.path("hand-in/");
        let transcript = self.learner.send_until_accepted(Method::POST, &path, Some(body)).await.body;
        assert_eq!(transcript["sealed_by"], "candidate");
        let answers = transcript["answers"].as_array().expect("there are answers").iter();
        let handed_in: BTreeMap<i64, &str> = answers
            .filter_map(|answer| {
                Some((answer["question_id"].as_i64()?, answer["answer"]["number"].as_str()?))
            })
            .collect();
        let saved = self.saved.iter().map(|(question, (_, typed))| (*question, typed.as_str()));
        assert_eq!(handed_in, saved.collect(), "sitting {}", self.sitting);
    }
}

/// Learners who have started the paper.
async fn candidates(product: &Product) -> Vec<Candidate> {
    let stranger = Learner::stranger(&product.origin);
    let mut candidates = Vec::new();
    for (email, password) in product.add_learners(CANDIDATES) {
        candidates.push(Candidate::start(stranger.sign_in_as(&email, &password).await).await);
    }
    candidates
}

/// The device's time.
fn now() -> String {
    Clock::system().now().format(&Rfc3339).expect("it is a time")
}
