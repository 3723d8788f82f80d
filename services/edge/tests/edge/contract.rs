//! The responses of each path that the site relies on: one snapshot for each path, with the real services.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::support::{Answer, Edge, NOW, ONE, PASSWORD, World};

/// The document that the site's types are generated from.
const COMMITTED: &str = include_str!("../../../../web/libs/http/openapi.json");

#[test]
fn the_committed_document_is_what_the_code_says() {
    let current = edge::schema();
    let difference = COMMITTED.lines().zip(current.lines()).find(|(committed, current)| committed != current);
    assert!(
        COMMITTED == current,
        "run `cargo run -p edge -- schema > web/libs/http/openapi.json`; first difference: {difference:?}"
    );
}

async fn signed_in() -> (World, Edge, String) {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    (world, edge, token)
}

fn new_learner(email: &str) -> Value {
    json!({
        "email": email, "password": "umi-no-mieru-eki-42", "kind": "learner", "terms": true, "news": false,
        "campaign": "exam-parent"
    })
}

fn item_ids(answer: &Answer) -> Vec<i64> {
    answer.json()["results"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn accounts() {
    let world = World::new().await;
    let edge = world.edge().await;
    let login = edge.post("/api/accounts/login/", &json!({"email": ONE, "password": PASSWORD})).await;
    assert_json_snapshot!("login", login.promise());
    let token = login.json()["access_token"].as_str().unwrap().to_owned();
    let refresh = login.json()["refresh_token"].clone();

    let wrong = edge.post("/api/accounts/login/", &json!({"email": ONE, "password": "another one"})).await;
    assert_json_snapshot!("login_with_a_wrong_password", wrong.promise());
    let incomplete = edge.post("/api/accounts/login/", &json!({"email": 1, "remember": true})).await;
    assert_json_snapshot!("login_with_wrong_fields", incomplete.promise());

    assert_json_snapshot!("user", edge.get("/api/accounts/user/", Some(&token)).await.promise());
    assert_json_snapshot!("user_without_a_token", edge.get("/api/accounts/user/", None).await.promise());

    let refreshed = edge.post("/api/accounts/token/refresh/", &json!({ "refresh": refresh })).await;
    assert_json_snapshot!("refresh", refreshed.promise());
    let dead = edge.post("/api/accounts/token/refresh/", &json!({"refresh": "dead"})).await;
    assert_json_snapshot!("refresh_with_a_dead_token", dead.promise());

    assert_json_snapshot!("logout", edge.call("POST", "/api/accounts/logout/", Some(&token)).await.promise());
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.outcome(), "401 UNAUTHENTICATED");
}

#[tokio::test]
async fn sign_up() {
    let world = World::new().await;
    let edge = world.edge().await;
    let wrong = json!({"email": "nobody", "password": "short", "kind": "staff", "terms": false, "news": 1});
    assert_json_snapshot!(
        "sign_up_with_wrong_fields",
        edge.post("/api/accounts/signup/", &wrong).await.promise()
    );
    let weak = json!({
        "email": "new@konomana.example", "password": "konomana2026", "kind": "learner", "terms": false, "news": false
    });
    assert_json_snapshot!(
        "sign_up_without_the_terms",
        edge.post("/api/accounts/signup/", &weak).await.promise()
    );

    let started = edge.post("/api/accounts/signup/", &new_learner("new@konomana.example")).await;
    assert_json_snapshot!("sign_up", started.promise());
    let signup = started.json()["signup"].as_str().unwrap().to_owned();
    let handle = json!({ "signup": signup });
    let soon = edge.post("/api/accounts/signup/resend/", &handle).await;
    assert_json_snapshot!("sign_up_sent_again_too_soon", soon.promise());
    world.clock.advance(time::Duration::MINUTE);
    assert_json_snapshot!(
        "sign_up_sent_again",
        edge.post("/api/accounts/signup/resend/", &handle).await.promise()
    );
    let mail: proto::auth::SignUpStarted = world.last().await;

    let status = edge.post("/api/accounts/signup/status/", &handle).await;
    assert_json_snapshot!("sign_up_status", status.promise());
    let wrong = edge.post("/api/accounts/signup/verify/", &json!({"signup": signup, "code": "wrong"})).await;
    assert_eq!(wrong.outcome(), "400 CODE_WRONG");
    let proof = json!({"signup": signup, "code": mail.code});
    assert_json_snapshot!(
        "sign_up_verified",
        edge.post("/api/accounts/signup/verify/", &proof).await.promise()
    );
    let elsewhere = edge.post("/api/accounts/signup/verify/", &json!({"token": mail.token})).await;
    assert_eq!(elsewhere.outcome(), "200");
    assert_ne!(elsewhere.json()["signup"], signup.as_str());
    let dead = edge.post("/api/accounts/signup/verify/", &json!({"token": mail.token})).await;
    assert_json_snapshot!("sign_up_with_a_dead_link", dead.promise());

    let person = json!({
        "signup": signup, "last_name": "鈴木", "first_name": "太郎", "last_name_kana": "すずき",
        "first_name_kana": "ﾀﾛｳ", "birth_date": "2011-04-02", "school_year": null
    });
    assert_json_snapshot!(
        "sign_up_completed",
        edge.post("/api/accounts/signup/complete/", &person).await.promise()
    );
    assert_eq!(edge.post("/api/accounts/signup/complete/", &person).await.outcome(), "400 LINK_DEAD");
    assert_eq!(edge.post("/api/accounts/signup/status/", &handle).await.json()["state"], "done");
    let login = json!({"email": "NEW@konomana.example", "password": "umi-no-mieru-eki-42"});
    assert_eq!(edge.post("/api/accounts/login/", &login).await.outcome(), "200");
}

#[tokio::test]
async fn password_reset() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let asked = edge.post("/api/accounts/password/reset/", &json!({ "email": ONE })).await;
    assert_json_snapshot!("reset", asked.promise());
    let mail: proto::auth::PasswordResetRequested = world.last().await;
    let unknown = edge.post("/api/accounts/password/reset/", &json!({"email": "no@konomana.example"})).await;
    assert_eq!(unknown.promise(), asked.promise());

    let link = json!({"uid": mail.uid, "token": mail.token});
    assert_json_snapshot!(
        "reset_check",
        edge.post("/api/accounts/password/reset/check/", &link).await.promise()
    );
    let mut reset = json!({"uid": mail.uid, "token": mail.token, "password": "konomana2026"});
    let weak = edge.post("/api/accounts/password/reset/confirm/", &reset).await;
    assert_json_snapshot!("reset_to_what_is_soon_guessed", weak.promise());
    reset["password"] = "umi-no-mieru-eki-42".into();
    assert_json_snapshot!(
        "reset_confirm",
        edge.post("/api/accounts/password/reset/confirm/", &reset).await.promise()
    );
    let dead = edge.post("/api/accounts/password/reset/confirm/", &reset).await;
    assert_json_snapshot!("reset_by_a_dead_link", dead.promise());
    let ended = std::time::Instant::now();
    while edge.get("/api/accounts/user/", Some(&token)).await.outcome() == "200" {
        assert!(ended.elapsed() < std::time::Duration::from_secs(1), "the earlier session is still active");
    }

    let change =
        json!({"email": ONE, "password": "umi-no-mieru-eki-42", "new_password": "yama-no-ue-no-ki-17"});
    assert_json_snapshot!(
        "password_change_at_login",
        edge.post("/api/accounts/login/change/", &change).await.promise()
    );
    assert_eq!(edge.post("/api/accounts/login/change/", &change).await.outcome(), "400 BAD_CREDENTIALS");
}

