//! Helpers of tests: a fresh database for each test, servers on free ports, a manual clock.

mod caller;
mod form;
mod held;
mod mail_server;
mod mailbox;
mod names;
mod process;
mod random;
mod told;

pub use caller::{
    CALLER_SECRET, account, anyone, caller_keys, channel_as, every_rpc_admits_only_its_callers, guardian,
    guardian_of, in_session, learner, open_to_all, rpcs, signer,
};
pub use form::{FormCase, form_cases};
pub use held::HeldReadings;
pub use mail_server::{Mail, MailServer, Reply};
pub use mailbox::MAILBOXES;
pub use names::Names;
pub use process::{Process, ask, feed, metrics};
pub use random::Random;
pub use told::TelemetryCapture;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::caller::{Caller, Callers, Row, Service};
use crate::client::{Channel, channel};
use crate::clock::Clock;
use crate::config;
use crate::db::Pool;
use crate::shutdown::Shutdown;

/// Time limit for a database connection in a test. Many tests share a machine.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// The database of one test. It is dropped after the test, if the process lives long enough.
pub struct TestDatabase {
    /// A pool of connections to it.
    pub pool: Pool,
    /// Its URL, for a second connection or a restart.
    pub url: String,
    admin: String,
    name: String,
}

impl TestDatabase {
    /// Creates a database with the schema of `migrations`, from a template that is migrated once.
    ///
    /// # Panics
    /// Without `TEST_DATABASE_URL`, the URL of a superuser on a server for tests.
    pub async fn new(migrations: &Migrator) -> Self {
        #[expect(clippy::disallowed_methods, reason = "a test has no config.rs")]
        let admin = std::env::var("TEST_DATABASE_URL").expect(
            "TEST_DATABASE_URL is not set: run `cargo dev test rust`, or point it at a PostgreSQL 18",
        );
        let template = template(&admin, migrations).await;
        let name = format!("test_{}", uuid::Uuid::now_v7().simple());
        let mut connection = PgConnection::connect(&admin).await.expect("the test PostgreSQL answers");
        execute(&mut connection, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        let url = on(&admin, &name);
        let pool =
            Pool::connect(&config::Database { patience: PATIENCE, ..config::Database::new(url.clone(), 8) })
                .await
                .expect("the new database answers");
        Self { pool, url, admin, name }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (admin, name) = (self.admin.clone(), self.name.clone());
        // `drop` cannot await, so a thread with its own runtime does. It is not joined: the server drops a database only
        // after every connection that is being opened is accepted, and such a connection may wait for this runtime until
        // the server gives up after a minute.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
            runtime.block_on(async {
                let mut connection = PgConnection::connect(&admin).await.ok()?;
                let drop = sqlx::AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
                connection.execute(sqlx::raw_sql(drop)).await.ok()
            })
        });
    }
}

/// The name of the template for `migrations`. Creates it under an advisory lock, as tests run in several processes.
async fn template(admin: &str, migrations: &Migrator) -> String {
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in migrations.iter().flat_map(|migration| migration.checksum.iter()) {
        digest = (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let name = format!("template_{digest:016x}");
    let mut connection = PgConnection::connect(admin).await.expect("the test PostgreSQL answers");
    execute(&mut connection, "SELECT pg_advisory_lock(4711)".to_owned()).await;
    let made = connection
        .fetch_optional(sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
            "SELECT 1 FROM pg_database WHERE datname = '{name}' AND datistemplate"
        ))))
        .await
        .expect("the server lists its databases")
        .is_some();
    if !made {
        execute(&mut connection, format!("DROP DATABASE IF EXISTS {name}")).await;
        execute(&mut connection, format!("CREATE DATABASE {name}")).await;
        crate::db::migrate(&config::Database::new(on(admin, &name), 1), migrations)
            .await
            .expect("the migrations run");
        execute(&mut connection, format!("ALTER DATABASE {name} IS_TEMPLATE true")).await;
    }
    // The lock ends with the connection.
    connection.close().await.expect("the connection closes");
    name
}

async fn execute(connection: &mut PgConnection, sql: String) {
    connection
        .execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.clone())))
        .await
        .unwrap_or_else(|e| panic!("{sql}: {e}"));
}

fn on(admin: &str, name: &str) -> String {
    let options: PgConnectOptions = admin.parse().expect("TEST_DATABASE_URL is a URL");
    options.database(name).to_url_lossy().to_string()
}

/// A server within the test's process.
pub struct TestServer {
    /// Its address.
    pub address: SocketAddr,
    /// Ends it.
    pub shutdown: Shutdown,
    /// Its name in caller assertions.
    receiver: Option<Service>,
}

impl TestServer {
    /// Serves the gRPC `services` of `receiver` on a free port of 127.0.0.1; `table` says who may call.
    pub async fn service(receiver: Service, table: &[Row], services: Routes) -> Self {
        let callers = Callers::new(receiver, table, &caller_keys(), Clock::system()).expect("keys of tests");
        let mut server = Self::serve(callers, services).await;
        server.receiver = Some(receiver);
        server
    }

    /// Serves gRPC `services` that are no service of the product, and that anybody may call, on a free port of 127.0.0.1.
    pub async fn grpc(services: Routes) -> Self {
        Self::serve(open_to_all(), services).await
    }

    async fn serve(callers: Callers, services: Routes) -> Self {
        Self::start(|listener, shutdown| async move {
            crate::serve::grpc(&AT_ONCE, listener, callers, services, Router::new(), shutdown).await
        })
        .await
    }

    /// Serves HTTP on a free port of 127.0.0.1.
    pub async fn http(app: Router) -> Self {
        Self::start(|listener, shutdown| async move {
            crate::serve::http(&AT_ONCE, listener, app, shutdown).await
        })
        .await
    }

    /// A channel to it without a caller assertion: a checked service refuses every call.
    #[must_use]
    pub fn channel(&self) -> Channel {
        channel(&self.url()).expect("an address of our own is valid")
    }

    /// A channel to it whose calls this caller signs.
    #[must_use]
    pub fn channel_as(&self, caller: Caller) -> Channel {
        let receiver = self.receiver.expect("it was started as a service");
        channel_as(&self.url(), receiver, caller)
    }

    /// Its address as a URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    async fn start<Serve, Serving>(serve: Serve) -> Self
    where
        Serve: FnOnce(TcpListener, Shutdown) -> Serving,
        Serving: Future<Output = Result<(), crate::Failure>> + Send + 'static,
    {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let shutdown = Shutdown::default();
        let serving = serve(listener, shutdown.clone());
        crate::task::spawn_untracked("test server", async move {
            serving.await.expect("the server ends well");
        });
        Self { address, shutdown, receiver: None }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}

const AT_ONCE: config::Serve =
    config::Serve { drain_delay: Duration::ZERO, drain_limit: Duration::from_secs(1), metrics_listen: None };

/// A clock that stands still until a test moves it.
#[derive(Clone)]
pub struct HandClock(Arc<Mutex<OffsetDateTime>>);

impl HandClock {
    /// Stands at `now`.
    #[must_use]
    pub fn at(now: OffsetDateTime) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    /// Moves on by `step`.
    pub fn advance(&self, step: time::Duration) {
        *self.0.lock().expect("no test panicked with the clock in hand") += step;
    }

    /// The clock for the code under test.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let now = self.0.clone();
        Clock::new(move || *now.lock().expect("no test panicked with the clock in hand"))
    }
}
