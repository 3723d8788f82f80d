//! Recovery: what the owner ends by a new password, by the undo of an e-mail change and by closing the account.

use crate::authenticator::Authenticator;
use crate::passkey::{add, begin, begin_login, list, log_in, with_passkey};
use crate::support::{ADDRESS, Auth, EMAIL, NOW, PASSWORD, USER, World, reason, sid};
use auth::account::Account;
use kit_db::test::TestDatabase;
use proto::auth::{
    AskConsentRequest, CheckConsentRequest, CloseAccountRequest, EmailChangePending, EmailChangeRequested,
    EmailChangeUndone, EmailChanged, ExportAccountRequest, GetUserRequest, GuardianConsent,
    GuardianConsentRequested, IssueCodeRequest, KeepPasskeyRequest, PasswordChanged, PasswordResetRequested,
    SignUpOfAccount, StopEmailRequest, UseCodeRequest, User,
};
use sqlx::Executor as _;
use time::Duration;
use tonic::Status;
use uuid::Uuid;

const NEW: &str = "new@konomana.example";
const THIEFS: &str = "thief@konomana.example";
const FRESH: &str = "umi-no-mieru-eki-42";
const GUARDIAN: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4b77);

/// The five ways to recover an account.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RecoveryMethod {
    Reset,
    Change,
    ChangeAtLogin,
    Undo,
    Close,
}

impl Auth {
    async fn stop(&self, token: &str) -> Result<(), Status> {
        let request = StopEmailRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        self.profiles().stop_email(request).await.map(drop)
    }

    async fn own_user(&self) -> User {
        let request = GetUserRequest::default();
        self.client_of(USER).get_user(request).await.unwrap().into_inner().user.unwrap()
    }

    async fn keep(&self, account: Uuid, id: &str, password: &str) -> Result<(), Status> {
        let request = KeepPasskeyRequest {
            id: id.to_owned(),
            password: password.to_owned(),
            client_address: ADDRESS.to_owned(),
            ..Default::default()
        };
        self.passkeys_of(account).keep_passkey(request).await.map(drop)
    }

    async fn use_device(&self, device: &mut Authenticator) -> Result<Uuid, Status> {
        let (challenge, options) = begin_login(self).await;
        let signed = device.get(&options, USER).to_string();
        log_in(self, &challenge, signed).await.map(|tokens| sid(&tokens))
    }

    async fn reset_link(&self, world: &World, email: &str) -> PasswordResetRequested {
        self.ask_reset(email).await.unwrap();
        world.last().await
    }

