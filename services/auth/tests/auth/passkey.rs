//! Sign-in without a password, with a device that signs as `WebAuthn` requires.

use crate::authenticator::Authenticator;
use crate::support::{ADDRESS, Auth, EMAIL, NOW, PASSWORD, USER, World, reason, sid};
use kit::error::ServiceError;
use proto::auth::{
    AddPasskeyRequest, BeginPasskeyLoginRequest, BeginPasskeyRequest, ExportAccountRequest, ExportedPasskey,
    ListPasskeysRequest, LogInWithPasskeyRequest, Passkey, PasskeyRemoved, RemovePasskeyRequest,
    RenamePasskeyRequest, Tokens,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

pub(crate) async fn begin(auth: &Auth, password: &str) -> Result<(String, String), Status> {
    let request = BeginPasskeyRequest {
        password: password.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..BeginPasskeyRequest::default()
    };
    let begun = auth.passkeys_of(USER).begin_passkey(request).await?.into_inner();
    Ok((begun.challenge_id, begun.options))
}

pub(crate) async fn add(auth: &Auth, challenge: &str, credential: String) -> Result<Passkey, Status> {
    let request = AddPasskeyRequest {
        challenge_id: challenge.to_owned(),
        name: "スマホ".to_owned(),
        credential,
        ..Default::default()
    };
    Ok(auth.passkeys_of(USER).add_passkey(request).await?.into_inner().passkey.unwrap())
}

/// Adds `device` as a passkey of the account.
pub(crate) async fn with_passkey(auth: &Auth, device: &Authenticator) -> Passkey {
    let (challenge, options) = begin(auth, PASSWORD).await.unwrap();
    add(auth, &challenge, device.create(&options).to_string()).await.unwrap()
}

pub(crate) async fn begin_login(auth: &Auth) -> (String, String) {
    let request = BeginPasskeyLoginRequest { client_address: ADDRESS.to_owned() };
    let begun = auth.passkeys().begin_passkey_login(request).await.unwrap().into_inner();
    (begun.challenge_id, begun.options)
}

pub(crate) async fn log_in(auth: &Auth, challenge: &str, credential: String) -> Result<Tokens, Status> {
    let request = LogInWithPasskeyRequest {
        challenge_id: challenge.to_owned(),
        credential,
        client_address: ADDRESS.to_owned(),
        user_agent: String::new(),
        ..LogInWithPasskeyRequest::default()
    };
    Ok(auth.passkeys().log_in_with_passkey(request).await?.into_inner().tokens.unwrap())
}

pub(crate) async fn list(auth: &Auth) -> Vec<Passkey> {
    let request = ListPasskeysRequest::default();
    auth.passkeys_of(USER).list_passkeys(request).await.unwrap().into_inner().passkeys
}

#[tokio::test(flavor = "multi_thread")]
async fn an_added_passkey_signs_in_and_so_does_the_password() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut device = Authenticator::new(1);
    let added = with_passkey(&auth, &device).await;
    assert_eq!((added.name.as_str(), added.last_used), ("スマホ", None));

    let (challenge, options) = begin_login(&auth).await;
    let tokens = log_in(&auth, &challenge, device.get(&options, USER).to_string()).await.unwrap();
    assert!(auth.is_alive(sid(&tokens)).await);
    assert!(list(&auth).await[0].last_used.is_some());
    auth.log_in().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn adding_a_passkey_requires_the_password_and_guesses_are_limited() {
    let world = World::new().await;
    let auth = world.serve().await;
    for turn in 0..12 {
        let expected = if turn < 10 { "BAD_CREDENTIALS" } else { "RATE_LIMITED" };
        assert_eq!(reason(begin(&auth, "wrong password").await), expected, "turn {turn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_valid_once_and_for_a_limited_time() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut device = Authenticator::new(1);
    let (challenge, options) = begin(&auth, PASSWORD).await.unwrap();
    let made = device.create(&options).to_string();
    add(&auth, &challenge, made.clone()).await.unwrap();
    assert_eq!(reason(add(&auth, &challenge, made).await), "CHALLENGE_DEAD");

    let (challenge, options) = begin_login(&auth).await;
    let signed = device.get(&options, USER).to_string();
    let (one, other) =
        tokio::join!(log_in(&auth, &challenge, signed.clone()), log_in(&auth, &challenge, signed.clone()));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|&&signed_in| signed_in).count(), 1);
    assert_eq!(reason(log_in(&auth, &challenge, signed).await), "CHALLENGE_DEAD");

    let (challenge, options) = begin_login(&auth).await;
    world.clock.advance(Duration::minutes(5) + Duration::SECOND);
    let late = device.get(&options, USER).to_string();
    assert_eq!(reason(log_in(&auth, &challenge, late).await), "CHALLENGE_DEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_signatures_are_refused() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut device = Authenticator::new(1);
    with_passkey(&auth, &device).await;

    device.origin = "http://localhost.evil.example";
    let (challenge, options) = begin_login(&auth).await;
    assert_eq!(
        reason(log_in(&auth, &challenge, device.get(&options, USER).to_string()).await),
        "PASSKEY_REFUSED"
    );
    device.origin = "http://localhost:8080";
    device.verifies = false;
    let (challenge, options) = begin_login(&auth).await;
    assert_eq!(
        reason(log_in(&auth, &challenge, device.get(&options, USER).to_string()).await),
        "PASSKEY_REFUSED"
    );
    device.verifies = true;

    let mut stranger = Authenticator::new(2);
    let (challenge, options) = begin_login(&auth).await;
    assert_eq!(
        reason(log_in(&auth, &challenge, stranger.get(&options, USER).to_string()).await),
        "PASSKEY_UNKNOWN"
    );
    // A device that claims to be the first one but has another key.
    let mut forger = Authenticator::new(1);
    let (challenge, options) = begin_login(&auth).await;
    assert_eq!(
        reason(log_in(&auth, &challenge, forger.get(&options, USER).to_string()).await),
        "PASSKEY_REFUSED"
    );

    let (challenge, options) = begin_login(&auth).await;
    log_in(&auth, &challenge, device.get(&options, USER).to_string()).await.unwrap();
    device.counter = 1;
    let (challenge, options) = begin_login(&auth).await;
    assert_eq!(
        reason(log_in(&auth, &challenge, device.get(&options, USER).to_string()).await),
        "PASSKEY_REFUSED"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_renames_and_removes_a_passkey() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut device = Authenticator::new(1);
    let id = with_passkey(&auth, &device).await.id;
    let rename =
        || RenamePasskeyRequest { id: id.clone(), name: "タブレット".to_owned(), ..Default::default() };
    let stranger = Uuid::from_u128(7);
    assert_eq!(reason(auth.passkeys_of(stranger).rename_passkey(rename()).await), "NOT_FOUND");
    auth.passkeys_of(USER).rename_passkey(rename()).await.unwrap();
    assert_eq!(list(&auth).await[0].name, "タブレット");

    let remove = || RemovePasskeyRequest { id: id.clone(), ..Default::default() };
    assert_eq!(reason(auth.passkeys_of(stranger).remove_passkey(remove()).await), "NOT_FOUND");
    auth.passkeys_of(USER).remove_passkey(remove()).await.unwrap();
    assert!(list(&auth).await.is_empty());
    let told: PasskeyRemoved = world.last().await;
    assert_eq!((told.to.as_str(), told.passkey_name.as_str()), (EMAIL, "タブレット"));
    let (challenge, options) = begin_login(&auth).await;
    assert_eq!(
        reason(log_in(&auth, &challenge, device.get(&options, USER).to_string()).await),
        "PASSKEY_UNKNOWN"
    );
}

/// The name appears in mails.
#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_a_passkey_contains_no_link_address_or_control_character() {
    let world = World::new().await;
    let auth = world.serve().await;
    let device = Authenticator::new(1);
    let (challenge_id, options) = begin(&auth, PASSWORD).await.unwrap();
    let credential = device.create(&options).to_string();
    let id = with_passkey(&auth, &Authenticator::new(2)).await.id;
    for (name, code) in [
        ("https://evil.example/x", "HOLDS_LINK"),
        ("ｅｖｉｌ．ｅｘａｍｐｌｅ を見て", "HOLDS_LINK"),
        ("a@evil.example", "HOLDS_LINK"),
        ("スマ\u{202e}ホ", "INVALID_FORMAT"),
        ("スマ\nホ", "INVALID_FORMAT"),
    ] {
        let (name, credential) = (name.to_owned(), credential.clone());
        let add = AddPasskeyRequest {
            challenge_id: challenge_id.clone(),
            name: name.clone(),
            credential,
            ..Default::default()
        };
        let rename = RenamePasskeyRequest { id: id.clone(), name: name.clone(), ..Default::default() };
        let added = auth.passkeys_of(USER).add_passkey(add).await.map(drop);
        let renamed = auth.passkeys_of(USER).rename_passkey(rename).await.map(drop);
        for refused in [added, renamed] {
            let problem = ServiceError::from_status(&refused.unwrap_err());
            assert_eq!((&*problem.fields[0].name, &*problem.fields[0].code), ("name", code), "{name}");
        }
    }
    assert_eq!(list(&auth).await.len(), 1);
    add(&auth, &challenge_id, credential).await.expect("a refused name leaves the challenge valid");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_at_most_ten_passkeys_and_one_for_each_device() {
    let world = World::new().await;
    let auth = world.serve().await;
    for device in 1..=10 {
        with_passkey(&auth, &Authenticator::new(device)).await;
    }
    let (challenge, options) = begin(&auth, PASSWORD).await.unwrap();
    let made = Authenticator::new(11).create(&options).to_string();
    assert_eq!(reason(add(&auth, &challenge, made).await), "PASSKEYS_FULL");

    let request = RemovePasskeyRequest { id: list(&auth).await[9].id.clone(), ..Default::default() };
    auth.passkeys_of(USER).remove_passkey(request).await.unwrap();
    let (challenge, options) = begin(&auth, PASSWORD).await.unwrap();
    let made = Authenticator::new(1).create(&options).to_string();
    assert_eq!(reason(add(&auth, &challenge, made).await), "PASSKEY_REFUSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_the_passkeys() {
    let world = World::new().await;
    let auth = world.serve().await;
    with_passkey(&auth, &Authenticator::new(1)).await;
    let request = ExportAccountRequest {
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..ExportAccountRequest::default()
    };
    let export = auth.profiles_of(USER).export_account(request).await.unwrap();
    let passkeys = export.into_inner().passkeys;
    assert_eq!(passkeys.len(), 1);
    let ExportedPasskey { name, created, last_used, suspended } = &passkeys[0];
    assert_eq!((name.as_str(), created.unwrap().seconds), ("スマホ", NOW.unix_timestamp()));
    assert_eq!((*last_used, *suspended), (None, None));
}
