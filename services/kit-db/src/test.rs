//! Helpers of tests: a fresh database for each test.

mod held;

pub use held::HeldReadings;

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection};

use crate::{Pool, config};

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
        crate::migrate(&config::Database::new(on(admin, &name), 1), migrations)
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
