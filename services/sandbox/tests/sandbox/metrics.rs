//! The metrics of a running sandbox.

use std::process::Command;

use kit::test::{self, Process, ask};

use crate::support::{KEY, WEBHOOK_SECRET};

#[test]
fn the_sandbox_shows_its_requests_by_route() {
    let mut sandbox = Process::start(
        Command::new(env!("CARGO_BIN_EXE_sandbox"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--key", KEY, "--webhook-secret", WEBHOOK_SECRET, "--webhook-url", "http://127.0.0.1:1/"]),
    );
    let address = sandbox.address("serving");
    let metrics = sandbox.address("showing metrics");
    assert!(ask(address, "GET /pay/cs_test_secret HTTP/1.1", "").starts_with("HTTP/1.1 404"));
    let shown = test::metrics(metrics, sandbox::METRICS);
    let labels = r#"http_request_method="GET",http_route="/pay/{session}",http_response_status_code="404""#;
    assert!(shown.contains(labels), "{shown}");
    assert!(!shown.contains("cs_test_secret"), "no id is a label: {shown}");
}