#[tokio::test]
async fn inventory() {
    let (_world, edge, token) = signed_in().await;
    let first = edge.get("/api/lms/inventory/", Some(&token)).await;
    assert_eq!(first.json()["next"], "http://konomana.test/api/lms/inventory/?page=2");
    assert_eq!(item_ids(&first).len(), 12);
    assert_json_snapshot!(
        "inventory",
        edge.get("/api/lms/inventory/?sort_by_watchhistory=true&page=2", Some(&token)).await.promise()
    );
    assert_eq!(edge.get("/api/lms/inventory/?page=3", Some(&token)).await.outcome(), "404 NOT_FOUND");
    assert_json_snapshot!(
        "inventory_by_state",
        edge.get("/api/lms/inventory/?state=complete", Some(&token)).await.promise()
    );
    let unknown = edge.get("/api/lms/inventory/?state=old", Some(&token)).await;
    assert_eq!(unknown.outcome(), "400 INVALID");
    let id = item_ids(&first)[0];
    let item = edge.get(&format!("/api/lms/inventory/{id}/"), Some(&token)).await;
    assert_json_snapshot!("inventory_item", item.promise());
    assert_eq!(item.json(), first.json()["results"][0]);
}

#[tokio::test]
async fn lessons() {
    let (_world, edge, token) = signed_in().await;
    assert_json_snapshot!("lesson", edge.get("/api/lms/lesson/201010101/", Some(&token)).await.promise());
    let watched = edge.get("/api/lms/lesson/202010101/", Some(&token)).await;
    assert_json_snapshot!("lesson_that_is_ticked", watched.promise());
    for unknown in ["1", "0", "x"] {
        let answer = edge.get(&format!("/api/lms/lesson/{unknown}/"), Some(&token)).await;
        assert_eq!(answer.outcome(), "404 NOT_FOUND", "{unknown}");
    }
}

