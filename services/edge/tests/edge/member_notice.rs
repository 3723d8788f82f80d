//! Notices for the caller, as browsers see them.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::{Answer, Edge, GUARDIAN, ONE, PASSWORD, STAFF, TWO, World};

async fn list(edge: &Edge, token: &str) -> Answer {
    edge.get("/api/desk/notice/mine/", Some(token)).await
}

fn ids(list: &Answer) -> Vec<i64> {
    let list = list.json();
    let rows = list["results"].as_array().unwrap();
    rows.iter().map(|notice| notice["id"].as_i64().unwrap()).collect()
}

async fn unread(edge: &Edge, token: &str) -> Value {
    edge.get("/api/desk/notice/mine/unread/", Some(token)).await.json()["unread"].clone()
}

#[tokio::test]
async fn the_course_and_the_school_year_of_the_caller_decide_and_reading_is_kept() {
    let world = World::new().await;
    let edge = world.edge().await;
    // The first learner is in 高1 and owns course 201. The second has no birth date and another course.
    for (email, wanted) in
        [(ONE, vec![1, 5, 4, 2]), (TWO, vec![1, 2]), (GUARDIAN, vec![1, 6, 2]), (STAFF, vec![1, 2])]
    {
        let (token, _) = edge.login(email).await;
        assert_eq!(ids(&list(&edge, &token).await), wanted, "{email}");
        assert_eq!(unread(&edge, &token).await, json!(wanted.len()), "{email}");
        for id in 1..=7 {
            let outcome = if wanted.contains(&id) { "200" } else { "404 NOT_FOUND" };
            let opened = edge.get(&format!("/api/desk/notice/mine/{id}/"), Some(&token)).await;
            assert_eq!(opened.outcome(), outcome, "{email} {id}");
        }
        assert_eq!(unread(&edge, &token).await, json!(0), "{email}");
    }
}

#[tokio::test]
async fn a_notice_is_unread_until_it_is_opened_on_any_device() {
    let world = World::new().await;
    let (edge, other) = (world.edge().await, world.edge().await);
    let ((phone, _), (laptop, _)) = (edge.login(ONE).await, other.login(ONE).await);
    assert_json_snapshot!("member_notice_list", list(&edge, &phone).await.promise());
    assert_json_snapshot!(
        "member_notice",
        edge.get("/api/desk/notice/mine/4/", Some(&phone)).await.promise()
    );
    assert_eq!(unread(&other, &laptop).await, json!(3));
    assert_eq!(ids(&list(&other, &laptop).await), [1, 5, 2, 4], "the read one comes last");
    assert_eq!(edge.get("/api/desk/notice/mine/?page=2", Some(&phone)).await.outcome(), "404 NOT_FOUND");

    let password = json!({"password": PASSWORD});
    let headers = [("authorization", phone.as_str()), ("content-type", "application/json")];
    let export = edge.send("POST", "/api/accounts/export/", &headers, &password.to_string()).await.json();
    assert_eq!(export["notices"]["readings"][0]["notice"], 4);
    assert_eq!(export["notices"]["personal"], json!([]));
}
