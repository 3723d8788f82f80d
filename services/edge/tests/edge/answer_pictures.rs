//! Pictures of written answers, with the real service: the responses that the site relies on, and load.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use edge::config::Settings;
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::Executor as _;

use crate::desk::png;
use crate::sitting::{Candidate, LAPTOP, exam, id};
use crate::support::{Answer, Edge, GUARDIAN, ONE, PASSWORD, TWO, World};

/// A written question of the paper that may be answered with a picture.
const WRITTEN: &str = r#"
INSERT INTO question (id, paper_id, number, content) VALUES
(1104, 11, 4, '{"kind": "written", "prompt": "なぜ？", "figures": [], "choices": [], "is_ordered": false, "points": 5,
    "key": {"texts": ["key-word-of-the-test"]}, "explanation": "explanation-of-the-test", "lesson_id": null,
    "written": {"guide": "7315924680", "character_limit": 20, "takes_picture": true}}');
UPDATE paper SET question_count = 4, points = 20;
"#;

async fn written_exam() -> World {
    let world = exam().await;
    let mut connection = world.exam_database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(WRITTEN)).await.unwrap();
    drop(connection);
    world
}

async fn put(edge: &Edge, token: Option<&str>, path: &str, content: Bytes) -> Answer {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("content-type", "image/png")];
    headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
    edge.send_bytes("PUT", path, &headers, content).await
}

#[tokio::test]
async fn a_picture_is_sent_before_its_answer_and_returned_to_its_learner_alone() {
    let world = written_exam().await;
    let edge = world.edge().await;
    let candidate = Candidate::new(&world, &edge, ONE).await;
    let started = candidate.start(LAPTOP).await;
    assert_eq!(started.json()["paper"]["questions"][3]["takes_picture"], true);
    let sitting = id(&started);
    let path = format!("/api/exam/sitting/{sitting}/picture/1104/");
    let stored = put(&edge, Some(&candidate.token), &path, png()).await;
    let name = stored.json()["picture"].as_str().unwrap().to_owned();
    assert_eq!(stored.json(), json!({ "picture": name }));
    let answer = json!({ "picture": name });
    let saved = candidate.save(&sitting, LAPTOP, 1, &[(1104, 1, answer.clone())]).await;
    assert_eq!((saved.outcome().as_str(), &saved.json()["refused"]), ("200", &json!([])));
    let unknown = json!({ "picture": "0".repeat(64) });
    let refused = candidate.save(&sitting, LAPTOP, 1, &[(1104, 2, unknown)]).await.json();
    assert_eq!(refused["refused"], json!([{"question_id": 1104, "code": "INVALID", "sequence": 2}]));
    assert_eq!(candidate.find(&sitting).await.json()["answers"][0]["answer"], answer);

    let own = format!("/api/exam/question/1104/picture/{name}/");
    let found = candidate.call("GET", &own, &Value::Null).await;
    assert_eq!(found.header("content-type"), Some("image/jpeg"));
    assert!(found.body.starts_with(&[0xff, 0xd8]));
    let other = Candidate::new(&world, &edge, TWO).await;
    assert_eq!(other.call("GET", &own, &Value::Null).await.outcome(), "404 NOT_FOUND");
    assert_eq!(put(&edge, Some(&other.token), &path, png()).await.outcome(), "404 NOT_FOUND");
    let (guardian, _) = edge.login(GUARDIAN).await;
    assert_eq!(edge.get(&own, Some(&guardian)).await.outcome(), "403 FORBIDDEN");

    let text = format!("/api/exam/sitting/{sitting}/picture/1103/");
    assert_eq!(put(&edge, Some(&candidate.token), &text, png()).await.outcome(), "404 NOT_FOUND");
    let fake = put(&edge, Some(&candidate.token), &path, Bytes::from_static(b"GIF89a")).await;
    assert_eq!(fake.outcome(), "400 PICTURE_UNREADABLE");
    let large = put(&edge, Some(&candidate.token), &path, vec![0; 5 * 1024 * 1024 + 1].into()).await;
    assert_eq!(large.outcome(), "413 PICTURE_TOO_LARGE");
    assert_eq!(put(&edge, None, &path, png()).await.outcome(), "401 UNAUTHENTICATED");
    assert_eq!(candidate.hand_in(&sitting, LAPTOP, 1).await.outcome(), "200");
    assert_eq!(put(&edge, Some(&candidate.token), &path, png()).await.outcome(), "409 HANDED_IN");

    let password = json!({ "password": PASSWORD });
    let export = edge.with("POST", "/api/accounts/export/", &candidate.token, &password).await.json();
    let exported = &export["exam_sittings"][0]["answers"][0];
    assert_eq!((&exported["answer"], &exported["picture"]), (&answer, &json!(STANDARD.encode(&found.body))));
}

#[tokio::test]
async fn a_picture_of_an_answer_waits_and_is_never_refused_for_load() {
    let world = written_exam().await;
    let full = world.edge().await;
    let sitting = id(&Candidate::new(&world, &full, ONE).await.start(LAPTOP).await);
    let token = full.login(ONE).await.0;
    let mut settings: Settings = world.settings();
    // One at a time, one request and one upload of an address, and memory for one picture.
    (settings.limits.answer_pictures, settings.limits.uploads_per_address) = (1, 1);
    (settings.limits.requests_per_address, settings.limits.upload_memory_mib) = (1, 1);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let path = format!("/api/exam/sitting/{sitting}/picture/1104/");
    // Behind the end of the picture, where decoders do not read: two pictures do not fit into the memory.
    let content = Bytes::from([&png()[..], &vec![0; 600 * 1024]].concat());
    let puts = (0..20).map(|_| async { put(&edge, Some(&token), &path, content.clone()).await.outcome() });
    assert_eq!(join_all(puts).await, ["200"; 20]);
}