#[tokio::test]
async fn an_inventory_is_compressed_for_browsers() {
    let (_world, edge, token) = signed_in().await;
    let bearer = format!("Bearer {token}");
    let ask = async |codings: &str| {
        let headers = [("authorization", bearer.as_str()), ("accept-encoding", codings)];
        edge.send("GET", "/api/lms/inventory/", &headers, "").await
    };
    let plain = ask("identity").await;
    let packed = ask("gzip, deflate, br, zstd").await;
    assert_eq!(
        (plain.header("content-encoding"), packed.header("content-encoding")),
        (None, Some("deflate"))
    );
    assert_eq!(
        (plain.header("vary"), packed.header("vary")),
        (Some("accept-encoding"), Some("accept-encoding"))
    );
    let mut unpacked = Vec::new();
    ZlibDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain.body, "the same answer");
    assert!(packed.body.len() < plain.body.len(), "{} of {} bytes", packed.body.len(), plain.body.len());
}

#[tokio::test]
async fn marks() {
    let (_world, edge, token) = signed_in().await;
    for (kind, id) in [("bookmark", 201), ("favorite", 201_010_101), ("check", 201_010_101)] {
        let list = format!("/api/lms/{kind}/");
        let before = edge.get(&list, Some(&token)).await;
        assert_json_snapshot!(kind, before.promise());
        let mark = format!("/api/lms/{kind}/{id}/");
        for _ in 0..2 {
            let set = edge.call("PUT", &mark, Some(&token)).await;
            assert_eq!((set.status.as_u16(), set.body.len()), (204, 0), "{kind}");
        }
        assert_eq!(edge.get(&list, Some(&token)).await.json()["count"], 2, "{kind}");
        for _ in 0..2 {
            assert_eq!(edge.call("DELETE", &mark, Some(&token)).await.status, 204, "{kind}");
        }
        assert_eq!(edge.get(&list, Some(&token)).await.json(), before.json(), "{kind}");
        let unknown = edge.call("PUT", &format!("/api/lms/{kind}/999/"), Some(&token)).await;
        assert_eq!(unknown.outcome(), "404 NOT_FOUND", "{kind}");
    }
    for kind in ["favorite", "check"] {
        let of = |course: u32| format!("/api/lms/{kind}/?lesson__unit__chapter__course={course}");
        let counts = [
            edge.get(&of(201), Some(&token)).await.json()["count"].as_u64(),
            edge.get(&of(202), Some(&token)).await.json()["count"].as_u64(),
        ];
        assert_eq!(counts, if kind == "favorite" { [Some(1), Some(0)] } else { [Some(0), Some(1)] });
    }
}

