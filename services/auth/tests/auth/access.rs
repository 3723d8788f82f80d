//! What edges follow: keys and ended sessions arrive within a second, and nothing arrives while they are unknown.

use std::time::Duration as StdDuration;

use crate::support::{Auth, NOW, World, next, next_revoked, sid};
use kit_db::test::HeldReadings;
use proto::auth::WatchAccessResponse;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};
use time::Duration;
use tokio::time::{Instant, timeout};
use tonic::Streaming;
use uuid::Uuid;

const SECOND: StdDuration = StdDuration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_first_gets_all_keys_and_all_ended_sessions() {
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    auth.log_out(sid(&tokens)).await;
    let mut watcher = auth.watch().await;
    let first = next(&mut watcher).await;
    assert!(first.snapshot);
    assert_eq!(first.keys.len(), 1);
    assert_eq!(first.keys[0].ed25519.len(), 32);
    let told =
        if first.revoked_sids.is_empty() { next_revoked(&mut watcher).await } else { first.revoked_sids };
    assert_eq!(told, [sid(&tokens).to_string()]);
    let later = next(&mut watcher).await;
    assert!(!later.snapshot);
    assert_eq!((later.keys, later.revoked_sids), (vec![], Vec::<String>::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_logout_reaches_the_watchers_of_every_server_within_a_second() {
    let world = World::new().await;
    let (one, other) = (world.serve().await, world.serve().await);
    let mut watchers = [one.watch().await, other.watch().await];
    for watcher in &mut watchers {
        next(watcher).await;
    }
    let tokens = one.log_in().await;
    let started = Instant::now();
    one.log_out(sid(&tokens)).await;
    for watcher in &mut watchers {
        assert_eq!(next_revoked(watcher).await, [sid(&tokens).to_string()]);
    }
    assert!(started.elapsed() < SECOND, "it took {:?}", started.elapsed());
    assert!(!other.is_alive(sid(&tokens)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_twice_or_of_an_unknown_session_does_nothing() {
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    for _ in 0..2 {
        auth.log_out(sid(&tokens)).await;
        auth.log_out(Uuid::from_u128(7)).await;
    }
    assert_eq!(world.text("SELECT sid::text FROM revocation").await, [sid(&tokens).to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_logout_that_commits_late_is_not_missed() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;
    let late = Uuid::from_u128(7);
    let mut transaction = world.database.pool.begin().await.unwrap();
    let insert = format!("INSERT INTO revocation (sid, revoked_at) VALUES ('{late}', '{NOW}')");
    transaction.execute(sqlx::raw_sql(AssertSqlSafe(insert))).await.unwrap();
    for _ in 0..3 {
        let tokens = auth.log_in().await;
        auth.log_out(sid(&tokens)).await;
        assert_eq!(next_revoked(&mut watcher).await, [sid(&tokens).to_string()]);
    }
    transaction.commit().await.unwrap();
    assert_eq!(next_revoked(&mut watcher).await, [late.to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_is_published_until_its_access_token_has_expired() {
    let world = World::new().await;
    let auth = world.serve().await;
    let tokens = auth.log_in().await;
    auth.log_out(sid(&tokens)).await;
    world.clock.advance(Duration::DAY);
    assert_eq!(world.serve().await.snapshot().await.revoked_sids, [sid(&tokens).to_string()]);
    world.clock.advance(Duration::minutes(11));
    assert!(world.serve().await.snapshot().await.revoked_sids.is_empty());
    assert!(auth.snapshot().await.revoked_sids.is_empty(), "a running server has dropped it too");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_gets_keep_alives_twice_a_second() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;
    let started = Instant::now();
    for _ in 0..6 {
        next(&mut watcher).await;
    }
    assert!(started.elapsed() < 3 * SECOND, "6 took {:?}", started.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_gets_nothing_while_the_database_is_gone() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut before = auth.watch().await;
    next(&mut before).await;
    world.cut_database(false).await;
    until_silent(&mut before).await;
    let mut watcher = auth.watch().await;
    assert!(timeout(SECOND, watcher.message()).await.is_err(), "an old snapshot would admit ended sessions");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_published_while_the_database_is_gone_and_everything_afterwards() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;

    world.cut_database(false).await;
    until_silent(&mut watcher).await;

    // Ended directly in the database, as a replica that still reaches it could.
    let ended = Uuid::from_u128(7);
    world.cut_database(true).await;
    world.text(&format!("INSERT INTO revocation (sid, revoked_at) VALUES ('{ended}', '{NOW}')")).await;
    let back = timeout(5 * SECOND, async {
        loop {
            let step = watcher.message().await.expect("the stream is open").expect("a message");
            if !step.revoked_sids.is_empty() {
                return step.revoked_sids;
            }
        }
    });
    assert_eq!(back.await.expect("the server finds the database again"), [ended.to_string()]);
}

/// A watcher, a session that has just ended, and a lock on the table that blocks readings since before the end.
async fn end_during_a_reading(
    world: &World,
    auth: &Auth,
) -> (Streaming<WatchAccessResponse>, Uuid, HeldReadings) {
    let ended = sid(&auth.log_in().await);
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;
    let mut held = world.database.hold_readings("revocation").await;
    held.until_waiting(StdDuration::ZERO).await;
    world.end_elsewhere(ended).await;
    held.settle().await;
    (watcher, ended, held)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_during_a_reading_is_in_the_next() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (mut watcher, ended, held) = end_during_a_reading(&world, &auth).await;
    held.release().await;
    assert_eq!(next_revoked(&mut watcher).await, [ended.to_string()]);
}

/// The first reading is blocked for longer than `READING_LIMIT`. The second begins after the session has ended, finds
/// it, and is released after `FRESH_FOR`.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_found_by_a_reading_that_was_too_slow_is_in_the_next() {
    let world = World::new().await;
    let auth = world.serve().await;
    let (mut watcher, ended, mut held) = end_during_a_reading(&world, &auth).await;
    held.until_waiting(StdDuration::from_millis(400)).await;
    while let Ok(step) = timeout(StdDuration::ZERO, watcher.message()).await {
        let sids = step.expect("the stream is open").expect("a message").revoked_sids;
        assert_eq!(sids, Vec::<String>::new(), "it was published while the readings were blocked");
    }
    held.release().await;
    assert_eq!(next_revoked(&mut watcher).await, [ended.to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_survives_a_first_reading_that_is_too_slow() {
    let world = World::new().await;
    let mut held = world.database.hold_readings("revocation").await;
    let (auth, ()) = tokio::join!(world.serve(), async {
        held.until_waiting(StdDuration::from_millis(400)).await;
        held.release().await;
    });
    auth.log_in().await;
}

/// Each reading is as slow as allowed, and an edge trusts it as long as allowed: less than a second in total.
#[tokio::test(flavor = "multi_thread")]
async fn readings_slower_than_250_ms_are_not_published() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;
    world.text("ALTER TABLE signing_key RENAME TO kept_key").await;
    let slow = "CREATE VIEW signing_key AS SELECT kept_key.* FROM kept_key, pg_sleep(0.3)";
    world.text(slow).await;
    until_silent(&mut watcher).await;
    let fast = "CREATE OR REPLACE VIEW signing_key AS SELECT kept_key.* FROM kept_key, pg_sleep(0.05)";
    world.text(fast).await;
    next(&mut watcher).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_checked_with_a_key_is_alive_only_while_the_key_is_in_force() {
    let world = World::new().await;
    let auth = world.serve().await;
    let sid = sid(&auth.log_in().await);
    let [kid] = &auth.snapshot().await.keys[..] else { panic!("one key") };
    assert!(auth.is_alive_with(sid, Some(&kid.kid)).await);
    assert!(!auth.is_alive_with(sid, Some("unknown")).await);
    assert!(!auth.is_alive_with(Uuid::from_u128(7), Some(&kid.kid)).await);
    world.text("UPDATE signing_key SET state = 'retired', sealed_private_key = NULL").await;
    assert!(!auth.is_alive_with(sid, Some(&kid.kid)).await);
    assert!(auth.is_alive(sid).await, "an older edge sends only the session");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_end_at_shutdown() {
    let world = World::new().await;
    let auth = world.serve().await;
    let mut watcher = auth.watch().await;
    next(&mut watcher).await;
    auth.shutdown.begin();
    let ended = timeout(SECOND, async { while let Ok(Some(_)) = watcher.message().await {} });
    ended.await.expect("the stream ends within a second");
}

impl World {
    /// Ends a session as another replica does, while the readings of this one are blocked.
    async fn end_elsewhere(&self, sid: Uuid) {
        self.text(&format!("INSERT INTO kept_revocation (sid, revoked_at) VALUES ('{sid}', '{NOW}')")).await;
    }

    /// Closes the database and its connections, or opens it again.
    async fn cut_database(&self, allow: bool) {
        let options: PgConnectOptions = self.database.url.parse().unwrap();
        let name = options.get_database().unwrap().to_owned();
        let mut admin = options.database("postgres").connect().await.unwrap();
        let sql = format!(
            "ALTER DATABASE {name} ALLOW_CONNECTIONS {allow}; \
             SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND NOT {allow}"
        );
        admin.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
    }
}

/// Waits until no message has arrived for a second. Fails if the last one came more than a second after the call.
async fn until_silent(watcher: &mut Streaming<WatchAccessResponse>) {
    let gone = Instant::now();
    while let Ok(step) = timeout(SECOND, watcher.message()).await {
        step.expect("the stream is open").expect("a message");
        assert!(gone.elapsed() < SECOND, "messages are sent although the state is unknown");
    }
}
