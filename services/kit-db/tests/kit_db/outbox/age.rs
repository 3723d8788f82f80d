//! The age of the oldest waiting event is a metric. A process exposes one outbox.

use std::time::Duration;

use super::events::{NOW, Receiver, World};
use time::Duration as Span;

#[tokio::test]
async fn the_age_of_the_oldest_event_is_a_metric() {
    let world = World::new().await;
    let (receiver, mut taken) = Receiver::new();
    receiver.refuse(1);
    let server = receiver.serve().await;
    world.add("hello", NOW - Span::seconds(90)).await;
    let _dispatcher = world.dispatcher(server.channel());
    taken.recv().await.unwrap();
    shows(r#"konomana_outbox_age_seconds{receiver="desk"} 90.0"#).await;
    // The pause of a second is counted from NOW.
    let postponed = "SELECT id::text FROM outbox WHERE next_try_at = occurred_at + interval '91 seconds'";
    world.until(postponed, |rows| rows.len() == 1).await;
    world.clock.advance(Span::SECOND);
    taken.recv().await.unwrap();
    shows(r#"konomana_outbox_age_seconds{receiver="desk"} 0.0"#).await;
}

async fn shows(line: &str) {
    let shown = async {
        while !kit::metrics::text().unwrap().contains(line) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), shown).await.expect("the metrics show it");
}
