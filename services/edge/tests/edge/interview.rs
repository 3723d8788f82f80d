//! Interviews, as browsers see them.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::family::Family;
use crate::support::{Answer, Edge, ONE, PASSWORD, STAFF, TWO, World};

pub(crate) async fn week(edge: &Edge, token: &str, query: &str) -> Answer {
    edge.get(&format!("/api/desk/interview/kind/1/slot/{query}"), Some(token)).await
}

pub(crate) async fn hold(edge: &Edge, token: &str, slot: &str, replaces: &Value) -> Answer {
    edge.with("PUT", &format!("/api/desk/interview/slot/{slot}/hold/"), token, &json!({"replaces": replaces}))
        .await
}

pub(crate) async fn book(edge: &Edge, token: &str, key: &str, slot: &str) -> Answer {
    let headers = [("authorization", token), ("content-type", "application/json"), ("idempotency-key", key)];
    edge.send("POST", "/api/desk/interview/", &headers, &json!({"slot": slot}).to_string()).await
}

/// The promise of an answer, with its ids masked.
fn masked(answer: &Answer) -> Value {
    fn mask(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    match name.as_str() {
                        "id" | "calendar_id" if field.is_string() => *field = "…".into(),
                        _ => mask(field),
                    }
                }
            }
            Value::Array(values) => values.iter_mut().for_each(mask),
            _ => {}
        }
    }
    let mut promise = answer.promise();
    mask(&mut promise);
    promise
}

