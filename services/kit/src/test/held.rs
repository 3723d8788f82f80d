//! Readings of a table that a test holds up.

use std::time::Duration;

use sqlx::{Connection, Executor, PgConnection, Row};

use super::{TestDatabase, execute};

/// The key of the advisory lock. It is one for each database, and every test has a database of its own.
const KEY: i64 = 1;
/// Between two looks at who waits.
const LOOK: Duration = Duration::from_millis(20);

/// Every statement that reads the table waits, after it has taken its snapshot, until this is released.
pub struct HeldReadings(PgConnection);

impl TestDatabase {
    /// Holds up the readings of `table`. Its rows are in `kept_TABLE` from now on, where they can be written without a
    /// wait; `TABLE` is a view of them, and can be written no more.
    pub async fn hold_readings(&self, table: &str) -> HeldReadings {
        let mut connection = PgConnection::connect(&self.url).await.expect("the database answers");
        // An advisory lock takes no transaction id: the oldest transaction under way is another than this one.
        execute(&mut connection, format!("SELECT pg_advisory_lock({KEY})")).await;
        let view = format!(
            "ALTER TABLE {table} RENAME TO kept_{table}; \
             CREATE VIEW {table} AS SELECT * FROM kept_{table} \
             WHERE (SELECT pg_advisory_xact_lock_shared({KEY}) IS NOT NULL)"
        );
        execute(&mut connection, view).await;
        HeldReadings(connection)
    }
}

impl HeldReadings {
    /// Returns when `count` statements have waited for at least `time`. One whose client has gone waits like any other.
    pub async fn until_waiting(&mut self, count: i64, time: Duration) {
        let waiting = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory' \
             AND clock_timestamp() - query_start >= '{} ms'",
            time.as_millis()
        );
        loop {
            let row = self.0.fetch_one(sqlx::raw_sql(sqlx::AssertSqlSafe(waiting.clone()))).await;
            if row.expect("the database answers").get::<i64, _>(0) >= count {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Lets all of them go on, and those that come.
    pub async fn release(mut self) {
        execute(&mut self.0, format!("SELECT pg_advisory_unlock({KEY})")).await;
    }
}
