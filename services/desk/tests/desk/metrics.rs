//! The metrics of a running desk.

use std::process::Command;

use kit::caller::{Caller, Service};
use kit::clock::Clock;
use kit::test::{self, Process};
use proto::auth::PasswordChanged;
use proto::common::DeliverRequest;
use proto::common::event_service_client::EventServiceClient;

use crate::world::{SECRET, World, event_at};

#[tokio::test]
async fn metrics_have_calls_and_the_age_of_mails_and_no_addresses() {
    let world = World::new().await;
    let mut desk = Process::start(
        Command::new(env!("CARGO_BIN_EXE_desk"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--database-url", &world.database.url, "--secret", SECRET, "--drain-delay", "0"])
            .args(["--public-origin", "http://localhost", "--mail-from", "no-reply@konomana.test"])
            .args(["--contact-to", "support@konomana.test"])
            .args(["--smtp-url", "smtp://127.0.0.1:1", "--caller-keys", &test::caller_keys()]),
    );
    let address = desk.address("serving");
    let metrics = desk.address("showing metrics");
    let channel =
        test::channel_as(&format!("http://{address}"), Service::Desk, Caller::service(Service::Auth));
    let changed = |to: &str| {
        let payload = PasswordChanged { to: to.to_owned(), ..PasswordChanged::default() };
        DeliverRequest { event: Some(event_at(Clock::system().now(), &payload)) }
    };
    let mut desk_at = EventServiceClient::new(channel);
    desk_at.deliver(changed("hanako@demo.example")).await.unwrap();
    world.comes_to("SELECT state FROM mail WHERE tries > 0", &["waiting"]).await;
    let shown = test::metrics(metrics, desk::METRICS);
    let labels = r#"rpc_method="common.v1.EventService/Deliver",rpc_response_status_code="OK""#;
    assert!(shown.contains(&format!("rpc_server_call_duration_seconds_count{{{labels}}} 1")), "{shown}");
    assert!(shown.contains(r#"konomana_outbox_age_seconds{receiver="smtp"}"#), "{shown}");
    assert!(!shown.contains("hanako"), "{shown}");
    for end in ["sent", "bounced", "expired"] {
        assert!(shown.contains(&format!("konomana_mails_total{{end=\"{end}\"}} 0")), "{shown}");
    }
    desk_at.deliver(changed("nobody")).await.unwrap();
    let shown = test::metrics(metrics, desk::METRICS);
    assert!(shown.contains("konomana_mails_total{end=\"bounced\"} 1"), "{shown}");
}
