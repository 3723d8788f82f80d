//! Sittings of mock exams, with the real service: the responses that the site relies on. Load and maintenance
//! stop no sitting.

use aws_lc_rs::digest::SHA256;
use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use insta::assert_json_snapshot;
use maintenance::{Mode, Scope};
use serde_json::{Value, json};
use sqlx::Executor as _;
use time::Duration;
use time::format_description::well_known::Rfc3339;

use crate::maintenance::window;
use crate::support::{Answer, Edge, ONE, PASSWORD, TWO, World};

const START: &str = "/api/exam/paper/11/sitting/";
pub(crate) const LAPTOP: &str = "00000000-0000-4000-8000-00000000000a";
pub(crate) const PHONE: &str = "00000000-0000-4000-8000-00000000000b";
/// Parts of keys and explanations. No response may contain them.
const SECRETS: [&str; 3] = ["7315924680", "key-word-of-the-test", "explanation-of-the-test"];

/// An exam from `NOW` for five hours, with one paper of 50 minutes. Both learners have a seat.
const EXAM: &str = r#"
INSERT INTO school (id, name, kana, prefecture, counts_school_marks, search) VALUES (1, '', '', '', false, '');
INSERT INTO department (id, school_id, position, name, border_tenths) VALUES (1, 1, 1, '', 500);
INSERT INTO exam (
    id, name, description, school_year, application_opens_at, application_closes_at, starts_at, ends_at, results_at
)
SELECT 1, '', '', '', now, now, now, now + interval '5 hours', now + interval '5 hours'
FROM (VALUES (timestamptz '2026-11-20 10:00Z')) AS clock (now);
INSERT INTO paper (id, exam_id, position, subject, minutes, question_count, points, revision)
VALUES (11, 1, 1, '英語', 50, 3, 15, 1);
INSERT INTO question (id, paper_id, number, content) VALUES
(1101, 11, 1, '{"kind": "single", "prompt": "$x$ は？", "figures": [{"url": "/f.svg", "alt": "図"}],
    "choices": ["一", "二", "三", "四"], "is_ordered": true, "points": 5, "key": {"choices": [2]},
    "explanation": "explanation-of-the-test", "lesson_id": null}'),
(1102, 11, 2, '{"kind": "number", "prompt": "いくつ？", "figures": [], "choices": [], "is_ordered": false,
    "points": 5, "key": {"number": "7315924680"}, "explanation": "explanation-of-the-test", "lesson_id": null}'),
(1103, 11, 3, '{"kind": "text", "prompt": "なに？", "figures": [], "choices": [], "is_ordered": false,
    "points": 5, "key": {"texts": ["key-word-of-the-test"]}, "explanation": "explanation-of-the-test",
    "lesson_id": null}');
INSERT INTO seat (learner_id, exam_id, granted_at)
SELECT id, 1, '2026-11-01' FROM (VALUES
    (uuid '00000000-0000-7000-8000-000000000001'), ('00000000-0000-7000-8000-000000000002')
) AS learner (id);
"#;

/// The steps before an exam, for all learners with a seat.
pub(crate) const APPLICATIONS: &str = r"
INSERT INTO application (
    learner_id, exam_id, last_name, first_name, last_kana, first_kana, school_year, school_name, prefecture,
    created_at, updated_at
)
SELECT learner_id, exam_id, '', '', '', '', '', '', '', granted_at, granted_at FROM seat;
INSERT INTO desired_school (learner_id, exam_id, rank, school_id, department_id)
SELECT learner_id, exam_id, 1, 1, 1 FROM seat;
INSERT INTO device_check (
    learner_id, exam_id, device_id, browser, clock_offset_ms, storage_kept, round_trip_ms, sound, quiet_place, passed,
    checked_at
)
SELECT learner_id, exam_id, '00000000-0000-4000-8000-00000000000a', '', 0, true, 20, true, true, true, granted_at
FROM seat;
";

