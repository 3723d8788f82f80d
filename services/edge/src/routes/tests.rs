//! Tests of the rows of `routes.rs`, and of a router of test routes: a webhook and a route of the staff. The
//! sources of auth and of the edge show which calls hash a password.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use axum::body::{Body, to_bytes};
use http::StatusCode;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kit::caller::Scope::StaffContent;
use kit::clock::Clock;
use kit::shutdown::Shutdown;
use regex::Regex;
use serde_json::json;
use time::OffsetDateTime;
use time::macros::datetime;
use tower::ServiceExt as _;
use uuid::Uuid;

use super::openapi::build_document;
use super::*;
use crate::audience::Provider;
use crate::config::Settings;
use crate::input::{BodyKind, BodyLimits, RawBody, RequestBody};
use crate::route::Policies;
use crate::session;

/// Returns the text of a file, or of all `.rs` files in a folder and below.
fn sources(path: &Path) -> String {
    if path.is_file() {
        return fs::read_to_string(path).unwrap();
    }
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "rs"))
        .map(|path| sources(path))
        .collect()
}

/// Returns the bodies of the functions of each name.
fn functions(source: &str) -> BTreeMap<&str, String> {
    let mut functions = BTreeMap::<_, String>::new();
    let starts: Vec<_> = Regex::new(r"\bfn (\w+)").unwrap().captures_iter(source).collect();
    for (start, next) in starts.iter().zip(starts.iter().skip(1).map(Some).chain([None])) {
        let name = start.get(1).unwrap();
        let end = next.map_or(source.len(), |next| next.get(0).unwrap().start());
        functions.entry(name.as_str()).or_default().push_str(&source[name.end()..end]);
    }
    functions
}

/// Returns the methods whose body matches one of `ends`, or calls such a method by `self`.
fn methods_that_reach<'a>(functions: &BTreeMap<&'a str, String>, ends: &[&str]) -> BTreeSet<&'a str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    loop {
        let calls = ends.iter().map(|end| (*end).to_owned());
        let calls: Vec<_> = calls
            .chain(found.iter().map(|name| format!(r"\bself\s*\.{name}\(")))
            .map(|call| Regex::new(&call).unwrap())
            .collect();
        let more = functions.iter().filter(|(_, body)| calls.iter().any(|call| call.is_match(body)));
        let more: BTreeSet<_> = more.map(|(name, _)| *name).collect();
        if more.len() == found.len() {
            return found;
        }
        found = more;
    }
}

/// Converts `LogIn` to `log_in`.
fn snake_case(name: &str) -> String {
    Regex::new(r"(.)([A-Z])").unwrap().replace_all(name, "${1}_$2").to_lowercase()
}

#[test]
fn every_route_that_hashes_a_password_declares_a_password_bulkhead() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let auth = sources(&services.join("auth/src/rpc.rs")) + &sources(&services.join("auth/src/rpc"));
    let functions = functions(&auth);
    let hashing = methods_that_reach(&functions, &[r"\.passwords\s*\.(matches|choose)\("]);
    let protos = services.join("../proto/auth/v1");
    let protos = fs::read_dir(protos).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let protos: String = protos.collect();
    let rpcs = Regex::new(r"\brpc (\w+)\(").unwrap();
    let rpcs = rpcs.captures_iter(&protos).map(|rpc| snake_case(&rpc[1]));
    let rpcs: BTreeSet<_> = rpcs.filter(|rpc| hashing.contains(rpc.as_str())).collect();
    for known in ["login", "begin_passkey", "complete_sign_up", "export_account"] {
        assert!(rpcs.contains(known), "{known} hashes: {rpcs:?}");
    }

    let edge =
        sources(&services.join("edge/src/accounts.rs")) + &sources(&services.join("edge/src/accounts"));
    let route = Regex::new(r#"(?s)\A\s*(\w+),\s*path = "([^"]+)""#).unwrap();
    let mut through = BTreeSet::new();
    for handler in edge.split("#[utoipa::path(").skip(1) {
        let route = route.captures(handler).unwrap();
        let calls = |rpc: &String| Regex::new(&format!(r"\.{rpc}\(")).unwrap().is_match(handler);
        if rpcs.iter().any(calls) {
            through.insert((route[1].to_uppercase(), route[2].to_owned()));
        }
    }
    let routes = all_routes();
    let hashing = routes.iter().filter(|route| [SignIn, PasswordCheck].contains(&route.policy.bulkhead));
    let declared = hashing.flat_map(|route| {
        route.operations().map(|(method, path)| (method.to_string(), path.to_owned())).collect::<Vec<_>>()
    });
    assert_eq!(through, declared.collect());
}

