//! Caller assertions of the edge's calls.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::routing::post;
use http::HeaderValue;
use http_body_util::BodyExt as _;
use kit::caller::{Caller, HEADER, Keyring, Scope, Service};
use kit::clock::Clock;
use kit::error::Code;
use kit::test::{CALLER_SECRET, TestServer, caller_keys};
use prost::Message as _;
use proto::commerce::{GetCartRequest, Learner, ReceiveEventRequest};
use tonic::service::Routes;
use uuid::Uuid;

use crate::support::{Edge, ONE, World};

/// Calls as a service receives them: path, assertion, message.
type Received = Arc<Mutex<Vec<(String, Option<HeaderValue>, Vec<u8>)>>>;

/// A service that answers nothing and records all calls except the stream that every edge follows.
async fn recorder() -> (TestServer, Received) {
    let received = Received::default();
    let record = received.clone();
    let answer = move |request: Request| {
        let record = record.clone();
        async move {
            let (head, body) = request.into_parts();
            let message = body.collect().await.unwrap().to_bytes()[5..].to_vec();
            let assertion = head.headers.get(HEADER).cloned();
            if head.uri.path() != "/lms.v1.LessonService/WatchEndedStreams" {
                record.lock().unwrap().push((head.uri.path().to_owned(), assertion, message));
            }
            tonic::Status::unavailable("it only listens").into_http::<Body>()
        }
    };
    let routes = Router::new().route("/{service}/{method}", post(answer));
    (TestServer::grpc(Routes::from(routes)).await, received)
}

fn verify(receiver: Service, path: &str, assertion: Option<&HeaderValue>) -> Caller {
    let now = Clock::system().now().unix_timestamp() * 1_000;
    let keyring = Keyring::new(receiver, &caller_keys()).unwrap();
    keyring.verify(assertion.expect("the call is signed").as_bytes(), path, now).unwrap()
}