pub(crate) async fn exam() -> World {
    let world = World::new().await;
    let mut connection = world.exam_database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(EXAM)).await.unwrap();
    connection.execute(sqlx::raw_sql(APPLICATIONS)).await.unwrap();
    drop(connection);
    world
}

/// A signed-in learner of one sitting.
pub(crate) struct Candidate<'a> {
    pub(crate) world: &'a World,
    pub(crate) edge: &'a Edge,
    pub(crate) token: String,
}

impl<'a> Candidate<'a> {
    pub(crate) async fn new(world: &'a World, edge: &'a Edge, email: &str) -> Self {
        let (token, _) = edge.login(email).await;
        Self { world, edge, token }
    }

    pub(crate) fn now(&self) -> String {
        self.world.clock.clock().now().format(&Rfc3339).unwrap()
    }

    pub(crate) async fn call(&self, method: &str, path: &str, body: &Value) -> Answer {
        let answer = if method == "GET" {
            self.edge.get(path, Some(&self.token)).await
        } else {
            self.edge.with(method, path, &self.token, body).await
        };
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{method} {path}");
        let text = String::from_utf8_lossy(&answer.body);
        for secret in SECRETS {
            assert!(!text.contains(secret), "{method} {path}: {text}");
        }
        answer
    }

    pub(crate) async fn start(&self, device: &str) -> Answer {
        self.call("POST", START, &json!({"device_id": device, "device_time": self.now()})).await
    }

    pub(crate) async fn find(&self, id: &str) -> Answer {
        self.call("GET", &format!("/api/exam/sitting/{id}/?device_id={LAPTOP}"), &Value::Null).await
    }

    pub(crate) async fn save(
        &self,
        id: &str,
        device: &str,
        epoch: i32,
        rows: &[(i64, i64, Value)],
    ) -> Answer {
        let row = |(question, sequence, answer): &(i64, i64, Value)| {
            json!({
                "question_id": question, "sequence": sequence, "answer": answer, "is_flagged": false,
                "answered_at": self.now(),
            })
        };
        let body = json!({
            "device_id": device, "epoch": epoch, "device_time": self.now(), "pending": 0, "away_seconds": 3,
            "answers": rows.iter().map(row).collect::<Vec<_>>(),
        });
        self.call("PUT", &format!("/api/exam/sitting/{id}/answers/"), &body).await
    }

    pub(crate) async fn take_over(&self, id: &str, device: &str) -> Answer {
        let body = json!({"device_id": device, "device_time": self.now()});
        self.call("POST", &format!("/api/exam/sitting/{id}/take-over/"), &body).await
    }

    pub(crate) async fn hand_in(&self, id: &str, device: &str, epoch: i32) -> Answer {
        let body = json!({"device_id": device, "epoch": epoch});
        self.call("POST", &format!("/api/exam/sitting/{id}/hand-in/"), &body).await
    }
}

pub(crate) fn id(sitting: &Answer) -> String {
    sitting.json()["id"].as_str().unwrap().to_owned()
}

