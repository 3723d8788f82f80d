//! Calls between services: their metadata, and the error if the receiver is slow, silent or gone.

use std::time::Duration;

use crate::upstream::{FAULTY, SLOW, SWIFT, Upstream, Wire, call, within};
use kit::client::channel;
use kit::config::Serve;
use kit::deadline::parse_grpc_timeout;
use kit::error::{Code, ServiceError};
use kit::shutdown::Shutdown;
use tokio::net::TcpListener;
use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_call_carries_the_remaining_time_minus_the_margin() {
    let (upstream, _) = Upstream::new();
    let server = upstream.serve().await;
    within(10 * SECOND, call(&server.channel(), SWIFT)).await.unwrap();
    let seen = upstream.seen.lock().unwrap().clone();
    let asked = parse_grpc_timeout(seen["grpc-timeout"].to_str().unwrap()).unwrap();
    assert!(asked <= Duration::from_millis(9_800) && asked > 9 * SECOND, "{asked:?}");
}

#[tokio::test]
async fn background_work_carries_no_deadline() {
    let (upstream, _) = Upstream::new();
    let server = upstream.serve().await;
    call(&server.channel(), SWIFT).await.unwrap();
    assert!(!upstream.seen.lock().unwrap().contains_key("grpc-timeout"));
}

#[tokio::test]
async fn calls_inherit_the_deadline_of_their_request() {
    let (upstream, _) = Upstream::new();
    let far = upstream.serve().await;
    let channel = far.channel();
    // A service that is called with a deadline of 5 s and calls another one.
    let middle = axum::Router::new().route(
        SWIFT,
        axum::routing::post(move || async move {
            match call(&channel, SWIFT).await {
                Ok(()) => tonic::Status::not_found("as planned").into_http::<axum::body::Body>(),
                Err(error) => error.into_http(),
            }
        }),
    );
    let near = kit::test::TestServer::grpc(tonic::service::Routes::from(middle)).await;
    let heard = within(5 * SECOND, call(&near.channel(), SWIFT)).await.unwrap_err();
    assert_eq!(heard.message(), "as planned");
    let seen = upstream.seen.lock().unwrap().clone();
    let asked = parse_grpc_timeout(seen["grpc-timeout"].to_str().unwrap()).unwrap();
    assert!(asked <= Duration::from_millis(4_600) && asked > 4 * SECOND, "{asked:?}");
}

#[tokio::test]
async fn a_service_that_accepts_but_never_answers_exceeds_its_deadline_before_the_callers() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let channel = channel(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let silent = async {
        let _held = listener.accept().await.unwrap();
        std::future::pending::<()>().await;
    };
    let began = Instant::now();
    let status = tokio::select! {
        answer = within(SECOND, call(&channel, SWIFT)) => answer.unwrap_err(),
        () = silent => unreachable!(),
    };
    assert_eq!(ServiceError::from_status(&status).code, Code::DeadlineExceeded);
    assert!(
        began.elapsed() >= Duration::from_millis(750) && began.elapsed() < SECOND,
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn a_slow_service_exceeds_the_deadline() {
    let (upstream, mut arrivals) = Upstream::new();
    let server = upstream.serve().await;
    let status = within(SECOND / 2, call(&server.channel(), SLOW)).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, Code::DeadlineExceeded);
    arrivals.recv().await.expect("the call had arrived");
}

#[tokio::test]
async fn a_service_that_does_not_run_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let channel = channel(&format!("http://{address}")).unwrap();
    let status = within(10 * SECOND, call(&channel, SWIFT)).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, Code::Unavailable);
}

#[tokio::test]
async fn a_service_killed_during_a_call_is_unavailable_until_it_is_back() {
    let (upstream, mut arrivals) = Upstream::new();
    let server = upstream.serve().await;
    let wire = Wire::to(server.address).await;
    let channel = channel(&format!("http://{}", wire.address)).unwrap();
    let killing = async {
        arrivals.recv().await.unwrap();
        wire.cut();
    };
    let (answer, ()) = tokio::join!(within(10 * SECOND, call(&channel, SLOW)), killing);
    let status = answer.unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, Code::Unavailable, "{status:?}");
    within(10 * SECOND, call(&channel, SWIFT)).await.unwrap();
}

#[tokio::test]
async fn a_status_of_the_receiver_is_kept() {
    let (upstream, _) = Upstream::new();
    let server = upstream.serve().await;
    let status = within(10 * SECOND, call(&server.channel(), FAULTY)).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, Code::Internal);
}

#[tokio::test]
async fn a_call_waits_for_a_service_that_restarts() {
    // The service has just stopped; it restarts while the call waits.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let channel = channel(&format!("http://{address}")).unwrap();
    let (upstream, _) = Upstream::new();
    let restart = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let listener = TcpListener::bind(address).await.unwrap();
        let at_once = Serve { drain_delay: Duration::ZERO, drain_limit: SECOND, metrics_listen: None };
        kit::serve::grpc(
            &at_once,
            listener,
            kit::test::open_to_all(),
            upstream.routes(),
            axum::Router::new(),
            Shutdown::default(),
        )
        .await
    };
    tokio::select! {
        answer = within(10 * SECOND, call(&channel, SWIFT)) => answer.unwrap(),
        ended = restart => panic!("the service ends first: {ended:?}"),
    }
}

#[tokio::test]
async fn concurrent_calls_wait_once_for_a_service_that_is_gone() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let channel = channel(&format!("http://{address}")).unwrap();
    let began = Instant::now();
    let calls = futures_util::future::join_all((0..16).map(|_| within(20 * SECOND, call(&channel, SWIFT))));
    for answer in calls.await {
        assert_eq!(ServiceError::from_status(&answer.unwrap_err()).code, Code::Unavailable);
    }
    assert!(began.elapsed() < 4 * SECOND, "{:?}", began.elapsed());
}
