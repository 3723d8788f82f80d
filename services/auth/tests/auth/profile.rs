//! What owners change: profile, address, password, e-mail address, sessions and export.

use crate::support::{ADDRESS, Auth, EMAIL, NOW, PASSWORD, USER, World, reason, sid};
use auth::account::Account;
use futures_util::future::join_all;
use kit::error::ServiceError;
use proto::auth::{
    AccountRenamed, AccountSession, Address, ChangeEmailRequest, ChangePasswordRequest, CloseAccountRequest,
    ConfirmEmailRequest, EmailChangeRequested, EmailChangeUndone, EmailChanged, EndAllSessionsRequest,
    EndSessionRequest, ExportAccountRequest, GetAddressRequest, ListSessionsRequest, LoginRequest,
    PasswordChanged, PutAddressRequest, PutProfileRequest, SignUpOfAccount, Tokens, UndoEmailRequest, User,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

const NEW: &str = "new@konomana.example";
const FRESH: &str = "umi-no-mieru-eki-42";
const OTHER: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4b00);
const OTHERS_EMAIL: &str = "other@konomana.example";

impl World {
    /// A world with a second account that has the same password.
    async fn with_other() -> Self {
        let world = Self::new().await;
        let account = Account { id: OTHER, email: OTHERS_EMAIL.to_owned(), ..world.account().await };
        world.put(&account).await;
        world
    }

    async fn email(&self) -> String {
        self.account().await.email
    }
}

impl Auth {
    async fn put(&self, request: PutProfileRequest) -> Result<User, Status> {
        Ok(self.profiles_of(USER).put_profile(request).await?.into_inner().user.unwrap())
    }

    async fn put_address(&self, address: Address) -> Result<Address, Status> {
        let request = PutAddressRequest { address: Some(address), ..Default::default() };
        Ok(self.profiles_of(USER).put_address(request).await?.into_inner().address.unwrap())
    }

    pub(crate) async fn change_password(
        &self,
        sid: Uuid,
        password: &str,
        new_password: &str,
    ) -> Result<Tokens, Status> {
        let request = ChangePasswordRequest {
            password: password.to_owned(),
            new_password: new_password.to_owned(),
            client_address: ADDRESS.to_owned(),
            user_agent: "Mozilla/5.0".to_owned(),
            ..Default::default()
        };
        let answer = self.profiles_in(USER, sid).change_password(request).await?;
        Ok(answer.into_inner().tokens.expect("the answer has tokens"))
    }

    pub(crate) async fn change_email(&self, password: &str, email: &str) -> Result<(), Status> {
        let request = ChangeEmailRequest {
            password: password.to_owned(),
            email: email.to_owned(),
            client_address: ADDRESS.to_owned(),
            ..ChangeEmailRequest::default()
        };
        self.profiles_of(USER).change_email(request).await.map(drop)
    }

    pub(crate) async fn confirm(&self, token: &str) -> Result<(), Status> {
        let request = ConfirmEmailRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        self.profiles().confirm_email(request).await.map(drop)
    }

    pub(crate) async fn undo(&self, token: &str) -> Result<(), Status> {
        let request = UndoEmailRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        self.profiles().undo_email(request).await.map(drop)
    }

    /// Changes the address; returns the token that undoes it.
    pub(crate) async fn change_email_to(&self, world: &World, email: &str) -> String {
        self.change_email(PASSWORD, email).await.unwrap();
        let asked: EmailChangeRequested = world.last().await;
        self.confirm(&asked.token).await.unwrap();
        let changed: EmailChanged = world.last().await;
        changed.token
    }

    async fn sessions(&self, sid: Uuid, address: &str) -> Vec<AccountSession> {
        let request = ListSessionsRequest { client_address: address.to_owned(), ..Default::default() };
        self.profiles_in(USER, sid).list_sessions(request).await.unwrap().into_inner().sessions
    }
}

fn profile() -> PutProfileRequest {
    PutProfileRequest {
        last_name: "髙橋".to_owned(),
        first_name: "さくら".to_owned(),
        last_name_kana: "たかはし".to_owned(),
        first_name_kana: "ｻｸﾗ".to_owned(),
        birth_date: "2011-04-02".to_owned(),
        school_year: None,
        school_name: " 南中学校 ".to_owned(),
        news: true,
        ..Default::default()
    }
}

