//! Lockout: strangers share a count of wrong passwords; each session and each known device has its own.

use crate::support::{ADDRESS, Auth, EMAIL, PASSWORD, USER, World, reason, sid};
use kit::error::ServiceError;
use proto::auth::{
    BeginPasskeyRequest, ChangeEmailRequest, CloseAccountRequest, ExportAccountRequest, LoginRequest,
    PasswordResetRequested, Tokens,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

const WRONG: &str = "a wrong password";
const OTHER_EMAIL: &str = "taro@demo.example";

impl Auth {
    /// Logs in as a browser with this device cookie.
    async fn log_in_on(&self, device: &str, email: &str, password: &str) -> Result<Tokens, Status> {
        let request = LoginRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            client_address: ADDRESS.to_owned(),
            device: device.to_owned(),
            ..LoginRequest::default()
        };
        Ok(self.client.clone().login(request).await?.into_inner().tokens.expect("the answer has tokens"))
    }

    async fn export(&self, sid: Uuid, password: &str) -> Result<(), Status> {
        let request = ExportAccountRequest {
            password: password.to_owned(),
            client_address: ADDRESS.to_owned(),
            ..Default::default()
        };
        self.profiles_in(USER, sid).export_account(request).await.map(drop)
    }

    /// Locks the account for strangers by wrong passwords.
    async fn lock(&self, email: &str) {
        for _ in 0..10 {
            assert_eq!(reason(self.try_log_in(email, WRONG).await), "BAD_CREDENTIALS");
        }
        assert_eq!(reason(self.try_log_in(email, PASSWORD).await), "RATE_LIMITED");
    }
}

