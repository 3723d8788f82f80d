//! Passwords, tokens and private keys are not stored; those, addresses and names are not logged.

use std::io::Write;
use std::sync::{Arc, Mutex};

use crate::support::{ADDRESS, Auth, EMAIL, PASSWORD, SECRET, USER, World, sid};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proto::auth::verify_sign_up_request::Proof;
use proto::auth::{
    CompleteSignUpRequest, ConfirmPasswordResetRequest, PasswordResetRequested, RequestPasswordResetRequest,
    SignUpCode, SignUpStarted, StartSignUpRequest, VerifySignUpRequest,
};
use time::Duration;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}

const NEW: &str = "canary@demo.example";
const CHOSEN: &str = "umi-no-mieru-eki-42";

/// Signs a person up with one wrong code; returns the handle and the token of the mail.
async fn sign_up(world: &World, auth: &Auth) -> (String, String) {
    let mut entry = auth.entry.clone();
    let start = StartSignUpRequest {
        email: NEW.to_owned(),
        password: CHOSEN.to_owned(),
        kind: "learner".to_owned(),
        terms: true,
        client_address: ADDRESS.to_owned(),
        ..StartSignUpRequest::default()
    };
    let handle = entry.start_sign_up(start).await.unwrap().into_inner().sign_up;
    let mail: SignUpStarted = world.last().await;
    for code in ["wrong", &mail.code] {
        let code = SignUpCode { sign_up: handle.clone(), code: code.to_owned() };
        let proof =
            VerifySignUpRequest { proof: Some(Proof::Code(code)), client_address: ADDRESS.to_owned() };
        let _ = entry.verify_sign_up(proof).await;
    }
    let person = CompleteSignUpRequest {
        sign_up: handle.clone(),
        last_name: "鈴木".to_owned(),
        first_name: "太郎".to_owned(),
        last_name_kana: "スズキ".to_owned(),
        first_name_kana: "タロウ".to_owned(),
        birth_date: "2011-04-01".to_owned(),
        client_address: ADDRESS.to_owned(),
        ..CompleteSignUpRequest::default()
    };
    entry.complete_sign_up(person).await.unwrap();
    (handle, mail.token)
}

/// Resets the password of the new account; returns the token of the mail.
async fn reset(world: &World, auth: &Auth) -> String {
    let mut entry = auth.entry.clone();
    let ask = RequestPasswordResetRequest { email: NEW.to_owned(), client_address: ADDRESS.to_owned() };
    entry.request_password_reset(ask).await.unwrap();
    let mail: PasswordResetRequested = world.last().await;
    let confirm = ConfirmPasswordResetRequest {
        uid: mail.uid,
        token: mail.token.clone(),
        password: "yama-no-ue-no-ki-17".to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    entry.confirm_password_reset(confirm).await.unwrap();
    mail.token
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_not_stored_and_neither_secrets_nor_names_are_logged() {
    let lines = Lines::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_span_events(FmtSpan::FULL)
        .with_ansi(false)
        .with_writer(lines.clone())
        .init();
    let world = World::new().await;
    let auth = world.serve().await;
    let first = auth.log_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let _ = auth.try_log_in(EMAIL, "a wrong password").await;
    let _ = auth.try_log_in("nobody@demo.example", PASSWORD).await;
    let user = proto::auth::GetUserRequest::default();
    auth.client_of(USER).get_user(user).await.unwrap();
    let (handle, mailed) = sign_up(&world, &auth).await;
    let reset = reset(&world, &auth).await;
    world.clock.advance(Duration::minutes(1));
    auth.refresh(&first.refresh_token).await.unwrap_err();

    let secrets = [
        PASSWORD,
        "a wrong password",
        SECRET,
        &first.access_token,
        &first.refresh_token,
        &second.access_token,
        &second.refresh_token,
        &handle,
        &mailed,
        &reset,
        CHOSEN,
    ];
    let tables = world
        .text("SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'")
        .await;
    assert!(tables.len() >= 8, "{tables:?}");
    let mut stored = String::new();
    for table in tables {
        stored.extend(world.text(&format!("SELECT row::text FROM {table} AS row")).await);
    }
    assert!(stored.contains("山田"), "the dump has the rows");
    for secret in secrets {
        let raw = URL_SAFE_NO_PAD.decode(secret).map(hex::encode).unwrap_or_default();
        for spelling in [secret.to_owned(), hex::encode(secret), raw].iter().filter(|text| !text.is_empty()) {
            assert!(!stored.contains(spelling.as_str()), "stored: {spelling}");
        }
    }
    // The first bytes of a PKCS#8 key for Ed25519.
    assert!(!stored.contains("302e020100300506032b6570"), "a private key is stored in plain text");
    assert!(!stored.contains(ADDRESS), "client addresses are stored as keyed hashes only");

    let logged = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("a refresh token was used again"), "{logged}");
    assert!(logged.contains(&sid(&first).to_string()));
    assert!(logged.contains("SELECT account"), "spans were captured");
    let people = [EMAIL, "nobody@demo.example", NEW, "山田", "花子", "鈴木", "太郎", "スズキ", ADDRESS];
    for private in secrets.into_iter().chain(people) {
        assert!(!logged.to_lowercase().contains(&private.to_lowercase()), "logged: {private}");
    }
}
