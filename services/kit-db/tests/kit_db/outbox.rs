//! Events between services: none is lost and none is applied twice, even if a process is killed or unreachable.

mod age;
mod events;
mod trace;

use std::time::{Duration, Instant};

use events::{NOW, Receiver, World, payload};
use kit_db::inbox;
use time::Duration as Span;
use tokio::net::TcpListener;
use uuid::Uuid;

#[tokio::test]
async fn an_event_is_delivered_unchanged_and_deleted() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    world.add("hello", NOW).await;
    let server = receiver.serve().await;
    let dispatcher = world.dispatcher(server.channel());
    let event = taken.recv().await.unwrap();
    assert_eq!(event.r#type, "test.v1.ForDesk");
    assert_eq!(event.payload, payload("hello"));
    assert_eq!(event.occurred_at.unwrap().seconds, NOW.unix_timestamp());
    world.is_empty().await;
    drop(dispatcher);
}

#[tokio::test]
async fn a_rolled_back_event_is_never_delivered() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    let server = receiver.serve().await;
    let _dispatcher = world.dispatcher(server.channel());
    let mut transaction = world.database.pool.begin().await.unwrap();
    world
        .outbox
        .publish(&mut transaction, &events::ForDesk { name: "undone".to_owned() }, NOW)
        .await
        .unwrap();
    transaction.rollback().await.unwrap();
    world.add("done", NOW).await;
    assert_eq!(taken.recv().await.unwrap().payload, payload("done"));
}

#[tokio::test]
async fn a_wake_delivers_at_once_and_each_id_is_that_of_a_row() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    let server = receiver.serve().await;
    let _dispatcher = world.dispatcher(server.channel());
    let began = Instant::now();
    for number in 0..10 {
        let mut connection = world.database.pool.acquire().await.unwrap();
        let event = events::ForDesk { name: number.to_string() };
        let ids = world.outbox.publish(&mut connection, &event, NOW).await.unwrap();
        world.outbox.wake();
        let event = taken.recv().await.unwrap();
        assert_eq!([event.id], ids.iter().map(Uuid::to_string).collect::<Vec<_>>()[..]);
    }
    // Ten probes take ten seconds.
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn events_are_delivered_in_order_of_time() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    for (name, age) in [("third", 1), ("first", 3), ("second", 2)] {
        world.add(name, NOW - Span::seconds(age)).await;
    }
    let server = receiver.serve().await;
    let _dispatcher = world.dispatcher(server.channel());
    for name in ["first", "second", "third"] {
        assert_eq!(taken.recv().await.unwrap().payload, payload(name));
    }
}

#[tokio::test]
async fn an_event_waits_for_an_unreachable_receiver_and_reaches_the_others_at_once() {
    let world = World::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (gone, mut later) = Receiver::new();
    let (well, mut taken) = Receiver::new();
    let server = well.serve().await;
    let gone_channel = kit::client::channel(&format!("http://{address}")).unwrap();
    let _dispatcher = world.dispatchers([("gone", gone_channel), ("desk", server.channel())]);
    world.publish(&events::ForBoth { name: "for both".to_owned() }, NOW).await;
    assert_eq!(taken.recv().await.unwrap().payload, payload("for both"));
    world.tried().await;

    let _gone = gone.serve_at(address).await;
    // The first pause is one second, by the clock of this test.
    world.clock.advance(Span::seconds(40));
    let event = later.recv().await.unwrap();
    assert_eq!(event.payload, payload("for both"));
    world.is_empty().await;
}

#[tokio::test]
async fn a_refused_event_is_retried_with_the_same_id_and_delays_no_other() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    receiver.refuse(1);
    world.add("first", NOW).await;
    world.add("second", NOW + Span::MICROSECOND).await;
    world.clock.advance(Span::milliseconds(500));
    let server = receiver.serve().await;
    let _dispatcher = world.dispatcher(server.channel());
    let refused = taken.recv().await.unwrap();
    assert_eq!(taken.recv().await.unwrap().payload, payload("second"));
    world.clock.advance(Span::SECOND);
    assert_eq!(taken.recv().await.unwrap(), refused);
    world.is_empty().await;
}

