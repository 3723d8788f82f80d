//! The study plan, as browsers see it.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::exam::exams;
use crate::support::{GUARDIAN, ONE, PASSWORD, STAFF, TWO, World};

const PLAN: &str = "/api/lms/study-plan/";

#[tokio::test]
async fn a_plan_has_the_lessons_of_14_days() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    assert_json_snapshot!("study_plan", edge.get(PLAN, Some(&one)).await.promise());
}

#[tokio::test]
async fn the_minutes_are_stored_for_the_caller_and_exported() {
    let world = World::new().await;
    let edge = world.edge().await;
    let ((one, _), (two, _)) = (edge.login(ONE).await, edge.login(TWO).await);
    for minutes in [30, 30, 0] {
        let stored = edge.with("PUT", PLAN, &one, &json!({"minutes": minutes})).await;
        assert_eq!(stored.outcome(), "204");
        assert_eq!(edge.get(PLAN, Some(&one)).await.json()["minutes"], minutes);
    }
    let off = json!({"minutes": 0, "watched_seconds": 0, "days": [], "later_count": 0, "shortfalls": [],
        "enough_minutes": null});
    assert_eq!(edge.get(PLAN, Some(&one)).await.json(), off);
    assert_eq!(edge.get(PLAN, Some(&two)).await.json()["minutes"], 15);
    for (body, code) in [
        (json!({"minutes": 7}), "OUT_OF_RANGE"),
        (json!({"minutes": 125}), "OUT_OF_RANGE"),
        (json!({"minutes": -5}), "OUT_OF_RANGE"),
        (json!({"minutes": "15"}), "INVALID_FORMAT"),
        (json!({}), "REQUIRED"),
    ] {
        let refused = edge.with("PUT", PLAN, &one, &body).await.json();
        assert_eq!(refused["errors"], json!([{"field": "minutes", "code": code}]), "{body}");
    }
    let password = json!({"password": PASSWORD});
    let export = async |token: &str| {
        edge.with("POST", "/api/accounts/export/", token, &password).await.json()["learning"]["study_minutes"]
            .clone()
    };
    assert_eq!((export(&one).await, export(&two).await), (json!(0), Value::Null));
}

#[tokio::test]
async fn only_learners_have_a_plan() {
    let world = World::new().await;
    let edge = world.edge().await;
    for who in [STAFF, GUARDIAN] {
        let (token, _) = edge.login(who).await;
        assert_eq!(edge.get(PLAN, Some(&token)).await.outcome(), "403 FORBIDDEN");
    }
    assert_eq!(edge.get(PLAN, None).await.json()["code"], "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_plan_prepares_for_an_exam_that_the_caller_takes() {
    let world = exams().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    edge.with("PUT", PLAN, &one, &json!({"minutes": 5})).await;
    let before = edge.get(PLAN, Some(&one)).await.json();
    assert_eq!(before["shortfalls"], json!([]), "there is time until the course expires");
    let seat = edge.call("POST", "/api/exam/application/1/seat/", Some(&one)).await;
    assert_eq!(seat.outcome(), "204");
    // The exam begins on 25 November, when the plan has had four days.
    world.clock.advance(time::Duration::days(4));
    let (one, _) = edge.login(ONE).await;
    let plan = edge.get(PLAN, Some(&one)).await.json();
    let [shortfall] = &plan["shortfalls"].as_array().unwrap()[..] else { panic!("{plan}") };
    assert_eq!((&shortfall["deadline"], &shortfall["date"]), (&json!("exam"), &json!("2026-11-24")));
    assert_eq!((&shortfall["lesson_count"], &plan["enough_minutes"]), (&json!(1), &json!(15)));
}

#[tokio::test]
async fn homework_of_a_class_is_planned_until_its_last_day() {
    let world = World::new().await;
    world.clock.advance(time::Duration::DAY);
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let day = edge.get(PLAN, Some(&one)).await.json()["days"][0].clone();
    let [homework] = &day["homework"].as_array().unwrap()[..] else { panic!("{day}") };
    assert_eq!(
        (&homework["class_name"], &homework["is_done"]),
        (&json!("中1英語 金曜クラス"), &json!(false))
    );
    assert!(homework["due_date"].as_str() >= day["date"].as_str(), "{day}");
    let path = format!("/api/lms/live-lesson/{}/homework/", homework["id"]);
    assert_eq!(edge.call("PUT", &path, Some(&one)).await.outcome(), "204");
    let done = edge.get(PLAN, Some(&one)).await.json()["days"][0]["homework"][0].clone();
    assert_eq!((&done["id"], &done["is_done"]), (&homework["id"], &json!(true)));
}
