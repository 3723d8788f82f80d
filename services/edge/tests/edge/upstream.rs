//! Failing services: stopped, hanging, or broken during a response. The edge returns 502 and 504, never 503 to the site.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::routing::post;
use kit::clock::Clock;
use kit::error::{Code, ServiceError};
use kit::test::TestServer;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::service::Routes;

use crate::support::{Edge, ONE, PASSWORD, World, settings};

/// Returns an address where no server listens.
async fn unreachable_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// A service that accepts connections and never answers. It closes them when the sender is dropped.
pub(crate) async fn mute() -> (String, oneshot::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (hang_up, ended) = oneshot::channel();
    kit::task::spawn_untracked("mute", async move {
        let mut connections = Vec::new();
        let accepting = async {
            loop {
                connections.push(listener.accept().await.unwrap());
            }
        };
        tokio::select! {
            () = accepting => {}
            _ = ended => {}
        }
    });
    (address, hang_up)
}

#[tokio::test]
async fn an_edge_without_services_returns_502() {
    let edge = Edge::new(
        &settings(&unreachable_url().await, &unreachable_url().await, &unreachable_url().await),
        Clock::system(),
    )
    .await;
    assert_eq!(edge.get("/api/lms/course/", None).await.outcome(), "502 UPSTREAM_UNAVAILABLE");
    let login = edge.post("/api/accounts/login/", &json!({"email": ONE, "password": PASSWORD})).await;
    assert_eq!(login.outcome(), "502 UPSTREAM_UNAVAILABLE");
    // No service can tell whether this key is valid. Malformed tokens are refused without a call.
    let header = "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ";
    let token = format!("{header}.e30.AAAA");
    assert_eq!(edge.get("/api/lms/inventory/", Some(&token)).await.outcome(), "502 UPSTREAM_UNAVAILABLE");
    assert_eq!(edge.get("/api/lms/inventory/", None).await.outcome(), "401 UNAUTHENTICATED");
    assert_eq!(edge.get("/api/maintenance/", None).await.outcome(), "200");
}

#[tokio::test]
async fn a_hanging_service_takes_no_longer_than_the_time_limit() {
    let (mute, _alive) = mute().await;
    let mut settings = settings(&mute, &mute, &mute);
    assert_eq!(settings.limits.time, Duration::from_secs(10));
    settings.limits.time = Duration::from_secs(1);
    let edge = Edge::new(&settings, Clock::system()).await;
    let began = Instant::now();
    assert_eq!(edge.get("/api/lms/course/", None).await.outcome(), "504 OUT_OF_TIME");
    assert!(began.elapsed() < Duration::from_millis(1300), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_service_that_closes_the_connection_during_a_call_is_502() {
    let (mute, alive) = mute().await;
    let edge = Edge::new(&settings(&mute, &mute, &mute), Clock::system()).await;
    let calls = futures_util::future::join_all((0..8).map(|_| edge.get("/api/lms/course/", None)));
    let hang_up = async {
        // The calls are under way after the event loop has run.
        tokio::task::yield_now().await;
        drop(alive);
    };
    let (answers, ()) = tokio::join!(calls, hang_up);
    for answer in answers {
        assert_eq!(answer.outcome(), "502 UPSTREAM_UNAVAILABLE");
    }
}

#[tokio::test]
async fn without_lms_sessions_go_on_and_without_auth_the_catalogue_does() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    world.lms.shutdown.begin();
    let stopped = Instant::now();
    while edge.get("/api/lms/inventory/", Some(&token)).await.outcome() != "502 UPSTREAM_UNAVAILABLE" {
        assert!(stopped.elapsed() < Duration::from_secs(5));
    }
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.outcome(), "200");

    let world = World::new().await;
    let edge = world.edge().await;
    world.auth.shutdown.begin();
    let stopped = Instant::now();
    let login = json!({"email": ONE, "password": PASSWORD});
    while edge.post("/api/accounts/login/", &login).await.outcome() != "502 UPSTREAM_UNAVAILABLE" {
        assert!(stopped.elapsed() < Duration::from_secs(5));
    }
    assert_eq!(edge.get("/api/lms/course/", None).await.outcome(), "200");
}

#[tokio::test]
async fn failed_calls_are_not_retried() {
    const REQUESTS: usize = 40;
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let answer = move || {
        let failed = counted.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        let code = if failed { Code::Unavailable } else { Code::NotFound };
        let status = ServiceError::from(code).into_status(&std::fmt::Error);
        async move { status.into_http::<Body>() }
    };
    let faulty = Router::new().route("/lms.v1.CatalogueService/{method}", post(answer));
    let lms = TestServer::grpc(Routes::from(faulty)).await;
    let edge =
        Edge::new(&settings(&unreachable_url().await, &lms.url(), &unreachable_url().await), Clock::system())
            .await;
    let mut failed = 0;
    for _ in 0..REQUESTS {
        let outcome = edge.get("/api/lms/course/1/", None).await.outcome();
        failed += usize::from(outcome == "502 UPSTREAM_UNAVAILABLE");
    }
    assert_eq!(failed, REQUESTS / 2);
    assert_eq!(calls.load(Ordering::Relaxed), REQUESTS);
}
