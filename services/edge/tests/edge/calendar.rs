//! The calendar of a person, as calendar apps read it: without a session, at a secret address.

use std::time::Duration;

use edge::config::Settings;
use insta::{assert_json_snapshot, assert_snapshot};
use maintenance::{Mode, Scope};
use serde_json::{Value, json};

use crate::exam::exams;
use crate::interview::{book, hold, slot_id, week};
use crate::maintenance::window;
use crate::school_event::{entry, sign_up};
use crate::support::family::Family;
use crate::support::{Answer, Edge, GUARDIAN, ONE, ORIGIN, PASSWORD, STAFF, TWO, World};
use crate::upstream::mute;

const ADDRESS: &str = "/api/desk/calendar/";

/// Makes an address and returns its path.
async fn make(edge: &Edge, token: &str) -> String {
    let made = edge.call("POST", ADDRESS, Some(token)).await;
    assert_eq!(made.outcome(), "201");
    made.json()["url"].as_str().unwrap().strip_prefix(ORIGIN).unwrap().to_owned()
}

/// Reads the calendar as an app does.
async fn read(edge: &Edge, path: &str) -> String {
    let answer = edge.get(path, None).await;
    assert_eq!(answer.outcome(), "200");
    String::from_utf8(answer.body.to_vec()).unwrap()
}

/// The events of a calendar, by their UIDs without the host.
fn uids(calendar: &str) -> Vec<&str> {
    let uids = calendar.lines().filter_map(|line| line.strip_prefix("UID:"));
    uids.map(|uid| uid.strip_suffix("@konomana.test").unwrap()).collect()
}

/// The event with this UID.
fn event<'a>(calendar: &'a str, uid: &str) -> &'a str {
    let mut events = calendar.split("BEGIN:VEVENT");
    events
        .find(|event| event.contains(&format!("UID:{uid}@")))
        .unwrap_or_else(|| panic!("no {uid}: {calendar}"))
}

async fn book_first(edge: &Edge, token: &str) -> (String, String) {
    let slot = slot_id(&week(edge, token, "").await.json(), 0);
    assert_eq!(hold(edge, token, &slot, &Value::Null).await.outcome(), "200");
    let id = book(edge, token, "key-of-a-browser", &slot).await.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/desk/interview/{id}/");
    let calendar_id = edge.get(&path, Some(token)).await.json()["calendar_id"].as_str().unwrap().to_owned();
    (path, calendar_id)
}

