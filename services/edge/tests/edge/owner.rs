//! Account settings with the real services: the responses that the site relies on, and the end of sessions on
//! every edge.

use std::time::{Duration, Instant};

use crate::support::{Answer, Edge, GUARDIAN, NOW, ONE, PASSWORD, STAFF, TWO, World};
use insta::assert_json_snapshot;
use kit::caller::{Caller, Service};
use prost::{Message as _, Name as _};
use proto::auth::{
    BirthDateChangeRequested, EmailChangePending, EmailChangeRequested, EmailChanged, GuardianConsentReceipt,
    GuardianConsentRequested, PasswordChanged, PasswordResetRequested,
};
use proto::common::event_service_client::EventServiceClient;
use proto::common::{DeliverRequest, Event};
use serde_json::{Value, json};
use sqlx::Executor as _;

const FRESH: &str = "umi-no-mieru-eki-42";

impl World {
    /// Adds a passkey to an account without a device.
    async fn add_passkey(&self, email: &str) {
        let passkey = format!(
            "INSERT INTO passkey SELECT id, id, 'スマホ', '', '{{}}', '2026-11-01 09:00Z' FROM account WHERE email = '{email}'"
        );
        let mut connection = self.auth_database.pool.acquire().await.unwrap();
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(passkey))).await.unwrap();
    }
}

/// Returns the response for a snapshot, without values that differ between runs.
fn masked(answer: &Answer, different: &[&str]) -> Value {
    let mut promise = answer.promise();
    for pointer in different {
        let value = promise.pointer_mut(&format!("/body{pointer}")).unwrap();
        assert!(value.is_string(), "{pointer} {value}");
        *value = "…".into();
    }
    promise
}

async fn is_signed_in(edge: &Edge, token: &str) -> bool {
    match edge.get("/api/accounts/user/", Some(token)).await.outcome().as_str() {
        "200" => true,
        "401 UNAUTHENTICATED" => false,
        other => panic!("{other}"),
    }
}

/// Fails unless the edge refuses the token within a second.
async fn dies(edge: &Edge, token: &str) {
    let ended = Instant::now();
    while is_signed_in(edge, token).await {
        assert!(ended.elapsed() < Duration::from_secs(1), "still alive on the other edge");
    }
}

#[tokio::test]
async fn profile_and_address() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let profile = json!({
        "last_name": "髙橋", "first_name": "さくら", "last_name_kana": "たかはし", "first_name_kana": "ｻｸﾗ",
        "birth_date": "2011-04-02", "school_year": "高1", "school_name": "南中学校", "news": true,
    });
    let set = edge.with("PUT", "/api/accounts/profile/", &token, &profile).await;
    assert_json_snapshot!("set_profile", set.promise());
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.json(), set.json());
    let wrong = json!({
        "last_name": "あ".repeat(21), "first_name": "😀", "last_name_kana": "高橋", "first_name_kana": " ",
        "birth_date": "2027-04-02", "school_year": null, "school_name": "", "news": false,
    });
    let wrong = edge.with("PUT", "/api/accounts/profile/", &token, &wrong).await;
    assert_json_snapshot!("set_profile_with_wrong_fields", wrong.promise());
    let incomplete = edge.with("PUT", "/api/accounts/profile/", &token, &json!({"news": "yes"})).await;
    assert_json_snapshot!("set_profile_with_missing_fields", incomplete.promise());

    assert_json_snapshot!(
        "address_that_was_not_told",
        edge.get("/api/accounts/address/", Some(&token)).await.promise()
    );
    let address = json!({
        "postal_code": "100-0013", "prefecture": "東京都", "city": "千代田区", "town": "霞が関1-3-2",
        "building": "", "phone": "０９０－１２３４－５６７８",
    });
    let set = edge.with("PUT", "/api/accounts/address/", &token, &address).await;
    assert_json_snapshot!("set_address", set.promise());
    assert_eq!(edge.get("/api/accounts/address/", Some(&token)).await.json(), set.json());
}

