//! Calls to a service with several replicas.

use std::time::Duration;

use crate::upstream::{SLOW, SWIFT, Upstream, Wire, call, within};
use kit::client::channel;
use kit::test::TestServer;
use tokio::net::TcpListener;
use tokio::time::timeout;

const SECOND: Duration = Duration::from_secs(1);

fn urls(servers: &[&TestServer]) -> String {
    servers.iter().map(|server| server.url()).collect::<Vec<_>>().join(",")
}

fn was_called(upstream: &Upstream) -> bool {
    !upstream.seen.lock().unwrap().is_empty()
}

#[tokio::test]
async fn calls_one_after_the_other_take_turns() {
    let (first, _) = Upstream::new();
    let (second, _) = Upstream::new();
    let servers = [first.serve().await, second.serve().await];
    let channel = channel(&urls(&[&servers[0], &servers[1]])).unwrap();
    call(&channel, SWIFT).await.unwrap();
    assert!(was_called(&first) != was_called(&second));
    call(&channel, SWIFT).await.unwrap();
    assert!(was_called(&first) && was_called(&second));
}

#[tokio::test]
async fn the_replica_with_fewer_calls_in_flight_is_preferred() {
    let (first, mut first_arrivals) = Upstream::new();
    let (second, mut second_arrivals) = Upstream::new();
    let servers = [first.serve().await, second.serve().await];
    let channel = channel(&urls(&[&servers[0], &servers[1]])).unwrap();
    let slow = call(&channel, SLOW);
    tokio::pin!(slow);
    let (busy, idle) = tokio::select! {
        _ = &mut slow => panic!("the gate is closed"),
        _ = first_arrivals.recv() => (&first, &second),
        _ = second_arrivals.recv() => (&second, &first),
    };
    for _ in 0..4 {
        call(&channel, SWIFT).await.unwrap();
    }
    assert!(was_called(idle) && !was_called(busy));
    busy.gate.send_replace(true);
    slow.await.unwrap();
}

#[tokio::test]
async fn a_replica_that_is_gone_fails_no_call() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = gone.local_addr().unwrap();
    drop(gone);
    let (upstream, _) = Upstream::new();
    let server = upstream.serve().await;
    let channel = channel(&format!("http://{address},{}", server.url())).unwrap();
    for _ in 0..4 {
        // The call does not wait for it, because there is another replica.
        timeout(SECOND, within(10 * SECOND, call(&channel, SWIFT))).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_call_that_may_have_arrived_is_never_sent_to_another_replica() {
    let (first, mut first_arrivals) = Upstream::new();
    let (second, mut second_arrivals) = Upstream::new();
    let servers = [first.serve().await, second.serve().await];
    let wires = [Wire::to(servers[0].address).await, Wire::to(servers[1].address).await];
    let channel = channel(&format!("http://{},http://{}", wires[0].address, wires[1].address)).unwrap();
    let killing = async {
        tokio::select! {
            _ = first_arrivals.recv() => {}
            _ = second_arrivals.recv() => {}
        }
        wires.iter().for_each(Wire::cut);
    };
    let (answer, ()) = tokio::join!(within(10 * SECOND, call(&channel, SLOW)), killing);
    answer.unwrap_err();
    assert!(first_arrivals.try_recv().is_err() && second_arrivals.try_recv().is_err());
}
