//! The device cookie: when it is set, what it changes at sign-in, and that it does not weaken the CSRF
//! protection.

use http::header::SET_COOKIE;
use proto::auth::PasswordResetRequested;
use serde_json::json;

use crate::support::{Answer, Edge, ONE, PASSWORD, World};

const LOGIN: &str = "/api/accounts/login/";

/// Returns the Set-Cookie header of this cookie.
fn set(answer: &Answer, name: &str) -> Option<String> {
    let all = answer.headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap());
    all.filter_map(|value| value.split_once('='))
        .find(|(given, _)| *given == name)
        .map(|(_, rest)| rest.to_owned())
}

async fn log_in(edge: &Edge, cookie: Option<&str>, password: &str) -> Answer {
    let body = json!({"email": ONE, "password": password}).to_string();
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(cookie.map(|cookie| ("cookie", cookie)));
    edge.send("POST", LOGIN, &headers, &body).await
}

#[tokio::test]
async fn a_browser_that_signed_in_gets_a_cookie_that_no_script_reads_and_no_other_site_sends() {
    let world = World::new().await;
    let edge = world.edge().await;
    let wrong = log_in(&edge, None, "a wrong password").await;
    assert_eq!(set(&wrong, "konomana-device"), None);
    let answer = log_in(&edge, None, PASSWORD).await;
    let cookie = set(&answer, "konomana-device").unwrap();
    let (value, attributes) = cookie.split_once("; ").unwrap();
    // The site of the tests uses plain http, so the cookie is not Secure.
    assert_eq!(attributes, "Max-Age=31536000; Path=/api/accounts/; HttpOnly; SameSite=Strict");
    assert!(!answer.json().to_string().contains(value), "it is not in the body");
    let refresh = json!({"refresh": answer.json()["refresh_token"]});
    let refreshed = edge.post("/api/accounts/token/refresh/", &refresh).await;
    assert_eq!(refreshed.outcome(), "200");
    assert_eq!(set(&refreshed, "konomana-device"), None, "a refresh is not a sign-in");
}

#[tokio::test]
async fn with_the_device_cookie_the_owner_signs_in_while_an_attacker_keeps_the_account_locked() {
    let world = World::new().await;
    let edges = [world.edge().await, world.edge().await];
    let signed_in = log_in(&edges[0], None, PASSWORD).await;
    let cookie = set(&signed_in, "konomana-device").unwrap();
    let cookie = format!("konomana-device={}", cookie.split(';').next().unwrap());
    for turn in 0..10 {
        assert_eq!(log_in(&edges[turn % 2], None, "a wrong password").await.outcome(), "400 BAD_CREDENTIALS");
    }
    assert_eq!(log_in(&edges[1], None, PASSWORD).await.outcome(), "429 RATE_LIMITED");
    let forged = format!("{cookie}x");
    assert_eq!(log_in(&edges[1], Some(&forged), PASSWORD).await.outcome(), "429 RATE_LIMITED");
    // The XSRF-TOKEN cookie was deleted when the browser closed; the device cookie was not.
    assert_eq!(log_in(&edges[1], Some(&cookie), PASSWORD).await.outcome(), "200");

    // Also within a session.
    let token = signed_in.json()["access_token"].as_str().unwrap().to_owned();
    let own = json!({ "password": PASSWORD });
    let export = edges[1].with("POST", "/api/accounts/export/", &token, &own).await;
    assert_eq!(export.outcome(), "200");
}

#[tokio::test]
async fn the_device_cookie_grants_no_access_and_does_not_bypass_csrf_protection() {
    let world = World::new().await;
    let edge = world.edge().await;
    let cookie = set(&log_in(&edge, None, PASSWORD).await, "konomana-device").unwrap();
    let cookie = format!("konomana-device={}", cookie.split(';').next().unwrap());
    let answer = edge.send("GET", "/api/accounts/user/", &[("cookie", &cookie)], "").await;
    assert_eq!(answer.outcome(), "401 UNAUTHENTICATED");
    let body = json!({"email": ONE, "password": PASSWORD}).to_string();
    let kind = ("content-type", "application/json");
    let foreign = [kind, ("cookie", cookie.as_str()), ("origin", "https://evil.example")];
    assert_eq!(edge.send("POST", LOGIN, &foreign, &body).await.outcome(), "403 ORIGIN_FORBIDDEN");
    let beside = format!("{cookie}; other=1");
    assert_eq!(log_in(&edge, Some(&beside), PASSWORD).await.outcome(), "403 CSRF_FAILED");
}

#[tokio::test]
async fn a_password_reset_sets_a_new_device_cookie() {
    let world = World::new().await;
    let edge = world.edge().await;
    let cookie = |answer: &Answer| {
        let set = set(answer, "konomana-device").expect("the response sets the cookie");
        format!("konomana-device={}", set.split(';').next().unwrap())
    };
    let before = cookie(&log_in(&edge, None, PASSWORD).await);
    edge.post("/api/accounts/password/reset/", &json!({"email": ONE})).await;
    let mail: PasswordResetRequested = world.last().await;
    let new = "umi-no-mieru-eki-42";
    let body = json!({"uid": mail.uid, "token": mail.token, "password": new}).to_string();
    let headers = [("content-type", "application/json"), ("cookie", before.as_str())];
    let confirmed = edge.send("POST", "/api/accounts/password/reset/confirm/", &headers, &body).await;
    assert_eq!(confirmed.outcome(), "204");
    let cookie = cookie(&confirmed);
    for _ in 0..10 {
        assert_eq!(log_in(&edge, None, "a wrong password").await.outcome(), "400 BAD_CREDENTIALS");
    }
    assert_eq!(log_in(&edge, None, new).await.outcome(), "429 RATE_LIMITED");
    assert_eq!(log_in(&edge, Some(&cookie), new).await.outcome(), "200");
}