/// Services of the previous release read the account from field 1 of the message and ignore assertions. New
/// edges call them while a release is rolled out.
#[tokio::test]
async fn a_call_for_a_learner_names_them_in_the_assertion_and_in_the_message() {
    let world = World::new().await;
    let (lms, received) = recorder().await;
    let settings = edge::config::Settings { lms_url: lms.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let (token, _) = edge.login(ONE).await;
    let account =
        edge.get("/api/accounts/user/", Some(&token)).await.json()["id"].as_str().unwrap().to_owned();
    let calls = [
        ("GET", "/api/lms/inventory/"),
        ("GET", "/api/lms/bookmark/"),
        ("PUT", "/api/lms/bookmark/201/"),
        ("DELETE", "/api/lms/check/201010101/"),
        ("GET", "/api/lms/note/"),
        ("GET", "/api/lms/lesson/201010101/"),
        ("GET", "/api/lms/recent/"),
        ("GET", "/api/lms/week/"),
        ("GET", "/api/lms/result/"),
        ("GET", "/api/lms/result/growth/"),
    ];
    for (method, path) in calls {
        let outcome = edge.call(method, path, Some(&token)).await.outcome();
        assert_eq!(outcome, "502 UPSTREAM_UNAVAILABLE", "{method} {path}");
        let (rpc, assertion, message) = received.lock().unwrap().pop().unwrap_or_else(|| panic!("{path}"));
        let caller = verify(Service::Lms, &rpc, assertion.as_ref());
        assert_eq!(caller.learner().unwrap().to_string(), account, "{rpc}");
        assert!(!caller.person.unwrap().scopes.contains(Scope::Guardian));
        assert!(!caller.person.unwrap().session.is_nil());
        // Field 1, of type string, 36 bytes long.
        assert_eq!(message[..38], [&[10, 36], account.as_bytes()].concat(), "{rpc}");
    }
}

#[tokio::test]
async fn a_call_without_a_person_is_signed_as_the_edge_whatever_a_browser_sends() {
    let world = World::new().await;
    let (desk, received) = recorder().await;
    let settings = edge::config::Settings { desk_url: desk.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let (token, _) = edge.login(ONE).await;
    for headers in [vec![], vec![("authorization", &*token), (HEADER, "forged")]] {
        edge.send("GET", "/api/desk/notice/", &headers, "").await;
        let (rpc, assertion, _) = received.lock().unwrap().pop().unwrap();
        assert_eq!(rpc, "/desk.v1.NoticeService/ListNotices");
        assert_eq!(verify(Service::Desk, &rpc, assertion.as_ref()), Caller::service(Service::Edge));
    }
}

/// The site signs the user out at 401.
#[tokio::test]
async fn a_refused_edge_assertion_is_502_and_ends_no_session() {
    let world = World::new().await;
    let mut settings = world.settings();
    settings.keys.desk = CALLER_SECRET.replace('f', "e");
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let answer = edge.get("/api/desk/notice/", None).await;
    assert_eq!(answer.outcome(), format!("502 {}", Code::Unavailable.reason()));
    assert_eq!(edge.get("/api/lms/course/", None).await.outcome(), "200");
}

#[tokio::test]
async fn a_guardian_calls_for_the_child_they_are_linked_with() {
    let world = World::new().await;
    let (lms, received) = recorder().await;
    let settings = edge::config::Settings { lms_url: lms.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let (learner, _) = edge.login(ONE).await;
    let (guardian, _) = edge.login(crate::support::GUARDIAN).await;
    let code = edge.call("POST", "/api/accounts/guardian/code/", Some(&learner)).await.json()["code"].clone();
    let body = serde_json::json!({ "code": code });
    let linked = edge.with("POST", "/api/accounts/guardian/link/", &guardian, &body).await;
    assert!(linked.status.is_success(), "{}", linked.outcome());
    let id = |answer: serde_json::Value| answer["id"].as_str().unwrap().parse::<Uuid>().unwrap();
    let child = id(edge.get("/api/accounts/user/", Some(&learner)).await.json());
    let actor = id(edge.get("/api/accounts/user/", Some(&guardian)).await.json());
    edge.get(&format!("/api/accounts/guardian/children/{child}/"), Some(&guardian)).await;
    let (rpc, assertion, _) = received.lock().unwrap().pop().unwrap();
    assert_eq!(rpc, "/lms.v1.LearnerService/ListProgress");
    let both = verify(Service::Lms, &rpc, assertion.as_ref()).guardian_of().unwrap();
    assert_eq!((both.guardian, both.child), (actor, child));
}

/// Commerce takes the account from the assertion, and name, email and learners from the message.
#[tokio::test]
async fn a_guardian_buys_as_themselves_for_the_children_they_are_linked_with() {
    let world = World::new().await;
    let (commerce, received) = recorder().await;
    let settings = edge::config::Settings { commerce_url: commerce.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let (learner, _) = edge.login(ONE).await;
    let (guardian, _) = edge.login(crate::support::GUARDIAN).await;
    let buyer = async |token: &str| {
        edge.get("/api/commerce/cart/", Some(token)).await;
        let (rpc, assertion, message) = received.lock().unwrap().pop().unwrap();
        assert_eq!(rpc, "/commerce.v1.CartService/GetCart");
        let caller = verify(Service::Commerce, &rpc, assertion.as_ref());
        let buyer = GetCartRequest::decode(message.as_slice()).unwrap().buyer.unwrap();
        (caller.account().unwrap().to_string(), buyer)
    };
    let one = "00000000-0000-7000-8000-000000000001";
    let (account, alone) = buyer(&guardian).await;
    assert_eq!(account, "00000000-0000-7000-8000-000000000004");
    assert_eq!((&*alone.name, &*alone.email), ("井上 恵子", crate::support::GUARDIAN));
    assert!(alone.learners.is_empty(), "a guardian is no learner");

    let (account, minor) = buyer(&learner).await;
    assert_eq!(account, one);
    let own = |lacks_consent| Learner {
        id: one.to_owned(),
        name: "井上 拓海".to_owned(),
        lacks_consent,
        is_consent_asked: false,
    };
    assert_eq!((&*minor.email, minor.learners), (ONE, vec![own(true)]));

    let code = edge.call("POST", "/api/accounts/guardian/code/", Some(&learner)).await.json()["code"].clone();
    let body = serde_json::json!({ "code": code });
    assert_eq!(edge.with("POST", "/api/accounts/guardian/link/", &guardian, &body).await.outcome(), "201");
    // The link counts as consent.
    assert_eq!(buyer(&guardian).await.1.learners, [own(false)]);
    assert_eq!(buyer(&learner).await.1.learners, [own(false)]);
}

#[tokio::test]
async fn an_event_of_the_provider_is_passed_on_byte_for_byte_by_the_edge_itself() {
    let world = World::new().await;
    let (commerce, received) = recorder().await;
    let settings = edge::config::Settings { commerce_url: commerce.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let (token, _) = edge.login(ONE).await;
    let body = "{ \"id\":\"evt_1\",\r\n \"name\":\"\\u8475\"}\n";
    let headers = [("stripe-signature", "t=1,v1=ab"), ("authorization", &*token), ("cookie", "a=b")];
    let answer = edge.send("POST", "/api/commerce/webhook/", &headers, body).await;
    assert_eq!(answer.outcome(), "502 UPSTREAM_UNAVAILABLE");
    let (rpc, assertion, message) = received.lock().unwrap().pop().unwrap();
    assert_eq!(rpc, "/commerce.v1.ProviderService/ReceiveEvent");
    assert_eq!(verify(Service::Commerce, &rpc, assertion.as_ref()), Caller::service(Service::Edge));
    let event = ReceiveEventRequest::decode(message.as_slice()).unwrap();
    assert_eq!((event.body.as_slice(), &*event.signature), (body.as_bytes(), "t=1,v1=ab"));
}

#[tokio::test]
async fn an_event_without_one_signature_or_of_more_than_256_kib_is_refused() {
    let world = World::new().await;
    let (commerce, received) = recorder().await;
    let settings = edge::config::Settings { commerce_url: commerce.url(), ..world.settings() };
    let edge = Edge::new(&settings, world.clock.clock()).await;
    let send = async |headers: &[(&str, &str)], size: usize| {
        edge.send("POST", "/api/commerce/webhook/", headers, &"x".repeat(size)).await.outcome()
    };
    let signed = ("stripe-signature", "t=1,v1=ab");
    assert_eq!(send(&[], 2).await, "400 SIGNATURE_INVALID");
    assert_eq!(send(&[signed, signed], 2).await, "400 SIGNATURE_INVALID");
    assert_eq!(send(&[("stripe-signature", "t=1,v1=é")], 2).await, "400 SIGNATURE_INVALID");
    assert_eq!(send(&[signed], 256 * 1024 + 1).await, "413 BODY_TOO_LARGE");
    assert!(received.lock().unwrap().is_empty());
    assert_eq!(send(&[signed], 256 * 1024).await, "502 UPSTREAM_UNAVAILABLE");
    assert_eq!(received.lock().unwrap().len(), 1);
}