#[tokio::test]
async fn an_app_reads_all_dates_of_a_person_without_a_session() {
    let world = exams().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    assert_json_snapshot!("calendar_address_none", edge.get(ADDRESS, Some(&one)).await.promise());
    let made = edge.call("POST", ADDRESS, Some(&one)).await;
    let url = made.json()["url"].as_str().unwrap().to_owned();
    let mut promise = made.promise();
    promise["body"]["url"] = "…".into();
    assert_json_snapshot!("calendar_address_made", promise);
    assert_json_snapshot!("calendar_address", edge.get(ADDRESS, Some(&one)).await.promise());
    let token = url.strip_prefix("http://konomana.test/api/desk/calendar/").unwrap();
    assert_eq!(token.strip_suffix(".ics").unwrap().len(), 43);

    let (interview, calendar_id) = book_first(&edge, &one).await;
    sign_up(&edge, &one, 2).await;
    assert_eq!(edge.call("POST", "/api/exam/application/1/seat/", Some(&one)).await.outcome(), "204");
    let path = url.strip_prefix(ORIGIN).unwrap();
    let answer = edge.get(path, None).await;
    assert_eq!(answer.header("content-type"), Some("text/calendar; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("private, max-age=300"));
    assert_eq!(answer.header("set-cookie"), None);
    let calendar = String::from_utf8(answer.body.to_vec()).unwrap();
    assert_snapshot!("calendar", calendar.replace(&calendar_id, "CALENDAR_ID").replace('\r', ""));

    // The same dates later are the same to the app.
    let etag = answer.header("etag").unwrap().to_owned();
    world.clock.advance(time::Duration::HOUR);
    let again = edge.send("GET", path, &[("if-none-match", &etag)], "").await;
    assert_eq!((again.outcome().as_str(), again.header("etag")), ("304", Some(etag.as_str())));
    assert_eq!(edge.send("HEAD", path, &[], "").await.outcome(), "200");

    assert_eq!(edge.call("DELETE", &interview, Some(&one)).await.outcome(), "204");
    let changed = edge.send("GET", path, &[("if-none-match", &etag)], "").await;
    assert_eq!(changed.outcome(), "200");
    let changed = String::from_utf8(changed.body.to_vec()).unwrap();
    let cancelled = event(&changed, &format!("interview-{calendar_id}"));
    assert!(
        cancelled.contains("SEQUENCE:1\r\n") && cancelled.contains("STATUS:CANCELLED\r\n"),
        "{cancelled}"
    );

    let password = json!({"password": PASSWORD});
    let export = edge.with("POST", "/api/accounts/export/", &one, &password).await;
    assert_eq!(export.json()["calendar_address"], json!({"created_at": "2026-11-20T10:00:00Z"}));
    let token = token.strip_suffix(".ics").unwrap().as_bytes();
    assert!(!export.body.windows(token.len()).any(|part| part == token), "the export has no secret");
}

#[tokio::test]
async fn a_changed_interview_keeps_its_event_and_an_event_given_up_is_gone() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let path = make(&edge, &one).await;
    let (interview, calendar_id) = book_first(&edge, &one).await;
    let before = read(&edge, &path).await;
    let uid = format!("interview-{calendar_id}");
    assert!(event(&before, &uid).contains("SEQUENCE:0\r\n"));
    let id = interview.trim_end_matches('/').rsplit('/').next().unwrap();
    let slot = slot_id(&week(&edge, &one, "").await.json(), 1);
    assert_eq!(hold(&edge, &one, &slot, &json!(id)).await.outcome(), "200");
    assert_eq!(book(&edge, &one, "key-of-a-change", &slot).await.outcome(), "201");
    let after = read(&edge, &path).await;
    assert_eq!(after.matches(&uid).count(), 1);
    let moved = event(&after, &uid);
    assert!(moved.contains("SEQUENCE:1\r\n") && !moved.contains("STATUS"), "{moved}");
    let start = |event: &str| event.lines().find(|line| line.starts_with("DTSTART")).unwrap().to_owned();
    assert_ne!(start(moved), start(event(&before, &uid)));

    let entered: Answer = sign_up(&edge, &one, 2).await;
    assert!(uids(&read(&edge, &path).await).contains(&"event-2-1"));
    assert_eq!(edge.call("DELETE", &entry(&entered), Some(&one)).await.outcome(), "200");
    assert!(!uids(&read(&edge, &path).await).contains(&"event-2-1"));
}

#[tokio::test]
async fn each_person_sees_their_own_dates_and_a_guardian_those_for_which_they_signed_a_child_up() {
    let family = Family::new().await;
    let Family { edge, guardian, child, .. } = &family;
    let id = edge.get("/api/accounts/user/", Some(child)).await.json()["id"].clone();
    let (one, _) = edge.login(ONE).await;
    book_first(edge, &one).await;
    edge.with("POST", "/api/desk/event/2/entry/", guardian, &json!({ "child": id })).await;
    // Waits, so there is no place yet.
    sign_up(edge, &one, 1).await;
    sign_up(edge, child, 1).await;
    let of_guardian = read(edge, &make(edge, guardian).await).await;
    assert_eq!(uids(&of_guardian), ["event-2-1"]);
    let of_child = read(edge, &make(edge, child).await).await;
    assert_eq!(uids(&of_child), ["event-2-1"]);
    let own = read(edge, &make(edge, &one).await).await;
    assert_eq!(uids(&own).iter().filter(|uid| uid.starts_with("event")).collect::<Vec<_>>(), [&"event-1-1"]);
    assert_eq!(uids(&own).iter().filter(|uid| uid.starts_with("interview")).count(), 1);
    let (staff, _) = edge.login(STAFF).await;
    assert_eq!(edge.call("POST", ADDRESS, Some(&staff)).await.outcome(), "403 FORBIDDEN");
}

#[tokio::test]
async fn unknown_and_ended_addresses_and_those_of_a_closing_account_are_404_alike() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ((one, _), (two, _)) = (edge.login(ONE).await, edge.login(TWO).await);
    let first = make(&edge, &one).await;
    let second = make(&edge, &one).await;
    let others = make(&edge, &two).await;
    read(&edge, &second).await;
    assert_eq!(edge.call("DELETE", ADDRESS, Some(&two)).await.outcome(), "204");
    let unknown = format!("{ADDRESS}{}.ics", "A".repeat(43));
    let without_suffix = second.strip_suffix(".ics").unwrap().to_owned();
    let mut bodies = Vec::new();
    for path in [&first, &others, &unknown, &without_suffix, &format!("{ADDRESS}a.ics")] {
        let mut problem = edge.get(path, None).await.json();
        problem["trace_id"] = Value::Null;
        bodies.push(problem);
    }
    assert_eq!(bodies[0]["code"], "NOT_FOUND");
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");

    let password = json!({"password": PASSWORD});
    assert_eq!(edge.with("POST", "/api/accounts/close/", &one, &password).await.outcome(), "202");
    assert_eq!(edge.get(&second, None).await.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn without_a_part_of_the_dates_there_is_no_calendar_and_the_app_keeps_its_own() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let path = make(&edge, &one).await;
    let unavailable = |answer: &Answer| (answer.status.as_u16(), answer.header("retry-after") == Some("300"));
    for scope in [Scope::Learning, Scope::Exam] {
        world.declare(&edge, vec![window(scope, Mode::Full)]).await;
        let answer = edge.get(&path, None).await;
        assert_eq!(unavailable(&answer), (503, true));
        assert!(answer.body.is_empty());
    }
    // A guardian has events only, which are open.
    world.declare(&edge, vec![window(Scope::Learning, Mode::Full)]).await;
    let (guardian, _) = edge.login(GUARDIAN).await;
    read(&edge, &make(&edge, &guardian).await).await;
    world.declare(&edge, vec![]).await;
    read(&edge, &path).await;

    let (hanging, _alive) = mute().await;
    for mut settings in [
        Settings { exam_url: hanging.clone(), ..world.settings() },
        Settings { desk_url: hanging.clone(), ..world.settings() },
    ] {
        settings.limits.time = Duration::from_secs(1);
        let failing = Edge::new(&settings, world.clock.clock()).await;
        assert_eq!(unavailable(&failing.get(&path, None).await), (503, true));
    }
    world.stop_lms();
    assert_eq!(unavailable(&edge.get(&path, None).await), (503, true));
}