#[tokio::test]
async fn an_event_of_an_unknown_type_is_retried_and_delays_no_other() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    receiver.set_unknown(&["new"]);
    world.add("new", NOW).await;
    world.add("known", NOW + Span::MICROSECOND).await;
    world.clock.advance(Span::milliseconds(500));
    let server = receiver.serve().await;
    let _dispatcher = world.dispatcher(server.channel());
    let new = taken.recv().await.unwrap();
    assert_eq!(taken.recv().await.unwrap().payload, payload("known"));
    world.until("SELECT 'one' FROM outbox", |rows| rows.len() == 1).await;
    assert_eq!(world.waiting("desk").await, std::slice::from_ref(&new));

    receiver.set_unknown(&[]);
    world.clock.advance(Span::SECOND);
    assert_eq!(taken.recv().await.unwrap(), new);
    world.is_empty().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_dispatchers_deliver_each_event_once() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    let server = receiver.serve().await;
    for number in 0..100 {
        world.add(&format!("{number}"), NOW).await;
    }
    let _dispatchers = [world.dispatcher(server.channel()), world.dispatcher(server.channel())];
    world.is_empty().await;
    let mut ids: Vec<_> = std::iter::from_fn(|| taken.try_recv().ok()).map(|event| event.id).collect();
    assert_eq!(ids.len(), 100);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 100);
}

#[test]
fn the_event_of_a_killed_dispatcher_is_taken_over_after_its_lease() {
    let ours = tokio::runtime::Runtime::new().unwrap();
    let (world, receiver, mut taken, server) = ours.block_on(async {
        let world = World::new().await;
        let (receiver, taken) = Receiver::new();
        let server = receiver.serve().await;
        world.add("held", NOW).await;
        (world, receiver, taken, server)
    });
    receiver.hang(true);
    // The dispatcher runs in a runtime that is dropped, like a killed process.
    let theirs = tokio::runtime::Runtime::new().unwrap();
    let (killed, arrived) = theirs.block_on(async {
        let dispatcher = world.process(server.channel()).await;
        (dispatcher, taken.recv().await.unwrap())
    });
    theirs.shutdown_background();
    receiver.hang(false);
    ours.block_on(async {
        let _next = world.dispatcher(server.channel());
        world.clock.advance(Span::milliseconds(2_900));
        tokio::time::timeout(Duration::from_secs(1), taken.recv()).await.expect_err("it is leased");
        world.clock.advance(Span::milliseconds(200));
        assert_eq!(taken.recv().await.unwrap(), arrived);
        world.is_empty().await;
    });
    drop(killed);
}

#[tokio::test]
async fn waiting_events_are_encrypted() {
    let world = World::new().await;
    world.add("hanako@demo.example", NOW).await;
    let row = world.text("SELECT outbox::text || encode(payload, 'escape') FROM outbox").await;
    assert!(!row[0].contains("hanako") && row[0].contains("test.v1.ForDesk"), "{row:?}");
    let event = world.waiting("desk").await.remove(0);
    assert_eq!(event.payload, payload("hanako@demo.example"), "the key decrypts it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_concurrently_delivered_event_is_applied_once() {
    let world = World::new().await;
    let event = Uuid::now_v7();
    let takers = (0..8).map(|_| async {
        let mut transaction = world.database.pool.begin().await.unwrap();
        let is_new = inbox::is_new(&mut transaction, event, NOW).await.unwrap();
        transaction.commit().await.unwrap();
        is_new
    });
    let new = futures_util::future::join_all(takers).await;
    assert_eq!(new.iter().filter(|is_new| **is_new).count(), 1);
}

#[tokio::test]
async fn a_rolled_back_event_is_new_again_and_a_taken_one_is_known_for_a_month() {
    let world = World::new().await;
    let event = Uuid::now_v7();
    let mut transaction = world.database.pool.begin().await.unwrap();
    assert!(inbox::is_new(&mut transaction, event, NOW).await.unwrap());
    transaction.rollback().await.unwrap();
    let mut connection = world.database.pool.acquire().await.unwrap();
    assert!(inbox::is_new(&mut connection, event, NOW).await.unwrap());
    assert_eq!(inbox::sweep(&mut connection, NOW + Span::days(30), 10).await.unwrap(), 0);
    assert!(!inbox::is_new(&mut connection, event, NOW).await.unwrap());
    assert_eq!(inbox::sweep(&mut connection, NOW + Span::days(31), 10).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_takes_longer_than_a_lease_is_not_taken_over() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    let server = receiver.serve().await;
    world.add("slow", NOW).await;
    receiver.hang(true);
    let _dispatchers = [world.dispatcher(server.channel()), world.dispatcher(server.channel())];
    taken.recv().await.unwrap();
    for extended in [
        "SELECT 'one' FROM outbox WHERE next_try_at = occurred_at + interval '5 seconds'",
        "SELECT 'one' FROM outbox WHERE next_try_at = occurred_at + interval '7 seconds'",
    ] {
        world.clock.advance(Span::seconds(2));
        world.until(extended, |rows| rows.len() == 1).await;
    }
    tokio::time::timeout(Duration::from_secs(2), taken.recv()).await.expect_err("the delivery still runs");
    receiver.hang(false);
    world.is_empty().await;
}
