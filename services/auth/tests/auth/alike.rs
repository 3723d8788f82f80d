//! Answers and their times don't tell whether an address has an account.
//!
//! Hashes take 4 MiB here instead of 19, for known and unknown addresses. The code path is the same and a thousand
//! pairs take seconds, while one hash still takes longer than the allowed difference. Each of these tests runs alone
//! (`.config/nextest.toml`): it measures time.

use std::time::{Duration, Instant};

use crate::support::{Auth, EMAIL, World};
use proto::auth::{RequestPasswordResetRequest, ResendSignUpRequest, StartSignUpRequest};
use tonic::Status;

const PAIRS: usize = 1_000;
/// Maximum difference between the medians.
const GAP: Duration = Duration::from_millis(2);

/// A server with small hashes and without limits that the test would reach, and one account with a small hash.
async fn begin() -> (World, Auth) {
    let world = World::new().await;
    let mut account = world.account().await;
    let mut memory = auth::password::Memory::default();
    account.password_hash = auth::password::hash_in(4096, "whatever it is", &mut memory).unwrap();
    world.put(&account).await;
    let auth = world
        .serve_with(&[
            "--hash-memory-kib=4096",
            "--logins-burst=1000000",
            "--failures-limit=1000000",
            "--mails-burst=1000000",
            "--sign-ups-per-hour=1000000",
            "--sign-up-mails-per-hour=1000000",
            "--sign-up-mails-per-address-per-hour=1000000",
            "--resets-per-hour=1000000",
            "--resend-after=1",
        ])
        .await;
    (world, auth)
}

/// What a caller sees of an answer, without its secrets and times.
fn describe<Answer>(answer: Result<Answer, Status>, show: impl Fn(Answer) -> String) -> String {
    match answer {
        Ok(answer) => show(answer),
        Err(status) => format!("{:?} {} {:?}", status.code(), status.message(), status.details()),
    }
}

/// Compares a thousand interleaved pairs: all answers look the same, and the medians of their times are close.
async fn compare(what: &str, ask: impl AsyncFn(bool, usize) -> String) {
    let mut times = [Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS)];
    for turn in 0..PAIRS {
        let mut looks = [String::new(), String::new()];
        // The order alternates.
        for known in [turn % 2 == 0, turn % 2 != 0] {
            let began = Instant::now();
            looks[usize::from(known)] = ask(known, turn).await;
            times[usize::from(known)].push(began.elapsed());
        }
        assert_eq!(looks[0], looks[1], "{what}, turn {turn}");
    }
    let [unknown, known] = times.map(|mut times| {
        times.sort_unstable();
        times[PAIRS / 2]
    });
    let gap = known.abs_diff(unknown);
    assert!(gap < GAP, "{what}: {known:?} with an account, {unknown:?} without");
}

fn email(known: bool) -> String {
    if known { EMAIL.to_owned() } else { "nobody@demo.example".to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn logins_do_not_reveal_accounts() {
    let (_world, auth) = begin().await;
    compare("login", async |known, _| {
        describe(auth.try_log_in(&email(known), "a wrong password").await, |_| "let in".to_owned())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn password_resets_do_not_reveal_accounts() {
    let (_world, auth) = begin().await;
    compare("reset", async |known, _| {
        let request = RequestPasswordResetRequest { email: email(known), client_address: String::new() };
        describe(auth.entry.clone().request_password_reset(request).await, |_| "asked".to_owned())
    })
    .await;
}

async fn start(auth: &Auth, email: String) -> Result<(String, String), Status> {
    let request = StartSignUpRequest {
        email,
        password: "umi-no-mieru-eki-42".to_owned(),
        kind: "learner".to_owned(),
        terms: true,
        ..StartSignUpRequest::default()
    };
    let begun = auth.entry.clone().start_sign_up(request).await?.into_inner();
    let look = format!("{} {} {:?}", begun.sign_up.len(), begun.resend_after, begun.expires_at);
    Ok((begun.sign_up, look))
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ups_do_not_reveal_accounts() {
    let (_world, auth) = begin().await;
    compare("sign-up", async |known, _| describe(start(&auth, email(known)).await, |(_, look)| look)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_mails_do_not_reveal_accounts() {
    let (world, auth) = begin().await;
    let handles = [start(&auth, email(false)).await.unwrap().0, start(&auth, email(true)).await.unwrap().0];
    compare("resend", async |known, turn| {
        if turn % 2 != usize::from(known) {
            // This request is the first of its pair.
            world.clock.advance(time::Duration::SECOND);
        }
        let request = ResendSignUpRequest {
            sign_up: handles[usize::from(known)].clone(),
            client_address: String::new(),
        };
        describe(auth.entry.clone().resend_sign_up(request).await, |answer| {
            answer.into_inner().resend_after.to_string()
        })
    })
    .await;
}
