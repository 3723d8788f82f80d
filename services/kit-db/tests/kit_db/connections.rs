//! Connections that are kept for the next statement, against a real PostgreSQL.
#![allow(
    clippy::disallowed_methods,
    reason = "these databases have no schema that the build could check against"
)]

use std::sync::Arc;
use std::time::Duration;

use kit::test::TelemetryCapture;
use kit_db::test::TestDatabase;
use kit_db::{Pool, config};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{ConnectOptions as _, PgConnection, query, query_scalar};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

static NOTHING: Migrator = Migrator::DEFAULT;

/// A database and a pool of one connection to it.
async fn one() -> (TestDatabase, Pool) {
    let database = TestDatabase::new(&NOTHING).await;
    let settings = config::Database {
        patience: Duration::from_secs(5),
        ..config::Database::new(database.url.clone(), 1)
    };
    let pool = Pool::connect(&settings).await.expect("the database answers");
    (database, pool)
}

async fn pid(connection: &mut PgConnection) -> i32 {
    query_scalar("SELECT pg_backend_pid()").fetch_one(connection).await.expect("read the process id")
}

#[tokio::test]
async fn a_kept_connection_serves_again() {
    let (_database, pool) = one().await;
    let mut first = pool.acquire().await.expect("a connection");
    let served = pid(&mut first).await;
    pool.keep(first);
    for _ in 0..250 {
        let mut next = pool.acquire().await.expect("a connection");
        assert_eq!(pid(&mut next).await, served);
        pool.keep(next);
    }
    let mut transaction = pool.begin().await.expect("a kept connection serves a transaction too");
    assert_eq!(pid(&mut transaction).await, served);
}

/// TLS of sqlx is a feature of its own in `Cargo.toml`: without it, the client itself refuses.
#[tokio::test]
async fn a_database_that_requires_tls_is_asked_for_it() {
    let database = TestDatabase::new(&NOTHING).await;
    let options: PgConnectOptions = database.url.parse().expect("a URL");
    let refusal = options.ssl_mode(PgSslMode::Require).connect().await.expect_err("no certificate");
    assert_eq!(
        refusal.to_string(),
        "error occurred while attempting to establish a TLS connection: server does not support TLS"
    );
}

#[tokio::test]
async fn a_waiting_caller_gets_a_released_connection() {
    let (_database, pool) = one().await;
    let held = pool.acquire().await.expect("a connection");
    let waiting = tokio::spawn({
        let pool = pool.clone();
        async move { pid(&mut pool.acquire().await.expect("a connection in time")).await }
    });
    // The runtime has one thread, so the other task has run until it waits.
    tokio::task::yield_now().await;
    pool.keep(held);
    waiting.await.expect("the caller got a connection");
}

#[tokio::test]
async fn a_connection_whose_caller_has_left_is_still_opened() {
    let database = TestDatabase::new(&NOTHING).await;
    let real: PgConnectOptions = database.url.parse().expect("a URL");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind a port");
    let near = real.clone().host("127.0.0.1").port(listener.local_addr().expect("local address").port());
    let settings = config::Database::new(near.to_url_lossy().to_string(), 2);
    // Forwards connections to the server, each as soon as there is a permit.
    let (permits, arrived) = (Arc::new(Semaphore::new(2)), Arc::new(Semaphore::new(0)));
    let mut proxy = JoinSet::new();
    let (gate, count) = (permits.clone(), arrived.clone());
    proxy.spawn(async move {
        let mut connections = JoinSet::new();
        while let Ok((mut near, _)) = listener.accept().await {
            count.add_permits(1);
            gate.acquire().await.expect("the semaphore is open").forget();
            let place = (real.get_host().to_owned(), real.get_port());
            let mut far = TcpStream::connect(place).await.expect("the database answers");
            connections.spawn(async move { copy_bidirectional(&mut near, &mut far).await });
        }
    });

    // The first connection tests whether the database is there.
    let pool = Pool::connect(&settings).await.expect("the database answers");
    let mut held = pool.acquire().await.expect("a connection");
    let first = pid(&mut held).await;
    arrived.acquire_many(2).await.expect("both were counted").forget();
    let waiting = tokio::spawn({
        let pool = pool.clone();
        async move { pool.acquire().await.expect("a connection in time") }
    });
    arrived.acquire().await.expect("the second is being opened").forget();
    pool.keep(held);
    let mut served = waiting.await.expect("the caller got a connection");
    assert_eq!(pid(&mut served).await, first);
    permits.add_permits(8);
    let mut second = pool.acquire().await.expect("the one that was being opened");
    assert_ne!(pid(&mut second).await, first);
    assert_eq!(arrived.available_permits(), 0, "another connection was opened");
}

