//! Interviews, as browsers see them.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::{Answer, Edge, ONE, PASSWORD, TWO, World};

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