async fn world() -> (World, Auth) {
    let world = World::new().await;
    let mut other = world.account().await;
    other.id = Uuid::from_u128(2);
    OTHER_EMAIL.clone_into(&mut other.email);
    world.put(&other).await;
    let auth = world.serve_with(&["--logins-burst", "100000", "--hash-memory-kib", "64"]).await;
    (world, auth)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_in_owner_is_not_affected_by_a_lockout_of_strangers() {
    let (world, auth) = world().await;
    let session = sid(&auth.log_in().await);
    auth.lock(EMAIL).await;
    auth.export(session, PASSWORD).await.expect("the export");
    let email = ChangeEmailRequest {
        password: PASSWORD.to_owned(),
        email: "new@demo.example".to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    auth.profiles_in(USER, session).change_email(email).await.expect("the change of the address");
    let passkey = BeginPasskeyRequest {
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    auth.passkeys_in(USER, session).begin_passkey(passkey).await.expect("the passkey");
    let new = "umi-no-mieru-eki-42";
    auth.change_password(session, PASSWORD, new).await.expect("the change of the password");
    // The stranger tries again whenever the lock ends.
    for _ in 0..4 {
        world.clock.advance(Duration::minutes(15));
        assert_eq!(reason(auth.try_log_in(EMAIL, WRONG).await), "BAD_CREDENTIALS");
        assert_eq!(reason(auth.try_log_in(EMAIL, new).await), "RATE_LIMITED");
    }
    let close = CloseAccountRequest {
        password: new.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    auth.profiles_in(USER, session).close_account(close).await.expect("the closing");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_passwords_in_a_session_lock_only_that_session() {
    let (_world, auth) = world().await;
    let (one, other) = (sid(&auth.log_in().await), sid(&auth.log_in().await));
    for _ in 0..10 {
        assert_eq!(reason(auth.export(one, WRONG).await), "BAD_CREDENTIALS");
    }
    let refused = auth.export(one, PASSWORD).await.unwrap_err();
    let problem = ServiceError::from_status(&refused);
    assert_eq!(problem.retry_after, Some(std::time::Duration::from_secs(30)));
    assert_eq!(reason(auth.change_password(one, PASSWORD, "umi-no-mieru-eki-42").await), "RATE_LIMITED");
    auth.export(other, PASSWORD).await.expect("another session has its own count");
    auth.log_in().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_browser_signs_in_during_a_lockout_of_strangers() {
    let (world, auth) = world().await;
    let device = auth.log_in().await.device;
    auth.lock(EMAIL).await;
    let renewed = auth.log_in_on(&device, EMAIL, PASSWORD).await.expect("its own count").device;
    assert_ne!(renewed, device);
    world.clock.advance(Duration::days(364));
    auth.lock(EMAIL).await;
    auth.log_in_on(&renewed, EMAIL, PASSWORD).await.expect("for a year");
    world.clock.advance(Duration::days(1));
    auth.lock(EMAIL).await;
    assert_eq!(reason(auth.log_in_on(&renewed, EMAIL, PASSWORD).await), "RATE_LIMITED", "and no longer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_of_another_account_or_an_invalid_one_is_ignored() {
    let (_world, auth) = world().await;
    let (own, others) =
        (auth.log_in().await.device, auth.try_log_in(OTHER_EMAIL, PASSWORD).await.unwrap().device);
    auth.lock(EMAIL).await;
    let forged = format!("{}{}", if own.starts_with('A') { 'B' } else { 'A' }, &own[1..]);
    for (what, device) in [
        ("none", ""),
        ("of another account", &others),
        ("forged", &forged),
        ("junk", "..."),
        ("no text", "\0"),
    ] {
        let answer = auth.log_in_on(device, EMAIL, PASSWORD).await;
        assert_eq!(reason(answer), "RATE_LIMITED", "{what}");
    }
    // On a family's tablet the cookie of the second account keeps the token of the first one.
    let both = auth.log_in_on(&own, OTHER_EMAIL, PASSWORD).await.unwrap().device;
    auth.log_in_on(&both, EMAIL, PASSWORD).await.expect("both are known");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_browser_is_locked_only_by_its_own_wrong_passwords() {
    let (world, auth) = world().await;
    let (one, other) = (auth.log_in().await.device, auth.log_in().await.device);
    for _ in 0..10 {
        assert_eq!(reason(auth.log_in_on(&one, EMAIL, WRONG).await), "BAD_CREDENTIALS");
    }
    assert_eq!(reason(auth.log_in_on(&one, EMAIL, PASSWORD).await), "RATE_LIMITED");
    auth.log_in_on(&other, EMAIL, PASSWORD).await.expect("another browser has its own count");
    auth.log_in().await;
    world.clock.advance(Duration::seconds(30));
    auth.log_in_on(&one, EMAIL, PASSWORD).await.expect("the wait is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_password_invalidates_earlier_cookies() {
    let (_world, auth) = world().await;
    let thief = auth.log_in().await;
    let owner = auth.log_in().await;
    let new = "umi-no-mieru-eki-42";
    auth.change_password(sid(&owner), PASSWORD, new).await.unwrap();
    for _ in 0..10 {
        assert_eq!(reason(auth.log_in_on(&thief.device, EMAIL, WRONG).await), "BAD_CREDENTIALS");
    }
    // The attempts of the thief and of strangers were counted together.
    assert_eq!(reason(auth.try_log_in(EMAIL, new).await), "RATE_LIMITED");
    assert_eq!(reason(auth.log_in_on(&thief.device, EMAIL, new).await), "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_sign_in_issues_a_device_cookie() {
    let (world, auth) = world().await;
    let device = auth.log_in().await.device;
    let close = CloseAccountRequest {
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..CloseAccountRequest::default()
    };
    auth.profiles_of(USER).close_account(close).await.unwrap();
    for _ in 0..10 {
        assert_eq!(reason(auth.try_log_in(EMAIL, WRONG).await), "BAD_CREDENTIALS");
    }
    let reopen = proto::auth::ReopenRequest {
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        device,
        ..proto::auth::ReopenRequest::default()
    };
    let device =
        auth.profiles().reopen(reopen).await.expect("its own count").into_inner().tokens.unwrap().device;
    auth.log_in_on(&device, EMAIL, PASSWORD).await.expect("known after it, too");

    let mut account = world.account().await;
    account.password_hash = auth::password::hash("前のパスワード2025").unwrap();
    world.put(&account).await;
    world.text("UPDATE account SET must_change_password = true RETURNING 'x'").await;
    world.clock.advance(Duration::HOUR);
    let new = "umi-no-mieru-eki-42";
    let change = proto::auth::ChangePasswordAtLoginRequest {
        email: EMAIL.to_owned(),
        password: "前のパスワード2025".to_owned(),
        new_password: new.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..proto::auth::ChangePasswordAtLoginRequest::default()
    };
    let changed = auth.entry.clone().change_password_at_login(change).await.unwrap().into_inner();
    auth.lock(EMAIL).await;
    auth.log_in_on(&changed.tokens.unwrap().device, EMAIL, new).await.expect("the new one is known");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_reset_the_password_signs_in_during_a_lockout_of_strangers() {
    let (world, auth) = world().await;
    let other = auth.try_log_in(OTHER_EMAIL, PASSWORD).await.unwrap().device;
    auth.lock(EMAIL).await;
    auth.ask_reset(EMAIL).await.unwrap();
    let mail: PasswordResetRequested = world.last().await;
    let new = "umi-no-mieru-eki-42";
    let device = auth.confirm_reset_on(&other, &mail.uid, &mail.token, new).await.unwrap();
    for _ in 0..10 {
        assert_eq!(reason(auth.try_log_in(EMAIL, WRONG).await), "BAD_CREDENTIALS");
    }
    assert_eq!(reason(auth.try_log_in(EMAIL, new).await), "RATE_LIMITED");
    auth.log_in_on(&device, EMAIL, new).await.expect("the browser of the reset has its own count");
    auth.lock(OTHER_EMAIL).await;
    auth.log_in_on(&device, OTHER_EMAIL, PASSWORD).await.expect("known as before the reset");
}

/// Hashes are small, and limits are the defaults.
async fn world_with_default_limits() -> (World, Auth) {
    let world = World::new().await;
    let mut account = world.account().await;
    let mut memory = auth::password::Memory::default();
    account.password_hash = auth::password::hash_in(64, PASSWORD, &mut memory).unwrap();
    world.put(&account).await;
    let auth = world.serve_with(&["--hash-memory-kib", "64"]).await;
    (world, auth)
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_at_the_same_address_only_use_up_their_own_attempts() {
    let (_world, auth) = world_with_default_limits().await;
    let signed_in = auth.log_in().await;
    for number in 1..60 {
        let stranger = auth.try_log_in(&format!("nobody{number}@demo.example"), WRONG).await;
        assert_eq!(reason(stranger), "BAD_CREDENTIALS", "{number}");
    }
    assert_eq!(reason(auth.try_log_in(EMAIL, PASSWORD).await), "RATE_LIMITED", "the burst is used up");
    auth.export(sid(&signed_in), PASSWORD).await.expect("an owner who is signed in");
    auth.log_in_on(&signed_in.device, EMAIL, PASSWORD).await.expect("a browser that signed in before");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_and_a_known_browser_have_their_own_limited_attempts() {
    let (_world, auth) = world_with_default_limits().await;
    let (one, other) = (auth.log_in().await, auth.log_in().await);
    for number in 0..60 {
        auth.export(sid(&one), PASSWORD).await.unwrap_or_else(|status| panic!("{number}: {status}"));
    }
    assert_eq!(reason(auth.export(sid(&one), PASSWORD).await), "RATE_LIMITED");
    auth.export(sid(&other), PASSWORD).await.expect("another session");
    // Each sign-in makes a new device, but the account has one bucket around all of them: 240, of which 61 are used.
    let mut device = other.device;
    for number in 61..240 {
        let renewed = auth.log_in_on(&device, EMAIL, PASSWORD).await;
        device = renewed.unwrap_or_else(|status| panic!("{number}: {status}")).device;
    }
    assert_eq!(reason(auth.log_in_on(&device, EMAIL, PASSWORD).await), "RATE_LIMITED");
}

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % limit).unwrap()
    }
}

/// A model of the count of one caller; times in seconds from the start.
#[derive(Clone, Copy, Default)]
struct Count {
    failures: u32,
    since: i64,
    blocked_until: Option<i64>,
}

impl Count {
    const WINDOW: i64 = 900;

    /// The result of an attempt; `None` if it has to wait.
    fn try_password(&mut self, is_right: bool, now: i64) -> Option<bool> {
        if self.blocked_until.is_some_and(|until| until > now) {
            return None;
        }
        if is_right {
            *self = Self::default();
            return Some(true);
        }
        if self.failures == 0 || self.blocked_until.unwrap_or(self.since) + Self::WINDOW <= now {
            *self = Self { failures: 0, since: now, blocked_until: None };
        }
        self.failures += 1;
        self.blocked_until =
            self.failures.checked_sub(10).map(|beyond| now + (30 << beyond.min(5)).min(Self::WINDOW));
        Some(false)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_random_sequences_each_caller_is_locked_exactly_by_their_own_failures() {
    let (world, auth) = world().await;
    let mut account = world.account().await;
    let mut memory = auth::password::Memory::default();
    account.password_hash = auth::password::hash_in(64, PASSWORD, &mut memory).unwrap();
    world.put(&account).await;
    let devices = [auth.log_in().await.device, auth.log_in().await.device];
    let sessions = [sid(&auth.log_in().await), sid(&auth.log_in().await)];
    let mut random = Random(15);
    // A stranger, two known devices, two sessions.
    let mut counts = [Count::default(); 5];
    let (mut now, mut refused, mut let_in) = (0, 0, 0);
    for turn in 0..1_500 {
        if random.below(15) == 0 {
            let step = [10, 30, 300, 900][random.below(4)];
            now += step;
            world.clock.advance(Duration::seconds(step));
        }
        let (who, is_right) = (random.below(5), random.below(12) == 0);
        let password = if is_right { PASSWORD } else { WRONG };
        let answer = match who {
            0 => auth.try_log_in(EMAIL, password).await.map(drop),
            1 | 2 => auth.log_in_on(&devices[who - 1], EMAIL, password).await.map(drop),
            _ => auth.export(sessions[who - 3], password).await,
        };
        let wanted = match counts[who].try_password(is_right, now) {
            Some(true) => Ok(()),
            Some(false) => Err("BAD_CREDENTIALS".to_owned()),
            None => Err("RATE_LIMITED".to_owned()),
        };
        let came = answer.map_err(|status| reason(Err::<(), _>(status)));
        refused += u32::from(came == Err("RATE_LIMITED".to_owned()));
        let_in += u32::from(came.is_ok());
        assert_eq!(came, wanted, "turn {turn}, caller {who}");
    }
    assert!(refused > 100 && let_in > 10, "{refused} refused, {let_in} let in");
}
