//! Login: tokens, refusals and limits.

use std::time::Duration as StdDuration;

use crate::support::{ADDRESS, EMAIL, NOW, PASSWORD, USER, World, reason, sid, verify};
use kit::error::ServiceError;
use sqlx::Executor as _;
use time::Duration;

/// Sessions of the only account, oldest first: sixty live ones, an expired one and an ended one.
const SESSIONS: &str = "\
    INSERT INTO session (sid, account, created, expires_at, last_used_at, ended_at, user_agent, refresh_key) \
    SELECT gen_random_uuid(), account.id, at, CASE WHEN number = 61 THEN at ELSE at + interval '30 days' END, at, \
    CASE WHEN number = 62 THEN at END, number::text, sha256(number::text::bytea) \
    FROM account, generate_series(1, 62) AS number, \
    LATERAL (SELECT timestamptz '2026-11-19 09:00Z' + number * interval '1 minute' AS at) AS moment RETURNING 'x'";
/// The browsers of the sessions that are alive, oldest first.
const LIVING: &str = "\
    SELECT user_agent FROM session WHERE ended_at IS NULL AND expires_at > '2026-11-20 09:00Z' ORDER BY created";
/// A row for each statement that waits for a lock.
const WAITING: &str =
    "SELECT 'waiting' FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

