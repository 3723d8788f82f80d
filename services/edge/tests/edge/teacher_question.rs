//! Questions to teachers, as browsers see them.

use serde_json::{Value, json};

use crate::support::{Answer, Edge, ONE, TWO, World};

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
