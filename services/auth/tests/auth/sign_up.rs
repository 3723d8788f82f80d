//! Sign-up: from an e-mail address and a password to an account, without telling strangers anything.

use crate::support::{ADDRESS, Auth, EMAIL, NOW, USER, World, reason, verify};
use futures_util::future::join_all;
use kit::error::ServiceError;
use proto::auth::verify_sign_up_request::Proof;
use proto::auth::{
    AccountCreated, CompleteSignUpRequest, GetSignUpRequest, GetSignUpResponse, ResendSignUpRequest,
    SignUpCode, SignUpOfAccount, SignUpStarted, SignUpState, StartSignUpRequest, StartSignUpResponse, Tokens,
    VerifySignUpRequest, VerifySignUpResponse,
};
use time::Duration;
use tonic::Status;

const NEW: &str = "Taro@demo.example";
const PASSWORD: &str = "umi-no-mieru-eki-42";
/// The password chosen after the link was opened.
const OWN_PASSWORD: &str = "yama-no-ue-no-hoshi-7";

fn start(email: &str) -> StartSignUpRequest {
    StartSignUpRequest {
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
        kind: "learner".to_owned(),
        terms: true,
        news: true,
        campaign: "exam-parent".to_owned(),
        client_address: ADDRESS.to_owned(),
    }
}

fn person(sign_up: &str) -> CompleteSignUpRequest {
    CompleteSignUpRequest {
        sign_up: sign_up.to_owned(),
        last_name: "鈴木".to_owned(),
        first_name: "太郎".to_owned(),
        last_name_kana: "すずき".to_owned(),
        first_name_kana: "ﾀﾛｳ".to_owned(),
        birth_date: "2011年4月1日".to_owned(),
        school_year: None,
        client_address: ADDRESS.to_owned(),
        user_agent: "Mozilla/5.0".to_owned(),
        password: None,
        ..CompleteSignUpRequest::default()
    }
}

/// The personal data of a person who has opened the link.
fn person_with_password(sign_up: &str, password: &str) -> CompleteSignUpRequest {
    CompleteSignUpRequest { password: Some(password.to_owned()), ..person(sign_up) }
}

impl Auth {
    async fn start(&self, email: &str) -> StartSignUpResponse {
        self.try_start(start(email)).await.expect("the sign-up starts")
    }

    async fn try_start(&self, request: StartSignUpRequest) -> Result<StartSignUpResponse, Status> {
        Ok(self.entry.clone().start_sign_up(request).await?.into_inner())
    }

    async fn resend(&self, sign_up: &str) -> Result<u32, Status> {
        let request = ResendSignUpRequest { sign_up: sign_up.to_owned(), client_address: ADDRESS.to_owned() };
        Ok(self.entry.clone().resend_sign_up(request).await?.into_inner().resend_after)
    }

    async fn enter_code(&self, sign_up: &str, code: &str) -> Result<VerifySignUpResponse, Status> {
        self.prove(Proof::Code(SignUpCode { sign_up: sign_up.to_owned(), code: code.to_owned() })).await
    }

    async fn link(&self, token: &str) -> Result<VerifySignUpResponse, Status> {
        self.prove(Proof::Token(token.to_owned())).await
    }

    async fn prove(&self, proof: Proof) -> Result<VerifySignUpResponse, Status> {
        let request = VerifySignUpRequest { proof: Some(proof), client_address: ADDRESS.to_owned() };
        Ok(self.entry.clone().verify_sign_up(request).await?.into_inner())
    }

    async fn get(&self, sign_up: &str) -> Result<GetSignUpResponse, Status> {
        let request = GetSignUpRequest { sign_up: sign_up.to_owned(), client_address: ADDRESS.to_owned() };
        Ok(self.entry.clone().get_sign_up(request).await?.into_inner())
    }

    async fn state(&self, sign_up: &str) -> SignUpState {
        self.get(sign_up).await.expect("the sign-up exists").state()
    }

    async fn complete(&self, request: CompleteSignUpRequest) -> Result<Tokens, Status> {
        let answer = self.entry.clone().complete_sign_up(request).await?;
        Ok(answer.into_inner().tokens.expect("the answer has tokens"))
    }
}