/// A response for a snapshot, without what differs between runs.
pub(crate) fn promise(answer: &Answer) -> Value {
    let mut promise = answer.promise();
    mask(&mut promise["body"]);
    promise
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            // The transcript has the id of the sitting in it.
            let is_transcript = fields.contains_key("sealed_by") || fields.contains_key("sitting_id");
            for (name, value) in fields {
                match name.as_str() {
                    "id" if value.is_string() => *value = "…".into(),
                    "sitting_id" | "trace_id" => *value = "…".into(),
                    "digest" if is_transcript => *value = "…".into(),
                    _ => mask(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask),
        _ => {}
    }
}

#[tokio::test]
async fn a_sitting_from_start_to_hand_in() {
    let world = exam().await;
    let edge = world.edge().await;
    let candidate = Candidate::new(&world, &edge, ONE).await;
    let started = candidate.start(LAPTOP).await;
    assert_json_snapshot!("sitting", promise(&started));
    let id = id(&started);
    assert_eq!(candidate.start(LAPTOP).await.json()["id"], id.as_str());

    world.clock.advance(Duration::MINUTE);
    let rows = [
        (1101, 2, json!({"choices": [2]})),
        (1101, 1, json!({"choices": [1]})),
        (1102, 1, json!({"number": "3."})),
        (1103, 1, json!({"choices": [1]})),
        (1103, 2, Value::Null),
    ];
    assert_json_snapshot!("saved_answers", promise(&candidate.save(&id, LAPTOP, 1, &rows).await));
    let older = candidate.save(&id, LAPTOP, 1, &rows[1..2]).await.json();
    assert_eq!(older["refused"], json!([{"question_id": 1101, "code": "OLDER", "sequence": 1}]));

    let other = Candidate::new(&world, &edge, TWO).await;
    for refused in [
        other.find(&id).await,
        other.save(&id, LAPTOP, 1, &rows).await,
        other.take_over(&id, LAPTOP).await,
        other.hand_in(&id, LAPTOP, 1).await,
    ] {
        assert_eq!(refused.outcome(), "404 NOT_FOUND", "another learner");
    }

    let refused = candidate.start(PHONE).await;
    assert_json_snapshot!("sitting_of_another_device", promise(&refused));
    assert_eq!(refused.json()["sitting_id"], id.as_str());
    let taken = candidate.take_over(&id, PHONE).await.json();
    assert_eq!((&taken["epoch"], &taken["is_active_device"]), (&json!(2), &json!(true)));
    assert_eq!((&taken["away_seconds"], &taken["deadline_at"]), (&json!(3), &started.json()["deadline_at"]));
    let unsent = [(1103, 9, json!({"text": "unsent"}))];
    assert_eq!(candidate.save(&id, LAPTOP, 1, &unsent).await.outcome(), "409 OTHER_DEVICE");
    assert_json_snapshot!("sitting_that_was_taken_over", promise(&candidate.find(&id).await));
    assert_eq!(candidate.hand_in(&id, LAPTOP, 1).await.outcome(), "409 OTHER_DEVICE");

    world.clock.advance(Duration::MINUTE);
    let handed_in = candidate.hand_in(&id, PHONE, 2).await;
    assert_json_snapshot!("transcript", promise(&handed_in));
    assert_eq!(candidate.hand_in(&id, PHONE, 2).await.json(), handed_in.json(), "a doubled call");
    let late = candidate.save(&id, PHONE, 2, &rows).await;
    assert_json_snapshot!("save_after_the_hand_in", promise(&late));
    assert_eq!(late.json()["digest"], handed_in.json()["digest"]);
    let found = candidate.find(&id).await.json();
    assert_eq!((&found["state"], &found["transcript"]), (&json!("sealed"), &handed_in.json()));
    assert_eq!(candidate.start(PHONE).await.outcome(), "409 HANDED_IN");
}

#[tokio::test]
async fn the_export_of_an_account_has_its_exams() {
    let world = exam().await;
    let edge = world.edge().await;
    let candidate = Candidate::new(&world, &edge, ONE).await;
    let id = id(&candidate.start(LAPTOP).await);
    let rows = [(1101, 1, json!({"choices": [2]})), (1103, 1, Value::Null)];
    assert_eq!(candidate.save(&id, LAPTOP, 1, &rows).await.outcome(), "200");
    let export = async |token: &str| {
        let password = json!({ "password": PASSWORD });
        edge.with("POST", "/api/accounts/export/", token, &password).await.json()
    };
    let own = export(&candidate.token).await;
    assert_json_snapshot!("exported_applications", own["exam_applications"]);
    assert_json_snapshot!("exported_sittings", own["exam_sittings"]);
    let other = export(&edge.login(TWO).await.0).await;
    assert_eq!(other["exam_sittings"], json!([]));
}

#[tokio::test]
async fn a_receipt_is_the_owner_s_and_its_keys_are_public() {
    let world = exam().await;
    let edge = world.edge().await;
    let candidate = Candidate::new(&world, &edge, ONE).await;
    let id = id(&candidate.start(LAPTOP).await);
    let path = format!("/api/exam/sitting/{id}/receipt/");
    assert_eq!(candidate.call("GET", &path, &Value::Null).await.outcome(), "409 NOTHING_HANDED_IN");
    candidate.save(&id, LAPTOP, 1, &[(1101, 1, json!({"choices": [2]}))]).await;
    let digest = candidate.hand_in(&id, LAPTOP, 1).await.json()["digest"].clone();
    let signed = candidate.call("GET", &path, &Value::Null).await.json();
    let bytes = |name: &str| URL_SAFE_NO_PAD.decode(signed[name].as_str().unwrap()).unwrap();
    let (receipt, transcript) = (bytes("receipt"), bytes("transcript"));
    assert_eq!(digest, hex::encode(aws_lc_rs::digest::digest(&SHA256, &transcript)));
    let other = Candidate::new(&world, &edge, TWO).await;
    assert_eq!(other.call("GET", &path, &Value::Null).await.outcome(), "404 NOT_FOUND");

    let keys = edge.get("/api/exam/receipt-keys/", None).await;
    assert_eq!(keys.header("cache-control"), Some("public, max-age=60"));
    let key = &keys.json()["keys"][0];
    assert_eq!((&key["kty"], &key["crv"]), (&json!("OKP"), &json!("Ed25519")));
    assert_eq!(key["kid"], hex::encode(&receipt[4..12]));
    let public_key = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let (statement, signature) = receipt.split_at(receipt.len() - 64);
    UnparsedPublicKey::new(&ED25519, public_key).verify(statement, signature).unwrap();
    let etag = keys.header("etag").unwrap();
    let again = edge.send("GET", "/api/exam/receipt-keys/", &[("if-none-match", etag)], "").await;
    assert_eq!(again.outcome(), "304");
}

#[tokio::test]
async fn errors_name_the_invalid_fields() {
    let world = exam().await;
    let edge = world.edge().await;
    let candidate = Candidate::new(&world, &edge, ONE).await;
    let wrong =
        candidate.call("POST", START, &json!({"device_id": "1", "device_time": "noon", "now": 1})).await;
    assert_json_snapshot!("start_with_wrong_fields", wrong.promise());
    let id = id(&candidate.start(LAPTOP).await);
    let path = format!("/api/exam/sitting/{id}/answers/");
    let body = json!({
        "device_id": LAPTOP, "epoch": -1, "device_time": "2026-11-20", "pending": "0", "away_seconds": -1,
        "question_times": [{"question_id": 1101, "seconds": "1"}], "answers": [{"question_id": 1101}],
    });
    assert_json_snapshot!("save_with_wrong_fields", candidate.call("PUT", &path, &body).await.promise());
    let rows: Vec<_> = (1..=101).map(|sequence| (1101, sequence, Value::Null)).collect();
    let many = candidate.save(&id, LAPTOP, 1, &rows).await.json();
    assert_eq!(many["errors"], json!([{"field": "answers", "code": "TOO_LONG"}]));
    assert_eq!(candidate.save(&id, LAPTOP, 1, &[]).await.outcome(), "200");
    assert_eq!(candidate.find("1").await.outcome(), "404 NOT_FOUND");
    let path = format!("/api/exam/sitting/{id}/?device_id=laptop");
    assert_eq!(edge.get(&path, Some(&candidate.token)).await.outcome(), "400 INVALID");
}

#[tokio::test]
async fn a_save_and_an_opening_wait_and_are_never_refused_for_load() {
    let world = exam().await;
    let full = world.edge().await;
    let id = id(&Candidate::new(&world, &full, ONE).await.start(LAPTOP).await);
    let token = full.login(ONE).await.0;
    let mut settings = world.settings();
    // One save and one opening at a time, no permit for other requests of a part, and one request per address.
    (settings.limits.requests, settings.limits.requests_queue) = (0, 0);
    (settings.limits.saves, settings.limits.openings, settings.limits.requests_per_address) = (1, 1, 1);
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let candidate = Candidate { world: &world, edge: &edge, token };
    let sheet = candidate.call("GET", "/api/exam/application/1/", &Value::Null).await;
    assert_eq!(sheet.outcome(), "429 OVERLOADED");
    let openings = (0..40).map(|_| async { candidate.find(&id).await.outcome() });
    assert_eq!(join_all(openings).await, ["200"; 40]);
    let saves =
        (1..=40).map(|sequence| {
            let (candidate, id) = (&candidate, &id);
            async move {
                candidate.save(id, LAPTOP, 1, &[(1102, sequence, json!({"number": "1"}))]).await.outcome()
            }
        });
    assert_eq!(join_all(saves).await, ["200"; 40]);
    assert_eq!(candidate.hand_in(&id, LAPTOP, 1).await.outcome(), "200");
    let anonymous = edge.call("PUT", &format!("/api/exam/sitting/{id}/answers/"), None).await;
    assert_eq!(anonymous.outcome(), "401 UNAUTHENTICATED", "refused without waiting");
}

#[tokio::test]
async fn maintenance_closes_new_sittings_but_not_running_ones() {
    let world = exam().await;
    let edge = world.edge().await;
    let (one, two) = (Candidate::new(&world, &edge, ONE).await, Candidate::new(&world, &edge, TWO).await);
    let id = id(&one.start(LAPTOP).await);
    for scope in [Scope::Site, Scope::Exam] {
        world.declare(&edge, vec![window(scope, Mode::Full)]).await;
        let closed = two.start(LAPTOP).await;
        assert_eq!((closed.status.as_u16(), &closed.json()["title"]), (503, &json!("メンテナンス中です")));
        assert_eq!(one.find(&id).await.outcome(), "200");
        let row = (1101, 1, json!({"choices": [2]}));
        assert_eq!(one.save(&id, LAPTOP, 1, &[row]).await.outcome(), "200");
        assert_eq!(one.take_over(&id, LAPTOP).await.outcome(), "200");
    }
    assert_eq!(one.hand_in(&id, LAPTOP, 1).await.outcome(), "200");
}

/// After a flat battery the second device knows only the exam: its sheet names the running paper, and the start leads
/// to the take-over.
#[tokio::test]
async fn another_device_takes_a_running_sitting_over_during_maintenance() {
    let world = exam().await;
    let edge = world.edge().await;
    let (one, two) = (Candidate::new(&world, &edge, ONE).await, Candidate::new(&world, &edge, TWO).await);
    let id = id(&one.start(LAPTOP).await);
    assert_eq!(one.save(&id, LAPTOP, 1, &[(1101, 1, json!({"choices": [2]}))]).await.outcome(), "200");
    let mut device = LAPTOP;
    for scope in [Scope::Exam, Scope::Site] {
        world.declare(&edge, vec![window(scope, Mode::Full)]).await;
        let next = if device == LAPTOP { PHONE } else { LAPTOP };
        let sheet = one.call("GET", "/api/exam/application/1/", &Value::Null).await.json();
        assert_eq!(sheet["papers"][0]["state"], json!("running"));
        let refused = one.start(next).await;
        assert_eq!(refused.outcome(), "409 OTHER_DEVICE");
        assert_eq!(refused.json()["sitting_id"], json!(id));
        let taken = one.take_over(&id, next).await;
        assert_eq!(taken.outcome(), "200");
        assert_eq!(taken.json()["answers"][0]["answer"], json!({"choices": [2]}));
        assert_eq!(one.start(next).await.outcome(), "200", "a reload");
        assert_eq!(two.start(LAPTOP).await.status, 503);
        device = next;
    }
    world.declare(&edge, Vec::new()).await;
    assert_eq!(two.start(LAPTOP).await.outcome(), "200");
}
