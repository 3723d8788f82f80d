//! Measures the cost of heartbeats: learners who watch lessons.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use ::http::header::{AUTHORIZATION, CONTENT_TYPE};
use ::http::{Method, Request};
use bytes::Bytes;
use runner::http;
use runner::supervisor::ProcessTable;
use serde_json::{Value, json};
use tooling::failure::{Doing as _, Outcome, fail};
use uuid::Uuid;

use super::load;
use super::pages::Learner;
use super::usage;

/// Number of concurrent players.
pub(super) const VIEWERS: usize = 500;
/// Interval of a player's heartbeats.
const BEAT: Duration = Duration::from_secs(15);
/// Measured heartbeats of each player.
const BEATS: u32 = 4;
/// Number of connections, as a gateway would keep open.
const CONNECTIONS: usize = 32;
/// Number of cores that shares refer to.
const CORES: u32 = 2;

/// A player.
struct Viewer {
    token: String,
    /// Id and length in seconds.
    lesson: (i64, u32),
    stream: String,
}

/// Plays a lesson with each of `learners`, and prints the CPU time of the processes of `watch`.
pub(super) async fn measure(edges: &[SocketAddr], watch: &ProcessTable, learners: &[Learner]) -> Outcome {
    let mut viewers = Vec::new();
    for (number, learner) in learners.iter().enumerate() {
        viewers.push(viewer(edges[0], learner, number).await?);
    }
    let count = u32::try_from(viewers.len())?;
    let rate = f64::from(count) / BEAT.as_secs_f64();
    let before = usage::processor(watch)?;
    tokio::time::sleep(BEAT).await;
    let idle = share(usage::processor(watch)?.saturating_sub(before), BEAT);

    // Clock of the devices, in milliseconds.
    let sequence = u64::try_from(SystemTime::UNIX_EPOCH.elapsed()?.as_millis())?;
    let viewers = std::sync::Arc::new(viewers);
    let play = |first: u32, beats: u32| {
        let viewers = viewers.clone();
        let request = move |turn: u32| {
            let number = first + turn / count;
            viewers[(turn % count) as usize].beat(number, sequence + u64::from(number))
        };
        load::offer(edges, request, rate, CONNECTIONS, BEAT * beats)
    };
    play(0, 1).await?;
    let before = usage::processor(watch)?;
    let seen = play(1, BEATS).await?;
    let used = usage::processor(watch)?.saturating_sub(before);
    let failures = seen.describe_failures();
    println!(
        "\n{count} learners watching, a beat each {} s ({:.1} a second, {} in all): p50 {:.2} ms, p99 {:.2} ms{failures}",
        BEAT.as_secs(),
        rate,
        seen.answers(),
        seen.quantile(0.5),
        seen.quantile(0.99),
    );
    println!(
        "  all processes and PostgreSQL: {:.1} % of {CORES} cores, {:.1} % without them; {:.2} ms of CPU a beat",
        100.0 * share(used, seen.elapsed),
        100.0 * idle,
        each(used, idle, seen.elapsed, seen.answers()),
    );
    Ok(())
}

/// Starts a player of one of the learner's lessons, selected by `number`.
async fn viewer(edge: SocketAddr, learner: &Learner, number: usize) -> Outcome<Viewer> {
    if learner.lessons.is_empty() {
        return fail("a learner has nothing to watch");
    }
    let lesson = learner.lessons[number % learner.lessons.len()];
    let body = json!({ "device": Uuid::new_v4(), "take_over": true });
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("/api/lms/lesson/{}/stream/", lesson.0))
        .header(CONTENT_TYPE, "application/json")
        .header(AUTHORIZATION, format!("Bearer {}", learner.token))
        .body(Bytes::from(body.to_string()))?;
    let (status, body) = http::send(edge, request).await?;
    let answer: Value = serde_json::from_slice(&body).doing(|| format!("starting a stream: {status}"))?;
    match answer["stream"].as_str() {
        Some(stream) => Ok(Viewer { token: learner.token.clone(), lesson, stream: stream.to_owned() }),
        None => fail(format!("starting a stream answers {status}")),
    }
}

impl Viewer {
    /// Builds the request of heartbeat `number`, counted from 0.
    fn beat(&self, number: u32, sequence: u64) -> Bytes {
        let (id, duration) = self.lesson;
        let [from, to] = stretch(number, duration);
        let body = json!({
            "sequence": sequence, "position": to, "watched": [[from, to]], "stream": self.stream,
        });
        let body = body.to_string();
        format!(
            "POST /api/lms/lesson/{id}/beat/ HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        )
        .into()
    }
}

/// The interval of a heartbeat: consecutive parts of the lesson, starting over at its end.
fn stretch(number: u32, duration: u32) -> [u32; 2] {
    let seconds = u32::try_from(BEAT.as_secs()).unwrap_or(u32::MAX);
    let from = number % (duration / seconds).max(1) * seconds;
    [from, (from + seconds).min(duration)]
}

/// CPU time as a share of the cores during `length`.
fn share(used: Duration, length: Duration) -> f64 {
    used.as_secs_f64() / (length * CORES).as_secs_f64()
}

/// Milliseconds of CPU time for each heartbeat, beyond the idle share.
#[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
fn each(used: Duration, idle: f64, length: Duration, beats: u64) -> f64 {
    let anyway = idle * (length * CORES).as_secs_f64();
    (used.as_secs_f64() - anyway) * 1000.0 / beats.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_refers_to_all_cores() {
        assert!((share(Duration::from_secs(6), Duration::from_mins(1)) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn the_cost_of_a_heartbeat_excludes_the_idle_load() {
        let each = each(Duration::from_secs(6), 0.01, Duration::from_mins(1), 2_000);
        assert!((each - 2.4).abs() < 1e-9, "{each}");
    }

    #[test]
    fn a_lesson_is_played_in_order_and_over_again() {
        let played: Vec<_> = (0..4).map(|number| stretch(number, 50)).collect();
        assert_eq!(played, [[0, 15], [15, 30], [30, 45], [0, 15]]);
        assert_eq!(stretch(7, 10), [0, 10]);
    }

    #[test]
    fn a_heartbeat_has_position_interval_stream_and_sequence() {
        let viewer = Viewer { token: "t".into(), lesson: (7, 600), stream: "s".into() };
        let request = String::from_utf8(viewer.beat(2, 9).into()).expect("it is text");
        assert!(request.starts_with("POST /api/lms/lesson/7/beat/ HTTP/1.1\r\n"), "{request}");
        let (head, body) = request.split_once("\r\n\r\n").expect("it has a body");
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}");
        let body: Value = serde_json::from_str(body).expect("it is JSON");
        assert_eq!(body, json!({"sequence": 9, "position": 45, "watched": [[30, 45]], "stream": "s"}));
    }
}