fn invalid_fields(status: &Status) -> Vec<(String, String)> {
    let problem = ServiceError::from_status(status);
    problem.fields.iter().map(|field| (field.name.to_string(), field.code.to_string())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_stored_as_typed_with_katakana_readings_and_an_advancing_school_year() {
    let world = World::new().await;
    let auth = world.serve().await;
    let user = auth.put(profile()).await.unwrap();
    assert_eq!((user.last_name.as_str(), user.first_name.as_str()), ("髙橋", "さくら"));
    assert_eq!((user.last_name_kana.as_str(), user.first_name_kana.as_str()), ("タカハシ", "サクラ"));
    assert_eq!(
        (user.school_year.as_deref(), user.school_name.as_str(), user.news),
        (Some("中3"), "南中学校", true)
    );

    let renamed = world.commerce_events_of::<AccountRenamed>().await;
    let [renamed] = &renamed[..] else { panic!("commerce gets one event: {renamed:?}") };
    assert_eq!((renamed.name.as_str(), renamed.account_id.clone()), ("髙橋 さくら", USER.to_string()));

    let chosen = PutProfileRequest { school_year: Some("高1".to_owned()), ..profile() };
    assert_eq!(auth.put(chosen).await.unwrap().school_year.as_deref(), Some("高1"));
    world.clock.advance(Duration::days(180));
    let request = proto::auth::GetUserRequest::default();
    let user = auth.client_of(USER).get_user(request).await.unwrap().into_inner().user.unwrap();
    assert_eq!(user.school_year.as_deref(), Some("高2"), "in May");
    assert_eq!(
        auth.put(profile()).await.unwrap().school_year.as_deref(),
        Some("高1"),
        "computed from the birth date again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn all_invalid_fields_of_a_profile_are_reported_and_nothing_is_stored() {
    let world = World::new().await;
    let auth = world.serve().await;
    let before = world.account().await;
    let request = PutProfileRequest {
        last_name: String::new(),
        first_name: "あ".repeat(21),
        last_name_kana: "山田".to_owned(),
        birth_date: "2027-01-01".to_owned(),
        school_year: Some("中4".to_owned()),
        school_name: "南\n中".to_owned(),
        ..profile()
    };
    let expected = [
        ("last_name", "REQUIRED"),
        ("first_name", "TOO_LONG"),
        ("last_name_kana", "INVALID_FORMAT"),
        ("birth_date", "IMPOSSIBLE_DATE"),
        ("school_name", "INVALID_FORMAT"),
    ];
    let expected = expected.map(|(name, code)| (name.to_owned(), code.to_owned()));
    assert_eq!(invalid_fields(&auth.put(request).await.unwrap_err()), expected);
    let request = PutProfileRequest { school_year: Some("中4".to_owned()), ..profile() };
    let wrong = [("school_year".to_owned(), "UNKNOWN_CHOICE".to_owned())];
    assert_eq!(invalid_fields(&auth.put(request).await.unwrap_err()), wrong);
    assert_eq!(world.account().await, before);
    let unknown = auth.profiles_of(OTHER).put_profile(profile()).await;
    assert_eq!(reason(unknown), "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_normalised_and_each_part_may_be_empty() {
    let world = World::with_other().await;
    let auth = world.serve().await;
    let get = async |id: Uuid| {
        let request = GetAddressRequest::default();
        auth.profiles_of(id).get_address(request).await.unwrap().into_inner().address.unwrap()
    };
    assert_eq!(get(USER).await, Address::default());
    let address = Address {
        postal_code: "１００－００１３".to_owned(),
        prefecture: "東京都".to_owned(),
        city: "千代田区".to_owned(),
        town: "霞が関1-3-2".to_owned(),
        building: String::new(),
        phone: "090-1234-5678".to_owned(),
    };
    let kept = auth.put_address(address).await.unwrap();
    assert_eq!((kept.postal_code.as_str(), kept.phone.as_str()), ("1000013", "+819012345678"));
    assert_eq!(get(USER).await, kept);
    assert_eq!(get(OTHER).await, Address::default(), "of another account");
    let wrong = Address {
        postal_code: "123".to_owned(),
        prefecture: "江戸".to_owned(),
        town: "あ".repeat(101),
        phone: "110".to_owned(),
        ..kept.clone()
    };
    let expected = [
        ("postal_code", "INVALID_FORMAT"),
        ("prefecture", "UNKNOWN_CHOICE"),
        ("town", "TOO_LONG"),
        ("phone", "INVALID_FORMAT"),
    ];
    let expected = expected.map(|(name, code)| (name.to_owned(), code.to_owned()));
    assert_eq!(invalid_fields(&auth.put_address(wrong).await.unwrap_err()), expected);
    assert_eq!(get(USER).await, kept);
    assert_eq!(auth.put_address(Address::default()).await.unwrap(), Address::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_requires_the_old_one_ends_every_session_and_starts_one() {
    const FRESH: &str = "umi-no-mieru-eki-42";
    let world = World::new().await;
    let auth = world.serve().await;
    let (here, elsewhere) = (auth.log_in().await, auth.log_in().await);
    let here = sid(&here);
    assert_eq!(reason(auth.change_password(here, "wrong password", FRESH).await), "BAD_CREDENTIALS");
    for (password, code) in
        [("short", "TOO_SHORT"), ("password12", "GUESSABLE"), (&*"x".repeat(129), "TOO_LONG")]
    {
        let refused = auth.change_password(here, PASSWORD, password).await.unwrap_err();
        assert_eq!(invalid_fields(&refused), [("new_password".to_owned(), code.to_owned())]);
    }
    assert!(auth.is_alive(sid(&elsewhere)).await);

    let tokens = auth.change_password(here, PASSWORD, FRESH).await.unwrap();
    assert!(!auth.is_alive(here).await, "the tokens of the current session may be stolen");
    assert!(!auth.is_alive(sid(&elsewhere)).await);
    let mut revoked = auth.snapshot().await.revoked_sids;
    revoked.sort();
    assert_eq!(revoked, [here.to_string(), sid(&elsewhere).to_string()]);
    assert!(auth.is_alive(sid(&tokens)).await);
    auth.refresh(&tokens.refresh_token).await.expect("the new session is alive");
    assert_eq!(world.last::<PasswordChanged>().await.to, EMAIL);
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "BAD_CREDENTIALS");
    auth.try_log_in(EMAIL, FRESH).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_passwords_in_a_session_share_one_count() {
    let world = World::new().await;
    let auth = world.serve().await;
    let here = sid(&auth.log_in().await);
    let export = |password: &str| ExportAccountRequest {
        password: password.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    let close = |password: &str| CloseAccountRequest {
        password: password.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    let change = |password: &str| ChangeEmailRequest {
        password: password.to_owned(),
        email: NEW.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    let ask = async |what: usize, password: &str| {
        reason(match what % 4 {
            0 => auth.change_password(here, password, "umi-no-mieru-eki-42").await.map(drop),
            1 => auth.profiles_in(USER, here).change_email(change(password)).await.map(drop),
            2 => auth.profiles_in(USER, here).export_account(export(password)).await.map(drop),
            _ => auth.profiles_in(USER, here).close_account(close(password)).await.map(drop),
        })
    };
    for turn in 0..10 {
        assert_eq!(ask(turn, "wrong password").await, "BAD_CREDENTIALS", "{turn}");
    }
    for turn in 0..4 {
        assert_eq!(ask(turn, PASSWORD).await, "RATE_LIMITED", "{turn}");
    }
    auth.log_in().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_changes_when_its_link_is_used_once() {
    let world = World::new().await;
    let auth = world.serve_with(&["--dead-links-burst", "1000"]).await;
    auth.change_email(PASSWORD, NEW).await.unwrap();
    let asked: EmailChangeRequested = world.last().await;
    assert_eq!((asked.to.as_str(), asked.name.as_str()), (NEW, "山田 花子"));
    assert_eq!(asked.expires_at.unwrap().seconds, (NOW + Duration::DAY).unix_timestamp());
    assert_eq!(world.email().await, EMAIL, "nothing changes until then");
    let reset = request_reset(&world, &auth).await;

    let outcomes = join_all((0..16).map(|_| auth.confirm(&asked.token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(outcomes.into_iter().filter(Result::is_err).all(|outcome| reason(outcome) == "LINK_DEAD"));
    assert_eq!(world.email().await, NEW);
    let changed: EmailChanged = world.last().await;
    assert_eq!((changed.to.as_str(), changed.new_email.as_str()), (EMAIL, "n***@konomana.example"));
    let [renamed] = &world.commerce_events_of::<AccountRenamed>().await[..] else {
        panic!("commerce gets one event")
    };
    assert_eq!((renamed.email.as_str(), renamed.name.as_str()), (NEW, "山田 花子"));
    assert_eq!(reason(auth.confirm(&changed.token).await), "LINK_DEAD", "the link is only for undoing");
    assert_eq!(reset_is_dead(&auth, &reset).await, "LINK_DEAD", "links sent to the old address have ended");
    auth.try_log_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "BAD_CREDENTIALS");
    for junk in ["", "junk", &asked.token[1..]] {
        assert_eq!(reason(auth.confirm(junk).await), "LINK_DEAD");
    }
}

/// Requests a password reset; returns the token of the link.
async fn request_reset(world: &World, auth: &Auth) -> String {
    let request = proto::auth::RequestPasswordResetRequest {
        email: EMAIL.to_owned(),
        client_address: ADDRESS.to_owned(),
    };
    auth.entry.clone().request_password_reset(request).await.unwrap();
    world.last::<proto::auth::PasswordResetRequested>().await.token
}

async fn reset_is_dead(auth: &Auth, token: &str) -> String {
    let request = proto::auth::CheckPasswordResetRequest {
        uid: USER.to_string(),
        token: token.to_owned(),
        client_address: ADDRESS.to_owned(),
    };
    reason(auth.entry.clone().check_password_reset(request).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_newest_link_for_an_address_is_valid_for_a_day() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.change_email(PASSWORD, "first@konomana.example").await.unwrap();
    let first: EmailChangeRequested = world.last().await;
    auth.change_email(PASSWORD, NEW).await.unwrap();
    let second: EmailChangeRequested = world.last().await;
    assert_eq!(reason(auth.confirm(&first.token).await), "LINK_DEAD");
    world.clock.advance(Duration::DAY);
    assert_eq!(reason(auth.confirm(&second.token).await), "LINK_DEAD");
    let undo = auth.change_email_to(&world, NEW).await;
    world.clock.advance(Duration::DAY - Duration::SECOND);
    auth.undo(&undo).await.unwrap();
    let password_hash = auth::password::hash(PASSWORD).unwrap();
    world.put(&Account { password_hash, ..world.account().await }).await;
    let undo = auth.change_email_to(&world, NEW).await;
    world.clock.advance(Duration::DAY);
    assert_eq!(reason(auth.undo(&undo).await), "LINK_DEAD");
    assert_eq!(world.email().await, NEW);
}

#[tokio::test(flavor = "multi_thread")]
async fn undoing_restores_the_old_address_ends_all_sessions_and_drops_later_addresses() {
    let world = World::new().await;
    let auth = world.serve_with(&["--dead-links-burst", "1000"]).await;
    let session = sid(&auth.log_in().await);
    let to_first = auth.change_email_to(&world, NEW).await;
    world.clock.advance(Duration::HOUR);
    let to_new = auth.change_email_to(&world, "third@konomana.example").await;
    auth.change_email(PASSWORD, "fourth@konomana.example").await.unwrap();
    let pending: EmailChangeRequested = world.last().await;

    let outcomes = join_all((0..16).map(|_| auth.undo(&to_first))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(world.email().await, EMAIL);
    assert_eq!(world.last::<EmailChangeUndone>().await.to, EMAIL);
    assert!(!auth.is_alive(session).await);
    assert_eq!(auth.snapshot().await.revoked_sids, [session.to_string()]);
    // The attacker who changed the address knew the password.
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "BAD_CREDENTIALS");
    let reset = proto::auth::ConfirmPasswordResetRequest {
        uid: USER.to_string(),
        token: request_reset(&world, &auth).await,
        password: FRESH.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    auth.entry.clone().confirm_password_reset(reset).await.expect("the password can be reset");
    auth.try_log_in(EMAIL, FRESH).await.expect("the owner's password works");
    assert_eq!(reason(auth.undo(&to_new).await), "LINK_DEAD");
    assert_eq!(reason(auth.confirm(&pending.token).await), "LINK_DEAD");
    assert_eq!(world.email().await, EMAIL);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_of_a_taken_address_is_notified() {
    let world = World::with_other().await;
    let auth = world.serve().await;
    auth.change_email(PASSWORD, "OTHER@konomana.example").await.unwrap();
    let told: SignUpOfAccount = world.last().await;
    assert_eq!((told.to.as_str(), told.account_id), (OTHERS_EMAIL, OTHER.to_string()));

    auth.change_email(PASSWORD, NEW).await.unwrap();
    let asked: EmailChangeRequested = world.last().await;
    let other = Account { id: OTHER, email: NEW.to_owned(), ..world.account().await };
    world.put(&other).await;
    assert_eq!(reason(auth.confirm(&asked.token).await), "EMAIL_TAKEN");
    assert_eq!(world.email().await, EMAIL);
    assert_eq!(
        invalid_fields(&auth.change_email(PASSWORD, "no address").await.unwrap_err())[0].1,
        "INVALID_FORMAT"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_account_causes_at_most_five_mails_an_hour() {
    let world = World::new().await;
    let auth = world.serve().await;
    for turn in 0..5 {
        auth.change_email(PASSWORD, &format!("new{turn}@konomana.example")).await.unwrap();
    }
    assert_eq!(reason(auth.change_email(PASSWORD, NEW).await), "RATE_LIMITED");
    world.clock.advance(Duration::minutes(12));
    auth.change_email(PASSWORD, NEW).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_show_their_device_and_network() {
    let world = World::new().await;
    let auth = world.serve().await;
    let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/19.1 Mobile/15E148 Safari/604.1";
    let request = LoginRequest {
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
        client_address: "198.51.100.7".to_owned(),
        user_agent: phone.to_owned(),
        ..LoginRequest::default()
    };
    auth.client.clone().login(request).await.unwrap();
    world.clock.advance(Duration::HOUR);
    let here = auth.log_in().await;
    let gone = auth.log_in().await;
    auth.log_out(sid(&gone)).await;

    let sessions = auth.sessions(sid(&here), "203.0.113.200").await;
    let seen: Vec<_> =
        sessions.iter().map(|one| (one.device.as_str(), one.is_same_network, one.is_current)).collect();
    assert_eq!(seen, [("不明な端末", true, true), ("iPhone の Safari", false, false)]);
    assert_eq!(sessions[1].last_used.unwrap().seconds, NOW.unix_timestamp());
    world.clock.advance(Duration::days(30) - Duration::HOUR);
    assert_eq!(auth.sessions(sid(&here), ADDRESS).await.len(), 1, "the phone's session has expired");
    auth.refresh(&here.refresh_token).await.unwrap();
    let stored = world.text("SELECT encode(network, 'hex') FROM session WHERE network IS NOT NULL").await;
    assert!(
        !stored.is_empty() && stored.iter().all(|network| network.len() == 64),
        "networks are stored as hashes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_ends_a_session() {
    let world = World::with_other().await;
    let auth = world.serve().await;
    let (one, two) = (sid(&auth.log_in().await), sid(&auth.log_in().await));
    let others = sid(&auth.try_log_in(OTHERS_EMAIL, PASSWORD).await.unwrap());
    let end = async |sid: &str| {
        let request = EndSessionRequest { sid: sid.to_owned(), ..Default::default() };
        auth.profiles_of(USER).end_session(request).await.map(drop)
    };
    for sid in [others.to_string(), Uuid::now_v7().to_string(), "junk".to_owned()] {
        assert_eq!(reason(end(&sid).await), "NOT_FOUND");
    }
    end(&one.to_string()).await.unwrap();
    assert_eq!(reason(end(&one.to_string()).await), "NOT_FOUND", "it is over");
    assert!(auth.is_alive(two).await && auth.is_alive(others).await);
    auth.profiles_of(USER).end_all_sessions(EndAllSessionsRequest::default()).await.unwrap();
    assert!(!auth.is_alive(two).await && auth.is_alive(others).await);
    assert_eq!(auth.snapshot().await.revoked_sids, [one.to_string(), two.to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_requires_the_password_and_contains_all_stored_data() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.put(profile()).await.unwrap();
    let address = Address { town: "霞が関1-3-2".to_owned(), ..Address::default() };
    auth.put_address(address.clone()).await.unwrap();
    auth.log_in().await;
    auth.change_email(PASSWORD, NEW).await.unwrap();
    let request = ExportAccountRequest {
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..ExportAccountRequest::default()
    };
    let export = auth.profiles_of(USER).export_account(request).await.unwrap().into_inner();
    let user = export.user.unwrap();
    assert_eq!(
        (user.email.as_str(), user.last_name.as_str(), user.school_name.as_str()),
        (EMAIL, "髙橋", "南中学校")
    );
    assert_eq!(export.address, Some(address));
    assert_eq!((export.sessions.len(), export.sessions[0].user_agent.as_str()), (1, "Mozilla/5.0"));
    assert_eq!((export.email_changes.len(), export.email_changes[0].new_email.as_str()), (1, NEW));
    assert!(export.guardians.is_empty() && export.children.is_empty() && export.consent.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_with_every_list_at_its_limit_is_one_message() {
    let world = World::new().await;
    let auth = world.serve().await;
    for sql in [
        "INSERT INTO session (sid, account, created, expires_at, last_used_at, ended_at, user_agent, refresh_key) \
         SELECT gen_random_uuid(), account.id, moment, moment + interval '30 days', moment, \
         CASE WHEN number > 50 THEN moment END, repeat('😀', 256), sha256(number::text::bytea) \
         FROM account, generate_series(1, 5000) AS number, \
         LATERAL (SELECT timestamptz '2026-11-19 09:00Z' + number * interval '1 second' AS moment) AS at",
        "INSERT INTO birth_date_change (id, account, old_birth_date, new_birth_date, asked_at, state, decided_at, \
         decided_by) SELECT gen_random_uuid(), account.id, '2011-04-01', '2011-04-02', moment, 'approved', moment, \
         'guardian' FROM account, generate_series(1, 50000) AS number, \
         LATERAL (SELECT timestamptz '2020-11-19 09:00:00.123456Z' + number * interval '1 hour' AS moment) AS at",
        "INSERT INTO consent_withdrawal (id, learner, withdrawn_at, given_at, given_name) \
         SELECT gen_random_uuid(), account.id, moment, moment, repeat('恵', 41) \
         FROM account, generate_series(1, 20000) AS number, \
         LATERAL (SELECT timestamptz '2020-11-19 09:00:00.123456Z' + number * interval '1 hour' AS moment) AS at",
        "INSERT INTO email_change (id, account, new_email, asked_at, old_email, confirmed_at, forget_at) \
         SELECT gen_random_uuid(), account.id, repeat('x', 254), moment, repeat('y', 254), moment, moment \
         FROM account, generate_series(1, 240) AS number, \
         LATERAL (SELECT timestamptz '2026-11-19 09:00Z' + number * interval '6 minutes' AS moment) AS at",
        "INSERT INTO passkey (id, account, name, credential_id, credential, created) \
         SELECT gen_random_uuid(), account.id, repeat('鍵', 50), sha256(number::text::bytea), '{}', now() \
         FROM account, generate_series(1, 10) AS number",
        "INSERT INTO account (id, email, email_key, password_hash, scope, last_name, first_name, last_name_kana, \
         first_name_kana, created) SELECT gen_random_uuid(), number || '@konomana.example', \
         number || '@konomana.example', '', '{learner}', repeat('髙', 20), repeat('橋', 20), 'タ', 'ハ', created \
         FROM account, generate_series(1, 20000) AS number",
        "INSERT INTO guardian_link (id, learner, guardian, since) SELECT gen_random_uuid(), learner.id, account.id, \
         account.created FROM account, account AS learner WHERE account.password_hash <> '' AND learner.id <> account.id",
        "INSERT INTO guardian_view (learner, guardian, what, at) SELECT account.id, learner, 'progress', since \
         FROM account JOIN guardian_link ON guardian = account.id",
    ] {
        world.text(sql).await;
    }
    let request = ExportAccountRequest { password: PASSWORD.to_owned(), ..ExportAccountRequest::default() };
    let export = auth.profiles_of(USER).export_account(request).await.unwrap().into_inner();
    assert_eq!(
        (export.sessions.len(), export.birth_date_changes.len(), export.withdrawals.len()),
        (1_000, 5_000, 1_000)
    );
    assert_eq!((export.children.len(), export.views.len(), export.email_changes.len()), (1_000, 10_000, 240));
    assert_eq!(export.passkeys.len(), 10);
    assert!(
        export.sessions[..50].iter().all(|session| session.ended.is_none()),
        "all live sessions are included"
    );
    let asked = |index: usize| export.birth_date_changes[index].asked.unwrap().seconds;
    assert!(asked(0) < asked(4_999), "oldest first");
    assert_eq!(asked(4_999), 1_605_776_400 + 50_000 * 3_600, "the latest changes are included");
}
