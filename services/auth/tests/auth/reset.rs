//! New passwords: by a link in a mail, or at a login that requires it.

use crate::support::{ADDRESS, Auth, EMAIL, NOW, PASSWORD, USER, World, next_revoked, reason, sid};
use futures_util::future::join_all;
use kit::error::ServiceError;
use proto::auth::{
    ChangePasswordAtLoginRequest, CheckPasswordResetRequest, ConfirmPasswordResetRequest, PasswordChanged,
    PasswordResetRefused, PasswordResetRequested, RequestPasswordResetRequest, Tokens,
};
use time::Duration;
use tonic::Status;

const NEW: &str = "umi-no-mieru-eki-42";

impl Auth {
    pub(crate) async fn ask_reset(&self, email: &str) -> Result<(), Status> {
        let request =
            RequestPasswordResetRequest { email: email.to_owned(), client_address: ADDRESS.to_owned() };
        self.entry.clone().request_password_reset(request).await.map(drop)
    }

    pub(crate) async fn check_reset(&self, uid: &str, token: &str) -> Result<(), Status> {
        let request = CheckPasswordResetRequest {
            uid: uid.to_owned(),
            token: token.to_owned(),
            client_address: ADDRESS.to_owned(),
        };
        self.entry.clone().check_password_reset(request).await.map(drop)
    }

    pub(crate) async fn confirm_reset(&self, uid: &str, token: &str, password: &str) -> Result<(), Status> {
        self.confirm_reset_on("", uid, token, password).await.map(drop)
    }

    /// Resets the password as a browser with this device cookie; returns the next cookie.
    pub(crate) async fn confirm_reset_on(
        &self,
        device: &str,
        uid: &str,
        token: &str,
        password: &str,
    ) -> Result<String, Status> {
        let request = ConfirmPasswordResetRequest {
            uid: uid.to_owned(),
            token: token.to_owned(),
            password: password.to_owned(),
            client_address: ADDRESS.to_owned(),
            device: device.to_owned(),
        };
        Ok(self.entry.clone().confirm_password_reset(request).await?.into_inner().device)
    }

