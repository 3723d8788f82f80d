//! Bulkheads: visitors and learners, several addresses, and slow uploads do not take each other's permits.

use std::time::{Duration, Instant};

use edge::config::Settings;
use http::StatusCode;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::desk::png;
use crate::support::{Answer, Edge, ONE, PASSWORD, World};
use crate::upstream::mute;

const PICTURE: &str = "/api/desk/contact/picture/";
const COURSES: &str = "/api/lms/course/";
/// Time limit far above the duration of any step.
const STEP_TIMEOUT: Duration = Duration::from_secs(20);

/// Returns the settings of an edge whose lms never answers.
fn without_lms(world: &World, lms_url: String) -> Settings {
    let mut settings = Settings { lms_url, trusted_proxies: 1, ..world.settings() };
    settings.limits.time = Duration::from_secs(2);
    settings
}

async fn get_from(edge: &Edge, address: &str, path: &str) -> String {
    edge.send("GET", path, &[("x-forwarded-for", address)], "").await.outcome()
}

async fn put_from(edge: &Edge, address: &str) -> Answer {
    let headers = [("content-type", "image/png"), ("x-forwarded-for", address)];
    edge.send_bytes("POST", PICTURE, &headers, png()).await
}

#[tokio::test]
async fn visitors_take_no_permits_of_learners() {
    let world = World::new().await;
    let (lms, _alive) = mute().await;
    let mut settings = without_lms(&world, lms);
    (settings.limits.requests, settings.limits.requests_queue) = (1, 0);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let (token, _) = edge.login(ONE).await;
    let visit = || edge.get(COURSES, None);
    let (one, other, learner) = tokio::join!(visit(), visit(), edge.get("/api/lms/inventory/", Some(&token)));
    let mut visitors = [one.outcome(), other.outcome()];
    visitors.sort();
    assert_eq!(visitors, ["429 OVERLOADED", "504 OUT_OF_TIME"]);
    assert_eq!(learner.outcome(), "504 OUT_OF_TIME", "a permit was free");
}

#[tokio::test]
async fn requests_in_flight_are_limited_by_address() {
    let world = World::new().await;
    let (lms, _alive) = mute().await;
    let mut settings = without_lms(&world, lms);
    settings.limits.requests_per_address = 2;
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let visit = |address: &'static str| get_from(&edge, address, COURSES);
    let (one, two, three, other, neighbour) = tokio::join!(
        visit("2001:db8::1"),
        visit("2001:db8::2"),
        visit("2001:db8::3"),
        visit("203.0.113.9"),
        visit("2001:db8:0:1::1"),
    );
    let mut network = [one, two, three];
    network.sort();
    assert_eq!(network, ["429 OVERLOADED", "504 OUT_OF_TIME", "504 OUT_OF_TIME"]);
    assert_eq!([other, neighbour], ["504 OUT_OF_TIME", "504 OUT_OF_TIME"]);
    assert_eq!(
        get_from(&edge, "2001:db8::1", "/api/maintenance/").await,
        "200",
        "the earlier requests are finished"
    );
}

#[tokio::test]
async fn attackers_take_no_permits_of_signed_in_owners() {
    let world = World::new().await;
    let (token, _) = world.edge().await.login(ONE).await;
    let mut settings = world.settings();
    (settings.limits.logins, settings.limits.logins_queue) = (0, 0);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let login = json!({"email": ONE, "password": PASSWORD});
    for path in ["login/", "signup/", "password/reset/confirm/", "login/reopen/"] {
        let stranger = edge.post(&format!("/api/accounts/{path}"), &login).await;
        assert_eq!(stranger.outcome(), "429 OVERLOADED", "{path}");
    }
    let change = json!({"password": PASSWORD, "new_password": "tsuki 8820 minato"});
    let changed = edge.with("POST", "/api/accounts/password/", &token, &change).await;
    assert_eq!(changed.outcome(), "200");

    // The reverse case.
    let mut settings = world.settings();
    (settings.limits.password_checks, settings.limits.password_checks_queue) = (0, 0);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let login = json!({"email": ONE, "password": "tsuki 8820 minato"});
    assert_eq!(edge.post("/api/accounts/login/", &login).await.outcome(), "200");
    let export = edge.with("POST", "/api/accounts/export/", &token, &login).await;
    assert_eq!(export.outcome(), "429 OVERLOADED");
}

#[tokio::test]
async fn the_networks_around_an_address_have_only_so_many_requests_in_flight() {
    let world = World::new().await;
    let (lms, _alive) = mute().await;
    let mut settings = without_lms(&world, lms);
    settings.limits.requests_per_address = 4;
    let edge = Edge::new(&settings, world.clock.clock()).await;
    for (group, most) in [("2001:db8:0:*::1", 6), ("2001:db8:1:*00::1", 7)] {
        let visits = (1..=10).map(|host| {
            let address = group.replace('*', &format!("{host:x}"));
            let edge = &edge;
            async move { get_from(edge, &address, COURSES).await }
        });
        let outcomes = futures_util::future::join_all(visits).await;
        let passed = outcomes.iter().filter(|outcome| *outcome == "504 OUT_OF_TIME").count();
        let refused = outcomes.iter().filter(|outcome| *outcome == "429 OVERLOADED").count();
        assert_eq!((passed, refused), (most, 10 - most), "{group}");
    }
}

/// Starts an upload, and stops after the head. Returns once the edge reads the body.
async fn slow_upload(edge: &Edge, address: &str) -> BufReader<TcpStream> {
    let mut stream = BufReader::new(TcpStream::connect(edge.server.address).await.unwrap());
    let head = format!(
        "POST {PICTURE} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 1000\r\n\
         X-Forwarded-For: {address}\r\nExpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut line = String::new();
    timeout(STEP_TIMEOUT, stream.read_line(&mut line)).await.expect("the edge reads").unwrap();
    assert_eq!(line, "HTTP/1.1 100 Continue\r\n");
    stream
}

#[tokio::test]
async fn a_slow_upload_holds_no_permit() {
    let world = World::new().await;
    let mut settings = Settings { trusted_proxies: 1, ..world.settings() };
    (settings.limits.pictures, settings.limits.pictures_queue) = (1, 0);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let mut slow = Vec::new();
    for address in ["203.0.113.1", "203.0.113.1", "203.0.113.2"] {
        slow.push(slow_upload(&edge, address).await);
    }
    assert_eq!(put_from(&edge, "203.0.113.3").await.outcome(), "201");
    assert_eq!(put_from(&edge, "203.0.113.2").await.status, StatusCode::CREATED, "the second of an address");
    assert_eq!(put_from(&edge, "203.0.113.1").await.outcome(), "429 OVERLOADED", "the third of an address");
}

#[tokio::test]
async fn a_stalled_upload_is_aborted_after_2_s() {
    let world = World::new().await;
    let edge = world.edge().await;
    let began = Instant::now();
    let mut slow = slow_upload(&edge, "203.0.113.1").await;
    let mut answer = String::new();
    timeout(STEP_TIMEOUT, slow.read_to_string(&mut answer)).await.expect("the edge closes").unwrap();
    assert!(answer.contains("408 Request Timeout") && answer.contains("BODY_TOO_SLOW"), "{answer}");
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(1_900) && took < Duration::from_secs(5), "{took:?}");
}
