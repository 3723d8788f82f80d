//! A database that starts late or is away for a while, simulated by a port that refuses connections.
#![allow(
    clippy::disallowed_methods,
    reason = "this database has no schema that the build could check against"
)]

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use kit::config::Serve;
use kit::error::Code;
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit::test::ask;
use kit_db::config::Database;
use kit_db::test::TestDatabase;
use kit_db::{Pool, code};
use sqlx::ConnectOptions as _;
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tonic::Status;
use tonic::service::Routes;
use tower::ServiceExt as _;

static NOTHING: Migrator = Migrator::DEFAULT;

/// Generous timeout for machines under load.
const PATIENCE: Duration = Duration::from_secs(20);

/// A port that refuses connections until the database behind it opens.
struct Port {
    address: SocketAddr,
    database: TestDatabase,
}

impl Port {
    async fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind a port");
        let address = listener.local_addr().expect("local address");
        Self { address, database: TestDatabase::new(&NOTHING).await }
    }

    /// The connection settings through the port.
    fn settings(&self, wait: Duration) -> Database {
        let options: PgConnectOptions = self.database.url.parse().expect("a URL");
        let options = options.host("127.0.0.1").port(self.address.port());
        Database { wait, ..Database::new(options.to_url_lossy().to_string(), 1) }
    }

    /// Accepts connections until the result is dropped. Then all connections are cut and further ones are refused.
    async fn open(&self) -> JoinSet<()> {
        let options: PgConnectOptions = self.database.url.parse().expect("a URL");
        let database = format!("{}:{}", options.get_host(), options.get_port());
        let listener = TcpListener::bind(self.address).await.expect("the port is still free");
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut near, _)) = listener.accept().await {
                let mut far = TcpStream::connect(&database).await.expect("the database answers");
                connections.spawn(async move {
                    let _ = copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
        tasks
    }
}

#[tokio::test]
async fn a_command_outlasts_a_database_that_refuses_at_first() {
    let port = Port::closed().await;
    let settings = port.settings(PATIENCE);
    let late = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        port.open().await
    };
    let (migrated, _open) = tokio::join!(kit_db::migrate(&settings, &NOTHING), late);
    migrated.expect("the database was awaited");
    Pool::connect(&settings).await.expect("the database answers");
}

#[tokio::test]
async fn a_command_gives_up_at_its_limit_and_names_the_place_and_the_cause() {
    let port = Port::closed().await;
    let settings = port.settings(Duration::from_millis(500));
    let began = Instant::now();
    let error = kit_db::migrate(&settings, &NOTHING).await.expect_err("the port refuses").to_string();
    assert!(began.elapsed() < PATIENCE);
    let place = format!("cannot reach the database at {}, tried for ", port.address);
    assert!(error.starts_with(&place) && error.contains("Connection refused"), "{error}");
    assert!(!error.contains("postgres://"), "a URL may contain a password");
}

#[tokio::test]
async fn a_server_is_alive_and_not_ready_until_its_database_answers() {
    let port = Port::closed().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind a port");
    let address = listener.local_addr().expect("local address");
    let serve = Serve { drain_delay: Duration::ZERO, drain_limit: PATIENCE, metrics_listen: None };
    let shutdown = Shutdown::default();
    let server = GrpcServer::start(&serve, listener, shutdown.clone()).await.expect("the server starts");
    let probe = async |path: &str| {
        let head = format!("GET {path} HTTP/1.1");
        let answer =
            tokio::task::spawn_blocking(move || ask(address, &head, "")).await.expect("the server answers");
        answer.split(' ').nth(1).expect("a status").to_owned()
    };
    let path = "/test.v1.TestService/Swift";
    let call = async || {
        let channel = kit::client::channel(&format!("http://{address}")).expect("an address");
        let request = http::Request::post(path).body(tonic::body::Body::empty()).expect("a request");
        let answer = channel.oneshot(request).await.expect("a channel answers with a status");
        Status::from_header_map(answer.headers()).map(|status| status.code())
    };
    assert_eq!((probe("/livez").await, probe("/readyz").await), ("200".to_owned(), "500".to_owned()));
    assert_eq!(call().await, Some(tonic::Code::Unavailable));

    let settings = port.settings(Duration::ZERO);
    let (pool, _open) = tokio::join!(server.prepare(Pool::connect_patiently(&settings)), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        port.open().await
    });
    let pool = pool.expect("the database was awaited").expect("no shutdown");
    pool.acquire().await.expect("the pool connects through the port");

    let routes = Routes::from(Router::new().route(
        path,
        axum::routing::post(|| async { Status::not_found("as planned").into_http::<axum::body::Body>() }),
    ));
    let serving = kit::task::spawn_untracked("server", async move {
        server
            .serve(kit::test::open_to_all(), routes, Router::new())
            .await
            .expect("the server ends without an error");
    });
    let ready = async {
        while probe("/readyz").await != "200" {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, ready).await.expect("the server becomes ready");
    assert_eq!(call().await, Some(tonic::Code::NotFound));
    shutdown.begin();
    timeout(PATIENCE, serving).await.expect("the server ends in time").expect("the task ends");
}

