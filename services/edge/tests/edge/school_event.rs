//! Events of the school, as browsers see them.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use time::Duration;
use time::macros::datetime;

use crate::support::family::Family;
use crate::support::{Answer, Edge, GUARDIAN, NOW, ONE, PASSWORD, STAFF, TWO, World};

/// Replaces the ids of entries and participants.
fn promise(answer: &Answer) -> Value {
    let mut told = answer.promise();
    if let Some(entries) = told["body"]["entries"].as_array_mut() {
        for entry in entries {
            entry["id"] = "…".into();
            entry["participant"] = "…".into();
        }
    }
    told
}

pub(crate) async fn sign_up(edge: &Edge, token: &str, event: i64) -> Answer {
    edge.with("POST", &format!("/api/desk/event/{event}/entry/"), token, &json!({"child": null})).await
}

pub(crate) fn entry(answer: &Answer) -> String {
    format!("/api/desk/event/entry/{}/", answer.json()["entries"][0]["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_person_takes_the_last_place_and_another_waits_for_it() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ((one, _), (two, _), (staff, _)) =
        (edge.login(ONE).await, edge.login(TWO).await, edge.login(STAFF).await);
    let list = edge.get("/api/desk/event/", Some(&staff)).await;
    assert_json_snapshot!("school_event_list", list.promise());
    let first = sign_up(&edge, &one, 1).await;
    assert_json_snapshot!("school_event_signed_up", promise(&first));
    let second = sign_up(&edge, &two, 1).await;
    assert_json_snapshot!("school_event_waiting", promise(&second));
    assert_eq!(sign_up(&edge, &two, 1).await.json()["entries"], second.json()["entries"]);
    assert_eq!(sign_up(&edge, &staff, 1).await.outcome(), "403 FORBIDDEN");
    let accept = format!("{}accept/", entry(&second));
    assert_eq!(edge.call("POST", &accept, Some(&two)).await.outcome(), "409 OFFER_ENDED");
    assert_eq!(edge.call("DELETE", &entry(&first), Some(&two)).await.outcome(), "404 NOT_FOUND");

    assert_json_snapshot!(
        "school_event_cancelled",
        promise(&edge.call("DELETE", &entry(&first), Some(&one)).await)
    );
    let offered = edge.get("/api/desk/event/1/", Some(&two)).await;
    assert_json_snapshot!("school_event_offered", promise(&offered));
    let accepted = edge.call("POST", &accept, Some(&two)).await;
    assert_eq!(accepted.json()["entries"][0]["state"], "signed_up");

    let headers = [("authorization", two.as_str()), ("content-type", "application/json")];
    let password = json!({"password": PASSWORD}).to_string();
    let export = edge.send("POST", "/api/accounts/export/", &headers, &password).await.json();
    assert_eq!(export["event_entries"][0]["title"], "夏期講習");

    world.clock.advance(datetime!(2026-11-26 14:59 UTC) - NOW);
    let (one, _) = edge.login(ONE).await;
    assert_eq!(sign_up(&edge, &one, 1).await.outcome(), "409 SIGN_UP_CLOSED");
    world.clock.advance(datetime!(2026-11-28 01:00 UTC) - datetime!(2026-11-26 14:59 UTC));
    let (two, _) = edge.login(TWO).await;
    assert_eq!(edge.call("DELETE", &entry(&second), Some(&two)).await.outcome(), "409 EVENT_STARTED");
    world.clock.advance(Duration::DAY);
    let (two, _) = edge.login(TWO).await;
    let after = edge.get("/api/desk/event/1/", Some(&two)).await.json();
    assert_eq!(after["materials"], "[所有講座](/mypage/course)にあります。");
}

#[tokio::test]
async fn a_guardian_signs_up_a_linked_child_and_no_other() {
    let family = Family::new().await;
    let Family { edge, guardian, child, .. } = &family;
    let id = edge.get("/api/accounts/user/", Some(child)).await.json()["id"].clone();
    let (one, _) = edge.login(ONE).await;
    let stranger = edge.get("/api/accounts/user/", Some(&one)).await.json()["id"].clone();
    let path = "/api/desk/event/2/entry/";
    for (token, child) in [(guardian, &stranger), (child, &stranger), (child, &id)] {
        let refused = edge.with("POST", path, token, &json!({ "child": child })).await;
        assert_eq!(refused.outcome(), "404 NOT_FOUND");
    }
    let taken = edge.with("POST", path, guardian, &json!({ "child": id })).await.json();
    assert_eq!(taken["entries"][0]["participant"], id);
    let of_child = edge.get("/api/desk/event/2/", Some(child)).await.json();
    assert_eq!(of_child["entries"], taken["entries"]);
    let both = sign_up(edge, guardian, 2).await.json();
    assert_eq!(both["entries"].as_array().unwrap().len(), 2);
    let (again, _) = edge.login(GUARDIAN).await;
    assert_eq!(edge.get("/api/desk/event/2/", Some(&again)).await.json()["entries"], both["entries"]);
}
