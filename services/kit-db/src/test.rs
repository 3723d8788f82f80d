//! Helpers of tests: a fresh database for each test.

mod held_readings;

pub use held_readings::HeldReadings;

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, Row};

use crate::{Pool, config};

/// Time limit for a database connection in a test. Many tests share a machine.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// Advisory lock in the server's administrative database, held while a template is created.
const TEMPLATE_LOCK: i64 = 4_711;
/// Namespace of the advisory locks that tests hold, with the hash of the name of their database.
const DATABASE_LOCK: i32 = 4_713;
/// Batch size for dropping the databases of ended tests, 8 MB each. A drop waits for a checkpoint, which writes all
/// changes since the last one.
const DROPPED_AT_ONCE: usize = 48;

/// The database of one test. A later test drops it, because a process that ends cannot wait for the drop.
pub struct TestDatabase {
    /// A pool of connections to it.
    pub pool: Pool,
    /// Its URL, for a second connection or a restart.
    pub url: String,
    /// Holds the advisory lock that marks the database as used. The server releases it when the process ends in any
    /// way.
    _lock: PgConnection,
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
        let mut connection = PgConnection::connect(&admin).await.expect("the test PostgreSQL answers");
        drop_unused(&mut connection).await;
        let template = template(&mut connection, &admin, migrations).await;
        let name = format!("test_{}", uuid::Uuid::now_v7().simple());
        execute(&mut connection, format!("SELECT pg_advisory_lock({DATABASE_LOCK}, hashtext('{name}'))"))
            .await;
        // Copying files takes half the time of copying pages through the WAL.
        let create = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy");
        execute(&mut connection, create).await;
        let url = on(&admin, &name);
        let pool =
            Pool::connect(&config::Database { patience: PATIENCE, ..config::Database::new(url.clone(), 8) })
                .await
                .expect("the new database answers");
        Self { pool, url, _lock: connection }
    }
}

/// Drops the databases of tests that have ended, once there are enough of them.
async fn drop_unused(connection: &mut PgConnection) {
    // Databases whose lock is free. The query takes these locks for this connection.
    let unused = format!(
        "SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%' \
         AND pg_try_advisory_lock({DATABASE_LOCK}, hashtext(datname::text))"
    );
    let unused = connection.fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(unused))).await;
    let unused = unused.expect("the server lists its databases");
    if unused.len() >= DROPPED_AT_ONCE {
        for row in unused {
            let name: String = row.get("datname");
            execute(connection, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
    execute(connection, "SELECT pg_advisory_unlock_all()".to_owned()).await;
}

/// Returns the name of the template for `migrations`. The first test that needs it creates it.
async fn template(connection: &mut PgConnection, admin: &str, migrations: &Migrator) -> String {
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in migrations.iter().flat_map(|migration| migration.checksum.iter()) {
        digest = (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let name = format!("template_{digest:016x}");
    let exists =
        format!("SELECT EXISTS (SELECT FROM pg_database WHERE datname = '{name}' AND datistemplate)");
    if is_true(connection, exists.clone()).await {
        return name;
    }
    execute(connection, format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})")).await;
    if !is_true(connection, exists).await {
        execute(connection, format!("DROP DATABASE IF EXISTS {name}")).await;
        execute(connection, format!("CREATE DATABASE {name}")).await;
        crate::migrate(&config::Database::new(on(admin, &name), 1), migrations)
            .await
            .expect("the migrations run");
        execute(connection, format!("ALTER DATABASE {name} IS_TEMPLATE true")).await;
    }
    execute(connection, format!("SELECT pg_advisory_unlock({TEMPLATE_LOCK})")).await;
    name
}

async fn is_true(connection: &mut PgConnection, sql: String) -> bool {
    let row = connection.fetch_one(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await;
    row.expect("the server answers").get(0)
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
