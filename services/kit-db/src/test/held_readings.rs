//! Blocks the reads of a table in a test.

use std::time::Duration;

use sqlx::{Connection, Executor, PgConnection, Row};

use super::{PATIENCE, TestDatabase, execute};

/// Key of the advisory lock. Locks are per database, and every test has its own.
const KEY: i64 = 1;
/// Polling interval for waiting statements.
const POLL: Duration = Duration::from_millis(20);

/// Every statement that reads the table waits, after it has taken its snapshot, until this is released.
pub struct HeldReadings {
    connection: PgConnection,
    table: String,
    /// Start time by the server's clock. Earlier statements are ignored.
    since: String,
}

impl TestDatabase {
    /// Blocks reads of `table`. Until the release, `TABLE` is a read-only view; its rows are in `kept_TABLE`, which can
    /// be written without waiting.
    pub async fn hold_readings(&self, table: &str) -> HeldReadings {
        let mut connection = PgConnection::connect(&self.url).await.expect("the database answers");
        let since = text(&mut connection, "SELECT clock_timestamp()::text".to_owned()).await;
        // An advisory lock takes no transaction id, so this is never the oldest running transaction.
        execute(&mut connection, format!("SELECT pg_advisory_lock({KEY})")).await;
        // A function, because a condition might not be evaluated for an empty table. `STABLE`: it reads with the
        // snapshot of the calling statement.
        let view = format!(
            "ALTER TABLE {table} RENAME TO kept_{table}; \
             CREATE FUNCTION held_{table}() RETURNS SETOF kept_{table} STABLE LANGUAGE plpgsql AS \
             'BEGIN PERFORM pg_advisory_xact_lock_shared({KEY}); RETURN QUERY SELECT * FROM kept_{table}; END'; \
             CREATE VIEW {table} AS SELECT * FROM held_{table}()"
        );
        execute(&mut connection, view).await;
        HeldReadings { connection, table: table.to_owned(), since }
    }
}

impl HeldReadings {
    /// Waits until a statement has been blocked for `time`.
    pub async fn until_waiting(&mut self, time: Duration) {
        let waiting = format!(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() \
             AND wait_event = 'advisory' AND query_start >= '{}' \
             AND clock_timestamp() - query_start >= '{} ms')::text",
            self.since,
            time.as_millis()
        );
        self.until(waiting).await;
    }

    /// Waits until every transaction has ended that may be older than what is committed now, on the whole server,
    /// because of other tests. Ignores statements that are blocked already.
    pub async fn settle(&mut self) {
        let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text".to_owned();
        let next = text(&mut self.connection, next).await;
        self.until(format!("SELECT (pg_snapshot_xmin(pg_current_snapshot()) >= '{next}')::text")).await;
        self.since = text(&mut self.connection, "SELECT clock_timestamp()::text".to_owned()).await;
    }

    /// Unblocks all statements and restores the table.
    pub async fn release(mut self) {
        execute(&mut self.connection, format!("SELECT pg_advisory_unlock({KEY})")).await;
        let table = self.table;
        let restore = format!(
            "DROP VIEW {table}; DROP FUNCTION held_{table}(); ALTER TABLE kept_{table} RENAME TO {table}"
        );
        execute(&mut self.connection, restore).await;
    }

    async fn until(&mut self, condition: String) {
        let holds = async {
            while text(&mut self.connection, condition.clone()).await != "true" {
                tokio::time::sleep(POLL).await;
            }
        };
        tokio::time::timeout(4 * PATIENCE, holds).await.expect("the condition is met in time");
    }
}

/// The single text value of a query.
async fn text(connection: &mut PgConnection, sql: String) -> String {
    let row = connection.fetch_one(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await;
    row.expect("the database answers").get(0)
}
