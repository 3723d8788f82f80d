//! Classes, as browsers see them.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use time::Duration;

use crate::support::{GUARDIAN, ONE, PASSWORD, STAFF, TWO, World};

const WEEK: &str = "/api/lms/class/";
/// The lesson on 11 December at noon in Tokyo, the third week from the start of the test.
const LAST: usize = 4;

#[tokio::test]
async fn a_week_has_the_classes_the_lessons_and_the_homework() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    assert_json_snapshot!("class_week", edge.get(WEEK, Some(&one)).await.promise());
    assert_json_snapshot!(
        "live_lesson_list",
        edge.get("/api/lms/class/1/lesson/", Some(&one)).await.promise()
    );
    let next = edge.get(&format!("{WEEK}?day=2026-12-31"), Some(&one)).await.json();
    assert_eq!((&next["monday"], &next["has_next"]), (&json!("2026-12-28"), &json!(false)));
    for (query, code) in [("?day=tomorrow", "INVALID_FORMAT"), ("?day=2030-01-01", "OUT_OF_RANGE")] {
        let refused = edge.get(&format!("{WEEK}{query}"), Some(&one)).await;
        assert_eq!(refused.json()["errors"], json!([{"field": "day", "code": code}]));
    }
}

#[tokio::test]
async fn a_member_joins_and_marks_homework_and_both_are_in_the_export() {
    let world = World::new().await;
    world.clock.advance(Duration::days(20) + Duration::hours(17) - Duration::minutes(10));
    let edge = world.edge().await;
    let ((one, _), (two, _)) = (edge.login(ONE).await, edge.login(TWO).await);
    let lessons = edge.get("/api/lms/class/1/lesson/", Some(&one)).await.json();
    let last = &lessons["results"][LAST];
    assert_eq!(last["join_url"], "https://meet.konomana.example/class-1");
    let path = format!("/api/lms/live-lesson/{}/attendance/", last["id"]);
    assert_eq!(edge.call("PUT", &path, Some(&two)).await.outcome(), "404 NOT_FOUND");
    for _ in 0..2 {
        assert_eq!(edge.call("PUT", &path, Some(&one)).await.outcome(), "204");
    }
    let homework = format!("/api/lms/live-lesson/{}/homework/", lessons["results"][1]["id"]);
    assert_eq!(edge.call("PUT", &homework, Some(&two)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.call("PUT", &homework, Some(&one)).await.outcome(), "204");
    let week = edge.get(WEEK, Some(&one)).await.json();
    assert_eq!(week["lessons"][0]["attendance"], "joined");
    let [open, done] = &week["homework"].as_array().unwrap()[..] else { panic!("{week}") };
    assert_eq!((&open["number"], &open["homework"]["is_late"]), (&json!(1), &json!(true)));
    assert_eq!(open["homework"]["done_at"], Value::Null);
    assert_eq!((&done["number"], done["homework"]["done_at"].is_string()), (&json!(2), true));

    let password = json!({"password": PASSWORD});
    let export = edge.with("POST", "/api/accounts/export/", &one, &password).await.json();
    let learning = &export["learning"];
    assert_eq!(learning["attendances"][0]["class"], "中1英語 金曜クラス");
    assert_eq!(learning["homework_marks"][0]["homework"], "主語をさがすプリントを解きます。");
}

#[tokio::test]
async fn a_learner_without_the_course_has_no_class_and_others_are_forbidden() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (two, _) = edge.login(TWO).await;
    let week = edge.get(WEEK, Some(&two)).await.json();
    assert_eq!((&week["classes"], &week["lessons"], &week["homework"]), (&json!([]), &json!([]), &json!([])));
    for who in [STAFF, GUARDIAN] {
        let (token, _) = edge.login(who).await;
        assert_eq!(edge.get(WEEK, Some(&token)).await.outcome(), "403 FORBIDDEN");
    }
    assert_eq!(edge.get(WEEK, None).await.json()["code"], Value::from("UNAUTHENTICATED"));
}
