//! The metrics of a running auth.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{ADDRESS, EMAIL, NOW, PASSWORD, RECEIVERS, SECRET, World};
use auth::secret::Secret;
use kit::caller::Service;
use kit::test::{self, Process};
use kit_db::outbox::Outbox;
use proto::auth::auth_service_client::AuthServiceClient;
use proto::auth::{LoginRequest, PasswordChanged};

#[tokio::test]
async fn metrics_have_calls_connections_and_the_age_of_the_key_and_no_personal_data() {
    let world = World::new().await;
    let outbox = Outbox::new(SECRET.parse::<Secret>().unwrap().outbox());
    let event = PasswordChanged { to: EMAIL.to_owned(), ..PasswordChanged::default() };
    let mut connection = world.database.pool.acquire().await.unwrap();
    outbox.publish(&mut connection, &event, NOW).await.unwrap();
    let mut auth = Process::start(
        Command::new(env!("CARGO_BIN_EXE_auth"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--database-url", &world.database.url, "--secret", SECRET, "--drain-delay", "0"])
            .args(["--caller-keys", &test::caller_keys()])
            .args(RECEIVERS),
    );
    let address = auth.address("serving");
    let metrics = auth.address("showing metrics");
    let channel = test::channel_as(&format!("http://{address}"), Service::Auth, test::anyone());
    let login = LoginRequest {
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..LoginRequest::default()
    };
    let tokens = AuthServiceClient::new(channel).login(login).await.unwrap().into_inner().tokens.unwrap();

    // No service receives the event: the call is counted, and the event's age is read after it.
    let call = r#"rpc_client_call_duration_seconds_count{rpc_method="common.v1.EventService/Deliver""#;
    let began = Instant::now();
    let shown = loop {
        let shown = test::ask(metrics, "GET /metrics HTTP/1.1", "");
        if shown.contains(call) && read_outbox_age(&shown) > 0.0 {
            break test::metrics(metrics, auth::METRICS);
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{shown}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let labels = r#"rpc_method="auth.v1.AuthService/Login",rpc_response_status_code="OK""#;
    assert!(shown.contains(&format!("rpc_server_call_duration_seconds_count{{{labels}}} 1")), "{shown}");
    assert!(shown.contains("db_client_connection_max 16"), "{shown}");
    for receiver in ["commerce", "desk", "exam", "lms"] {
        let age = format!(r#"konomana_outbox_age_seconds{{receiver="{receiver}"}} "#);
        assert!(shown.contains(&age), "{shown}");
    }
    for secret in
        [EMAIL, &EMAIL.to_lowercase(), PASSWORD, ADDRESS, &tokens.access_token, &tokens.refresh_token]
    {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
}

/// The age of the oldest event for desk, in seconds.
fn read_outbox_age(metrics: &str) -> f64 {
    let prefix = r#"konomana_outbox_age_seconds{receiver="desk"} "#;
    metrics.lines().find_map(|line| line.strip_prefix(prefix)).unwrap().parse().unwrap()
}