#[tokio::test(flavor = "multi_thread")]
async fn a_login_returns_a_signed_access_token_with_all_claims_and_an_opaque_refresh_token() {
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;

    let header = jsonwebtoken::decode_header(&tokens.access_token).unwrap();
    assert_eq!(header.typ.as_deref(), Some("at+jwt"));
    assert_eq!(header.alg, jsonwebtoken::Algorithm::EdDSA);
    let claims = verify(&tokens.access_token, &auth.snapshot().await.keys).unwrap();
    assert_eq!((claims.iss.as_str(), claims.aud.as_str()), ("konomana-auth", "konomana"));
    assert_eq!((claims.sub, claims.scope), (USER, vec!["learner".to_owned()]));
    let now = NOW.unix_timestamp();
    assert_eq!((claims.iat, claims.nbf, claims.exp), (now, now, now + 86_400));
    assert!(!claims.jti.is_nil());
    assert!(auth.is_alive(claims.sid).await);
    // The session id (128 bits) and the secret (256 bits).
    assert_eq!(tokens.refresh_token.len(), 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_case_of_an_email_address_is_ignored_and_that_of_a_password_is_not() {
    let world = World::new().await;
    let mut account = world.account().await;
    account.password_hash = auth::password::hash("CorrectHorse").unwrap();
    world.put(&account).await;
    let auth = world.serve().await;
    for email in ["hanako@demo.example", "HANAKO@DEMO.EXAMPLE"] {
        assert!(auth.try_log_in(email, "CorrectHorse").await.is_ok());
    }
    assert_eq!(reason(auth.try_log_in(EMAIL, "correcthorse").await), "BAD_CREDENTIALS");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_login_starts_a_session() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (one, other) = (auth.log_in().await, auth.log_in().await);
    assert_ne!(sid(&one), sid(&other));
    auth.log_out(sid(&one)).await;
    assert!(!auth.is_alive(sid(&one)).await);
    assert!(auth.is_alive(sid(&other)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_51st_session_of_an_account_ends_the_oldest() {
    let world = World::new().await;
    let auth = world.serve().await;
    world.text(SESSIONS).await;
    let mut watch = auth.watch().await;
    assert!(crate::support::next(&mut watch).await.snapshot);
    let newest = sid(&auth.log_in().await);
    let left = world.text(LIVING).await;
    let wanted: Vec<_> =
        (12..=60).map(|number| number.to_string()).chain(["Mozilla/5.0".to_owned()]).collect();
    assert_eq!(left, wanted);
    assert!(auth.is_alive(newest).await);
    assert_eq!(
        world.text("SELECT sid::text FROM revocation").await.len(),
        11,
        "their access tokens are revoked too"
    );
    auth.log_in().await;
    assert_eq!(world.text(LIVING).await[0], "13", "each further login ends one session");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_sign_ins_count_each_others_session() {
    let world = World::new().await;
    let auth = world.serve().await;
    world.text(SESSIONS).await;
    // Both get as far as they can: the first to the oldest session.
    let mut held = world.database.pool.begin().await.unwrap();
    held.execute(sqlx::raw_sql("SELECT FROM session WHERE user_agent = '1' FOR UPDATE")).await.unwrap();
    let release_once_both_wait = async {
        while world.text(WAITING).await.len() < 2 {}
        held.commit().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(auth.log_in(), auth.log_in(), release_once_both_wait);
    assert_eq!(world.text(LIVING).await.len(), 50);
    assert!(auth.is_alive(sid(&one)).await && auth.is_alive(sid(&other)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_an_unknown_account_get_equal_answers_and_limits() {
    let world = World::new().await;
    let auth = world.serve().await;
    for turn in 0..12 {
        let known = auth.try_log_in(EMAIL, "wrong password").await.unwrap_err();
        let unknown = auth.try_log_in("nobody@demo.example", PASSWORD).await.unwrap_err();
        let look =
            |status: &tonic::Status| (status.code(), status.message().to_owned(), status.details().to_vec());
        assert_eq!(look(&known), look(&unknown), "turn {turn}");
        let expected = if turn < 10 { "BAD_CREDENTIALS" } else { "RATE_LIMITED" };
        assert_eq!(ServiceError::from_status(&known).reason, expected, "turn {turn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_addresses_and_passwords_are_field_errors() {
    let world = World::new().await;
    let auth = world.serve().await;
    let long = "あ".repeat(129);
    for (email, password, field, code) in [
        ("", PASSWORD, "email", "REQUIRED"),
        (EMAIL, "", "password", "REQUIRED"),
        (EMAIL, &long, "password", "TOO_LONG"),
        (&*"a".repeat(255), PASSWORD, "email", "TOO_LONG"),
        ("hanako\0@demo.example", PASSWORD, "email", "INVALID_FORMAT"),
    ] {
        let problem = ServiceError::from_status(&auth.try_log_in(email, password).await.unwrap_err());
        assert_eq!(problem.reason, "INVALID");
        let named: Vec<_> = problem.fields.iter().map(|field| (&*field.name, &*field.code)).collect();
        assert_eq!(named, [(field, code)]);
    }
    for odd in ["\0", "\u{202e}\u{0}", "' OR 1=1 --", &long[..128 * 3]] {
        assert_eq!(reason(auth.try_log_in(EMAIL, odd).await), "BAD_CREDENTIALS", "{odd:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_ten_wrong_passwords_the_right_one_waits_too_and_longer_after_each_further_one() {
    let world = World::new().await;
    let auth = world.serve_with(&["--logins-burst", "1000"]).await;
    for _ in 0..10 {
        assert_eq!(reason(auth.try_log_in(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
    }
    for seconds in [30, 60, 120] {
        let problem = ServiceError::from_status(&auth.try_log_in(EMAIL, PASSWORD).await.unwrap_err());
        assert_eq!(problem.reason, "RATE_LIMITED");
        assert_eq!(problem.retry_after, Some(StdDuration::from_secs(seconds)));
        world.clock.advance(Duration::seconds(seconds.cast_signed()));
        assert_eq!(reason(auth.try_log_in(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_successful_login_clears_the_failures() {
    let world = World::new().await;
    let auth = world.serve().await;
    for _ in 0..2 {
        for _ in 0..9 {
            assert_eq!(reason(auth.try_log_in(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
        }
        auth.log_in().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_of_twenty_concurrent_guesses_are_checked() {
    let world = World::new().await;
    let auth = world.serve().await;
    let guesses = (0..20).map(|_| auth.try_log_in(EMAIL, "wrong password"));
    let mut reasons: Vec<_> = futures_util::future::join_all(guesses).await.into_iter().map(reason).collect();
    reasons.sort_unstable();
    assert_eq!(reasons[..10], ["BAD_CREDENTIALS"; 10]);
    assert_eq!(reasons[10..], ["RATE_LIMITED"; 10]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_a_burst_of_attempts_and_then_the_refill_rate() {
    let world = World::new().await;
    let auth = world.serve_with(&["--logins-burst", "5", "--logins-per-minute", "30"]).await;
    for _ in 0..5 {
        auth.log_in().await;
    }
    let problem = ServiceError::from_status(&auth.try_log_in(EMAIL, PASSWORD).await.unwrap_err());
    assert_eq!(problem.reason, "RATE_LIMITED");
    assert_eq!(problem.retry_after, Some(StdDuration::from_secs(2)));
    auth.log_in_from("203.0.113.10", EMAIL, PASSWORD).await.expect("another address has its own bucket");
    world.clock.advance(Duration::seconds(2));
    auth.log_in().await;
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_the_burst_of_concurrent_logins_from_one_address_passes() {
    let world = World::new().await;
    let auth = world.serve_with(&["--logins-burst", "5", "--hashes-queued", "100"]).await;
    let logins = (0..30).map(|_| auth.try_log_in(EMAIL, PASSWORD));
    let answers = futures_util::future::join_all(logins).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 5);
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(reason(refused), "RATE_LIMITED");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_database_share_every_limit() {
    let world = World::new().await;
    let (one, other) = (
        world.serve_with(&["--logins-burst", "12"]).await,
        world.serve_with(&["--logins-burst", "12"]).await,
    );
    for _ in 0..5 {
        assert_eq!(reason(one.try_log_in(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
        assert_eq!(reason(other.try_log_in(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
    }
    // The bucket of the account is empty, and two tokens of the address are left.
    for server in [&one, &other] {
        let problem = ServiceError::from_status(&server.try_log_in(EMAIL, PASSWORD).await.unwrap_err());
        assert_eq!(problem.retry_after, Some(StdDuration::from_secs(30)));
    }
    for server in [&one, &other] {
        let refused = server.try_log_in("nobody@demo.example", PASSWORD).await.unwrap_err();
        let problem = ServiceError::from_status(&refused);
        assert_eq!(problem.retry_after, Some(StdDuration::from_secs(2)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_beyond_the_hashing_queue_is_refused_with_a_retry_time() {
    let world = World::new().await;
    let auth = world.serve().await;
    let logins = (0..60).map(|_| auth.try_log_in(EMAIL, PASSWORD));
    let answers = futures_util::future::join_all(logins).await;
    // Two run and forty wait; a few more may get a permit that has become free in the meantime.
    let served = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!((42..60).contains(&served), "{served} were served");
    for refused in answers.into_iter().filter(Result::is_err) {
        let problem = ServiceError::from_status(&refused.unwrap_err());
        assert_eq!(problem.reason, "OVERLOADED");
        assert_eq!(problem.retry_after, Some(StdDuration::from_secs(1)));
    }
    auth.log_in_from("203.0.113.10", EMAIL, PASSWORD).await.expect("the queue is empty again");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_store_a_truncated_user_agent() {
    let world = World::new().await;
    let auth = world.serve().await;
    let request = proto::auth::LoginRequest {
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        user_agent: format!("\0Evil\n{}", "あ".repeat(5_000)),
        ..proto::auth::LoginRequest::default()
    };
    auth.client.clone().login(request).await.expect("an odd browser may log in");
    assert_eq!(world.text("SELECT length(user_agent)::text FROM session").await, ["256"]);
    assert_eq!(world.text("SELECT left(user_agent, 5) FROM session").await, ["Evilあ"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_refused_if_the_password_changes_meanwhile() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut account = world.account().await;
    account.password_hash = auth::password::hash("another password").unwrap();
    let mut change = world.database.pool.begin().await.unwrap();
    auth::account::put(&mut change, &account).await.unwrap();
    let change_once_the_login_waits = async {
        while world.text(WAITING).await.is_empty() {}
        change.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(auth.try_log_in(EMAIL, PASSWORD), change_once_the_login_waits);
    assert_eq!(reason(answer), "BAD_CREDENTIALS");
    assert!(world.text("SELECT sid::text FROM session").await.is_empty());
    auth.try_log_in(EMAIL, "another password").await.expect("the new password is right");
}
