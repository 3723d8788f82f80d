//! Mock exams before their start, with the real services: public content, free checks and applications.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Edge, ONE, TWO, World};

/// The content of the tests of exam: exam 1 is free, exam 2 is sold.
pub(crate) async fn exams() -> World {
    let world = World::new().await;
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../exam/tests/content");
    exam::import_folder(&world.exam_database.pool, &world.clock.clock(), content.as_path(), false)
        .await
        .unwrap();
    world
}

#[tokio::test]
async fn an_exam_has_its_price_beside_more_seats_than_a_page_of_products() {
    let world = exams().await;
    let seats = "INSERT INTO product (id, kind, name, summary, description, price, sale_starts_at, exam_id, \
        places, application_closes_at) \
        SELECT id, 'exam_seat', 'コノ模試', '模試です。', '模試です。', 4400, '2026-11-01Z', id, 300, '2027-03-14Z' \
        FROM generate_series(2281, 2301) AS id";
    sqlx::raw_sql(seats).execute(&mut *world.shop.database.pool.acquire().await.unwrap()).await.unwrap();
    let edge = world.edge().await;
    let exams = edge.get("/api/exam/exam/", None).await.json();
    assert_eq!(exams["results"][1]["product_id"], json!(2301));
    assert_eq!(exams["results"][1]["price"], json!(4400));
}

async fn put(edge: &Edge, path: &str, token: &str, body: &Value) -> String {
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    edge.send("PUT", path, &headers, &body.to_string()).await.outcome()
}

#[tokio::test]
async fn exams_are_public_and_cached() {
    let world = exams().await;
    let edge = world.edge().await;
    let list = edge.get("/api/exam/exam/", None).await;
    let cards = list.json()["results"].clone();
    assert_eq!((cards[0]["id"].clone(), cards[1]["id"].clone()), (json!(1), json!(2)));
    assert_eq!(cards[0]["subjects"], json!(["数学", "英語"]));
    assert_eq!((cards[0]["seats_left"].clone(), cards[0]["product_id"].clone()), (json!(3), Value::Null));
    assert_eq!(cards[0]["starts_at"], json!("2026-11-24T15:00:00Z"));
    let exam = edge.get("/api/exam/exam/1/", None).await.json();
    assert_eq!(
        exam["papers"][0],
        json!({"id": 11, "subject": "数学", "minutes": 50, "question_count": 2, "points": 10})
    );
    for (path, outcome) in [
        ("/api/exam/exam/9/", "404 NOT_FOUND"),
        ("/api/exam/exam/?page=2", "404 NOT_FOUND"),
        ("/api/exam/exam/?page=0", "400 INVALID_PAGE"),
        ("/api/exam/school/?q=%20", "400 INVALID"),
        ("/api/exam/school/?prefecture=none", "400 INVALID"),
        ("/api/exam/check/9/", "404 NOT_FOUND"),
        ("/api/exam/figure/none/", "404 NOT_FOUND"),
    ] {
        assert_eq!(edge.get(path, None).await.outcome(), outcome, "{path}");
    }
    let etag = list.headers["etag"].to_str().unwrap();
    let again = edge.send("GET", "/api/exam/exam/", &[("if-none-match", etag)], "").await;
    assert_eq!(again.outcome(), "304");
    let schools = edge.get("/api/exam/school/?q=%E3%81%82%E3%81%8A%E3%81%B0", None).await.json();
    assert_eq!((schools["count"].clone(), schools["results"][0]["id"].clone()), (json!(2), json!(2)));
}