#[tokio::test]
async fn a_new_password_ends_every_session_on_every_edge_and_begins_one() {
    let world = World::new().await;
    let (here, there) = (world.edge().await, world.edge().await);
    let (token, _) = here.login(ONE).await;
    let (other, _) = here.login(ONE).await;
    assert!(is_signed_in(&there, &other).await);
    let change = |password: &str| json!({"password": password, "new_password": FRESH});
    let wrong = here.with("POST", "/api/accounts/password/", &token, &change("another password")).await;
    assert_eq!(wrong.outcome(), "400 BAD_CREDENTIALS");
    let weak = json!({"password": PASSWORD, "new_password": "konomana2026"});
    let weak = here.with("POST", "/api/accounts/password/", &token, &weak).await;
    assert_json_snapshot!("change_password_to_a_guessable_one", weak.promise());
    assert!(is_signed_in(&there, &token).await);
    let changed = here.with("POST", "/api/accounts/password/", &token, &change(PASSWORD)).await;
    assert!(!is_signed_in(&here, &token).await, "here at once");
    dies(&there, &token).await;
    dies(&there, &other).await;
    assert_json_snapshot!("change_password", changed.promise());
    let fresh = changed.json()["access_token"].as_str().unwrap().to_owned();
    assert!(is_signed_in(&here, &fresh).await && is_signed_in(&there, &fresh).await);
    let refresh = json!({ "refresh": changed.json()["refresh_token"] });
    assert_eq!(there.post("/api/accounts/token/refresh/", &refresh).await.outcome(), "200");
    let event: PasswordChanged = world.last().await;
    assert_eq!(event.to, ONE);
}

#[tokio::test]
async fn a_change_of_address_is_stopped_from_the_address_in_force() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let body = json!({"password": PASSWORD, "email": "new@konomana.example"});
    edge.with("POST", "/api/accounts/email/", &token, &body).await;
    let confirm = json!({"token": world.last::<EmailChangeRequested>().await.token});
    let stop = json!({"token": world.latest::<EmailChangePending>().await.token});
    assert_json_snapshot!("stop_email", edge.post("/api/accounts/email/stop/", &stop).await.promise());
    assert_eq!(edge.post("/api/accounts/email/confirm/", &confirm).await.outcome(), "400 LINK_DEAD");
    assert_eq!(edge.post("/api/accounts/email/stop/", &stop).await.outcome(), "400 LINK_DEAD");
    assert!(is_signed_in(&edge, &token).await);
}

#[tokio::test]
async fn a_suspended_passkey_is_counted_listed_and_kept_with_the_password() {
    let world = World::new().await;
    let edge = world.edge().await;
    world.add_passkey(ONE).await;
    edge.post("/api/accounts/password/reset/", &json!({"email": ONE})).await;
    let link = world.last::<PasswordResetRequested>().await;
    let fresh = json!({"uid": link.uid, "token": link.token, "password": FRESH});
    assert_eq!(edge.post("/api/accounts/password/reset/confirm/", &fresh).await.outcome(), "204");

    let login = edge.post("/api/accounts/login/", &json!({"email": ONE, "password": FRESH})).await.json();
    let token = login["access_token"].as_str().unwrap().to_owned();
    let suspended =
        async || edge.get("/api/accounts/user/", Some(&token)).await.json()["suspended_passkeys"].clone();
    assert_eq!(suspended().await, 1);
    let list = edge.get("/api/accounts/passkeys/", Some(&token)).await;
    assert_json_snapshot!("passkeys_that_are_suspended", masked(&list, &["/results/0/id"]));
    let path = format!("/api/accounts/passkeys/{}/keep/", list.json()["results"][0]["id"].as_str().unwrap());
    let keep = async |token: &str, password: &str| {
        edge.with("POST", &path, token, &json!({ "password": password })).await
    };
    assert_eq!(keep(&token, PASSWORD).await.outcome(), "400 BAD_CREDENTIALS");
    let (other, _) = edge.login(TWO).await;
    assert_eq!(keep(&other, PASSWORD).await.outcome(), "404 NOT_FOUND");
    assert_eq!(suspended().await, 1);
    assert_json_snapshot!("keep_passkey", keep(&token, FRESH).await.promise());
    assert_eq!(suspended().await, 0);
}

