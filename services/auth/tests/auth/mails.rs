//! Limits on mails that strangers can cause: for a mailbox with any tag, for a network, and for the service.

use crate::support::{Auth, World, reason};
use kit::error::ServiceError;
use proto::auth::{
    RequestPasswordResetRequest, ResendSignUpRequest, StartSignUpRequest, StartSignUpResponse,
};
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

    async fn resend_sign_up(&self, sign_up: &str, address: &str) -> Result<(), Status> {
        let request = ResendSignUpRequest { sign_up: sign_up.to_owned(), client_address: address.to_owned() };
        self.entry.clone().resend_sign_up(request).await.map(drop)
    }

    async fn request_password_reset(&self, email: &str) -> Result<(), Status> {
        let request =
            RequestPasswordResetRequest { email: email.to_owned(), ..RequestPasswordResetRequest::default() };
        self.entry.clone().request_password_reset(request).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_with_tags_dots_or_capitals_are_one_mailbox() {
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
        let answer = auth.request_password_reset(email).await;
        if turn < 3 {
            answer.expect(email);
        } else {
            assert_eq!(reason(answer), "RATE_LIMITED", "{email}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_service_has_an_hourly_limit_of_sign_up_mails() {
    let world = World::new().await;
    let limit = ["--sign-up-mails-per-hour", "4"];
    let servers = [world.serve_with(&limit).await, world.serve_with(&limit).await];
    let person = |turn: usize| (format!("person{turn}@demo.example"), format!("198.51.{turn}.1"));
    for turn in 0..4 {
        let (email, address) = person(turn);
        servers[turn % 2].start_sign_up(&email, &address).await.expect("the limit is not reached");
    }
    let rows = "SELECT count(*)::text FROM sign_up UNION ALL SELECT count(*)::text FROM link";
    for turn in 4..8 {
        let (email, address) = person(turn);
        let refused = servers[turn % 2].start_sign_up(&email, &address).await.unwrap_err();
        let problem = ServiceError::from_status(&refused);
        assert_eq!(problem.reason, "RATE_LIMITED");
        assert_eq!(problem.retry_after, Some(std::time::Duration::from_mins(15)));
    }
    assert_eq!(world.text(rows).await, ["4", "4"], "a refused sign-up leaves no rows");
    servers[0].request_password_reset("person0@demo.example").await.expect("other mails are not limited");
    world.clock.advance(Duration::minutes(15));
    let (email, address) = person(4);
    // Five attempts for one mailbox. The refused ones were not counted.
    servers[0].start_sign_up(&email, &address).await.expect("one token was refilled");
    let (email, address) = person(5);
    assert_eq!(reason(servers[1].start_sign_up(&email, &address).await), "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_gets_a_small_share_of_the_hourly_sign_up_mails() {
    let world = World::new().await;
    let limits = world.config(&[]).limits;
    let most = 4 * limits.sign_up_mails_per_address_per_hour;
    assert!(most * 10 <= limits.sign_up_mails_per_hour, "by default a network has at most a tenth");

    let auth = world
        .serve_with(&[
            "--hash-memory-kib=64",
            "--sign-up-mails-per-hour=40",
            "--sign-up-mails-per-address-per-hour=2",
        ])
        .await;
    let mut person = 0;
    // Number of mails sent when each of these addresses requests three.
    let mut sent = async |addresses: Vec<String>| {
        let mut sent = 0;
        for address in addresses.iter().flat_map(|address| [address; 3]) {
            person += 1;
            let answer = auth.start_sign_up(&format!("person{person}@demo.example"), address).await;
            match answer {
                Ok(_) => sent += 1,
                refused => assert_eq!(reason(refused), "RATE_LIMITED", "{address}"),
            }
        }
        sent
    };
    assert_eq!(sent(vec!["203.0.113.9".to_owned()]).await, 2, "an IPv4 address");
    let network = (1..8).map(|host| format!("203.0.113.{host}")).collect();
    assert_eq!(sent(network).await, 6, "the rest of its /24");
    assert_eq!(sent(vec!["2001:db8::1".to_owned(), "2001:db8::2".to_owned()]).await, 2, "a /64");
    let network = (1..8).map(|subnet| format!("2001:db8:0:{subnet:x}::1")).collect();
    assert_eq!(sent(network).await, 2, "the rest of its /56");
    let network = (1..8).map(|subnet| format!("2001:db8:0:{subnet:x}00::1")).collect();
    assert_eq!(sent(network).await, 4, "the rest of its /48");
    let first = auth.start_sign_up("person@demo.example", "198.51.100.1").await.expect("another network");
    // A mail that is sent again counts too.
    auth.start_sign_up("another@demo.example", "198.51.100.1").await.expect("the second");
    world.clock.advance(Duration::MINUTE);
    assert_eq!(reason(auth.resend_sign_up(&first.sign_up, "198.51.100.1").await), "RATE_LIMITED");
    auth.resend_sign_up(&first.sign_up, "192.0.2.1").await.expect("from elsewhere");
}
