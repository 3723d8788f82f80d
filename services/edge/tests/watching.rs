//! What a learner watches: what each path answers, as the site relies on it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up panics")]

mod support;

use insta::assert_json_snapshot;
use serde_json::json;

use support::{ONE, World};

const BEAT: &str = "/api/lms/lesson/201010101/beat/";

#[tokio::test]
async fn beats() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let stream = "01936f2a-4c00-7a31-8b52-1f6d0c9e4a01";
    let first = json!({"sequence": 1, "position": 70, "watched": [[0, 15], [60, 70]], "stream": null});
    assert_json_snapshot!("beat", edge.with("POST", BEAT, &token, &first).await.promise());
    let late = json!({"sequence": 0, "position": 30, "watched": [[15, 30]], "stream": stream});
    let standing = edge.with("POST", BEAT, &token, &late).await.json();
    assert_eq!((&standing["position"], &standing["covered"]), (&json!(70), &json!(40)));
    let paused = json!({"sequence": 2, "position": 71, "watched": []});
    assert_eq!(edge.with("POST", BEAT, &token, &paused).await.json()["position"], 71);

    let wrong = json!({"sequence": -1, "position": 1.5, "watched": [[2, 1]], "stream": "x", "speed": 2});
    assert_json_snapshot!("beat_with_wrong_fields", edge.with("POST", BEAT, &token, &wrong).await.promise());
    let unknown = edge.with("POST", "/api/lms/lesson/999/beat/", &token, &first).await;
    assert_eq!(unknown.outcome(), "404 NOT_FOUND");

    world.clock.advance(time::Duration::days(91));
    let (token, _) = edge.login(ONE).await;
    assert_eq!(edge.with("POST", BEAT, &token, &first).await.outcome(), "403 EXPIRED_ITEM");
}