#[tokio::test]
async fn a_free_check_is_graded_without_an_account() {
    let world = exams().await;
    let edge = world.edge().await;
    let check = edge.get("/api/exam/check/1/", None).await.json();
    let figure = check["questions"][0]["figures"][0]["url"].as_str().unwrap().to_owned();
    let drawn = edge.get(&figure, None).await;
    assert_eq!(drawn.headers["content-type"], "image/svg+xml");
    let answers = json!({"answers": [
        {"question_id": 101, "answer": {"number": "３"}},
        {"question_id": 102, "answer": {"choices": [1]}},
        {"question_id": 103, "answer": null}
    ]});
    let result = edge.post("/api/exam/check/1/result/", &answers).await.json();
    assert_eq!((result["score"].clone(), result["question_count"].clone()), (json!(1), json!(3)));
    assert_eq!(
        result["questions"][1],
        json!({"question_id": 102, "is_right": false, "answer": {"choices": [1]}, "key": {"choices": [2]},
            "explanation": "3です。"})
    );
    assert_eq!(result["exam"]["id"], json!(1));
    for wrong in [
        json!({"answers": [{"question_id": 1101, "answer": {"number": "3"}}]}),
        json!({"answers": [{"question_id": 101, "answer": {"number": "three"}}]}),
        json!({"answers": [{"question_id": 101}, {"question_id": 101}]}),
        json!({}),
    ] {
        assert_eq!(edge.post("/api/exam/check/1/result/", &wrong).await.outcome(), "400 INVALID", "{wrong}");
    }
}

#[tokio::test]
async fn a_learner_applies_step_by_step() {
    let world = exams().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let (other, _) = edge.login(TWO).await;
    let path = "/api/exam/application/1/";
    let sheet = async |token: &str| edge.get(path, Some(token)).await.json();
    assert_eq!(sheet(&token).await["stage"], json!("seat"));
    let info = json!({"last_name": "井上", "first_name": "拓海", "last_kana": "イノウエ", "first_kana": "タクミ",
        "school_year": "中3", "school_name": "青葉中学校", "prefecture": "東京都"});
    let info_path = format!("{path}basic-info/");
    assert_eq!(put(&edge, &info_path, &token, &info).await, "403 NO_SEAT");
    let seat = edge.call("POST", &format!("{path}seat/"), Some(&token)).await;
    assert_eq!(seat.outcome(), "204");
    assert_eq!(
        edge.call("POST", "/api/exam/application/2/seat/", Some(&token)).await.outcome(),
        "409 SEAT_FOR_SALE"
    );
    assert_eq!(put(&edge, &info_path, &token, &info).await, "204");
    let first = format!("{path}desired-school/1/");
    let choice = json!({"school_id": 1, "department_id": 102, "school_marks": 40});
    assert_eq!(put(&edge, &first, &token, &choice).await, "204");
    let second = json!({"school_id": 1, "department_id": 101, "school_marks": null});
    assert_eq!(put(&edge, &format!("{path}desired-school/2/"), &token, &second).await, "409 SCHOOL_TWICE");
    assert_eq!(put(&edge, &format!("{path}desired-school/0/"), &token, &second).await, "404 NOT_FOUND");
    let report = json!({"browser": "Firefox 151", "clock_offset_ms": -20, "storage_kept": true, "round_trip_ms": 40,
        "sound": true, "quiet_place": true});
    let device = format!("{path}device-check/00000000-0000-4000-8000-00000000000a/");
    let mut unfit = report.clone();
    unfit["browser_fits"] = json!(false);
    assert_eq!(edge.with("PUT", &device, &token, &unfit).await.json(), json!({"passed": false}));
    unfit["browser_fits"] = json!("no");
    assert_eq!(put(&edge, &device, &token, &unfit).await, "400 INVALID");
    assert_eq!(put(&edge, &device, &token, &report).await, "200");
    let mine = sheet(&token).await;
    assert_eq!((mine["stage"].clone(), mine["has_seat"].clone()), (json!("exam"), json!(true)));
    assert_eq!(mine["basic_info"], info);
    assert_eq!(mine["desired_schools"][0]["department"], json!({"id": 102, "name": "理数科"}));
    assert_eq!(mine["papers"][0]["state"], json!("not_started"));
    // Another learner sees none of this.
    let theirs = sheet(&other).await;
    assert_eq!((theirs["stage"].clone(), theirs["basic_info"].clone()), (json!("seat"), Value::Null));
    assert_eq!(theirs["desired_schools"], json!([]));
    let list = edge.get("/api/exam/application/", Some(&token)).await.json();
    let states: Vec<_> = list["results"].as_array().unwrap().iter().map(|row| row["state"].clone()).collect();
    assert_eq!(states, [json!("mine"), json!("open")]);
}
