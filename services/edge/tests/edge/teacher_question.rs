//! Questions to teachers, as browsers see them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use sqlx::Executor as _;

use crate::desk::png;
use crate::support::{Answer, Edge, ONE, PASSWORD, TWO, World};

/// A lesson of the first learner's course. The other learner does not own it.
const LESSON: i64 = 201_010_101;
/// A question of that lesson.
const EXERCISE: i64 = 20_101_010_101;

async fn ask(edge: &Edge, token: &str, key: &str, question: &Value) -> Answer {
    let headers = [("authorization", token), ("content-type", "application/json"), ("idempotency-key", key)];
    edge.send("POST", "/api/desk/question/", &headers, &question.to_string()).await
}

#[tokio::test]
async fn a_question_is_about_a_lesson_of_its_learner_and_nobody_else_reads_it() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ((one, _), (two, _)) = (edge.login(ONE).await, edge.login(TWO).await);
    let question = json!({
        "text": "この問題の二行目がわかりません。", "lesson": LESSON, "at": 95, "exercise": EXERCISE, "is_shared": true
    });
    let taken = ask(&edge, &one, "key-of-a-browser", &question).await;
    assert_eq!(taken.outcome(), "201");
    assert_eq!(ask(&edge, &one, "key-of-a-browser", &question).await.json(), taken.json());
    assert_eq!(ask(&edge, &two, "key-of-a-browser", &question).await.outcome(), "404 NOT_FOUND");
    // A question of another lesson.
    let wrong =
        json!({"text": "この問題がわかりません。", "lesson": LESSON, "exercise": 1, "is_shared": false});
    assert_eq!(ask(&edge, &one, "another-key", &wrong).await.outcome(), "404 NOT_FOUND");

    // What belongs to a lesson, without one.
    for alone in [json!({"at": 95}), json!({"exercise": EXERCISE}), json!({"is_shared": true})] {
        let mut wrong = json!({"text": "この問題がわかりません。", "is_shared": false});
        wrong.as_object_mut().unwrap().extend(alone.as_object().unwrap().clone());
        let refused = ask(&edge, &one, "key-without-a-lesson", &wrong).await;
        assert_eq!(refused.outcome(), "400 INVALID", "{alone}");
        assert_eq!(refused.json()["errors"], json!([{"field": "lesson", "code": "REQUIRED"}]), "{alone}");
    }

    let path = format!("/api/desk/question/{}/", taken.json()["id"].as_str().unwrap());
    let thread = edge.get(&path, Some(&one)).await.json();
    let place = &thread["question"]["place"];
    assert_eq!(
        (&place["lesson"], &place["at"], &place["exercise"]),
        (&json!(LESSON), &json!(95), &json!(EXERCISE))
    );
    assert!(place["lesson_name"].is_string() && place["exercise_text"].is_string(), "{place}");
    assert_eq!(thread["question"]["is_waiting"], true);
    assert_eq!(thread["messages"][0]["text"], question["text"]);
    assert_eq!(edge.get(&path, Some(&two)).await.outcome(), "404 NOT_FOUND");
    let thanks = edge.call("PUT", &format!("{path}thanks/"), Some(&two)).await;
    assert_eq!(thanks.outcome(), "404 NOT_FOUND");

    let allowance = edge.get("/api/desk/question/allowance/", Some(&one)).await.json();
    assert_eq!((&allowance["left"], &allowance["monthly"]), (&json!(2), &json!(3)));
    for (key, outcome) in
        [("key-two-of-3", "201"), ("key-three-of-3", "201"), ("key-four-of-3", "409 QUESTIONS_USED_UP")]
    {
        let free = json!({"text": "先生はどうやって数学が得意になりましたか。", "is_shared": false});
        assert_eq!(ask(&edge, &one, key, &free).await.outcome(), outcome, "{key}");
    }
    assert_eq!(edge.get("/api/desk/question/", Some(&one)).await.json()["count"], 3);
    let shared = format!("/api/desk/lesson/{LESSON}/question/");
    assert_eq!(edge.get(&shared, Some(&one)).await.json()["count"], 0, "nothing is answered");
    assert_eq!(edge.get(&shared, Some(&two)).await.outcome(), "404 NOT_FOUND");
}

const PICTURE: &str = "/api/desk/question/picture/";

async fn put(edge: &Edge, token: Option<&str>, content: Bytes) -> Answer {
    let mut headers = vec![("content-type", "image/png")];
    headers.extend(token.map(|token| ("authorization", token)));
    edge.send_bytes("POST", PICTURE, &headers, content).await
}

/// The fields of a response, with ids and times replaced.
fn shape(mut value: Value) -> Value {
    match &mut value {
        Value::Array(list) => list.iter_mut().for_each(|part| *part = shape(part.take())),
        Value::Object(fields) => {
            for (name, part) in fields {
                *part = match name.as_str() {
                    "id" => json!("[id]"),
                    "asked_at" | "sent_at" => json!("[time]"),
                    _ => shape(part.take()),
                };
            }
        }
        _ => {}
    }
    value
}

