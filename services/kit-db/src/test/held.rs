//! Readings of a table that a test holds up.

use std::time::Duration;

use sqlx::{Connection, Executor, PgConnection, Row};

use super::{PATIENCE, TestDatabase, execute};

/// The key of the advisory lock. It is one for each database, and every test has a database of its own.
const KEY: i64 = 1;
/// Between two looks at who waits.
const LOOK: Duration = Duration::from_millis(20);

/// Every statement that reads the table waits, after it has taken its snapshot, until this is released.
pub struct HeldReadings {
    connection: PgConnection,
    table: String,
    /// By the server's clock. Statements that began before are not waited for.
    since: String,
}

impl TestDatabase {
    /// Holds up the readings of `table`. Until they are released, `TABLE` is a view that cannot be written; its rows are
    /// in `kept_TABLE`, where they can be written without a wait.
    pub async fn hold_readings(&self, table: &str) -> HeldReadings {
        let mut connection = PgConnection::connect(&self.url).await.expect("the database answers");
        let since = text(&mut connection, "SELECT clock_timestamp()::text".to_owned()).await;
        // An advisory lock takes no transaction id: the oldest transaction under way is another than this one.
        execute(&mut connection, format!("SELECT pg_advisory_lock({KEY})")).await;
        // A function, because a condition may not be looked at if the table is empty. `STABLE`: it reads with the
        // snapshot of the statement that calls it.
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
    /// Returns when a statement has waited for `time`.
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

    /// Returns when every transaction has ended that may be older than what has been committed by now, on the whole
    /// server: other tests have some. Statements that waited already are not waited for again.
    pub async fn settle(&mut self) {
        let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text".to_owned();
        let next = text(&mut self.connection, next).await;
        self.until(format!("SELECT (pg_snapshot_xmin(pg_current_snapshot()) >= '{next}')::text")).await;
        self.since = text(&mut self.connection, "SELECT clock_timestamp()::text".to_owned()).await;
    }

    /// Lets all of them go on, and makes the view a table again.
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
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::time::timeout(4 * PATIENCE, holds).await.expect("it comes to this");
    }
}

/// The one value of a query, of type text.
async fn text(connection: &mut PgConnection, sql: String) -> String {
    let row = connection.fetch_one(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await;
    row.expect("the database answers").get(0)
}
