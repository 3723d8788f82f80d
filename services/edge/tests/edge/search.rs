//! Full-text search: lms and desk behind one path.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::{Edge, World};

/// 関数
const FUNCTIONS: &str = "%E9%96%A2%E6%95%B0";
/// 主
const CHIEF: &str = "%E4%B8%BB";

/// Returns kinds and ids, in order.
fn found(answer: &Value) -> Vec<(&str, i64)> {
    let results = answer["results"].as_array().unwrap();
    results.iter().map(|hit| (hit["kind"].as_str().unwrap(), hit["id"].as_i64().unwrap())).collect()
}

async fn search(edge: &Edge, query: &str) -> Value {
    edge.get(&format!("/api/search/?{query}"), None).await.json()
}

#[tokio::test]
async fn without_a_kind_the_first_hits_of_each_kind_are_returned() {
    let world = World::new().await;
    let edge = world.edge().await;
    let answer = edge.get(&format!("/api/search/?q={CHIEF}"), None).await;
    assert_json_snapshot!("search", answer.promise());
    let all = search(&edge, "q=+%E3%80%80").await;
    assert_eq!(all["errors"], json!([{"field": "q", "code": "REQUIRED"}]));
    let nothing = search(&edge, "q=%25").await;
    assert_eq!((found(&nothing), &nothing["count"]), (vec![], &json!(0)));
}

#[tokio::test]
async fn hits_of_one_kind_are_paged() {
    let world = World::new().await;
    let edge = world.edge().await;
    let lessons = search(&edge, &format!("q={CHIEF}&kind=lesson&page=1")).await;
    assert_eq!(found(&lessons), [("lesson", 201_010_101)]);
    assert_eq!((&lessons["count"], &lessons["counts"]["lesson"]), (&json!(1), &json!(1)));
    let teachers = search(&edge, "q=%E3%81%95%E3%81%8F%E3%82%89&kind=teacher").await;
    assert_eq!((found(&teachers), &teachers["next"]), (vec![("teacher", 1)], &json!(null)));
    // Counted, but not listed.
    assert_eq!(teachers["counts"]["course"], 0);
    let notices = search(&edge, &format!("q={FUNCTIONS}&kind=notice")).await;
    assert_eq!(
        (found(&notices), &notices["count"], &notices["counts"]["course"]),
        (vec![], &json!(0), &json!(1))
    );
}

#[tokio::test]
async fn hits_of_lms_and_desk_are_combined() {
    let world = World::new().await;
    let edge = world.edge().await;
    // 教 matches 教員 and 教材.
    let all = search(&edge, "q=%E6%95%99").await;
    assert_eq!(found(&all), [("teacher", 1), ("notice", 1)]);
    assert_eq!(all["counts"], json!({"course": 0, "lesson": 0, "teacher": 1, "notice": 1, "faq": 0}));
    assert_eq!((&all["count"], &all["next"]), (&json!(2), &json!(null)));
    let notices = search(&edge, "q=%E6%95%99&kind=notice").await;
    assert_eq!((found(&notices), &notices["count"]), (vec![("notice", 1)], &json!(1)));
    assert_eq!(notices["counts"], all["counts"]);
    // ぱす
    let answers = search(&edge, "q=%E3%81%B1%E3%81%99&kind=faq").await;
    assert_eq!(found(&answers), [("faq", 2)]);
    let suggestions = edge.get("/api/search/suggest/?q=%E3%81%B1%E3%81%99", None).await.json();
    assert_eq!(found(&suggestions), [("faq", 2)]);
}

#[tokio::test]
async fn suggestions_are_returned_and_revalidated_by_etag() {
    let world = World::new().await;
    let edge = world.edge().await;
    let path = format!("/api/search/suggest/?q={CHIEF}");
    assert_json_snapshot!("suggest", edge.get(&path, None).await.promise());
    let answer = edge.get(&path, None).await;
    let known = edge.send("GET", &path, &[("if-none-match", answer.header("etag").unwrap())], "").await;
    assert_eq!(known.status, 304);
}

#[tokio::test]
async fn junk_is_refused() {
    let world = World::new().await;
    let edge = world.edge().await;
    let long = format!("q={}", "a".repeat(101));
    for path in ["", "suggest/"] {
        for query in ["", "q=", "q=+", "q=%E3%80%80", "q=a%00", "q=a&q=b", &long] {
            let path = format!("/api/search/{path}?{query}");
            assert_eq!(edge.get(&path, None).await.outcome(), "400 INVALID", "{path}");
        }
    }
    for query in ["kind=", "kind=book", "kind=course&kind=course", "kind=Course"] {
        assert_eq!(
            edge.get(&format!("/api/search/?q=a&{query}"), None).await.outcome(),
            "400 INVALID",
            "{query}"
        );
    }
    for query in ["page=0", "page=x", "kind=course&page=-1"] {
        let path = format!("/api/search/?q=a&{query}");
        assert_eq!(edge.get(&path, None).await.outcome(), "400 INVALID_PAGE", "{query}");
    }
    for query in ["page=2", "kind=course&page=2", "kind=notice&page=4294967295"] {
        let path = format!("/api/search/?q=a&{query}");
        assert_eq!(edge.get(&path, None).await.outcome(), "404 NOT_FOUND", "{query}");
    }
}
