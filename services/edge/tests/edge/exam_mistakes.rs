//! Missed questions of a mock exam, with the real services: the lessons that teach them, their reviews, and the
//! view of a guardian.

use std::collections::BTreeSet;

use edge::config::Settings;
use exam::marking_job::MarkingJob;
use insta::assert_json_snapshot;
use kit::caller::{Caller, Service};
use proto::common::DeliverRequest;
use proto::common::event_service_client::EventServiceClient;
use serde_json::{Value, json};
use sqlx::Executor as _;
use time::Duration;

use crate::sitting::{Candidate, LAPTOP, exam, id, promise};
use crate::support::{Edge, GUARDIAN, ONE, TWO, World};

const RESULT: &str = "/api/exam/paper/11/result/";
const QUESTION: &str = "/api/exam/question/1101/result/";
const REVIEWS: &str = "/api/lms/exam-review/";
const REVIEW: &str = "/api/lms/exam-review/1101/";
/// The lesson of the first question is in a course that `ONE` owns and `TWO` does not. The lesson of the second
/// is unknown to lms.
const LESSON: &str = r#"
UPDATE question SET content = content || '{"lesson_id": 201010101, "watch_again_at": 30}' WHERE id = 1101;
UPDATE question SET content = content || '{"lesson_id": 9}' WHERE id = 1102;
"#;

/// Both learners hand in a paper without a right answer, and its result becomes final.
async fn final_result() -> World {
    let world = exam().await;
    let mut connection = world.exam_database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(LESSON)).await.unwrap();
    let edge = world.edge().await;
    for email in [ONE, TWO] {
        let candidate = Candidate::new(&world, &edge, email).await;
        let sitting = id(&candidate.start(LAPTOP).await);
        let rows = [(1101, 1, json!({"choices": [1]}))];
        assert_eq!(candidate.save(&sitting, LAPTOP, 1, &rows).await.outcome(), "200");
        assert_eq!(candidate.hand_in(&sitting, LAPTOP, 1).await.outcome(), "200");
    }
    world.clock.advance(Duration::hours(6));
    let pool = world.exam_database.pool.clone();
    let outbox = world.exam_secret.outbox().unwrap();
    let marking = MarkingJob::new(pool, outbox.clone(), world.clock.clock(), world.exam_rules);
    marking.mark_due().await.unwrap();
    let mut lms = EventServiceClient::new(world.lms.channel_as(Caller::service(Service::Exam)));
    for event in outbox.waiting(&mut connection, "lms").await.unwrap() {
        lms.deliver(DeliverRequest { event: Some(event) }).await.unwrap();
    }
    drop(connection);
    world
}

#[tokio::test]
async fn a_missed_question_names_its_lesson_and_the_position_in_the_video() {
    let world = final_result().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let (two, _) = edge.login(TWO).await;
    let owned = edge.get(RESULT, Some(&one)).await;
    assert_json_snapshot!("paper_result", promise(&owned));
    let lesson = &owned.json()["questions"][0]["lesson"];
    assert_eq!((&lesson["id"], &lesson["watch_again_at"]), (&json!(201_010_101), &json!(30)));
    assert_eq!(lesson["is_usable"], true);
    let other = &edge.get(RESULT, Some(&two)).await.json()["questions"][0]["lesson"];
    assert_eq!((&other["course"], &other["is_usable"]), (&lesson["course"], &json!(false)));
    assert_eq!(owned.json()["questions"][1]["lesson"], Value::Null, "lms does not know the lesson");

    let settings = Settings { lms_url: "http://127.0.0.1:1".to_owned(), ..world.settings() };
    let without_lms = Edge::new(&settings, world.clock.clock()).await.get(RESULT, Some(&one)).await;
    assert_eq!(without_lms.outcome(), "200");
    assert_eq!(without_lms.json()["questions"][0]["lesson"], Value::Null);
    assert_eq!(without_lms.json()["standing"], owned.json()["standing"]);
}