#[tokio::test]
async fn questions() {
    let (world, edge, token) = signed_in().await;
    let get = async |path: &str| edge.get(&format!("/api/lms/{path}"), Some(&token)).await;
    let answer = async |id: u64, body: &Value| {
        edge.with("POST", &format!("/api/lms/question/{id}/answer/"), &token, body).await
    };
    assert_json_snapshot!("question_list", get("lesson/201010101/question/").await.promise());
    assert_json_snapshot!("question", get("question/20101010101/").await.promise());
    let early = edge.call("POST", "/api/lms/lesson/201010101/practice/", Some(&token)).await;
    assert_eq!(early.outcome(), "409 NOT_ANSWERED_YET");

    let wrong = json!({"answer": {"choices": [2]}});
    assert_json_snapshot!("answer", answer(20_101_010_101, &wrong).await.promise());
    assert_eq!(answer(20_101_010_101, &wrong).await.outcome(), "200");
    let other = json!({"answer": {"choices": [1]}, "result": null, "review": false});
    assert_json_snapshot!("answer_that_is_another_one", answer(20_101_010_101, &other).await.promise());
    assert_json_snapshot!("question_that_is_answered", get("question/20101010101/").await.promise());
    assert_json_snapshot!("result_that_is_open", get("result/1/").await.promise());

    let misfit = answer(20_101_010_103, &json!({"answer": {"number": "三"}})).await;
    assert_json_snapshot!("answer_that_is_no_number", misfit.promise());
    for (body, field) in [
        (json!({}), "answer"),
        (json!({"answer": null}), "answer"),
        (json!({"answer": "1"}), "answer"),
        (json!({"answer": {"choices": [1], "text": "a"}}), "answer"),
        (json!({"answer": {"choices": ["1"]}}), "answer"),
        (json!({"answer": {"words": "a"}}), "answer"),
        (json!({"answer": {"text": "a"}, "result": 0}), "result"),
        (json!({"answer": {"text": "a"}, "result": 1, "review": true}), "result"),
        (json!({"answer": {"text": "a"}, "review": "yes"}), "review"),
    ] {
        let refused = answer(20_101_010_104, &body).await;
        assert_eq!(refused.outcome(), "400 INVALID", "{body}");
        assert_eq!(refused.json()["errors"][0]["field"], field, "{body}");
    }
    for (id, given) in [
        (20_101_010_102, json!({"choices": [2, 1]})),
        (20_101_010_103, json!({"number": "０．７５"})),
        (20_101_010_104, json!({"text": " ＡＭ "})),
    ] {
        assert_eq!(answer(id, &json!({ "answer": given })).await.json()["is_right"], true, "{given}");
    }
    let practice = edge.call("POST", "/api/lms/lesson/201010101/practice/", Some(&token)).await;
    assert_json_snapshot!("practice", practice.promise());
    let practised = json!({"answer": {"text": "am"}, "result": 2});
    assert_eq!(answer(20_101_010_104, &practised).await.json()["is_right"], true);
    assert_json_snapshot!("result_list", get("result/").await.promise());
    assert_json_snapshot!("result", get("result/1/").await.promise());
    assert_json_snapshot!("growth", get("result/growth/").await.promise());
    let of = async |subject: &str| get(&format!("result/?subject={subject}")).await;
    assert_eq!(of("%E8%8B%B1%E8%AA%9E").await.json()["count"], 2);
    assert_eq!(of("%E6%95%B0%E5%AD%A6").await.json()["count"], 0);
    assert_eq!(of("%E4%BD%93%E8%82%B2").await.outcome(), "400 INVALID");
    assert_eq!(get("result/?page=2").await.outcome(), "404 NOT_FOUND");

    assert_eq!(get("review/").await.json()["count"], 0);
    world.clock.advance(time::Duration::DAY);
    let (token, _) = edge.login(ONE).await;
    let due = edge.get("/api/lms/review/", Some(&token)).await;
    assert_json_snapshot!("review_list", due.promise());
    let path = "/api/lms/question/20101010101/answer/";
    let review = json!({"answer": {"choices": [1]}, "review": true});
    assert_json_snapshot!("review", edge.with("POST", path, &token, &review).await.promise());
    assert_eq!(edge.get("/api/lms/review/", Some(&token)).await.json()["count"], 0);
}