#[tokio::test]
async fn an_address_changes_and_is_changed_back() {
    let world = World::new().await;
    let (here, there) = (world.edge().await, world.edge().await);
    let (token, _) = here.login(ONE).await;
    let ask = async |email: &str| {
        let body = json!({"password": PASSWORD, "email": email});
        here.with("POST", "/api/accounts/email/", &token, &body).await
    };
    let of_another = ask(TWO).await;
    let asked = ask("new@konomana.example").await;
    assert_json_snapshot!("change_email", asked.promise());
    assert_eq!(of_another.promise(), asked.promise());
    let link = world.last::<EmailChangeRequested>().await.token;
    let confirm = json!({"token": link});
    assert_json_snapshot!(
        "confirm_email",
        here.post("/api/accounts/email/confirm/", &confirm).await.promise()
    );
    let dead = here.post("/api/accounts/email/confirm/", &confirm).await;
    assert_json_snapshot!("a_dead_link", dead.promise());
    assert_eq!(here.get("/api/accounts/user/", Some(&token)).await.json()["email"], "new@konomana.example");
    let undo = json!({"token": world.last::<EmailChanged>().await.token});
    assert!(is_signed_in(&there, &token).await);
    assert_json_snapshot!("undo_email", there.post("/api/accounts/email/undo/", &undo).await.promise());
    dies(&here, &token).await;
    dies(&there, &token).await;
    let old = json!({"email": ONE, "password": PASSWORD});
    assert_eq!(here.post("/api/accounts/login/", &old).await.outcome(), "400 BAD_CREDENTIALS");
    here.post("/api/accounts/password/reset/", &json!({"email": ONE})).await;
    let link = world.last::<PasswordResetRequested>().await;
    let fresh = json!({"uid": link.uid, "token": link.token, "password": FRESH});
    assert_eq!(here.post("/api/accounts/password/reset/confirm/", &fresh).await.outcome(), "204");
    let login = here.post("/api/accounts/login/", &json!({"email": ONE, "password": FRESH})).await.json();
    let token = login["access_token"].as_str().unwrap().to_owned();
    assert_eq!(here.get("/api/accounts/user/", Some(&token)).await.json()["email"], ONE);
}

#[tokio::test]
async fn devices() {
    let world = World::new().await;
    let (here, there) = (world.edge().await, world.edge().await);
    let (other, _) = here.login(ONE).await;
    world.clock.advance(time::Duration::hours(1));
    let (token, _) = here.login(ONE).await;
    let (staff, _) = here.login(STAFF).await;
    let list = here.get("/api/accounts/sessions/", Some(&token)).await;
    assert_json_snapshot!("sessions", masked(&list, &["/results/0/id", "/results/1/id"]));
    let path = format!("/api/accounts/sessions/{}/", list.json()["results"][1]["id"].as_str().unwrap());
    assert_eq!(here.call("DELETE", &path, Some(&staff)).await.outcome(), "404 NOT_FOUND");
    assert!(is_signed_in(&there, &other).await);
    assert_json_snapshot!("end_session", here.call("DELETE", &path, Some(&token)).await.promise());
    dies(&there, &other).await;
    assert_eq!(here.call("DELETE", &path, Some(&token)).await.outcome(), "404 NOT_FOUND");
    for junk in ["junk", "1", "%00"] {
        let path = format!("/api/accounts/sessions/{junk}/");
        assert_eq!(here.call("DELETE", &path, Some(&token)).await.outcome(), "404 NOT_FOUND", "{junk}");
    }

    let (other, _) = here.login(ONE).await;
    let end = here.call("POST", "/api/accounts/logout/all/", Some(&token)).await;
    assert_json_snapshot!("logout_everywhere", end.promise());
    assert!(!is_signed_in(&here, &token).await, "here at once");
    for token in [&token, &other] {
        dies(&there, token).await;
    }
    assert!(is_signed_in(&there, &staff).await);
}

