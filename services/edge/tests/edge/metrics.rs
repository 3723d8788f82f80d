//! The metrics of a real edge.

use std::net::SocketAddr;
use std::process::Command;

use kit::test::{self, CALLER_SECRET, Process, ask};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// Starts an edge without services. Returns its address and that of its metrics.
fn start(arguments: &[&str]) -> (Process, [SocketAddr; 2]) {
    let unreachable = "http://127.0.0.1:1";
    let mut edge = Process::start(
        Command::new(env!("CARGO_BIN_EXE_edge"))
            .env_clear()
            .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
            .args(["--auth-url", unreachable, "--lms-url", unreachable, "--maintenance-url", unreachable])
            .args(["--desk-url", unreachable, "--commerce-url", unreachable, "--exam-url", unreachable])
            .args(["--exam-key", CALLER_SECRET])
            .args(["--auth-key", CALLER_SECRET, "--lms-key", CALLER_SECRET, "--desk-key", CALLER_SECRET])
            .args(["--commerce-key", CALLER_SECRET, "--maintenance-key", CALLER_SECRET])
            .args(["--public-origin", "http://a", "--csrf-secret", &"s".repeat(32)])
            .args([
                "--media-store",
                concat!("file://", env!("CARGO_TARGET_TMPDIR")),
                "--media-key",
                &"m".repeat(32),
            ])
            // No collector receives the spans. Exporting them is enough for traces to be recorded.
            .args(["--otlp-endpoint", unreachable])
            .args(arguments),
    );
    let addresses = ["serving", "showing metrics"].map(|message| edge.address(message));
    (edge, addresses)
}

#[test]
fn an_edge_shows_what_it_served_and_called_and_where_the_traces_are_but_nothing_of_the_learner() {
    let (_edge, [people, metrics]) = start(&[]);

    let parent = format!("traceparent: 00-{TRACE}-b7ad6b7169203331-01");
    let head = format!(
        "GET /api/schema/?email=hanako@demo.example HTTP/1.1\r\nAuthorization: Bearer toktok\r\n{parent}"
    );
    assert!(ask(people, &head, "").starts_with("HTTP/1.1 200"));
    let login = "POST /api/accounts/login/ HTTP/1.1\r\nContent-Type: application/json";
    let body = r#"{"email": "hanako@demo.example", "password": "a long enough password"}"#;
    assert!(ask(people, login, body).starts_with("HTTP/1.1 502"));

    let shown = test::metrics(metrics, edge::METRICS);
    let lines = |parts: &[&str]| {
        shown.lines().filter(|line| parts.iter().all(|part| line.contains(part))).collect::<Vec<_>>()
    };
    let served = lines(&["http_server_request_duration_seconds_bucket", r#"http_route="/api/schema/""#]);
    assert!(served.iter().any(|line| line.contains(&format!(r#"# {{trace_id="{TRACE}"}}"#))), "{shown}");
    let login = lines(&["http_server_request_duration_seconds_count", "/api/accounts/login/", r#""502""#]);
    assert!(login.len() == 1 && login[0].ends_with(" 1"), "{shown}");
    let called =
        lines(&["rpc_client_call_duration_seconds_count", "auth.v1.AuthService/Login", "UNAVAILABLE"]);
    assert_eq!(called.len(), 1, "{shown}");
    let refused =
        ["load", "rate"].map(|reason| format!("konomana_requests_refused_total{{reason=\"{reason}\"}} 0"));
    assert!(refused.iter().all(|line| lines(&[line]).len() == 1), "{shown}");

    for secret in ["hanako", "demo.example", "toktok", "long enough"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
}

#[test]
fn shed_requests_are_counted_by_route() {
    let (_edge, [people, metrics]) = start(&["--requests", "0", "--requests-queue", "0"]);
    for _ in 0..2 {
        assert!(ask(people, "GET /api/lms/inventory/7/ HTTP/1.1", "").starts_with("HTTP/1.1 429"));
    }
    let shown = ask(metrics, "GET /metrics HTTP/1.1", "");
    let served = r#"http_server_request_duration_seconds_count{http_request_method="GET",http_route="/api/lms/inventory/{id}/",http_response_status_code="429"} 2"#;
    for line in [served, r#"konomana_requests_refused_total{reason="load"} 2"#] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
}
