//! How many mails strangers can cause: by mailbox, whatever tag is typed, and in all.

use crate::support::{Auth, World, reason};
use kit::error::Problem;
use proto::auth::{RequestPasswordResetRequest, StartSignUpRequest, StartSignUpResponse};
use time::Duration;
use tonic::Status;

impl Auth {
    async fn start_sign_up(&self, email: &str, address: &str) -> Result<StartSignUpResponse, Status> {
        let request = StartSignUpRequest {
            email: email.to_owned(),
            password: "umi-no-mieru-eki-42".to_owned(),
            kind: "learner".to_owned(),
            terms: true,
            client_address: address.to_owned(),
            ..StartSignUpRequest::default()
        };
        self.entry.clone().start_sign_up(request).await.map(tonic::Response::into_inner)
    }

    async fn ask_for_reset(&self, email: &str) -> Result<(), Status> {
        let request =
            RequestPasswordResetRequest { email: email.to_owned(), ..RequestPasswordResetRequest::default() };
        self.entry.clone().request_password_reset(request).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_dots_and_capitals_are_one_mailbox() {
    let world = World::new().await;
    let auth = world.serve().await;
    let typed = [
        "victim@gmail.com",
        "VICTIM+1@gmail.com",
        "v.i.c.t.i.m@gmail.com",
        "victim+x+y@googlemail.com",
        "vic.tim+3@gmail.com",
        "victim+4@gmail.com",
    ];
    for (turn, email) in typed.iter().enumerate() {
        let answer = auth.start_sign_up(email, &format!("198.51.{turn}.1")).await;
        if turn < 5 {
            answer.expect(email);
        } else {
            assert_eq!(reason(answer), "RATE_LIMITED", "{email}");
        }
    }
    auth.start_sign_up("victim@demo.example", "198.51.100.1").await.expect("another mailbox");
    for (turn, email) in typed[1..5].iter().enumerate() {
        let answer = auth.ask_for_reset(email).await;
        if turn < 3 {
            answer.expect(email);
        } else {
            assert_eq!(reason(answer), "RATE_LIMITED", "{email}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_service_sends_so_many_sign_up_mails_an_hour_whoever_asks() {
    let world = World::new().await;
    let limit = ["--sign-up-mails-per-hour", "4"];
    let servers = [world.serve_with(&limit).await, world.serve_with(&limit).await];
    let person = |turn: usize| (format!("person{turn}@demo.example"), format!("198.51.{turn}.1"));
    for turn in 0..4 {
        let (email, address) = person(turn);
        servers[turn % 2].start_sign_up(&email, &address).await.expect("there is room");
    }
    let rows = "SELECT count(*)::text FROM sign_up UNION ALL SELECT count(*)::text FROM link";
    for turn in 4..8 {
        let (email, address) = person(turn);
        let refused = servers[turn % 2].start_sign_up(&email, &address).await.unwrap_err();
        let problem = Problem::from_status(&refused);
        assert_eq!(problem.reason, "RATE_LIMITED");
        assert_eq!(problem.retry_after, Some(std::time::Duration::from_mins(15)));
    }
    assert_eq!(world.text(rows).await, ["4", "4"], "nothing is kept of who was refused");
    servers[0].ask_for_reset("person0@demo.example").await.expect("other mails go out as always");
    world.clock.advance(Duration::minutes(15));
    let (email, address) = person(4);
    // Five tries of one mailbox: none of the refused ones was counted.
    servers[0].start_sign_up(&email, &address).await.expect("one came back");
    let (email, address) = person(5);
    assert_eq!(reason(servers[1].start_sign_up(&email, &address).await), "RATE_LIMITED");
}