#[tokio::test]
async fn a_photo_is_uploaded_before_its_question_and_returned_to_its_learner_alone() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ((one, _), (two, _)) = (edge.login(ONE).await, edge.login(TWO).await);
    let stored = put(&edge, Some(&one), png()).await;
    assert_eq!(stored.outcome(), "201");
    let picture = stored.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(stored.json(), json!({ "id": picture }));
    let question = |pictures: Value| json!({"text": "この式の二行目がわかりません。", "lesson": LESSON, "is_shared": true, "pictures": pictures});
    let photo = json!([{"id": picture, "description": "ノートの二行目"}]);
    let taken = ask(&edge, &one, "key-of-a-browser", &question(photo.clone())).await;
    assert_eq!(taken.outcome(), "201");
    assert_eq!(ask(&edge, &one, "key-of-a-browser", &question(photo.clone())).await.json(), taken.json());
    let thread = format!("/api/desk/question/{}/", taken.json()["id"].as_str().unwrap());
    assert_json_snapshot!(shape(edge.get(&thread, Some(&one)).await.json()));

    for (pictures, code) in [
        (photo, "UNKNOWN_CHOICE"),
        (json!([{"id": "1", "description": ""}]), "INVALID_FORMAT"),
        (json!([{"id": picture}]), "INVALID_FORMAT"),
        (json!([{"id": picture, "description": "\0"}]), "INVALID_FORMAT"),
        (json!(vec![json!({"id": picture, "description": ""}); 4]), "TOO_LONG"),
    ] {
        let refused = ask(&edge, &one, "another-key", &question(pictures.clone())).await;
        assert_eq!(refused.outcome(), "400 INVALID", "{pictures}");
        assert_eq!(refused.json()["errors"], json!([{"field": "pictures", "code": code}]), "{pictures}");
    }

    let own = format!("{PICTURE}{picture}/");
    let found = edge.get(&own, Some(&one)).await;
    assert!(found.body.starts_with(&[0xff, 0xd8]));
    for (name, value) in
        [("content-type", "image/jpeg"), ("cache-control", "no-store"), ("x-content-type-options", "nosniff")]
    {
        assert_eq!(found.header(name), Some(value), "{name}");
    }
    assert_eq!(edge.get(&own, Some(&two)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.get(&own, None).await.outcome(), "401 UNAUTHENTICATED");

    let shared = format!("/api/desk/lesson/{LESSON}/question/picture/{picture}/");
    assert_eq!(edge.get(&shared, Some(&one)).await.outcome(), "404 NOT_FOUND", "it is not answered");
    let answered = "UPDATE teacher_question SET state = 'answered', teacher = '高瀬航', answered_at = now(); \
        INSERT INTO question_message (question, n, sent_at, teacher, sealed) \
        SELECT id, 2, now(), teacher, '' FROM teacher_question";
    let mut connection = world.desk_database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(answered)).await.unwrap();
    let seen = edge.get(&shared, Some(&one)).await;
    assert_eq!((seen.header("content-type"), &seen.body), (Some("image/jpeg"), &found.body));
    assert_eq!(edge.get(&shared, Some(&two)).await.outcome(), "404 NOT_FOUND", "not the caller's lesson");
}

#[tokio::test]
async fn other_files_are_refused_and_the_export_has_the_photos() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let fake = put(&edge, Some(&one), Bytes::from_static(b"GIF89a")).await;
    assert_eq!(fake.outcome(), "400 PICTURE_UNREADABLE");
    assert_eq!(fake.json()["errors"], json!([{"field": "picture", "code": "PICTURE_UNREADABLE"}]));
    let large = put(&edge, Some(&one), vec![0; 5 * 1024 * 1024 + 1].into()).await;
    assert_eq!(large.outcome(), "413 PICTURE_TOO_LARGE");
    assert_eq!(put(&edge, Some(&one), Bytes::new()).await.outcome(), "400 INVALID");
    assert_eq!(put(&edge, None, png()).await.outcome(), "401 UNAUTHENTICATED");

    let picture = put(&edge, Some(&one), png()).await.json()["id"].clone();
    let question = json!({
        "text": "この式の二行目がわかりません。", "is_shared": false, "pictures": [{"id": picture, "description": ""}]
    });
    assert_eq!(ask(&edge, &one, "key-of-a-browser", &question).await.outcome(), "201");
    let own = edge.get(&format!("{PICTURE}{}/", picture.as_str().unwrap()), Some(&one)).await;
    let password = json!({ "password": PASSWORD });
    let export = edge.with("POST", "/api/accounts/export/", &one, &password).await.json();
    assert_eq!(export["teacher_questions"][0]["messages"][0]["pictures"], question["pictures"]);
    let exported = json!([{"id": picture, "picture": STANDARD.encode(&own.body)}]);
    assert_eq!(export["question_pictures"], exported);
}
