//! Playback and notes: the responses that the site relies on.

use insta::assert_json_snapshot;
use serde_json::json;

use crate::support::{Edge, ONE, World};

const BEAT: &str = "/api/lms/lesson/201010101/beat/";

/// Plays the lesson for a minute, so that its heartbeats count.
async fn play(world: &World, edge: &Edge, token: &str) {
    let start = json!({"device": uuid::Uuid::nil(), "take_over": false});
    let started = edge.with("POST", "/api/lms/lesson/201010101/stream/", token, &start).await;
    assert_eq!(started.outcome(), "201");
    world.clock.advance(time::Duration::MINUTE);
}

#[tokio::test]
async fn beats() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let forged = json!({"sequence": 1, "position": 0, "watched": [[0, 4_294_967_295_u32]], "stream": null});
    let standing = edge.with("POST", "/api/lms/lesson/201010102/beat/", &token, &forged).await.json();
    assert_eq!(
        (&standing["covered"], &standing["is_check"]),
        (&json!(0), &json!(false)),
        "nothing was played"
    );
    play(&world, &edge, &token).await;
    let first = json!({"sequence": 3, "position": 70, "watched": [[0, 15], [60, 70]], "stream": null});
    assert_json_snapshot!("beat", edge.with("POST", BEAT, &token, &first).await.promise());
    let late = json!({"sequence": 2, "position": 30, "watched": [[15, 30]]});
    let standing = edge.with("POST", BEAT, &token, &late).await.json();
    assert_eq!((&standing["position"], &standing["covered"]), (&json!(70), &json!(40)));
    let paused = json!({"sequence": 4, "position": 71, "watched": []});
    assert_eq!(edge.with("POST", BEAT, &token, &paused).await.json()["position"], 71);

    let wrong = json!({"sequence": -1, "position": 1.5, "watched": [[2, 1]], "stream": "x", "speed": 2});
    assert_json_snapshot!("beat_with_wrong_fields", edge.with("POST", BEAT, &token, &wrong).await.promise());
    let ended = json!({"sequence": 5, "position": 0, "watched": [], "stream": uuid::Uuid::nil()});
    assert_eq!(edge.with("POST", BEAT, &token, &ended).await.outcome(), "409 STREAM_ENDED");
    let unknown = edge.with("POST", "/api/lms/lesson/999/beat/", &token, &first).await;
    assert_eq!(unknown.outcome(), "404 NOT_FOUND");

    world.clock.advance(time::Duration::days(91));
    let (token, _) = edge.login(ONE).await;
    assert_eq!(edge.with("POST", BEAT, &token, &first).await.outcome(), "403 EXPIRED_ITEM");
}

#[tokio::test]
async fn recent_lessons_and_the_week() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    assert_eq!(edge.get("/api/lms/recent/", Some(&token)).await.json()["count"], 0);
    play(&world, &edge, &token).await;
    let beat = json!({"sequence": 1, "position": 70, "watched": [[0, 15], [60, 70]]});
    for _ in 0..2 {
        edge.with("POST", BEAT, &token, &beat).await;
    }
    assert_json_snapshot!("recent", edge.get("/api/lms/recent/", Some(&token)).await.promise());
    assert_eq!(edge.get("/api/lms/recent/?page=2", Some(&token)).await.outcome(), "404 NOT_FOUND");
    let of_course =
        async |course: &str| edge.get(&format!("/api/lms/recent/?course={course}"), Some(&token)).await;
    for (course, count) in [("201", 1), ("202", 0)] {
        assert_eq!(of_course(course).await.json()["count"], count, "{course}");
    }
    assert_eq!(of_course("x").await.outcome(), "400 INVALID");
    assert_json_snapshot!("week", edge.get("/api/lms/week/", Some(&token)).await.promise());
}

#[tokio::test]
async fn notes() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let path = |number: u8| format!("/api/lms/note/01936f2a-4c00-7a31-8b52-1f6d0c9e4a0{number}/");
    let draft = |at: u32, text: &str| json!({"lesson": 201_010_101, "at": at, "text": text});
    let set = edge.with("PUT", &path(1), &token, &draft(70, "be動詞は\n主語で変わる")).await;
    assert_json_snapshot!("set_note", set.promise());
    world.clock.advance(time::Duration::MINUTE);
    let again = edge.with("PUT", &path(1), &token, &draft(70, "be動詞は\n主語で変わる")).await;
    assert_eq!(again.json(), set.json());
    edge.with("PUT", &path(2), &token, &draft(20, "ＡＭ　は わたし だけ")).await;
    let list = edge.get("/api/lms/note/?lesson=201010101", Some(&token)).await;
    assert_json_snapshot!("note_list", list.promise());
    for (query, texts) in
        [("", 2), ("?q=am+%E3%83%AF%E3%82%BF%E3%82%B7", 1), ("?q=are", 0), ("?lesson=201010102", 0)]
    {
        let found = edge.get(&format!("/api/lms/note/{query}"), Some(&token)).await.json();
        assert_eq!(found["count"], texts, "{query}");
    }

    let wrong = json!({"lesson": "x", "at": -1, "text": "", "color": "red"});
    assert_json_snapshot!(
        "note_with_wrong_fields",
        edge.with("PUT", &path(3), &token, &wrong).await.promise()
    );
    let blank = edge.with("PUT", &path(3), &token, &draft(0, " ")).await;
    assert_eq!(
        (blank.outcome(), &blank.json()["errors"][0]["code"]),
        ("400 INVALID".to_owned(), &json!("REQUIRED"))
    );
    let unknown = json!({"lesson": 999, "at": 0, "text": "a"});
    assert_eq!(edge.with("PUT", &path(3), &token, &unknown).await.outcome(), "404 NOT_FOUND");
    for (path, outcome) in
        [("?page=2", "404 NOT_FOUND"), ("?lesson=x", "400 INVALID"), ("?q=+", "400 INVALID")]
    {
        let answer = edge.get(&format!("/api/lms/note/{path}"), Some(&token)).await;
        assert_eq!(answer.outcome(), outcome, "{path}");
    }

    // An expired item locks its lessons, not the notes.
    world.clock.advance(time::Duration::days(91));
    let (token, _) = edge.login(ONE).await;
    assert_eq!(edge.with("PUT", &path(1), &token, &draft(71, "be動詞")).await.json()["at"], 71);
    for _ in 0..2 {
        assert_eq!(edge.call("DELETE", &path(1), Some(&token)).await.outcome(), "204");
    }
    assert_eq!(edge.get("/api/lms/note/", Some(&token)).await.json()["count"], 1);
}
