//! Headers of every response.

use crate::build::{Build, get, send};
use kit::test::TestServer;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self' blob:; \
    worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types default";

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let site = Build::new().serve().await;
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/login"),
        ("GET", "/assets/index-Ab12.js"),
        ("GET", "/_payload.json"),
        ("GET", "/course/"),
        ("GET", "/nothing"),
        ("GET", "/nothing/_payload.json"),
        ("POST", "/"),
    ] {
        let answer = send(site.address, method, path, &["Content-Length: 0"]).await;
        for (name, value) in [
            ("content-security-policy", POLICY),
            ("strict-transport-security", "max-age=31536000"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn over_https_requests_are_upgraded() {
    let build = Build::new();
    let site = TestServer::http(site::app(build.root(), true).unwrap()).await;
    let answer = get(site.address, "/").await;
    let policy = answer.header("content-security-policy").unwrap();
    assert_eq!(policy, format!("{POLICY}; upgrade-insecure-requests"));
}

#[tokio::test]
async fn every_answer_has_its_trace_id() {
    let site = Build::new().serve().await;
    for path in ["/", "/nothing", "/course/"] {
        let answer = get(site.address, path).await;
        assert!(answer.header("server-timing").unwrap().starts_with("traceparent;desc=\"00-"), "{path}");
    }
}