#[tokio::test]
async fn callers_are_served_in_order_and_those_that_left_are_skipped() {
    let (_database, pool) = one().await;
    let held = pool.acquire().await.expect("a connection");
    let (order, mut served) = tokio::sync::mpsc::unbounded_channel();
    let callers = [0, 1, 2].map(|number| {
        let (pool, order) = (pool.clone(), order.clone());
        tokio::spawn(async move {
            let connection = pool.acquire().await.expect("a connection in time");
            order.send(number).expect("the test listens");
            pool.keep(connection);
        })
    });
    // The runtime has one thread, so the other tasks have run until they wait.
    tokio::task::yield_now().await;
    callers[0].abort();
    tokio::task::yield_now().await;
    pool.keep(held);
    assert_eq!([served.recv().await, served.recv().await], [Some(1), Some(2)]);
}

#[tokio::test]
async fn a_connection_that_is_kept_after_the_pool_began_to_close_is_closed() {
    let (_database, pool) = one().await;
    let held = pool.acquire().await.expect("a connection");
    let closing = tokio::spawn({
        let pool = pool.clone();
        async move { pool.close().await }
    });
    tokio::task::yield_now().await;
    pool.keep(held);
    timeout(Duration::from_secs(5), closing).await.expect("the pool closes in time").expect("the task ends");
}

#[tokio::test]
async fn a_connection_that_broke_while_it_was_kept_is_not_used() {
    let (database, pool) = one().await;
    let mut connection = pool.acquire().await.expect("a connection");
    let served = pid(&mut connection).await;
    pool.keep(connection);
    query("SELECT pg_terminate_backend($1)")
        .bind(served)
        .execute(&mut *database.pool.acquire().await.expect("another connection"))
        .await
        .expect("terminate the connection");
    // Longer than a connection is used without a ping.
    tokio::time::sleep(Duration::from_millis(250)).await;
    let mut next = pool.acquire().await.expect("a living connection");
    assert_ne!(pid(&mut next).await, served);
}

#[tokio::test]
async fn a_closed_pool_keeps_nothing_open() {
    let (database, pool) = one().await;
    let mut connection = pool.acquire().await.expect("a connection");
    let served = pid(&mut connection).await;
    pool.keep(connection);
    pool.close().await;
    let mut other = database.pool.acquire().await.expect("another connection");
    // The server needs a moment to notice the closed connection.
    let gone = async {
        let lives = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)";
        while query_scalar(lives).bind(served).fetch_one(&mut *other).await.expect("list the connections") {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(5), gone).await.expect("all connections are closed");
}

#[tokio::test]
async fn begin_commit_and_rollback_have_spans() {
    let capture = TelemetryCapture::start("info");
    let (_database, pool) = one().await;
    pool.begin().await.expect("a connection").commit().await.expect("commit");
    pool.begin().await.expect("a connection").rollback().await.expect("roll back");
    let spans: Vec<_> = capture.spans().into_iter().map(|span| span.name.into_owned()).collect();
    assert_eq!(spans, ["BEGIN", "COMMIT", "BEGIN", "ROLLBACK"]);
}