#[tokio::test]
async fn a_waiting_server_ends_at_shutdown() {
    let port = Port::closed().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind a port");
    let serve = Serve { drain_delay: PATIENCE, drain_limit: PATIENCE, metrics_listen: None };
    let shutdown = Shutdown::default();
    let server = GrpcServer::start(&serve, listener, shutdown.clone()).await.expect("the server starts");
    let settings = port.settings(Duration::ZERO);
    let preparation = server.prepare(Pool::connect_patiently(&settings));
    shutdown.begin();
    let prepared = timeout(PATIENCE, preparation).await.expect("the wait ends");
    assert!(prepared.expect("no failure").is_none());
}

#[tokio::test]
async fn the_error_of_a_request_without_a_connection_names_the_cause() {
    let port = Port::closed().await;
    let _open = port.open().await;
    let settings = Database { patience: Duration::from_secs(2), ..port.settings(PATIENCE) };
    let pool = Pool::connect(&settings).await.expect("the database answers");
    let _held = pool.acquire().await.expect("the only connection");
    let error = pool.acquire().await.expect_err("the only connection is in use");
    assert_eq!(code(&error), Code::Unavailable);
    let wanted = format!("all 1 connections to the database at {} were in use for ", port.address);
    assert!(error.to_string().contains(&wanted), "{error}");
}

/// Runs one statement like most requests do, and keeps the connection.
async fn ask_database(pool: &Pool) -> sqlx::Result<()> {
    let mut connection = pool.acquire().await?;
    sqlx::query("SELECT 1").execute(&mut *connection).await?;
    pool.keep(connection);
    Ok(())
}

#[tokio::test]
async fn requests_wait_while_another_instance_becomes_the_primary() {
    let port = Port::closed().await;
    let open = port.open().await;
    let settings = Database { max_connections: 4, ..port.settings(PATIENCE) };
    let pool = Pool::connect(&settings).await.expect("the database answers");
    ask_database(&pool).await.expect("the database answers");

    drop(open);
    // The pool's connections are closed, but the pool has not noticed yet.
    let _ = ask_database(&pool).await;
    let mut requests = JoinSet::new();
    for _ in 0..32 {
        let pool = pool.clone();
        requests.spawn(async move { ask_database(&pool).await });
    }
    // Longer than a request waits for a connection of a busy pool.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(requests.try_join_next().is_none(), "the requests wait");
    let _open = port.open().await;
    for answer in requests.join_all().await {
        answer.expect("the database was awaited");
    }
}

#[tokio::test]
async fn a_request_fails_fast_if_the_database_is_away_for_long() {
    let port = Port::closed().await;
    let open = port.open().await;
    let pool = Pool::connect(&port.settings(PATIENCE)).await.expect("the database answers");
    drop(open);
    let began = Instant::now();
    // More requests than connections, so that all connections are being opened and none is in use.
    let mut requests = JoinSet::new();
    for _ in 0..4 {
        let pool = pool.clone();
        requests.spawn(async move { ask_database(&pool).await.expect_err("the database stays away") });
    }
    let errors = timeout(PATIENCE, requests.join_all()).await.expect("the requests give up");
    assert!(errors.iter().all(|error| code(error) == Code::Unavailable), "{errors:?}");
    let place = format!("no connection to the database at {} within", port.address);
    assert!(errors.iter().any(|error| error.to_string().contains(&place)), "{errors:?}");
    let waited = began.elapsed();
    let began = Instant::now();
    ask_database(&pool).await.expect_err("the database stays away");
    assert!(began.elapsed() < waited / 2, "{:?} after {waited:?}", began.elapsed());
}

#[tokio::test]
async fn a_read_only_database_is_unavailable() {
    let database = TestDatabase::new(&NOTHING).await;
    let mut connection = database.pool.acquire().await.expect("the database answers");
    sqlx::query("SET default_transaction_read_only TO on")
        .execute(&mut *connection)
        .await
        .expect("a setting");
    let error =
        sqlx::query("CREATE TABLE anything ()").execute(&mut *connection).await.expect_err("read only");
    assert_eq!(code(&error), Code::Unavailable, "{error}");
}