/// Before the graded attempt, no response contains the key or the explanation of a question.
#[tokio::test]
async fn no_answer_tells_a_key_before_its_graded_try() {
    let (_world, edge, token) = signed_in().await;
    let first = json!({"answer": {"choices": [2]}});
    let answered = edge.with("POST", "/api/lms/question/20101010101/answer/", &token, &first).await;
    assert_eq!(answered.outcome(), "200");
    let document: Value = serde_json::from_str(&edge::schema()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        if item.get("get").is_none() {
            continue;
        }
        for id in ["1", "201", "201010101", "20101010102", "20101010103", "20101010104"] {
            let answer = edge.get(&path.replace("{id}", id), Some(&token)).await;
            let text = String::from_utf8_lossy(&answer.body);
            for secret in ["四分の三です", "am です", "you と she です", "3/4", "I am"] {
                assert!(!text.contains(secret), "{path} {id} reveals {secret}");
            }
        }
    }
    for (id, misfit) in [(20_101_010_103_u64, "number"), (20_101_010_104, "text")] {
        let path = format!("/api/lms/question/{id}/answer/");
        let refused = edge.with("POST", &path, &token, &json!({"answer": {misfit: " "}})).await;
        assert_eq!(refused.outcome(), "400 INVALID");
        assert!(!String::from_utf8_lossy(&refused.body).contains("です"));
    }
}

#[tokio::test]
async fn catalogue() {
    let world = World::new().await;
    let edge = world.edge().await;
    let list = edge.get("/api/lms/course/", None).await;
    assert_json_snapshot!("course_list", list.promise());
    let third_year = edge
        .get("/api/lms/course/?school_year[]=%E4%B8%AD3&school_year[]=%E9%AB%983&category[]=%E6%95%B0%E5%AD%A6", None)
        .await;
    assert_eq!(item_ids(&third_year), [202]);
    let course = edge.get("/api/lms/course/201/", None).await;
    assert_json_snapshot!("course", course.promise());
    assert_eq!(edge.get("/api/lms/course/999/", None).await.outcome(), "404 NOT_FOUND");

    let etag = course.header("etag").unwrap();
    let known = edge.send("GET", "/api/lms/course/201/", &[("if-none-match", etag)], "").await;
    assert_json_snapshot!("course_that_is_known", known.promise());
    let head = edge.call("HEAD", "/api/lms/course/201/", None).await;
    assert_eq!((head.status.as_u16(), head.header("etag"), head.body.len()), (200, Some(etag), 0));
    assert_eq!(head.header("content-length").unwrap(), course.body.len().to_string());
}

#[tokio::test]
async fn the_catalogue_is_filtered_and_sorted() {
    let world = World::new().await;
    let edge = world.edge().await;
    let list = async |query: &str| item_ids(&edge.get(&format!("/api/lms/course/?{query}"), None).await);
    let table: [(&str, &[i64]); 17] = [
        ("", &[201, 202]),
        ("level[]=%E5%9F%BA%E7%A4%8E", &[201]),
        ("teacher=1", &[201, 202]),
        ("teacher=9", &[]),
        ("price_min=13200&price_max=13200", &[201]),
        ("price_min=13201", &[]),
        ("price_max=13199", &[]),
        // All courses with a price.
        ("price_min=0", &[201]),
        ("q=%E8%8B%B1%E8%AA%9E+%EF%BC%91", &[201]),
        ("q=%25", &[]),
        ("sort=price", &[201, 202]),
        ("sort=-price", &[201, 202]),
        ("sort=new", &[202, 201]),
        ("sort=duration", &[202, 201]),
        ("sort=recommended&page=1", &[201, 202]),
        ("school_year%5B%5D=%E4%B8%AD1&school_year[]=%E4%B8%AD1", &[201]),
        ("school_year=unknown", &[201, 202]),
    ];
    for (query, wanted) in table {
        assert_eq!(list(query).await, wanted, "{query}");
    }
    // From tomorrow both have a price, and the other is more expensive or cheaper.
    world.clock.advance(time::Duration::days(2));
    let mut dearest_first = list("sort=-price&price_min=1").await;
    dearest_first.reverse();
    assert_eq!((list("sort=price").await, dearest_first.len()), (dearest_first, 2));

    let first =
        edge.get("/api/lms/course/?q=%E4%B8%AD&sort=price&level[]=%E5%9F%BA%E7%A4%8E", None).await.json();
    assert_eq!((&first["next"], &first["previous"]), (&json!(null), &json!(null)));
    assert_eq!(first["facets"]["school_year"][0], json!({"value": "中1", "count": 1}));
}

