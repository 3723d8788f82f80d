//! Closing of an account: it can be reopened for a while, then it is erased completely.

use crate::support::{ADDRESS, Auth, EMAIL, NOW, PASSWORD, USER, World, reason, sid};
use auth::account::Account;
use auth::sweep::{self, Retention};
use kit::error::ServiceError;
use kit_db::outbox::Outbox;
use prost::{Message as _, Name as _};
use proto::auth::{
    AccountClosing, AccountErased, AccountReopened, Address, AskConsentRequest, ChangeEmailRequest,
    CloseAccountRequest, GetUserRequest, GuardianConsentReceipt, GuardianConsentRequested, IssueCodeRequest,
    LookAtChildRequest, PutAddressRequest, PutProfileRequest, ReopenRequest, Tokens, UseCodeRequest,
};
use time::{Duration, OffsetDateTime};
use tonic::Status;
use uuid::Uuid;

const GUARDIAN: Uuid = Uuid::from_u128(0x0193_6f2a_4c04_7462_8e0b_c7a5_0000_0001);

impl World {
    async fn erase(&self) -> u64 {
        let outbox = Outbox::new(self.config(&[]).secret.parse_secret().unwrap().outbox());
        sweep::erase_due(&self.database.pool, &outbox, self.clock.clock().now()).await.unwrap()
    }

    /// Every row of every table as text.
    async fn dump(&self) -> String {
        let tables = self
            .text("SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'")
            .await;
        let mut rows = String::new();
        for table in tables {
            rows.extend(self.text(&format!("SELECT row::text || E'\\n' FROM {table} AS row")).await);
        }
        rows
    }

    async fn erasure_events(&self, receiver: &str) -> Vec<String> {
        let events = self.events_for(receiver).await;
        let erased = events.into_iter().filter(|event| event.r#type == AccountErased::full_name());
        erased.map(|event| AccountErased::decode(&*event.payload).unwrap().account_id).collect()
    }
}

impl Auth {
    async fn close(&self, password: &str) -> Result<OffsetDateTime, Status> {
        let request = CloseAccountRequest {
            password: password.to_owned(),
            client_address: ADDRESS.to_owned(),
            ..CloseAccountRequest::default()
        };
        let erase_at = self.profiles_of(USER).close_account(request).await?.into_inner().erase_at.unwrap();
        Ok(OffsetDateTime::from_unix_timestamp(erase_at.seconds).unwrap())
    }

    async fn reopen(&self, email: &str, password: &str) -> Result<Tokens, Status> {
        let request = ReopenRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            client_address: ADDRESS.to_owned(),
            user_agent: "Mozilla/5.0".to_owned(),
            ..ReopenRequest::default()
        };
        Ok(self.profiles().reopen(request).await?.into_inner().tokens.unwrap())
    }

