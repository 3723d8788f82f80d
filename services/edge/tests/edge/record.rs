//! What is recorded while a paper is sat, from the save to the result and the export.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use time::Duration;

use crate::sitting::{Candidate, LAPTOP, PHONE, exam, id};
use crate::support::{ONE, PASSWORD};

#[tokio::test]
async fn a_record_is_in_the_result_and_in_the_export() {
    let world = exam().await;
    let edge = world.edge().await;
    let candidate = Candidate::new(&world, &edge, ONE).await;
    let id = id(&candidate.start(LAPTOP).await);
    let save = async |device: &str, epoch: i32, times: Value| {
        let body = json!({
            "device_id": device, "epoch": epoch, "device_time": candidate.now(), "pending": 0,
            "away_seconds": 7, "question_times": times, "answers": [],
        });
        candidate.call("PUT", &format!("/api/exam/sitting/{id}/answers/"), &body).await
    };
    let times = json!([{"question_id": 1101, "seconds": 40}, {"question_id": 9, "seconds": 1}]);
    assert_eq!(save(LAPTOP, 1, times).await.outcome(), "200");
    for (wrong, code) in [
        (json!([{"question_id": 1101, "seconds": -1}]), "OUT_OF_RANGE"),
        (json!(vec![json!({"question_id": 1101, "seconds": 1}); 101]), "TOO_LONG"),
        (json!([{"question_id": 1101}]), "INVALID_FORMAT"),
    ] {
        let refused = save(LAPTOP, 1, wrong).await;
        assert_eq!(refused.json()["errors"], json!([{"field": "question_times", "code": code}]));
    }
    world.clock.advance(Duration::MINUTE);
    let taken = candidate.take_over(&id, PHONE).await.json();
    assert_eq!(taken["question_times"], json!([{"question_id": 1101, "seconds": 40}]));
    let row = (1102, 1, json!({"number": "3"}));
    assert_eq!(candidate.save(&id, PHONE, 2, &[row]).await.outcome(), "200");
    world.clock.advance(Duration::MINUTE);
    assert_eq!(candidate.hand_in(&id, PHONE, 2).await.outcome(), "200");

    let result = candidate.call("GET", "/api/exam/application/1/result/", &Value::Null).await.json();
    assert_json_snapshot!("record_in_the_result", result["papers"][0]["record"]);
    let password = json!({ "password": PASSWORD });
    let export = edge.with("POST", "/api/accounts/export/", &candidate.token, &password).await.json();
    assert_json_snapshot!("record_in_the_export", export["exam_sittings"]);
}