#[tokio::test]
async fn teachers() {
    let world = World::new().await;
    let edge = world.edge().await;
    assert_json_snapshot!("teacher_list", edge.get("/api/lms/teacher/", None).await.promise());
    assert_json_snapshot!("teacher", edge.get("/api/lms/teacher/1/", None).await.promise());
    assert_eq!(edge.get("/api/lms/teacher/999/", None).await.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn home() {
    let world = World::new().await;
    let edge = world.edge().await;
    let home = edge.get("/api/lms/home/", None).await;
    assert_json_snapshot!("home", home.promise());
    let etag = home.header("etag").unwrap();
    let known = edge.send("GET", "/api/lms/home/", &[("if-none-match", etag)], "").await;
    assert_json_snapshot!("home_that_is_known", known.promise());
}

#[tokio::test]
async fn products() {
    let world = World::new().await;
    let edge = world.edge().await;
    let list = edge.get("/api/commerce/product/", None).await;
    assert_json_snapshot!("product_list", list.promise());
    let product = edge.get("/api/commerce/product/1202/", None).await;
    assert_json_snapshot!("product_of_the_past", product.promise());
    let wrong = edge.get("/api/commerce/product/?kind[]=course&kind[]=book", None).await;
    assert_json_snapshot!("product_list_of_no_kind", wrong.promise());

    let ids = async |query: &str| item_ids(&edge.get(&format!("/api/commerce/product/?{query}"), None).await);
    assert_eq!(ids("kind[]=subscription&kind%5B%5D=konoshiki").await, [3201]);
    assert_eq!(ids("course[]=201&course[]=202").await, [1201]);
    assert!(ids("course[]=201&kind[]=interview&page=1").await.is_empty());
    for (path, outcome) in [
        // Not on sale yet; unknown.
        ("2202/", "404 NOT_FOUND"),
        ("999/", "404 NOT_FOUND"),
        ("?page=2", "404 NOT_FOUND"),
        ("?page=0", "400 INVALID_PAGE"),
        ("?course[]=x", "400 INVALID"),
        ("?kind[]=", "400 INVALID"),
    ] {
        let answer = edge.get(&format!("/api/commerce/product/{path}"), None).await;
        assert_eq!(answer.outcome(), outcome, "{path}");
    }
    let etag = product.header("etag").unwrap();
    let known = edge.send("GET", "/api/commerce/product/1202/", &[("if-none-match", etag)], "").await;
    assert_eq!(known.outcome(), "304");
}

#[tokio::test]
async fn postal_codes() {
    let world = World::new().await;
    let edge = world.edge().await;
    let shared = edge.get("/api/postal/4980000/", None).await;
    assert_json_snapshot!("postal_code", shared.promise());
    let known = &[("if-none-match", shared.header("etag").unwrap())];
    assert_eq!(edge.send("GET", "/api/postal/4980000/", known, "").await.outcome(), "304");
    assert_eq!(edge.get("/api/postal/9999999/", None).await.body, "[]");
    for junk in ["100-0001", "100000", "10000012", "%EF%BC%91000001", "%FF"] {
        let answer = edge.get(&format!("/api/postal/{junk}/"), None).await;
        assert_eq!(answer.outcome(), "400 INVALID", "{junk}");
        assert_eq!(answer.json()["errors"][0]["field"], "postal_code", "{junk}");
    }
}

#[tokio::test]
async fn a_changed_course_is_shown_in_its_current_state() {
    let (world, edge, token) = signed_in().await;
    let names = |answer: &Answer| -> Vec<String> {
        let mut names: Vec<_> = answer.json()["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["course"]["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let before = edge.get("/api/lms/inventory/", Some(&token)).await;
    assert_eq!(names(&before), ["中1英語 はじめの一歩", "中3数学 関数"]);

    let changed = std::env::temp_dir().join(format!("konomana-edge-{}", uuid::Uuid::now_v7()));
    let content = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/content");
    std::fs::create_dir_all(changed.join("courses")).unwrap();
    for file in ["teachers.yaml", "learners.yaml", "classes.yaml", "courses/201.yaml", "courses/202.yaml"] {
        let text = std::fs::read_to_string(content.join(file)).unwrap();
        std::fs::write(changed.join(file), text.replace("name: 中3数学 関数", "name: 中3数学 関数 改訂版"))
            .unwrap();
    }
    lms::import_folder(&world.lms_database.pool, &world.clock.clock(), &changed, false).await.unwrap();
    std::fs::remove_dir_all(&changed).unwrap();

    let after = edge.get("/api/lms/inventory/", Some(&token)).await;
    assert_eq!(names(&after), ["中1英語 はじめの一歩", "中3数学 関数 改訂版"]);
}

#[tokio::test]
async fn unknown_paths_are_404_and_wrong_methods_405() {
    let world = World::new().await;
    let edge = world.edge().await;
    assert_json_snapshot!("unknown_path", edge.get("/api/lms/nothing/", None).await.promise());
    for path in
        ["/api/accounts/user", "/api/lms/inventory", "/api", "/", "/api/lms/course/1", "/API/lms/course/"]
    {
        assert_eq!(edge.get(path, None).await.outcome(), "404 NOT_FOUND", "{path}");
    }
    let wrong_method = edge.call("POST", "/api/lms/bookmark/1/", None).await;
    assert_json_snapshot!("wrong_method", wrong_method.promise());
    for (method, path, allow) in [
        ("GET", "/api/accounts/login/", "POST"),
        ("DELETE", "/api/lms/inventory/", "GET,HEAD"),
        ("OPTIONS", "/api/lms/course/", "GET,HEAD"),
        ("GET", "/api/lms/check/1/", "PUT,DELETE"),
    ] {
        let answer = edge.call(method, path, None).await;
        assert_eq!(answer.outcome(), "405 METHOD_NOT_ALLOWED", "{method} {path}");
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
    }
}

#[tokio::test]
async fn every_answer_is_sealed_and_says_its_trace() {
    let world = World::new().await;
    let edge = world.edge().await;
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let from = [("traceparent", format!("00-{trace}-00f067aa0ba902b7-01"))];
    let from: Vec<_> = from.iter().map(|(name, value)| (*name, value.as_str())).collect();
    for path in
        ["/api/lms/course/", "/api/accounts/user/", "/api/nothing/", "/api/maintenance/", "/api/schema/"]
    {
        let answer = edge.send("GET", path, &from, "").await;
        let timing = answer.header("server-timing").unwrap();
        assert!(timing.starts_with("traceparent;desc=\"00-"), "{path} {timing}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        let kept = if path == "/api/lms/course/" { "public, max-age=60" } else { "no-store" };
        assert_eq!(answer.header("cache-control"), Some(kept), "{path}");
    }
}

#[tokio::test]
async fn maintenance_and_the_document() {
    let world = World::new().await;
    let edge = world.edge().await;
    let window = |name: &str, starts_in: i64| maintenance::Window {
        name: name.to_owned(),
        scope: maintenance::Scope::Learning,
        mode: maintenance::Mode::ReadOnly,
        declared_at: None,
        starts_at: Some(NOW + time::Duration::hours(starts_in)),
        ends_at: Some(NOW + time::Duration::hours(starts_in + 1)),
        title: "講座の入れかえ".to_owned(),
        message: "しばらくお待ちください。".to_owned(),
        status_url: Some("https://status.konomana.example/".to_owned()),
        retry_after_seconds: None,
        bypass_scopes: vec!["staff:support".to_owned()],
        suspend: false,
    };
    // The second starts in more than 24 hours, and the third is over.
    world
        .declare(&edge, vec![window("now", 0), window("far", 25), window("over", -2), window("soon", 24)])
        .await;
    assert_json_snapshot!("maintenance", edge.get("/api/maintenance/", None).await.promise());
    let document = edge.get("/api/schema/", None).await;
    assert_eq!(document.body, edge::schema().as_bytes());
    assert_eq!(document.json()["openapi"], "3.1.0");
}
