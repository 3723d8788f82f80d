//! Certificates, as browsers see them.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::{Answer, Edge, ONE, ORIGIN, PASSWORD, TWO, World};

const STATE: &str = "/api/lms/course/201/certificate/";

/// Returns the response for a snapshot, with `…` for the random id.
fn promise(answer: &Answer, id: &str) -> Value {
    serde_json::from_str(&answer.promise().to_string().replace(id, "…")).unwrap()
}

/// Does the lessons of the course, and answers three of its four questions right.
async fn earn(edge: &Edge, token: &str) {
    for lesson in [201_010_101, 201_010_102] {
        let done = edge.call("PUT", &format!("/api/lms/check/{lesson}/"), Some(token)).await;
        assert_eq!(done.outcome(), "204");
    }
    for (question, answer) in [
        (1, json!({"choices": [1]})),
        (2, json!({"choices": [1, 2]})),
        (3, json!({"number": "0.75"})),
        (4, json!({"text": "is"})),
    ] {
        let path = format!("/api/lms/question/2010101010{question}/answer/");
        assert_eq!(edge.with("POST", &path, token, &json!({ "answer": answer })).await.outcome(), "200");
    }
}

#[tokio::test]
async fn a_certificate_is_earned_issued_printed_and_checked() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    assert_json_snapshot!("certificate_not_earned", edge.get(STATE, Some(&token)).await.promise());
    let refused = edge.call("POST", STATE, Some(&token)).await;
    assert_eq!(refused.outcome(), "409 CERTIFICATE_NOT_EARNED");

    earn(&edge, &token).await;
    let issued = edge.call("POST", STATE, Some(&token)).await;
    let id = issued.json()["id"].as_str().unwrap().to_owned();
    assert_json_snapshot!("issue_certificate", promise(&issued, &id));
    assert_eq!(issued.json()["check_url"], format!("{ORIGIN}/certificate/{id}"));
    assert_eq!(edge.call("POST", STATE, Some(&token)).await.json(), issued.json());
    assert_json_snapshot!("certificate", promise(&edge.get(STATE, Some(&token)).await, &id));

    let check = format!("/api/lms/certificate/{id}/");
    assert_json_snapshot!("certificate_check", edge.get(&check, None).await.promise());
    let visibility = format!("{check}visibility/");
    let set =
        async |shown: bool| edge.with("PUT", &visibility, &token, &json!({ "is_name_shown": shown })).await;
    assert_json_snapshot!("set_certificate_visibility", promise(&set(true).await, &id));
    let shown = edge.get(&check, None).await.json();
    assert_eq!(shown["learner_name"], issued.json()["learner_name"]);
    assert_eq!(set(false).await.json()["is_name_shown"], false);
    assert_eq!(edge.get(&check, None).await.json()["learner_name"], Value::Null);
    let unread = edge.with("PUT", &visibility, &token, &json!({"is_name_shown": "x"})).await;
    assert_eq!(unread.outcome(), "400 INVALID");

    let pdf = edge.get(&format!("{check}pdf/"), Some(&token)).await;
    assert_eq!((pdf.outcome().as_str(), pdf.header("content-type")), ("200", Some("application/pdf")));
    let name = format!("attachment; filename=\"certificate-{id}.pdf\"");
    assert_eq!(pdf.header("content-disposition"), Some(name.as_str()));
    assert!(pdf.body.starts_with(b"%PDF-"));

    let password = json!({ "password": PASSWORD });
    let export = edge.with("POST", "/api/accounts/export/", &token, &password).await.json();
    assert_eq!(export["learning"]["certificates"][0]["id"], id);
}

#[tokio::test]
async fn another_learner_neither_prints_it_nor_shows_its_name() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    earn(&edge, &token).await;
    let issued = edge.call("POST", STATE, Some(&token)).await.json();
    let check = format!("/api/lms/certificate/{}/", issued["id"].as_str().unwrap());
    let (other, _) = edge.login(TWO).await;
    let show = json!({"is_name_shown": true});
    let shown = edge.with("PUT", &format!("{check}visibility/"), &other, &show).await;
    assert_eq!(shown.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.get(&format!("{check}pdf/"), Some(&other)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.get(&check, None).await.json()["learner_name"], Value::Null);
    for unknown in ["00000000-0000-4000-8000-000000000001", "1", "%E4%BF%AE"] {
        let checked = edge.get(&format!("/api/lms/certificate/{unknown}/"), None).await;
        assert_eq!(checked.outcome(), "404 NOT_FOUND", "{unknown}");
    }
}