pub(crate) fn slot_id(week: &Value, index: usize) -> String {
    week["slots"][index]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_slot_is_held_booked_changed_and_cancelled_and_hidden_from_other_learners() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ((one, _), (two, _)) = (edge.login(ONE).await, edge.login(TWO).await);
    assert_json_snapshot!(
        "interview_kinds",
        edge.get("/api/desk/interview/kind/", Some(&one)).await.promise()
    );
    let free = week(&edge, &one, "").await;
    assert_json_snapshot!("interview_week", masked(&free));
    let free = free.json();
    let (first, second) = (slot_id(&free, 0), slot_id(&free, 1));

    let held = hold(&edge, &one, &first, &Value::Null).await;
    assert_json_snapshot!("interview_hold", masked(&held));
    assert_eq!(hold(&edge, &two, &first, &Value::Null).await.outcome(), "409 SLOT_TAKEN");
    assert_eq!(book(&edge, &two, "key-of-another", &first).await.outcome(), "409 HOLD_EXPIRED");
    let booked = book(&edge, &one, "key-of-a-browser", &first).await;
    assert_eq!(booked.outcome(), "201");
    assert_eq!(book(&edge, &one, "key-of-a-browser", &first).await.json(), booked.json());
    assert_json_snapshot!("interview_list", masked(&edge.get("/api/desk/interview/", Some(&one)).await));
    assert_eq!(edge.get("/api/desk/interview/", Some(&two)).await.json()["upcoming"], json!([]));

    let id = booked.json()["id"].clone();
    let path = format!("/api/desk/interview/{}/", id.as_str().unwrap());
    assert_eq!(edge.get(&path, Some(&two)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.call("DELETE", &path, Some(&two)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(hold(&edge, &one, &second, &id).await.outcome(), "200");
    let changed = book(&edge, &one, "key-of-a-change", &second).await.json();
    let list = edge.get("/api/desk/interview/", Some(&one)).await.json();
    assert_eq!((&list["upcoming"][0]["id"], &list["upcoming"][1]), (&changed["id"], &Value::Null));
    let before = edge.get(&path, Some(&one)).await.json();
    assert_eq!(before["is_cancelled"], true);
    assert_eq!(list["upcoming"][0]["calendar_id"], before["calendar_id"]);
    assert_eq!(list["upcoming"][0]["calendar_sequence"], 1);

    let path = format!("/api/desk/interview/{}/", changed["id"].as_str().unwrap());
    assert_eq!(edge.call("DELETE", &path, Some(&one)).await.outcome(), "204");
    assert_eq!(edge.call("DELETE", &path, Some(&one)).await.outcome(), "204");
    assert_eq!(hold(&edge, &two, &first, &Value::Null).await.outcome(), "200");
    let release = format!("/api/desk/interview/slot/{first}/hold/");
    assert_eq!(edge.call("DELETE", &release, Some(&two)).await.outcome(), "204");

    let password = json!({"password": PASSWORD});
    let export = edge.with("POST", "/api/accounts/export/", &one, &password).await.json();
    assert_eq!(export["interviews"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_week_is_a_day_of_it_and_an_unknown_kind_is_404() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let next = week(&edge, &one, "?day=2026-12-06").await.json();
    assert_eq!((&next["monday"], &next["has_previous"]), (&json!("2026-11-30"), &json!(true)));
    for (query, field) in [("?day=tomorrow", "INVALID_FORMAT"), ("?day=2030-01-01", "OUT_OF_RANGE")] {
        let refused = week(&edge, &one, query).await;
        assert_eq!(refused.json()["errors"], json!([{"field": "day", "code": field}]));
    }
    let unknown = edge.get("/api/desk/interview/kind/2/slot/", Some(&one)).await;
    assert_eq!(unknown.outcome(), "404 NOT_FOUND");
}

/// Every route of interviews: method, path, body, and the outcomes with the account id of the child in `child` for a linked
/// guardian, for a guardian who names a stranger, for the child, for another learner, and for staff.
#[rustfmt::skip]
static OF_CHILD: [(&str, &str, &str, [&str; 5]); 8] = [
    ("GET", "/api/desk/interview/kind/", "",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/desk/interview/kind/3/slot/", "",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("PUT", "/api/desk/interview/slot/SLOT/hold/", r#"{"replaces":null}"#,
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("POST", "/api/desk/interview/", r#"{"slot":"SLOT"}"#,
        ["201", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/desk/interview/", "",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("GET", "/api/desk/interview/INTERVIEW/", "",
        ["200", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("DELETE", "/api/desk/interview/INTERVIEW/", "",
        ["204", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
    ("DELETE", "/api/desk/interview/slot/SLOT/hold/", "",
        ["204", "404 NOT_FOUND", "403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]),
];

async fn id_of(edge: &Edge, token: &str) -> String {
    edge.get("/api/accounts/user/", Some(token)).await.json()["id"].as_str().unwrap().to_owned()
}

/// Calls a route with this account id in `child`; without one for an empty id.
async fn call(edge: &Edge, token: &str, (method, path, body): (&str, &str, &str), child: &str) -> Answer {
    let path = if child.is_empty() { path.to_owned() } else { format!("{path}?child={child}") };
    let headers = [
        ("authorization", token),
        ("idempotency-key", "key-of-a-family"),
        ("content-type", "application/json"),
    ];
    edge.send(method, &path, &headers[..if body.is_empty() { 2 } else { 3 }], body).await
}

#[tokio::test]
async fn a_linked_guardian_does_all_that_the_child_does_and_nobody_else_does() {
    let family = Family::new().await;
    let Family { edge, guardian, child, .. } = &family;
    let ((one, _), (staff, _)) = (edge.login(ONE).await, edge.login(STAFF).await);
    let (theirs, others) = (id_of(edge, child).await, id_of(edge, &one).await);
    let week = edge.get("/api/desk/interview/kind/3/slot/", Some(child)).await.json();
    let slot = slot_id(&week, 0);
    let mut interview = String::new();
    for (method, path, body, wanted) in OF_CHILD {
        let (path, body) =
            (path.replace("SLOT", &slot).replace("INTERVIEW", &interview), body.replace("SLOT", &slot));
        let route = (method, path.as_str(), body.as_str());
        // Those who may not come first, so that they cannot profit from what the guardian has done.
        let mut outcomes = vec![String::new()];
        for (token, id) in [(guardian, &others), (child, &theirs), (&one, &theirs), (&staff, &theirs)] {
            outcomes.push(call(edge, token, route, id).await.outcome());
        }
        let done = call(edge, guardian, route, &theirs).await;
        outcomes[0] = done.outcome();
        assert_eq!(outcomes, wanted, "{method} {path}");
        // Without a child, a guardian has no interviews; staff neither.
        for token in [guardian, &staff] {
            assert_eq!(call(edge, token, route, "").await.outcome(), "403 FORBIDDEN", "{method} {path}");
        }
        if done.outcome() == "201" {
            interview = done.json()["id"].as_str().unwrap().to_owned();
            let own = edge.get("/api/desk/interview/", Some(child)).await.json();
            assert_eq!(own["upcoming"][0]["id"], interview, "the child sees the booking");
            let stranger = edge.get(&format!("/api/desk/interview/{interview}/"), Some(&one)).await;
            assert_eq!(stranger.outcome(), "404 NOT_FOUND");
        }
    }
    let links = edge.get("/api/accounts/guardian/links/", Some(child)).await.json();
    assert_eq!((&links["views"][0]["what"], &links["views"][1]), (&json!("interview"), &Value::Null));
    let none = edge.get("/api/accounts/guardian/links/", Some(&one)).await.json();
    assert_eq!(none["views"], json!([]), "a refused request adds no entry");
    let junk = edge.get("/api/desk/interview/?child=7", Some(guardian)).await;
    assert_eq!(junk.json()["errors"], json!([{"field": "child", "code": "INVALID_FORMAT"}]));
}

#[tokio::test]
async fn the_end_of_a_link_ends_sight_and_booking_at_once_and_the_child_keeps_the_interview() {
    let family = Family::new().await;
    let Family { world, edge, guardian, child } = &family;
    let elsewhere = world.edge().await;
    let theirs = id_of(edge, child).await;
    let week = edge.get("/api/desk/interview/kind/3/slot/", Some(child)).await.json();
    let (slot, hold) = (slot_id(&week, 0), format!("/api/desk/interview/slot/{}/hold/", slot_id(&week, 0)));
    assert_eq!(call(edge, guardian, ("PUT", &hold, r#"{"replaces":null}"#), &theirs).await.outcome(), "200");
    let body = json!({ "slot": slot }).to_string();
    let booked = call(edge, guardian, ("POST", "/api/desk/interview/", &body), &theirs).await.json();
    let seen = call(&elsewhere, guardian, ("GET", "/api/desk/interview/", ""), &theirs).await;
    assert_json_snapshot!("interview_list_of_child", masked(&seen));

    let links = "/api/accounts/guardian/links/";
    let link = edge.get(links, Some(child)).await.json()["results"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(edge.call("DELETE", &format!("{links}{link}/"), Some(child)).await.outcome(), "204");
    for (method, path, body, _) in OF_CHILD {
        let path = path.replace("SLOT", &slot).replace("INTERVIEW", booked["id"].as_str().unwrap());
        let body = body.replace("SLOT", &slot);
        // No wait: the next request on every edge is refused.
        for edge in [edge, &elsewhere] {
            let refused = call(edge, guardian, (method, &path, &body), &theirs).await;
            assert_eq!(refused.outcome(), "404 NOT_FOUND", "{method} {path}");
        }
    }
    let own = edge.get("/api/desk/interview/", Some(child)).await.json();
    assert_eq!(
        (&own["upcoming"][0]["id"], &own["upcoming"][0]["is_cancelled"]),
        (&booked["id"], &json!(false))
    );
}