#[test]
fn each_row_is_one_route_and_each_route_has_one_row() {
    let routes = all_routes();
    let operations: Vec<_> = routes.iter().flat_map(Route::operations).collect();
    assert_eq!(operations.len(), routes.len());
    let unique: BTreeSet<_> = operations.iter().map(|(method, path)| (method.as_str(), *path)).collect();
    assert_eq!(unique.len(), routes.len());
}

/// The site's types are generated by operation id.
#[test]
fn no_two_routes_have_the_same_operation_id() {
    let document: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let ids: Vec<_> = operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    assert!(ids.len() > 100);
    let unique: BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
}

#[test]
fn sign_in_routes_need_no_token_and_password_check_routes_need_one() {
    for route in all_routes() {
        match route.policy.bulkhead {
            SignIn => assert!(!route.policy.audience.needs_token()),
            PasswordCheck => assert!(route.policy.audience.needs_token()),
            _ => {}
        }
    }
}

#[test]
fn exactly_the_get_routes_for_anyone_take_public_or_other_permits() {
    for route in all_routes() {
        let (method, path) = route.operations().next().unwrap();
        let is_public = matches!(route.policy.bulkhead, PublicReads(_) | Other);
        assert_eq!(is_public, method == Method::GET && route.policy.audience == Anyone, "{method} {path}");
    }
}

/// A webhook of a provider, with a raw body.
#[utoipa::path(post, path = "/api/test/webhook/", responses((status = 200, description = "Its size")))]
async fn receive_event(RawBody(body): RawBody) -> String {
    body.len().to_string()
}

/// A write of the staff.
#[utoipa::path(put, path = "/api/test/course/", responses((status = 200, description = "Who writes")))]
async fn write_course(caller: session::Caller) -> String {
    caller.user().to_string()
}

const PROVIDER: Provider = Provider { name: "payments", signature_header: "payments-signature" };
const EVENT: RequestBody =
    RequestBody { kind: BodyKind::Raw, limits: BodyLimits { size: 100, time: Duration::from_secs(5) } };

#[rustfmt::skip]
fn test_routes() -> Vec<Route> {
    vec![
        Route::new(routes!(receive_event), Audience::Webhook(PROVIDER), Requests(Commerce), Some(Scope::Commerce), NotIssued, EVENT),
        Route::new(routes!(write_course), Audience::Staff(StaffContent), Requests(Lms), Some(Scope::Learning), NotIssued, NO_BODY),
    ]
}

const NOW: OffsetDateTime = datetime!(2026-11-20 10:00 UTC);

#[derive(clap::Parser)]
struct Arguments {
    #[command(flatten)]
    settings: Settings,
}

/// An edge without services.
fn edge_without_services(shutdown: &Shutdown) -> Edge {
    const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let mut arguments = vec!["edge".to_owned(), "--public-origin=http://konomana.test".to_owned()];
    for service in ["auth", "lms", "exam", "desk", "commerce", "maintenance"] {
        arguments.push(format!("--{service}-url=http://127.0.0.1:1"));
        arguments.push(format!("--{service}-key={SECRET}"));
    }
    arguments.push(format!("--csrf-secret={SECRET}"));
    arguments.push(format!("--media-key={SECRET}"));
    arguments.push(format!("--media-store=file://{}", env!("CARGO_MANIFEST_DIR")));
    let Arguments { settings } = clap::Parser::parse_from(arguments);
    Edge::new(&settings, Policies::new(&test_routes()), Clock::new(|| NOW), shutdown).unwrap()
}

