//! The metrics of a running site.

use std::process::Command;

use crate::build::Build;
use kit::test::{self, Process, ask};

#[test]
fn metrics_are_on_a_separate_port_without_ids() {
    let build = Build::new();
    let mut site = Process::start(
        Command::new(env!("CARGO_BIN_EXE_site"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--root"])
            .arg(build.root()),
    );
    let people = site.address("serving");
    let metrics = site.address("showing metrics");
    assert!(ask(people, "GET /course/101 HTTP/1.1", "").starts_with("HTTP/1.1 200"));
    assert!(ask(people, "GET /metrics HTTP/1.1", "").starts_with("HTTP/1.1 404"));

    let shown = test::metrics(metrics, site::METRICS);
    let labels = r#"http_request_method="GET",http_route="/course/{id}",http_response_status_code="200""#;
    assert!(shown.contains(labels), "{shown}");
    assert!(!shown.contains("course/101"), "labels contain no ids: {shown}");
}
