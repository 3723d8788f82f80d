//! What is nowhere to be read: passwords, tokens and private keys in the database; those, addresses and names in logs.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot be set up should panic")]

mod support;

use std::io::Write;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use support::{ADDRESS, EMAIL, PASSWORD, SECRET, USER, World, sid};
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

#[tokio::test(flavor = "multi_thread")]
async fn no_password_token_or_private_key_is_stored_and_none_of_them_nor_a_name_is_logged() {
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
    let user = proto::auth::GetUserRequest { user_id: USER.to_string() };
    auth.client.clone().get_user(user).await.unwrap();
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
    ];
    let tables = world
        .text("SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'")
        .await;
    assert!(tables.len() >= 8, "{tables:?}");
    let mut stored = String::new();
    for table in tables {
        stored.extend(world.text(&format!("SELECT row::text FROM {table} AS row")).await);
    }
    assert!(stored.contains("山田"), "the rows were read");
    for secret in secrets {
        let raw = URL_SAFE_NO_PAD.decode(secret).map(hex::encode).unwrap_or_default();
        for spelling in [secret.to_owned(), hex::encode(secret), raw].iter().filter(|text| !text.is_empty()) {
            assert!(!stored.contains(spelling.as_str()), "stored: {spelling}");
        }
    }
    // How PKCS#8 begins for Ed25519.
    assert!(!stored.contains("302e020100300506032b6570"), "a private key is stored in clear");
    assert!(!stored.contains(ADDRESS), "client addresses are stored as keyed hashes only");

    let logged = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("a refresh token was used again"), "{logged}");
    assert!(logged.contains(&sid(&first).to_string()));
    assert!(logged.contains("SELECT account"), "spans were seen");
    for private in secrets.into_iter().chain([EMAIL, "nobody@demo.example", "山田", "花子", ADDRESS]) {
        assert!(!logged.to_lowercase().contains(&private.to_lowercase()), "logged: {private}");
    }
}