/// Returns a function that signs a bearer token with one scope, by a key that the edge trusts.
fn sign_in(edge: &Edge) -> impl Fn(&str) -> String + use<> {
    let pair = Ed25519KeyPair::generate().unwrap();
    edge.sessions().trust_key("test", pair.public_key().as_ref());
    move |scope| {
        let key = EncodingKey::from_ed_der(pair.to_pkcs8v1().unwrap().as_ref());
        let mut header = Header::new(Algorithm::EdDSA);
        (header.typ, header.kid) = (Some("at+jwt".to_owned()), Some("test".to_owned()));
        let now = NOW.unix_timestamp();
        let id = Uuid::from_u128(7);
        let claims = json!({
            "iss": "konomana-auth", "aud": "konomana", "sub": id, "sid": id, "scope": [scope], "iat": now, "nbf": now,
            "exp": now + 60, "jti": id,
        });
        format!("Bearer {}", jsonwebtoken::encode(&header, &claims, &key).unwrap())
    }
}

async fn send(router: &Router, request: http::request::Builder, body: &'static str) -> (StatusCode, String) {
    let request = request.header("content-length", body.len()).body(Body::from(body)).unwrap();
    let answer = router.clone().oneshot(request).await.unwrap();
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_webhook_takes_a_raw_body_with_a_signature_and_needs_no_cookie() {
    let shutdown = Shutdown::default();
    let router = build_router(edge_without_services(&shutdown), test_routes());
    let request = || http::Request::post("/api/test/webhook/").header("cookie", "a=b");
    let (status, body) = send(&router, request().header("payments-signature", "t=1"), "not JSON").await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, "8"));
    let (unsigned, problem) = send(&router, request(), "not JSON").await;
    assert_eq!(unsigned, StatusCode::BAD_REQUEST);
    assert!(problem.contains("SIGNATURE_INVALID"), "{problem}");
    let twice = request().header("payments-signature", "t=1").header("payments-signature", "t=2");
    assert_eq!(send(&router, twice, "").await.0, StatusCode::BAD_REQUEST);
    let large: &str = "x".repeat(101).leak();
    let large = send(&router, request().header("payments-signature", "t=1"), large).await.0;
    assert_eq!(large, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_route_of_the_staff_needs_a_token_with_its_scope() {
    let shutdown = Shutdown::default();
    let edge = edge_without_services(&shutdown);
    let token = sign_in(&edge);
    let router = build_router(edge, test_routes());
    let request = || http::Request::put("/api/test/course/");
    assert_eq!(send(&router, request(), "").await.0, StatusCode::UNAUTHORIZED);
    for (scope, status) in [
        ("staff:content", StatusCode::OK),
        ("staff:support", StatusCode::FORBIDDEN),
        ("learner", StatusCode::FORBIDDEN),
    ] {
        let answer = send(&router, request().header("authorization", token(scope)), "").await;
        assert_eq!(answer.0, status, "{scope}: {}", answer.1);
    }
    let cross_site = request().header("authorization", token("staff:content")).header("cookie", "a=b");
    assert_eq!(send(&router, cross_site, "").await.0, StatusCode::FORBIDDEN, "browsers call it");
}

#[test]
fn the_document_declares_the_security_scheme_of_each_audience() {
    let document = serde_json::to_value(build_document(test_routes())).unwrap();
    let security = |path: &str, method: &str| document["paths"][path][method]["security"].clone();
    assert_eq!(security("/api/test/webhook/", "post"), json!([{ "payments": [] }]));
    assert_eq!(security("/api/test/course/", "put"), json!([{ "token": [] }]));
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["payments"]["name"], "payments-signature");
    assert_eq!(schemes["token"]["name"], "Authorization");
}