/// A code that differs from this one.
fn other(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_learner_signs_up_with_the_code() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    assert_eq!((begun.sign_up.len(), begun.resend_after), (43, 60));
    assert_eq!(begun.expires_at.unwrap().seconds, (NOW + Duration::DAY).unix_timestamp());
    let mail: SignUpStarted = world.last().await;
    assert_eq!((mail.to.as_str(), mail.code.len(), mail.token.len()), (NEW, 6, 43));
    assert_eq!(mail.expires_at, begun.expires_at);
    assert_eq!(auth.state(&begun.sign_up).await, SignUpState::Waiting);
    assert_eq!(reason(auth.complete(person(&begun.sign_up)).await), "NOT_VERIFIED");

    let verified = auth.enter_code(&begun.sign_up, &mail.code).await.expect("the code is right");
    assert_eq!(verified.sign_up, begun.sign_up);
    assert_eq!((verified.email.as_str(), verified.kind.as_str()), (NEW, "learner"));
    assert_eq!(auth.state(&begun.sign_up).await, SignUpState::Verified);
    assert_eq!(
        reason(auth.enter_code(&begun.sign_up, &mail.code).await),
        "CODE_EXPIRED",
        "a code works once"
    );

    let tokens = auth.complete(person(&begun.sign_up)).await.expect("all fields are valid");
    let claims = verify(&tokens.access_token, &auth.snapshot().await.keys).unwrap();
    assert_eq!(claims.scope, ["learner"]);
    assert!(auth.is_alive(claims.sid).await);
    assert_eq!(auth.state(&begun.sign_up).await, SignUpState::Done);
    assert_eq!(
        reason(auth.complete(person(&begun.sign_up)).await),
        "LINK_DEAD",
        "an account is created once"
    );
    let told: AccountCreated = world.last().await;
    assert_eq!((told.to.as_str(), told.name.as_str()), (NEW, "鈴木 太郎"));
    assert_eq!(told.account_id, claims.sub.to_string());
    let row = "SELECT concat_ws(' ', last_name, first_name, last_name_kana, first_name_kana, birth_date, campaign, \
               news, school_year_shift, terms_at AT TIME ZONE 'UTC') FROM account WHERE email_key = 'taro@demo.example'";
    assert_eq!(
        world.text(row).await,
        ["鈴木 太郎 スズキ タロウ 2011-04-01 exam-parent t 0 2026-11-20 09:00:00"]
    );
    auth.try_log_in(NEW, PASSWORD).await.expect("the password of the start is in force");
    assert!(world.text("SELECT email FROM sign_up WHERE password_hash IS NOT NULL").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_continues_on_another_device_and_the_first_browser_sees_it() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun =
        auth.try_start(StartSignUpRequest { kind: "guardian".to_owned(), ..start(NEW) }).await.unwrap();
    let mail: SignUpStarted = world.last().await;
    let elsewhere = auth.link(&mail.token).await.expect("the link is valid");
    assert_eq!((elsewhere.email.as_str(), elsewhere.kind.as_str()), (NEW, "guardian"));
    assert_ne!(elsewhere.sign_up, begun.sign_up, "the first browser's handle is not in the mail");
    assert_eq!(reason(auth.link(&mail.token).await), "LINK_DEAD", "a link works once");
    for sign_up in [&begun.sign_up, &elsewhere.sign_up] {
        assert_eq!(auth.state(sign_up).await, SignUpState::Verified);
    }
    let whole = person_with_password(&elsewhere.sign_up, OWN_PASSWORD);
    let pupil = CompleteSignUpRequest { school_year: Some("高1".to_owned()), ..whole.clone() };
    let problem = ServiceError::from_status(&auth.complete(pupil).await.unwrap_err());
    assert_eq!((&*problem.fields[0].name, &*problem.fields[0].code), ("school_year", "UNKNOWN_CHOICE"));
    for too_young in ["2011-04-01", "2008-11-21"] {
        let too_young = CompleteSignUpRequest { birth_date: too_young.to_owned(), ..whole.clone() };
        let problem = ServiceError::from_status(&auth.complete(too_young).await.unwrap_err());
        assert_eq!((&*problem.fields[0].name, &*problem.fields[0].code), ("birth_date", "GUARDIAN_UNDER_18"));
    }
    let whole = CompleteSignUpRequest { birth_date: "2008-11-20".to_owned(), ..whole };
    let tokens = auth.complete(whole).await.expect("18 today");
    assert_eq!(verify(&tokens.access_token, &auth.snapshot().await.keys).unwrap().scope, ["guardian"]);
    assert_eq!(auth.state(&begun.sign_up).await, SignUpState::Done);
    assert_eq!(reason(auth.complete(person(&begun.sign_up)).await), "LINK_DEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_up_with_anothers_address_gains_nothing_when_the_owner_opens_the_link() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    let owner = auth.link(&mail.token).await.expect("the link is valid");
    assert_eq!(
        reason(auth.complete(person(&begun.sign_up)).await),
        "NOT_VERIFIED",
        "another browser's proof does not count"
    );
    let of_them = person_with_password(&begun.sign_up, PASSWORD);
    assert_eq!(reason(auth.complete(of_them).await), "NOT_VERIFIED");
    for (password, code) in
        [(None, "REQUIRED"), (Some("short"), "TOO_SHORT"), (Some("suzuki太郎suzuki"), "GUESSABLE")]
    {
        let request =
            CompleteSignUpRequest { password: password.map(str::to_owned), ..person(&owner.sign_up) };
        let problem = ServiceError::from_status(&auth.complete(request).await.unwrap_err());
        assert_eq!((&*problem.fields[0].name, &*problem.fields[0].code), ("password", code));
    }
    // Even after entering the code the owner does not get the other person's password.
    auth.enter_code(&owner.sign_up, &mail.code).await.expect("the code was not used");
    assert!(auth.complete(person(&owner.sign_up)).await.is_err());
    auth.complete(person_with_password(&owner.sign_up, OWN_PASSWORD)).await.expect("all fields are valid");
    assert_eq!(reason(auth.try_log_in(NEW, PASSWORD).await), "BAD_CREDENTIALS");
    auth.try_log_in(NEW, OWN_PASSWORD).await.expect("the owner's password works");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_continues_in_the_first_browser_after_the_link_was_opened_elsewhere() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    auth.link(&mail.token).await.expect("the link is valid");
    auth.enter_code(&begun.sign_up, &mail.code).await.expect("the code was not used");
    auth.complete(person(&begun.sign_up)).await.expect("all fields are valid");
    auth.try_log_in(NEW, PASSWORD).await.expect("the password of the start is in force");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_16_concurrent_calls_uses_the_link_and_one_creates_the_account() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    let opened = join_all((0..16).map(|_| auth.link(&mail.token))).await;
    assert_eq!(opened.iter().filter(|answer| answer.is_ok()).count(), 1);
    auth.enter_code(&begun.sign_up, &mail.code).await.expect("the code was not used");
    let made = join_all((0..16).map(|_| auth.complete(person(&begun.sign_up)))).await;
    assert_eq!(made.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in made.into_iter().filter(Result::is_err) {
        assert_eq!(reason(refused), "LINK_DEAD");
    }
    assert_eq!(world.text("SELECT count(*)::text FROM account").await, ["2"]);
    assert_eq!(world.text("SELECT count(*)::text FROM session").await, ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_with_an_account_gets_the_same_answer_and_only_its_owner_is_notified() {
    let world = World::new().await;
    let auth = world.serve().await;
    let known = auth.start(EMAIL).await;
    let told: SignUpOfAccount = world.last().await;
    assert_eq!((told.to.as_str(), told.account_id), (EMAIL, USER.to_string()));
    let unknown = auth.start("nobody@demo.example").await;
    assert_eq!(
        (known.sign_up.len(), known.resend_after, known.expires_at),
        (unknown.sign_up.len(), unknown.resend_after, unknown.expires_at)
    );
    assert_eq!(auth.state(&known.sign_up).await, auth.state(&unknown.sign_up).await);
    assert_eq!(auth.resend(&known.sign_up).await.unwrap_err().code(), tonic::Code::ResourceExhausted);
    world.clock.advance(Duration::MINUTE);
    assert_eq!(auth.resend(&known.sign_up).await.unwrap(), 60);
    let again: SignUpOfAccount = world.last().await;
    assert_eq!(again.to, EMAIL);
    assert_eq!(auth.resend(&unknown.sign_up).await.unwrap(), 60);
    for _ in 0..5 {
        assert_eq!(reason(auth.enter_code(&known.sign_up, "000000").await), "CODE_WRONG");
    }
    for _ in 0..2 {
        assert_eq!(reason(auth.enter_code(&known.sign_up, "000000").await), "CODE_TRIES_OVER");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_code_verifies_the_sign_up_of_an_address_with_an_account() {
    let world = World::new().await;
    let auth = world.serve_with(&["--code-tries", "5"]).await;
    let begun = auth.start(EMAIL).await;
    // This includes the correct code, whose hash is stored but which was never sent. The test writes one to the
    // database.
    let mail = auth.start(NEW).await;
    let real: SignUpStarted = world.last().await;
    world.text(&format!("UPDATE sign_up SET decoy_of = '{USER}' WHERE email = '{NEW}'")).await;
    assert_eq!(reason(auth.enter_code(&mail.sign_up, &real.code).await), "CODE_WRONG");
    assert_eq!(reason(auth.link(&real.token).await), "LINK_DEAD");
    for sign_up in [&mail.sign_up, &begun.sign_up] {
        assert_eq!(auth.state(sign_up).await, SignUpState::Waiting);
        assert_eq!(reason(auth.complete(person(sign_up)).await), "NOT_VERIFIED");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn five_wrong_codes_are_checked_until_another_is_mailed() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    let wrong = other(&mail.code);
    let mut reasons: Vec<_> = join_all((0..16).map(|_| auth.enter_code(&begun.sign_up, &wrong)))
        .await
        .into_iter()
        .map(reason)
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons.iter().filter(|reason| *reason == "CODE_WRONG").count(), 5, "{reasons:?}");
    assert_eq!(reason(auth.enter_code(&begun.sign_up, &mail.code).await), "CODE_TRIES_OVER");

    world.clock.advance(Duration::MINUTE);
    auth.resend(&begun.sign_up).await.unwrap();
    let newer: SignUpStarted = world.last().await;
    if newer.code != mail.code {
        assert_eq!(
            reason(auth.enter_code(&begun.sign_up, &mail.code).await),
            "CODE_WRONG",
            "the earlier code is invalid"
        );
    }
    auth.enter_code(&begun.sign_up, &newer.code).await.expect("the newer code is right");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_can_be_resent_after_a_minute_and_five_times_an_hour() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    world.clock.advance(Duration::seconds(59));
    let problem = ServiceError::from_status(&auth.resend(&begun.sign_up).await.unwrap_err());
    assert_eq!(problem.reason, "RESEND_TOO_SOON");
    assert_eq!(problem.retry_after, Some(std::time::Duration::from_secs(1)));
    for _ in 0..4 {
        world.clock.advance(Duration::MINUTE);
        assert_eq!(auth.resend(&begun.sign_up).await.unwrap(), 60);
    }
    world.clock.advance(Duration::MINUTE);
    assert_eq!(reason(auth.resend(&begun.sign_up).await), "RATE_LIMITED");
    let elsewhere = StartSignUpRequest { client_address: "198.51.100.1".to_owned(), ..start(NEW) };
    assert_eq!(reason(auth.try_start(elsewhere).await), "RATE_LIMITED", "for every client and in any case");
    assert_eq!(world.events().await.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_links_and_sign_ups_are_valid_for_a_day_and_verified_ones_for_another() {
    let world = World::new().await;
    let auth = world.serve().await;
    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    let late = auth.start("late@demo.example").await;
    world.clock.advance(Duration::DAY - Duration::SECOND);
    let opened = auth.link(&mail.token).await.expect("the link is valid for a day");
    world.clock.advance(Duration::SECOND);
    assert_eq!(reason(auth.get(&late.sign_up).await), "LINK_DEAD");
    assert_eq!(reason(auth.enter_code(&late.sign_up, "000000").await), "LINK_DEAD");
    assert_eq!(reason(auth.resend(&late.sign_up).await), "LINK_DEAD");
    assert_eq!(auth.state(&begun.sign_up).await, SignUpState::Verified);
    world.clock.advance(Duration::DAY - Duration::seconds(2));
    let person = person_with_password(&opened.sign_up, OWN_PASSWORD);
    auth.complete(person).await.expect("a verified sign-up is valid for another day");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_invalid_field_is_reported() {
    let world = World::new().await;
    let auth = world.serve().await;
    let named = |status: Status| -> Vec<String> {
        let fields = ServiceError::from_status(&status).fields;
        fields.iter().map(|field| format!("{} {}", field.name, field.code)).collect()
    };
    let request = StartSignUpRequest {
        email: "nobody".to_owned(),
        password: "short".to_owned(),
        kind: "staff".to_owned(),
        terms: false,
        campaign: "<script>".to_owned(),
        ..start(NEW)
    };
    assert_eq!(
        named(auth.try_start(request).await.unwrap_err()),
        [
            "email INVALID_FORMAT",
            "password TOO_SHORT",
            "kind UNKNOWN_CHOICE",
            "terms NOT_AGREED",
            "campaign INVALID_FORMAT"
        ]
    );
    for guessable in ["password123", "konomana2026", "taro@demo.example"] {
        let request = StartSignUpRequest { password: guessable.to_owned(), ..start(NEW) };
        assert_eq!(named(auth.try_start(request).await.unwrap_err()), ["password GUESSABLE"], "{guessable}");
    }
    assert!(world.events().await.is_empty());

    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    auth.enter_code(&begun.sign_up, &mail.code).await.unwrap();
    let request = CompleteSignUpRequest {
        last_name: "　".to_owned(),
        first_name: "太郎😀".to_owned(),
        last_name_kana: "鈴木".to_owned(),
        first_name_kana: "タ".repeat(21),
        birth_date: "2011-02-29".to_owned(),
        ..person(&begun.sign_up)
    };
    assert_eq!(
        named(auth.complete(request).await.unwrap_err()),
        [
            "last_name REQUIRED",
            "first_name INVALID_FORMAT",
            "last_name_kana INVALID_FORMAT",
            "first_name_kana TOO_LONG",
            "birth_date IMPOSSIBLE_DATE"
        ]
    );
    let unknown = CompleteSignUpRequest { school_year: Some("高4".to_owned()), ..person(&begun.sign_up) };
    assert_eq!(named(auth.complete(unknown).await.unwrap_err()), ["school_year UNKNOWN_CHOICE"]);
    let above = CompleteSignUpRequest { school_year: Some("高2".to_owned()), ..person(&begun.sign_up) };
    auth.complete(above).await.expect("it can still be completed");
    assert_eq!(world.text("SELECT max(school_year_shift)::text FROM account").await, ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_completed_sign_up_of_an_address_gets_it() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut sign_ups = Vec::new();
    for _ in 0..2 {
        let begun = auth.start(NEW).await;
        let mail: SignUpStarted = world.last().await;
        auth.enter_code(&begun.sign_up, &mail.code).await.unwrap();
        sign_ups.push(begun.sign_up);
    }
    let made = join_all(sign_ups.iter().map(|sign_up| auth.complete(person(sign_up)))).await;
    let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 1);
    assert_eq!(refused.into_iter().map(reason).collect::<Vec<_>>(), ["EMAIL_TAKEN"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_links_are_limited() {
    let world = World::new().await;
    let auth = world.serve_with(&["--dead-links-burst", "3"]).await;
    let begun = auth.start(NEW).await;
    let mail: SignUpStarted = world.last().await;
    let dead = "A".repeat(43);
    assert_eq!(reason(auth.link(&dead).await), "LINK_DEAD");
    assert_eq!(reason(auth.link("junk").await), "LINK_DEAD");
    assert_eq!(reason(auth.get(&dead).await), "LINK_DEAD");
    assert_eq!(reason(auth.get(&dead).await), "RATE_LIMITED");
    assert_eq!(reason(auth.enter_code(&begun.sign_up, &other(&mail.code)).await), "RATE_LIMITED");
    auth.link(&mail.token).await.expect("valid links are never limited");
}