    pub(crate) async fn change(&self, password: &str, new_password: &str) -> Result<Tokens, Status> {
        let request = ChangePasswordAtLoginRequest {
            email: EMAIL.to_owned(),
            password: password.to_owned(),
            new_password: new_password.to_owned(),
            client_address: ADDRESS.to_owned(),
            user_agent: String::new(),
            ..ChangePasswordAtLoginRequest::default()
        };
        let answer = self.entry.clone().change_password_at_login(request).await?;
        Ok(answer.into_inner().tokens.expect("the answer has tokens"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_ends_every_session_and_every_other_link() {
    let world = World::new().await;
    let auth = world.serve().await;
    let session = auth.log_in().await;
    auth.ask_reset("hanako@DEMO.example").await.expect("every request gets the same answer");
    let other: PasswordResetRequested = world.last().await;
    auth.ask_reset(EMAIL).await.unwrap();
    let mail: PasswordResetRequested = world.last().await;
    assert_eq!((mail.to.as_str(), mail.name.as_str()), (EMAIL, "山田 花子"));
    assert_eq!((mail.uid.as_str(), mail.token.len()), (USER.to_string().as_str(), 43));
    assert_eq!(mail.expires_at.unwrap().seconds, (NOW + Duration::minutes(30)).unix_timestamp());

    let rows = || world.text("SELECT link::text FROM link UNION ALL SELECT password_hash FROM account");
    let before = rows().await;
    for _ in 0..3 {
        auth.check_reset(&mail.uid, &mail.token).await.expect("a check changes nothing");
    }
    assert_eq!(rows().await, before);
    let mut watch = auth.watch().await;
    auth.confirm_reset(&mail.uid, &mail.token, NEW).await.expect("the link is valid");
    assert_eq!(next_revoked(&mut watch).await, [sid(&session).to_string()]);
    assert!(!auth.is_alive(sid(&session)).await);
    for link in [&mail, &other] {
        assert_eq!(reason(auth.check_reset(&link.uid, &link.token).await), "LINK_DEAD");
        assert_eq!(reason(auth.confirm_reset(&link.uid, &link.token, NEW).await), "LINK_DEAD");
    }
    let told: PasswordChanged = world.last().await;
    assert_eq!((told.to.as_str(), told.name.as_str()), (EMAIL, "山田 花子"));
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "BAD_CREDENTIALS");
    auth.try_log_in(EMAIL, NEW).await.expect("the new password is in force");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_16_concurrent_uses_of_a_link_sets_its_password() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.ask_reset(EMAIL).await.unwrap();
    let mail: PasswordResetRequested = world.last().await;
    let passwords: Vec<_> = (0..16).map(|number| format!("{NEW}-{number}")).collect();
    let answers =
        join_all(passwords.iter().map(|password| auth.confirm_reset(&mail.uid, &mail.token, password))).await;
    let set: Vec<_> = answers.iter().zip(&passwords).filter(|(answer, _)| answer.is_ok()).collect();
    assert_eq!(set.len(), 1);
    auth.try_log_in(EMAIL, set[0].1).await.expect("the successful caller's password is set");
    for refused in answers.iter().filter(|answer| answer.is_err()) {
        assert_eq!(reason(refused.clone()), "LINK_DEAD");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_valid_for_half_an_hour_for_its_account_and_a_valid_password() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.ask_reset(EMAIL).await.unwrap();
    let mail: PasswordResetRequested = world.last().await;
    let stranger = uuid::Uuid::now_v7().to_string();
    assert_eq!(reason(auth.check_reset(&stranger, &mail.token).await), "LINK_DEAD");
    assert_eq!(reason(auth.confirm_reset(&stranger, &mail.token, NEW).await), "LINK_DEAD");
    assert_eq!(reason(auth.check_reset("junk", "junk").await), "LINK_DEAD");
    for (password, code) in
        [("short", "TOO_SHORT"), ("konomana2026", "GUESSABLE"), ("山田花子山田花子山田", "GUESSABLE")]
    {
        let refused = auth.confirm_reset(&mail.uid, &mail.token, password).await.unwrap_err();
        assert_eq!(ServiceError::from_status(&refused).fields[0].code, code, "{password}");
    }
    world.clock.advance(Duration::minutes(30) - Duration::SECOND);
    auth.check_reset(&mail.uid, &mail.token).await.expect("the link is valid until its expiry");
    world.clock.advance(Duration::SECOND);
    assert_eq!(reason(auth.check_reset(&mail.uid, &mail.token).await), "LINK_DEAD");
    assert_eq!(reason(auth.confirm_reset(&mail.uid, &mail.token, NEW).await), "LINK_DEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_address_gets_the_same_answer_and_no_mail() {
    let world = World::new().await;
    let auth = world.serve().await;
    for _ in 0..3 {
        auth.ask_reset("unknown@demo.example").await.expect("every request gets the same answer");
        let _: PasswordResetRefused = world.last().await;
        auth.ask_reset(EMAIL).await.expect("every request gets the same answer");
    }
    let look = |status: Status| (status.code(), status.message().to_owned(), status.details().to_vec());
    let known = look(auth.ask_reset(EMAIL).await.unwrap_err());
    assert_eq!(known, look(auth.ask_reset("unknown@demo.example").await.unwrap_err()));
    assert_eq!(known.0, tonic::Code::ResourceExhausted);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_mails_an_hour_go_to_an_address_from_all_servers() {
    let world = World::new().await;
    let (one, other) = (world.serve().await, world.serve().await);
    for auth in [&one, &other, &one] {
        auth.ask_reset(EMAIL).await.unwrap();
    }
    for auth in [&one, &other] {
        let problem = ServiceError::from_status(&auth.ask_reset(&EMAIL.to_uppercase()).await.unwrap_err());
        assert_eq!(problem.reason, "RATE_LIMITED");
        assert_eq!(problem.retry_after, Some(std::time::Duration::from_mins(20)));
    }
    world.clock.advance(Duration::minutes(20));
    other.ask_reset(EMAIL).await.expect("one mail is allowed every 20 minutes");
    assert_eq!(reason(one.ask_reset(EMAIL).await), "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_requested_by_a_client_address_are_limited() {
    let world = World::new().await;
    let auth = world.serve_with(&["--mails-burst", "4"]).await;
    for number in 0..4 {
        auth.ask_reset(&format!("nobody{number}@demo.example")).await.unwrap();
    }
    assert_eq!(reason(auth.ask_reset("another@demo.example").await), "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_ends_a_lockout() {
    let world = World::new().await;
    let auth = world.serve().await;
    for _ in 0..10 {
        assert_eq!(reason(auth.try_log_in(EMAIL, "a wrong password").await), "BAD_CREDENTIALS");
    }
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "RATE_LIMITED");
    auth.ask_reset(EMAIL).await.unwrap();
    let mail: PasswordResetRequested = world.last().await;
    auth.confirm_reset(&mail.uid, &mail.token, NEW).await.unwrap();
    auth.try_log_in(EMAIL, NEW).await.expect("the failures are cleared");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_must_be_changed_only_allows_its_change() {
    let world = World::new().await;
    let auth = world.serve().await;
    let session = auth.log_in().await;
    world.text("UPDATE account SET must_change_password = true").await;
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "PASSWORD_CHANGE_REQUIRED");
    assert_eq!(reason(auth.try_log_in(EMAIL, "a wrong password").await), "BAD_CREDENTIALS");
    assert_eq!(reason(auth.change("a wrong password", NEW).await), "BAD_CREDENTIALS");
    for (new, code) in [(PASSWORD, "GUESSABLE"), ("konomana2026", "GUESSABLE"), ("short", "TOO_SHORT")] {
        let field =
            ServiceError::from_status(&auth.change(PASSWORD, new).await.unwrap_err()).fields.remove(0);
        assert_eq!((&*field.name, &*field.code), ("new_password", code));
    }
    let tokens = auth.change(PASSWORD, NEW).await.expect("the credentials and the new password are valid");
    assert!(auth.is_alive(sid(&tokens)).await);
    assert!(!auth.is_alive(sid(&session)).await, "earlier sessions have ended");
    let told: PasswordChanged = world.last().await;
    assert_eq!(told.to, EMAIL);
    auth.try_log_in(EMAIL, NEW).await.expect("the password need not be changed again");
}