#[tokio::test]
async fn consent() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let consent = json!({"name": "井上 恵子", "relation": "母", "email": GUARDIAN});
    let ask = async || edge.with("POST", "/api/accounts/guardian/consent/", &token, &consent).await;
    assert_json_snapshot!("ask_consent", ask().await.promise());
    assert_json_snapshot!("ask_consent_too_soon", ask().await.promise());
    let user =
        async || edge.get("/api/accounts/user/", Some(&token)).await.json()["guardian_consent"].clone();
    assert_eq!(user().await, "waiting");
    let link = json!({"token": world.last::<GuardianConsentRequested>().await.token});
    let check = async || edge.post("/api/accounts/guardian/consent/check/", &link).await;
    assert_json_snapshot!("check_consent", check().await.promise());
    let token_alone = edge.post("/api/accounts/guardian/consent/confirm/", &link).await;
    assert_json_snapshot!("give_consent_with_missing_fields", token_alone.promise());
    let own =
        |is_adult: bool| json!({"token": link["token"], "guardian_name": "井上 恵", "is_adult": is_adult});
    let young = edge.post("/api/accounts/guardian/consent/confirm/", &own(false)).await;
    assert_json_snapshot!("give_consent_without_being_of_age", young.promise());
    let give = async || edge.post("/api/accounts/guardian/consent/confirm/", &own(true)).await;
    assert_json_snapshot!("give_consent", give().await.promise());
    assert_eq!(give().await.outcome(), "400 LINK_DEAD");
    assert_eq!(check().await.outcome(), "400 LINK_DEAD");
    assert_eq!(user().await, "given");
    assert_eq!(ask().await.outcome(), "409 CONSENT_GIVEN");

    let withdraw = json!({"token": world.events_of_type::<GuardianConsentReceipt>().await.remove(0).token});
    let check = async || edge.post("/api/accounts/guardian/consent/withdraw/check/", &withdraw).await;
    assert_json_snapshot!("check_withdrawal", check().await.promise());
    assert_eq!(user().await, "given");
    let withdraw = async || edge.post("/api/accounts/guardian/consent/withdraw/", &withdraw).await;
    assert_json_snapshot!("withdraw_consent", withdraw().await.promise());
    assert_eq!(user().await, "missing");
    assert_eq!(withdraw().await.outcome(), "400 LINK_DEAD");
    assert_eq!(check().await.outcome(), "400 LINK_DEAD");
    let own = json!({"name": "井上 恵子", "relation": "母", "email": format!("ONE+mother@{}", &ONE[4..])});
    let own = edge.with("POST", "/api/accounts/guardian/consent/", &token, &own).await;
    assert_json_snapshot!("ask_consent_at_the_own_mailbox", own.promise());
}

#[tokio::test]
async fn a_birth_date_waits_for_a_guardian() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let (guardian, _) = edge.login(GUARDIAN).await;
    let code = edge.call("POST", "/api/accounts/guardian/code/", Some(&token)).await.json();
    let code = json!({"code": code["code"]});
    assert_eq!(edge.with("POST", "/api/accounts/guardian/link/", &guardian, &code).await.outcome(), "201");
    let put = async |birth_date: &str| {
        let profile = json!({
            "last_name": "井上", "first_name": "拓海", "last_name_kana": "イノウエ", "first_name_kana": "タクミ",
            "birth_date": birth_date, "school_year": null, "school_name": "", "news": false,
        });
        edge.with("PUT", "/api/accounts/profile/", &token, &profile).await
    };
    let asked = put("2000-01-01").await;
    assert_json_snapshot!("set_profile_with_a_birth_date_that_waits", asked.promise());
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.json(), asked.json());
    let link = json!({"token": world.last::<BirthDateChangeRequested>().await.token});
    let check = async || edge.post("/api/accounts/guardian/birth-date/check/", &link).await;
    assert_json_snapshot!("check_birth_date_change", check().await.promise());
    let decide = async |approve: bool| {
        let decision = json!({"token": link["token"], "approve": approve});
        edge.post("/api/accounts/guardian/birth-date/", &decision).await
    };
    assert_json_snapshot!("decide_birth_date_change", decide(true).await.promise());
    assert_eq!(decide(false).await.outcome(), "400 LINK_DEAD");
    assert_eq!(check().await.outcome(), "400 LINK_DEAD");
    let user = edge.get("/api/accounts/user/", Some(&token)).await.json();
    assert_eq!((&user["birth_date"], &user["requested_birth_date"]), (&json!("2000-01-01"), &Value::Null));
    assert_eq!(user["guardian_consent"], "not_needed");
}

