//! Refresh: one successor within the grace period, the end of the session after it.

use std::collections::HashSet;

use crate::support::{ADDRESS, EMAIL, PASSWORD, World, reason, sid, verify};
use kit::error::{Code, ServiceError};
use time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_uses_of_one_token_return_one_successor() {
    let world = World::new().await;
    let auth = world.serve_with(&["--session-refreshes-per-hour", "3600"]).await;
    let mut tokens = auth.log_in().await;
    let session = sid(&tokens);
    for round in 0..200 {
        let uses = (0..16).map(|_| auth.refresh(&tokens.refresh_token));
        let answers: Vec<_> = futures_util::future::join_all(uses)
            .await
            .into_iter()
            .map(|answer| answer.unwrap_or_else(|status| panic!("round {round}: {status}")))
            .collect();
        let successors: HashSet<_> = answers.iter().map(|answer| &answer.refresh_token).collect();
        assert_eq!(successors.len(), 1, "round {round}");
        assert!(!successors.contains(&tokens.refresh_token));
        assert!(answers.iter().all(|answer| sid(answer) == session));
        tokens = answers.into_iter().next().unwrap();
        world.clock.advance(Duration::seconds(1));
    }
    let kept = "SELECT count(*)::text FROM refresh_token";
    assert_eq!(world.text(kept).await, ["51"], "the current token and the last fifty used ones");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_refreshes_at_most_sixty_times_an_hour_and_survives_a_refusal() {
    let world = World::new().await;
    let servers = [world.serve().await, world.serve().await];
    let mut tokens = servers[0].log_in().await;
    let bystander = servers[0].log_in().await;
    for turn in 0..60 {
        tokens = servers[turn % 2].refresh(&tokens.refresh_token).await.expect("the token is valid");
    }
    let used_before = "SELECT count(*)::text FROM refresh_token WHERE used_at IS NOT NULL";
    let used = world.text(used_before).await;
    for server in &servers {
        let problem = ServiceError::from_status(&server.refresh(&tokens.refresh_token).await.unwrap_err());
        assert_eq!(problem.reason, "RATE_LIMITED");
        assert_eq!(problem.retry_after, Some(std::time::Duration::from_mins(1)));
    }
    assert_eq!(world.text(used_before).await, used, "a refused token stays valid");
    servers[1].refresh(&bystander.refresh_token).await.expect("another session has its own limit");
    // Longer than the grace period of a used token.
    world.clock.advance(Duration::minutes(1));
    tokens = servers[1].refresh(&tokens.refresh_token).await.expect("the session is alive");
    assert!(servers[0].is_alive(sid(&tokens)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_token_that_is_no_longer_stored_ends_its_family() {
    let world = World::new().await;
    let auth = world.serve().await;
    let first = auth.log_in().await;
    let mut tokens = first.clone();
    for _ in 0..55 {
        world.clock.advance(Duration::minutes(2));
        tokens = auth.refresh(&tokens.refresh_token).await.unwrap();
    }
    assert_eq!(world.text("SELECT count(*)::text FROM refresh_token").await, ["51"]);
    assert_eq!(reason(auth.refresh(&first.refresh_token).await), "REFRESH_DEAD");
    assert!(!auth.is_alive(sid(&tokens)).await, "two parties hold the token");
    assert_eq!(reason(auth.refresh(&tokens.refresh_token).await), "REFRESH_DEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_token_ends_its_family_even_at_the_rate_limit() {
    let world = World::new().await;
    let auth = world.serve_with(&["--session-refreshes-per-hour", "2"]).await;
    let first = auth.log_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    auth.refresh(&second.refresh_token).await.unwrap();
    world.clock.advance(Duration::seconds(11));
    assert_eq!(reason(auth.refresh(&first.refresh_token).await), "REFRESH_DEAD");
    assert!(!auth.is_alive(sid(&first)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_token_does_not_end_the_session_that_it_names() {
    use base64::Engine as _;
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let mut forged = engine.decode(&tokens.refresh_token).unwrap();
    assert_eq!(forged[..16], *sid(&tokens).as_bytes());
    for byte in 16..forged.len() {
        forged[byte] ^= 1;
        assert_eq!(reason(auth.refresh(&engine.encode(&forged)).await), "REFRESH_DEAD");
    }
    auth.refresh(&tokens.refresh_token).await.expect("the session is alive");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_with_short_tokens_keeps_that_form_and_new_sessions_use_the_long_one() {
    use base64::Engine as _;
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    assert_eq!(tokens.refresh_token.len(), 64);
    let sid = sid(&tokens);
    let short = [sid.as_bytes().as_slice(), &[9; 16]].concat();
    let issue = format!(
        "INSERT INTO refresh_token (hash, sid, issued_at) \
         VALUES (sha256(uuid_send('{sid}') || decode(repeat('09', 16), 'hex')), '{sid}', now())"
    );
    world.text(&issue).await;
    let mut token = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&short);
    for _ in 0..3 {
        assert_eq!(token.len(), 43);
        token = auth.refresh(&token).await.expect("the session is alive").refresh_token;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_return_the_same_successor() {
    let world = World::new().await;
    let (one, other) = (world.serve().await, world.serve().await);
    let tokens = one.log_in().await;
    let (first, second) =
        tokio::join!(one.refresh(&tokens.refresh_token), other.refresh(&tokens.refresh_token));
    assert_eq!(first.unwrap().refresh_token, second.unwrap().refresh_token);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_token_returns_the_same_successor_for_ten_seconds_even_after_that_was_used() {
    let world = World::new().await;
    let auth = world.serve().await;
    let first = auth.log_in().await.refresh_token;
    let second = auth.refresh(&first).await.unwrap().refresh_token;
    let third = auth.refresh(&second).await.unwrap().refresh_token;
    world.clock.advance(Duration::seconds(10));
    assert_eq!(auth.refresh(&first).await.unwrap().refresh_token, second);
    assert_eq!(auth.refresh(&second).await.unwrap().refresh_token, third);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_used_again_after_ten_seconds_ends_its_whole_family_at_once() {
    let world = World::new().await;
    let auth = world.serve().await;
    let bystander = auth.log_in().await;
    let first = auth.log_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let mut watcher = auth.watch().await;
    crate::support::next(&mut watcher).await;

    world.clock.advance(Duration::milliseconds(10_001));
    let refused = auth.refresh(&first.refresh_token).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&refused).code, Code::Unauthenticated);
    assert_eq!(reason(Err::<(), _>(refused)), "REFRESH_DEAD");
    assert_eq!(reason(auth.refresh(&second.refresh_token).await), "REFRESH_DEAD");
    assert!(!auth.is_alive(sid(&first)).await);
    assert_eq!(crate::support::next_revoked(&mut watcher).await, [sid(&first).to_string()]);

    assert!(auth.is_alive(sid(&bystander)).await);
    auth.refresh(&bystander.refresh_token).await.expect("another session of the account is alive");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_thirty_days_after_its_login_however_often_it_was_refreshed() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut tokens = auth.log_in().await;
    let session = sid(&tokens);
    for _ in 0..29 {
        world.clock.advance(Duration::days(1));
        tokens = auth.refresh(&tokens.refresh_token).await.unwrap();
    }
    world.clock.advance(Duration::hours(23));
    tokens = auth.refresh(&tokens.refresh_token).await.expect("an hour is left");
    let claims = verify(&tokens.access_token, &auth.snapshot().await.keys).unwrap();
    assert_eq!(claims.exp - claims.iat, 3_600, "no access token outlives its session");

    world.clock.advance(Duration::hours(1));
    assert_eq!(reason(auth.refresh(&tokens.refresh_token).await), "REFRESH_DEAD");
    assert!(!auth.is_alive(session).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refreshed_access_token_has_the_current_scopes() {
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    let mut account = world.account().await;
    account.scope = vec!["learner".to_owned(), "guardian".to_owned()];
    world.put(&account).await;
    let tokens = auth.refresh(&tokens.refresh_token).await.unwrap();
    let claims = verify(&tokens.access_token, &auth.snapshot().await.keys).unwrap();
    assert_eq!(claims.scope, ["learner", "guardian"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_an_ended_session_is_refused_like_an_invalid_one() {
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    auth.log_out(sid(&tokens)).await;
    let unknown = "A".repeat(43);
    for dead in [&tokens.refresh_token, &unknown, "", "\0", "junk", &tokens.access_token] {
        assert_eq!(reason(auth.refresh(dead).await), "REFRESH_DEAD", "{dead:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_tokens_are_limited_by_address_and_valid_ones_are_not() {
    let world = World::new().await;
    let auth = world.serve_with(&["--refreshes-burst", "3", "--refreshes-per-minute", "30"]).await;
    let mut tokens = auth.log_in().await;
    let unknown = "A".repeat(43);
    for _ in 0..3 {
        assert_eq!(reason(auth.refresh(&unknown).await), "REFRESH_DEAD");
    }
    let problem = ServiceError::from_status(&auth.refresh(&unknown).await.unwrap_err());
    assert_eq!(problem.reason, "RATE_LIMITED");
    assert_eq!(problem.retry_after, Some(std::time::Duration::from_secs(2)));
    for _ in 0..10 {
        tokens = auth.refresh(&tokens.refresh_token).await.expect("a live token is not limited");
    }
    auth.log_in_from(ADDRESS, EMAIL, PASSWORD).await.expect("a login is not limited");
}