    async fn recover(&self, way: RecoveryMethod, link: &PasswordResetRequested, undo: &str) {
        match way {
            RecoveryMethod::Reset => self.confirm_reset(&link.uid, &link.token, FRESH).await.unwrap(),
            RecoveryMethod::Change => drop(self.change_password(Uuid::nil(), PASSWORD, FRESH).await.unwrap()),
            RecoveryMethod::ChangeAtLogin => drop(self.change(PASSWORD, FRESH).await.unwrap()),
            RecoveryMethod::Undo => self.undo(undo).await.unwrap(),
            RecoveryMethod::Close => {
                let request = CloseAccountRequest {
                    password: PASSWORD.to_owned(),
                    client_address: ADDRESS.to_owned(),
                    ..Default::default()
                };
                self.profiles_of(USER).close_account(request).await.map(drop).unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recovery_method_ends_pending_operations() {
    for way in [
        RecoveryMethod::Reset,
        RecoveryMethod::Change,
        RecoveryMethod::ChangeAtLogin,
        RecoveryMethod::Undo,
        RecoveryMethod::Close,
    ] {
        let world = World::new().await;
        let auth = world.serve().await;
        let guardian = Account {
            id: GUARDIAN,
            email: "guardian@konomana.example".to_owned(),
            scope: vec!["guardian".to_owned()],
            birth_date: None,
            ..world.account().await
        };
        world.put(&guardian).await;
        let session = sid(&auth.log_in().await);
        let (undo, email) = match way {
            RecoveryMethod::Undo => (auth.change_email_to(&world, NEW).await, NEW),
            _ => (String::new(), EMAIL),
        };
        auth.change_email(PASSWORD, THIEFS).await.unwrap();
        let pending: EmailChangeRequested = world.last().await;
        let stop: EmailChangePending = world.latest().await;
        let other = auth.reset_link(&world, email).await;
        let used = auth.reset_link(&world, email).await;
        let consent = AskConsentRequest {
            name: "山田 恵子".to_owned(),
            relation: "母".to_owned(),
            email: "keiko@demo.example".to_owned(),
            ..Default::default()
        };
        auth.guardians_of(USER).ask_consent(consent).await.unwrap();
        let consent: GuardianConsentRequested = world.last().await;
        let issued = auth.guardians_of(USER).issue_code(IssueCodeRequest::default()).await.unwrap();
        let (challenge, options) = begin(&auth, PASSWORD).await.unwrap();
        let asked = auth.put_birth_date(USER, "2000-01-01").await.unwrap();
        assert!(asked.requested_birth_date.is_some());

        auth.recover(way, &used, &undo).await;

        assert!(!auth.is_alive(session).await, "{way:?}: the session");
        assert_eq!(reason(auth.confirm(&pending.token).await), "LINK_DEAD", "{way:?}: the new address");
        assert_eq!(reason(auth.stop(&stop.token).await), "LINK_DEAD", "{way:?}: no change is pending");
        assert_eq!(world.text("SELECT 'row' FROM email_change").await.len(), 0, "{way:?}");
        assert_eq!(world.account().await.email, EMAIL, "{way:?}");
        assert_eq!(reason(auth.check_reset(&other.uid, &other.token).await), "LINK_DEAD", "{way:?}");
        let check = CheckConsentRequest { token: consent.token, client_address: ADDRESS.to_owned() };
        assert_eq!(reason(auth.guardians().check_consent(check).await), "LINK_DEAD", "{way:?}: consent");
        assert_eq!(auth.own_user().await.guardian_consent(), GuardianConsent::Missing, "{way:?}");
        assert_eq!(auth.own_user().await.requested_birth_date, None, "{way:?}: the birth date");
        assert!(world.birth_date(USER, &["--approve"]).await.is_err(), "{way:?}: no change awaits approval");
        let code = UseCodeRequest {
            code: issued.into_inner().code,
            client_address: ADDRESS.to_owned(),
            ..Default::default()
        };
        assert_eq!(
            reason(auth.guardians_of(GUARDIAN).use_code(code).await),
            "CODE_WRONG",
            "{way:?}: guardian code"
        );
        let made = Authenticator::new(1).create(&options).to_string();
        assert_eq!(reason(add(&auth, &challenge, made).await), "CHALLENGE_DEAD", "{way:?}: passkey");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_keeps_the_link_that_restores_the_old_address() {
    for way in
        [RecoveryMethod::Reset, RecoveryMethod::Change, RecoveryMethod::ChangeAtLogin, RecoveryMethod::Close]
    {
        let world = World::new().await;
        let auth = world.serve().await;
        // The attacker has changed the account's address, and controls the new one.
        let undo = auth.change_email_to(&world, EMAIL).await;
        let link = auth.reset_link(&world, EMAIL).await;
        auth.recover(way, &link, "").await;
        auth.undo(&undo).await.unwrap_or_else(|status| panic!("{way:?}: {status}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_change_or_passkey_started_under_another_password_is_not_completed() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.change_email(PASSWORD, THIEFS).await.unwrap();
    let pending: EmailChangeRequested = world.last().await;
    let (challenge, options) = begin(&auth, PASSWORD).await.unwrap();
    // As an operator's import or a replica of an older version does it.
    let password_hash = auth::password::hash(FRESH).unwrap();
    world.put(&Account { password_hash, ..world.account().await }).await;

    assert_eq!(reason(auth.confirm(&pending.token).await), "LINK_DEAD");
    assert_eq!(world.account().await.email, EMAIL);
    let made = Authenticator::new(1).create(&options).to_string();
    assert_eq!(reason(add(&auth, &challenge, made).await), "CHALLENGE_DEAD");
    assert!(list(&auth).await.is_empty());
}

/// Waits until this many statements of a database wait for a lock.
async fn are_waiting(database: &TestDatabase, count: usize) {
    let sql = "SELECT 'waits' FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let waiting = async {
        loop {
            let rows = database.pool.acquire().await.unwrap().fetch_all(sqlx::raw_sql(sql)).await.unwrap();
            if rows.len() >= count {
                break;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), waiting).await.expect("the statements wait");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_concurrent_reset_and_address_confirmation_are_serialised() {
    for reset_first in [true, false] {
        let world = World::new().await;
        let auth = world.serve().await;
        auth.change_email(PASSWORD, THIEFS).await.unwrap();
        let pending: EmailChangeRequested = world.last().await;
        let link = auth.reset_link(&world, EMAIL).await;

        let mut held = world.database.pool.begin().await.unwrap();
        held.execute(sqlx::raw_sql("SELECT FROM account FOR UPDATE")).await.unwrap();
        let first_waits = tokio::sync::Notify::new();
        let reset = async {
            if !reset_first {
                first_waits.notified().await;
            }
            auth.confirm_reset(&link.uid, &link.token, FRESH).await
        };
        let confirm = async {
            if reset_first {
                first_waits.notified().await;
            }
            auth.confirm(&pending.token).await
        };
        let release = async {
            are_waiting(&world.database, 1).await;
            first_waits.notify_one();
            are_waiting(&world.database, 2).await;
            held.commit().await.unwrap();
        };
        let (reset, confirm, ()) = tokio::join!(reset, confirm, release);
        assert_eq!((reset.is_ok(), confirm.is_ok()), (reset_first, !reset_first), "{reset:?} {confirm:?}");
        let loser = if reset_first { confirm } else { reset };
        assert_eq!(reason(loser), "LINK_DEAD");
        assert_eq!(world.account().await.email, if reset_first { EMAIL } else { THIEFS });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_address_is_notified_at_once_and_can_stop_a_change() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.change_email(PASSWORD, NEW).await.unwrap();
    let first: EmailChangePending = world.latest().await;
    assert_eq!((first.to.as_str(), first.name.as_str()), (EMAIL, "山田 花子"));
    assert_eq!(first.new_email, "n***@konomana.example");
    assert_eq!(first.expires_at.unwrap().seconds, (NOW + Duration::DAY).unix_timestamp());
    let pending: EmailChangeRequested = world.last().await;
    assert_eq!(reason(auth.stop(&pending.token).await), "LINK_DEAD", "the link is for the new address");
    assert_eq!(reason(auth.confirm(&first.token).await), "LINK_DEAD", "the link is for the old address");

    // Requested again before the owner has read the first mail.
    auth.change_email(PASSWORD, THIEFS).await.unwrap();
    let pending: EmailChangeRequested = world.last().await;
    let second: EmailChangePending = world.latest().await;
    auth.stop(&first.token).await.expect("it stops the pending change");
    assert_eq!(reason(auth.confirm(&pending.token).await), "LINK_DEAD");
    for used in [&first, &second] {
        assert_eq!(reason(auth.stop(&used.token).await), "LINK_DEAD");
    }
    assert_eq!(world.account().await.email, EMAIL);

    auth.change_email(PASSWORD, NEW).await.unwrap();
    let pending: EmailChangeRequested = world.last().await;
    let stop: EmailChangePending = world.latest().await;
    auth.confirm(&pending.token).await.expect("the owner may ask again");
    assert_eq!(reason(auth.stop(&stop.token).await), "LINK_DEAD", "a confirmed change can only be undone");
    for junk in ["", "junk", &stop.token[1..]] {
        assert_eq!(reason(auth.stop(junk).await), "LINK_DEAD");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_address_gets_the_same_mail_if_the_new_one_is_taken() {
    let world = World::new().await;
    let auth = world.serve().await;
    let taken = Account { id: GUARDIAN, email: NEW.to_owned(), ..world.account().await };
    world.put(&taken).await;
    auth.change_email(PASSWORD, NEW).await.unwrap();
    let _: SignUpOfAccount = world.last().await;
    let told: EmailChangePending = world.latest().await;
    assert_eq!((told.to.as_str(), told.new_email.as_str()), (EMAIL, "n***@konomana.example"));
    auth.stop(&told.token).await.expect("it works as for a free address");
    assert_eq!(reason(auth.stop(&told.token).await), "LINK_DEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_suspends_every_passkey_until_the_owner_keeps_or_removes_it() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (mut own, mut thiefs) = (Authenticator::new(1), Authenticator::new(2));
    let own_id = with_passkey(&auth, &own).await.id;
    let thiefs_id = with_passkey(&auth, &thiefs).await.id;
    auth.use_device(&mut thiefs).await.unwrap();
    let link = auth.reset_link(&world, EMAIL).await;
    auth.confirm_reset(&link.uid, &link.token, FRESH).await.unwrap();
    let told: PasswordChanged = world.last().await;
    assert_eq!((told.active_passkeys, told.suspended_passkeys), (0, 2));

    let unknown = auth.use_device(&mut Authenticator::new(3)).await.unwrap_err();
    for device in [&mut own, &mut thiefs] {
        let refused = auth.use_device(device).await.unwrap_err();
        let look = |status: &Status| (status.code(), status.message().to_owned(), status.details().to_vec());
        assert_eq!(look(&refused), look(&unknown), "like an unknown passkey");
        assert_eq!(reason::<Uuid>(Err(refused)), "PASSKEY_UNKNOWN");
    }
    assert_eq!(auth.own_user().await.suspended_passkeys, 2);
    assert!(list(&auth).await.iter().all(|passkey| passkey.suspended.is_some()));
    let request = ExportAccountRequest {
        password: FRESH.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    let export = auth.profiles_of(USER).export_account(request).await.unwrap().into_inner();
    assert!(export.passkeys.iter().all(|passkey| passkey.suspended.is_some()));

    assert_eq!(reason(auth.keep(USER, &own_id, PASSWORD).await), "BAD_CREDENTIALS");
    assert_eq!(reason(auth.keep(USER, &Uuid::nil().to_string(), FRESH).await), "NOT_FOUND");
    let other = Account { id: GUARDIAN, email: NEW.to_owned(), ..world.account().await };
    world.put(&other).await;
    assert_eq!(reason(auth.keep(GUARDIAN, &own_id, FRESH).await), "NOT_FOUND");
    assert_eq!(auth.own_user().await.suspended_passkeys, 2);
    for _ in 0..2 {
        auth.keep(USER, &own_id, FRESH).await.expect("the password is right");
    }
    auth.use_device(&mut own).await.expect("a kept passkey works");
    let remove = proto::auth::RemovePasskeyRequest { id: thiefs_id, ..Default::default() };
    auth.passkeys_of(USER).remove_passkey(remove).await.unwrap();
    assert_eq!(auth.own_user().await.suspended_passkeys, 0);
    assert_eq!(reason(auth.use_device(&mut thiefs).await), "PASSKEY_UNKNOWN");
}

#[tokio::test(flavor = "multi_thread")]
async fn undoing_an_address_change_removes_later_passkeys_and_suspends_earlier_ones() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (mut before, mut after) = (Authenticator::new(1), Authenticator::new(2));
    let earlier = with_passkey(&auth, &before).await.id;
    world.clock.advance(Duration::HOUR);
    auth.change_email(PASSWORD, NEW).await.unwrap();
    let asked: EmailChangeRequested = world.last().await;
    with_passkey(&auth, &after).await;
    auth.confirm(&asked.token).await.unwrap();
    let changed: EmailChanged = world.last().await;
    auth.undo(&changed.token).await.unwrap();

    assert_eq!(world.last::<EmailChangeUndone>().await.suspended_passkeys, 1);
    for device in [&mut before, &mut after] {
        assert_eq!(reason(auth.use_device(device).await), "PASSKEY_UNKNOWN");
    }
    let left = list(&auth).await;
    assert_eq!((left.len(), left[0].id.as_str()), (1, earlier.as_str()));
    let link = auth.reset_link(&world, EMAIL).await;
    auth.confirm_reset(&link.uid, &link.token, FRESH).await.unwrap();
    auth.keep(USER, &earlier, FRESH).await.unwrap();
    auth.use_device(&mut before).await.expect("the owner's passkey works");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_change_keeps_passkeys_and_reports_them() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut device = Authenticator::new(1);
    with_passkey(&auth, &device).await;
    let session = auth.use_device(&mut device).await.unwrap();
    auth.change_password(session, PASSWORD, FRESH).await.unwrap();
    let told: PasswordChanged = world.last().await;
    assert_eq!((told.active_passkeys, told.suspended_passkeys), (1, 0));
    assert!(!auth.is_alive(session).await);
    auth.use_device(&mut device).await.expect("a password change keeps passkeys");
}