#[tokio::test]
async fn a_guardian_sees_how_far_a_learner_is_and_the_learner_sees_that() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (learner, _) = edge.login(ONE).await;
    let (other, _) = edge.login(TWO).await;
    let (guardian, _) = edge.login(GUARDIAN).await;
    let issued = edge.call("POST", "/api/accounts/guardian/code/", Some(&learner)).await;
    assert_json_snapshot!("new_guardian_code", masked(&issued, &["/code"]));
    let code = json!({"code": issued.json()["code"]});
    let link = async || edge.with("POST", "/api/accounts/guardian/link/", &guardian, &code).await;
    let linked = link().await;
    assert_json_snapshot!("use_guardian_code", masked(&linked, &["/id"]));
    let again = link().await;
    assert_eq!((again.outcome(), again.json()), ("200".to_owned(), linked.json()));

    let children = edge.get("/api/accounts/guardian/children/", Some(&guardian)).await;
    assert_json_snapshot!("children", masked(&children, &["/results/0/link_id"]));
    let id = children.json()["results"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/accounts/guardian/children/{id}/");
    assert_json_snapshot!("child", masked(&edge.get(&path, Some(&guardian)).await, &["/link_id"]));
    let consent = format!("{path}consent/");
    for stranger in [&learner, &other] {
        assert_eq!(edge.call("DELETE", &consent, Some(stranger)).await.outcome(), "403 FORBIDDEN");
    }
    let withdrawn = edge.call("DELETE", &consent, Some(&guardian)).await;
    assert_json_snapshot!("withdraw_consent_for_child", withdrawn.promise());
    assert_eq!(edge.get(&path, Some(&guardian)).await.json()["guardian_consent"], "missing");
    let links = edge.get("/api/accounts/guardian/links/", Some(&learner)).await;
    assert_json_snapshot!("guardian_links", masked(&links, &["/results/0/id"]));

    let path = format!("/api/accounts/guardian/links/{}/", linked.json()["id"].as_str().unwrap());
    assert_eq!(edge.call("DELETE", &path, Some(&other)).await.outcome(), "404 NOT_FOUND");
    let ended = edge.call("DELETE", &path, Some(&guardian)).await;
    assert_json_snapshot!("end_guardian_link", ended.promise());
    let path = format!("/api/accounts/guardian/children/{id}/");
    assert_eq!(edge.get(&path, Some(&guardian)).await.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn an_export_has_data_of_every_service() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let own = |password: &str| json!({ "password": password });
    let wrong = edge.with("POST", "/api/accounts/export/", &token, &own("another password")).await;
    assert_eq!(wrong.outcome(), "400 BAD_CREDENTIALS");
    edge.call("PUT", "/api/lms/favorite/201010101/", Some(&token)).await;
    let beat = json!({"sequence": 1, "position": 10, "watched": [[0, 10]]});
    edge.with("POST", "/api/lms/lesson/201010101/beat/", &token, &beat).await;
    let account_id =
        edge.get("/api/accounts/user/", Some(&token)).await.json()["id"].as_str().unwrap().to_owned();
    let mail = PasswordChanged { to: ONE.to_owned(), account_id, ..PasswordChanged::default() };
    let event = Event {
        id: uuid::Uuid::now_v7().to_string(),
        r#type: PasswordChanged::full_name(),
        payload: mail.encode_to_vec(),
        occurred_at: Some(prost_types::Timestamp { seconds: NOW.unix_timestamp(), nanos: 0 }),
    };
    EventServiceClient::new(world.desk.channel_as(Caller::service(Service::Auth)))
        .deliver(DeliverRequest { event: Some(event) })
        .await
        .unwrap();
    world.add_passkey(ONE).await;
    let export = edge.with("POST", "/api/accounts/export/", &token, &own(PASSWORD)).await;
    assert_eq!(export.outcome(), "200");
    assert_eq!(export.header("content-disposition"), Some("attachment; filename=\"konomana.json\""));
    assert_eq!(export.header("cache-control"), Some("no-store"));
    let all = export.json();
    assert_eq!(all["account"]["email"], ONE);
    assert_eq!(all["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(
        all["passkeys"],
        json!([{
            "name": "スマホ", "created": "2026-11-01T09:00:00Z", "last_used": null, "suspended": null
        }])
    );
    let learning = &all["learning"];
    assert_eq!(learning["courses"].as_array().unwrap().len(), 13);
    for list in ["bookmarks", "favorites", "checks", "watches", "progress"] {
        assert!(!learning[list].as_array().unwrap().is_empty(), "{list}");
        assert!(learning[list][0]["course"].is_string(), "{list}");
    }
    assert_eq!(all["mails"][0]["kind"], "password_changed");
    let (other, _) = edge.login(TWO).await;
    let others = edge.with("POST", "/api/accounts/export/", &other, &own(PASSWORD)).await.json();
    assert_eq!(others["account"]["email"], TWO);
    assert!(!others.to_string().contains(ONE));
    assert_eq!((&others["mails"], &others["passkeys"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn an_export_of_any_size_is_complete() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    let learner =
        edge.get("/api/accounts/user/", Some(&token)).await.json()["id"].as_str().unwrap().to_owned();
    // The largest number of notes, each of the largest length in four-byte characters, and years of practice.
    let fill = format!(
        "INSERT INTO note SELECT gen_random_uuid(), '{learner}', 201010101, n, repeat('𠮷', 2000), '', '{NOW}', '{NOW}'
            FROM generate_series(1, 500) AS n;
        INSERT INTO result (learner_id, lesson_id, kind, question_count, answered_count, right_count, started_at)
            SELECT '{learner}', 201010101, 'practice', 1, 1, 0, '{NOW}' FROM generate_series(1, 10100);
        INSERT INTO answer
            SELECT '{learner}', id, 20101010101, '{{\"choices\": [1]}}', false, '{NOW}'
            FROM result WHERE learner_id = '{learner}'"
    );
    let mut connection = world.lms_database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(fill))).await.unwrap();
    let fill = format!(
        "INSERT INTO orders (
            id, number, account_id, state, buyer_name, buyer_email, total, tax, confirmation, confirmation_digest,
            placed_at, due_at, ended_at
        )
            SELECT gen_random_uuid(), 'KM-' || n, '{learner}', 'cancelled', '葵', 'aoi@example.jp', 1100, 100,
                convert_to('{{\"version\":1,\"lines\":[],\"total\":1100,\"tax\":100,\"tax_rate\":10,\"terms\":[]}}', 'UTF8'),
                sha256('1'), '{NOW}', '{NOW}', '{NOW}'
            FROM generate_series(1, 120) AS n;
        INSERT INTO payment (id, order_id, attempt, method, state, amount, page_expires_at, created_at)
            SELECT gen_random_uuid(), id, 1, 'card', 'cancelled', 1100, '{NOW}', '{NOW}' FROM orders"
    );
    let mut connection = world.shop.database.pool.acquire().await.unwrap();
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(fill))).await.unwrap();
    let export = edge.with("POST", "/api/accounts/export/", &token, &json!({ "password": PASSWORD })).await;
    assert_eq!(export.outcome(), "200");
    let mut all = export.json();
    assert_eq!(all["orders"].as_array().unwrap().len(), 120);
    let learning = all["learning"].take();
    let count = |list: &str| learning[list].as_array().unwrap().len();
    assert_eq!((count("notes"), count("results"), count("answers")), (500, 10_100, 10_100));
    let ids: std::collections::BTreeSet<_> =
        learning["notes"].as_array().unwrap().iter().map(|note| note["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 500, "each once");
    assert!(export.body.len() > 4 * 1024 * 1024);
}

#[tokio::test]
async fn closing_and_reopening() {
    let world = World::new().await;
    let (here, there) = (world.edge().await, world.edge().await);
    let (token, _) = here.login(ONE).await;
    let close = here.with("POST", "/api/accounts/close/", &token, &json!({"password": PASSWORD})).await;
    assert_json_snapshot!("close_account", close.promise());
    assert!(!is_signed_in(&here, &token).await, "here at once");
    dies(&there, &token).await;
    let credentials = json!({"email": ONE, "password": PASSWORD});
    let login = here.post("/api/accounts/login/", &credentials).await;
    assert_json_snapshot!("login_to_a_closing_account", login.promise());
    let reopened = here.post("/api/accounts/login/reopen/", &credentials).await;
    assert_json_snapshot!("reopen_account", reopened.promise());
    let token = reopened.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(there.get("/api/accounts/user/", Some(&token)).await.json()["erase_at"], Value::Null);
}