#[tokio::test]
async fn a_missed_question_comes_back_for_review_and_is_solved() {
    let world = final_result().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let get = async |path: &str| edge.get(path, Some(&token)).await;
    assert_eq!(get(REVIEWS).await.json()["count"], 0, "on the day of the result");
    world.clock.advance(Duration::hours(20));
    let due = get(REVIEWS).await;
    assert_json_snapshot!("exam_review_list", promise(&due));
    assert_eq!((&due.json()["count"], &due.json()["results"][0]["question_id"]), (&json!(3), &json!(1101)));
    let question = get(QUESTION).await;
    assert_json_snapshot!("exam_question_result", promise(&question));
    assert_eq!(question.json()["result"], get(RESULT).await.json()["questions"][0]);
    assert_eq!(get("/api/exam/question/9/result/").await.outcome(), "404 NOT_FOUND");

    let record = async |body: Value| edge.with("POST", REVIEW, &token, &body).await;
    for wrong in [json!({}), json!({"is_solved": 1}), json!({"is_solved": true, "step": 4})] {
        assert_eq!(record(wrong.clone()).await.outcome(), "400 INVALID", "{wrong}");
    }
    let recorded = record(json!({"is_solved": true})).await;
    assert_json_snapshot!("exam_review_recorded", promise(&recorded));
    assert_eq!(record(json!({"is_solved": true})).await.json(), recorded.json(), "sent again");
    assert_eq!(record(json!({"is_solved": false})).await.outcome(), "409 NOT_DUE");
    assert_eq!(get(REVIEWS).await.json()["count"], 2);
}

#[tokio::test]
async fn a_guardian_sees_only_the_results_of_a_linked_child() {
    let world = final_result().await;
    let edge = world.edge().await;
    let (guardian, _) = edge.login(GUARDIAN).await;
    let (child, _) = edge.login(TWO).await;
    let get = async |path: String| edge.get(&path, Some(&guardian)).await;
    let account = async |token: &str| {
        let user = edge.get("/api/accounts/user/", Some(token)).await.json();
        user["id"].as_str().unwrap().to_owned()
    };
    let own = account(&child).await;
    let paths = |account: &str| {
        ["result/", "result/1/", "paper/11/result/"]
            .map(|path| format!("/api/exam/children/{account}/{path}"))
    };
    for path in paths(&own) {
        assert_eq!(get(path).await.outcome(), "404 NOT_FOUND", "before the link");
    }
    let code = edge.call("POST", "/api/accounts/guardian/code/", Some(&child)).await.json()["code"].clone();
    let linked = edge.with("POST", "/api/accounts/guardian/link/", &guardian, &json!({ "code": code })).await;
    assert_eq!(linked.outcome(), "201");

    let [list, exam, paper] = paths(&own);
    let listed = get(list).await;
    assert_json_snapshot!("child_result_list", promise(&listed));
    let result = get(exam).await.json();
    let name = result["child_name"].as_str().unwrap().to_owned();
    assert_eq!(result["result"], edge.get("/api/exam/application/1/result/", Some(&child)).await.json());
    let questions = get(paper).await.json();
    assert_eq!(
        (&questions["child_name"], &questions["result"]["standing"]["points"]),
        (&json!(name), &json!(0))
    );
    assert_eq!(questions["result"], edge.get(RESULT, Some(&child)).await.json());
    let simulated = "judgement/?school_id=1&department_id=1";
    assert_eq!(
        get(format!("/api/exam/children/{own}/result/1/{simulated}")).await.json(),
        edge.get(&format!("/api/exam/application/1/{simulated}"), Some(&child)).await.json()
    );
    let pdf = get(format!("/api/exam/children/{own}/result/1/pdf/")).await;
    assert!(pdf.body.starts_with(b"%PDF-"), "{}", pdf.outcome());
    assert_eq!(pdf.body, edge.get("/api/exam/application/1/result/pdf/", Some(&child)).await.body);
    let views = edge.get("/api/accounts/guardian/links/", Some(&child)).await.json()["views"].clone();
    let viewed = views.as_array().unwrap().iter().map(|view| view["what"].as_str().unwrap());
    assert_eq!(viewed.collect::<BTreeSet<_>>(), BTreeSet::from(["exam_result", "progress"]));

    let (stranger, _) = edge.login(ONE).await;
    let stranger = account(&stranger).await;
    for path in paths(&stranger) {
        assert_eq!(get(path).await.outcome(), "404 NOT_FOUND", "another learner's");
    }
    for path in [simulated, "pdf/"] {
        let path = format!("/api/exam/children/{stranger}/result/1/{path}");
        assert_eq!(get(path).await.outcome(), "404 NOT_FOUND", "another learner's");
    }
    let [_, unknown_exam, unknown_paper] = paths(&own).map(|path| path.replace("/1", "/9"));
    for path in [unknown_exam, unknown_paper] {
        assert_eq!(get(path).await.outcome(), "404 NOT_FOUND");
    }
}