    async fn erase_at(&self) -> Option<i64> {
        let request = GetUserRequest::default();
        let user = self.client_of(USER).get_user(request).await.unwrap().into_inner().user.unwrap();
        user.erase_at.map(|moment| moment.seconds)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closing_account_must_be_reopened_to_sign_in() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (one, two) = (auth.log_in().await, auth.log_in().await);
    assert_eq!(reason(auth.close("wrong password").await), "BAD_CREDENTIALS");
    assert_eq!(auth.erase_at().await, None);
    let erase_at = auth.close(PASSWORD).await.unwrap();
    assert_eq!(erase_at, NOW + Duration::days(30));
    let told: AccountClosing = world.last().await;
    assert_eq!((told.to.as_str(), told.erase_at.unwrap().seconds), (EMAIL, erase_at.unix_timestamp()));
    for session in [&one, &two] {
        assert!(!auth.is_alive(sid(session)).await);
        assert_eq!(reason(auth.refresh(&session.refresh_token).await), "REFRESH_DEAD");
    }
    assert_eq!(auth.snapshot().await.revoked_sids.len(), 2);
    let closing = ServiceError::from_status(&auth.try_log_in(EMAIL, PASSWORD).await.unwrap_err());
    assert_eq!((&*closing.reason, &*closing.facts["erase_at"]), ("ACCOUNT_CLOSING", "2026-12-20T09:00:00Z"));
    assert_eq!(reason(auth.try_log_in(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
    assert_eq!(reason(auth.reopen(EMAIL, "wrong password").await), "BAD_CREDENTIALS");
    assert_eq!(reason(auth.reopen("nobody@konomana.example", PASSWORD).await), "BAD_CREDENTIALS");
    assert_eq!(auth.erase_at().await, Some(erase_at.unix_timestamp()));

    world.clock.advance(Duration::days(30) - Duration::SECOND);
    assert_eq!(world.erase().await, 0);
    let tokens = auth.reopen(EMAIL, PASSWORD).await.unwrap();
    assert!(auth.is_alive(sid(&tokens)).await);
    assert_eq!(world.last::<AccountReopened>().await.to, EMAIL);
    assert_eq!(auth.erase_at().await, None);
    world.clock.advance(Duration::days(30));
    assert_eq!(world.erase().await, 0);
    auth.log_in().await;
    let events = world.events().await.len();
    auth.reopen(EMAIL, PASSWORD).await.expect("reopening an account that is not closing signs in");
    assert_eq!(world.events().await.len(), events);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_thirty_days_an_account_cannot_be_reopened_even_before_the_sweep() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.close(PASSWORD).await.unwrap();
    world.clock.advance(Duration::days(30));
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "BAD_CREDENTIALS");
    assert_eq!(reason(auth.reopen(EMAIL, PASSWORD).await), "BAD_CREDENTIALS");
}

/// What the account of [`fill`] leaves in the database while it exists.
const CANARIES: [&str; 15] = [
    "hanako-canary@demo.example",
    "カナリア姓",
    "カナリア名",
    "カナリアセイ",
    "カナリアメイ",
    "2011-04-01",
    "カナリア中学校",
    "カナリア町",
    "カナリアビル",
    "+819012345678",
    "カナリア ブラウザ",
    "new-canary@demo.example",
    "keiko-canary@demo.example",
    "カナリア姓 けい子",
    "2000-02-29",
];

/// Adds rows of the account to every table that has some.
pub(crate) async fn fill(world: &World, auth: &Auth) {
    let mut account = world.account().await;
    "hanako-canary@demo.example".clone_into(&mut account.email);
    world.put(&account).await;
    let guardian = Account {
        id: GUARDIAN,
        email: "guardian@konomana.example".to_owned(),
        scope: vec!["guardian".to_owned()],
        last_name: "森下".to_owned(),
        birth_date: Some(time::macros::date!(1981 - 02 - 03)),
        ..account
    };
    world.put(&guardian).await;
    let profile = PutProfileRequest {
        last_name: "カナリア姓".to_owned(),
        first_name: "カナリア名".to_owned(),
        last_name_kana: "カナリアセイ".to_owned(),
        first_name_kana: "カナリアメイ".to_owned(),
        birth_date: "2011-04-01".to_owned(),
        school_year: None,
        school_name: "カナリア中学校".to_owned(),
        news: true,
        ..Default::default()
    };
    auth.profiles_of(USER).put_profile(profile.clone()).await.unwrap();
    // This change needs approval by staff.
    let grown_up = PutProfileRequest { birth_date: "2000-02-29".to_owned(), ..profile };
    auth.profiles_of(USER).put_profile(grown_up).await.unwrap();
    let address = Address {
        town: "カナリア町".to_owned(),
        building: "カナリアビル".to_owned(),
        phone: "090-1234-5678".to_owned(),
        ..Address::default()
    };
    let address = PutAddressRequest { address: Some(address), ..Default::default() };
    auth.profiles_of(USER).put_address(address).await.unwrap();
    let login = proto::auth::LoginRequest {
        email: "hanako-canary@demo.example".to_owned(),
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        user_agent: "カナリア ブラウザ".to_owned(),
        ..proto::auth::LoginRequest::default()
    };
    auth.client.clone().login(login).await.unwrap();
    let change = ChangeEmailRequest {
        password: PASSWORD.to_owned(),
        email: "new-canary@demo.example".to_owned(),
        client_address: ADDRESS.to_owned(),
        ..ChangeEmailRequest::default()
    };
    auth.profiles_of(USER).change_email(change).await.unwrap();
    let consent = AskConsentRequest {
        name: "カナリア姓 恵子".to_owned(),
        relation: "母".to_owned(),
        email: "keiko-canary@demo.example".to_owned(),
        ..Default::default()
    };
    auth.guardians_of(USER).ask_consent(consent.clone()).await.unwrap();
    let asked: GuardianConsentRequested = world.last().await;
    auth.give_as(&asked.token, "カナリア姓 けい子", true).await.unwrap();
    let receipt = world.events_of::<GuardianConsentReceipt>().await.remove(0);
    auth.withdraw(&receipt.token).await.unwrap();
    auth.guardians_of(USER).ask_consent(consent).await.unwrap();
    let issued = auth.guardians_of(USER).issue_code(IssueCodeRequest::default()).await.unwrap();
    let code = UseCodeRequest {
        code: issued.into_inner().code,
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    auth.guardians_of(GUARDIAN).use_code(code).await.unwrap();
    let look = LookAtChildRequest::default();
    auth.guardians_for(GUARDIAN, USER).look_at_child(look).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_account_leaves_no_personal_data_and_each_service_gets_one_event() {
    let world = World::new().await;
    let auth = world.serve().await;
    fill(&world, &auth).await;
    let before = world.dump().await;
    for canary in CANARIES {
        assert!(before.contains(canary), "{canary} was stored");
    }
    let erase_at = auth.close(PASSWORD).await.unwrap();
    world.clock.advance(erase_at - NOW - Duration::SECOND);
    assert_eq!(world.erase().await, 0);
    assert!(world.erasure_events("lms").await.is_empty());
    world.clock.advance(Duration::SECOND);
    // Replicas sweep at the same time.
    let erased = futures_util::future::join_all((0..4).map(|_| world.erase())).await;
    assert_eq!(erased.iter().sum::<u64>(), 1);
    let after = world.dump().await;
    for canary in CANARIES {
        assert!(!after.contains(canary), "{canary} is left");
    }
    for receiver in ["commerce", "desk", "exam", "lms"] {
        assert_eq!(world.erasure_events(receiver).await, [USER.to_string()], "{receiver}");
    }
    let retention = Retention::from_config(&world.config(&[])).unwrap();
    let now = world.clock.clock().now();
    sweep::sweep_all(&mut world.database.pool.acquire().await.unwrap(), retention, now).await.unwrap();
    let kept = world.dump().await;
    assert!(!kept.contains(&USER.to_string()), "not even its id is left");
    assert!(kept.contains("guardian@konomana.example"), "others stay");

    let again = Account {
        id: Uuid::now_v7(),
        email: "hanako-canary@demo.example".to_owned(),
        password_hash: auth::password::hash(PASSWORD).unwrap(),
        scope: vec!["learner".to_owned()],
        last_name: "山田".to_owned(),
        first_name: "花子".to_owned(),
        last_name_kana: "ヤマダ".to_owned(),
        first_name_kana: "ハナコ".to_owned(),
        birth_date: None,
        created: now,
    };
    world.put(&again).await;
    auth.try_log_in(&again.email, PASSWORD).await.expect("the address is free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_operations_of_owners_are_deleted() {
    let world = World::new().await;
    let auth = world.serve().await;
    fill(&world, &auth).await;
    let rows = async |table: &str| world.text(&format!("SELECT 'row' FROM {table}")).await.len();
    let sweep = async || {
        let retention = Retention::from_config(&world.config(&[])).unwrap();
        let now = world.clock.clock().now();
        sweep::sweep_all(&mut world.database.pool.acquire().await.unwrap(), retention, now).await.unwrap();
    };
    for (after, left) in [
        (Duration::ZERO, [1, 1, 1, 1]),
        (Duration::DAY + Duration::SECOND, [0, 1, 0, 1]),
        (Duration::days(2), [0, 0, 0, 1]),
        (Duration::days(363), [0, 0, 0, 0]),
    ] {
        world.clock.advance(after);
        sweep().await;
        let tables = ["email_change", "consent", "guardian_code", "guardian_view"];
        let mut found = [0; 4];
        for (table, count) in tables.iter().zip(&mut found) {
            *count = rows(table).await;
        }
        assert_eq!(found, left, "after {after}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reference_to_an_account_is_deleted_or_cleared_with_it() {
    let world = World::new().await;
    let references = "SELECT conname::text FROM pg_constraint WHERE contype = 'f' \
                      AND confrelid = 'account'::regclass";
    assert!(world.text(references).await.len() >= 10, "the accounts of many tables are checked");
    let kept = format!("{references} AND confdeltype NOT IN ('c', 'n')");
    assert_eq!(world.text(&kept).await, Vec::<String>::new());
}
