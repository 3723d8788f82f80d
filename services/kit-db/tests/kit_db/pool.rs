//! Random sequences of operations on the pool, against a real PostgreSQL.
#![allow(
    clippy::disallowed_methods,
    reason = "this database has no schema that the build could check against"
)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use kit_db::test::TestDatabase;
use kit_db::{Pool, Transaction, config};
use proptest::prelude::{Strategy, any};
use proptest::prop_oneof;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use sqlx::migrate::Migrator;
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres, query, query_scalar};
use tokio::time::timeout;

static NOTHING: Migrator = Migrator::DEFAULT;

/// The limit of the pool under test.
const LIMIT: usize = 3;
/// Number of sequences, each with its own pool.
const CASES: u32 = 48;

/// Time limit for the server to notice that a connection was closed.
const NOTICED: Duration = Duration::from_secs(5);

/// An operation of a user of the pool. Numbers select one of the held connections.
#[derive(Clone, Debug)]
enum Step {
    Acquire,
    Begin,
    /// Releases a connection with `keep`.
    Keep(usize),
    /// Drops a connection or an open transaction.
    Drop(usize),
    Commit(usize),
    /// The server closes a connection. Its user notices and drops it.
    Break(usize),
    /// Cancels a running statement and drops the connection.
    Abandon(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let number = any::<usize>;
    let step = prop_oneof![
        4 => proptest::strategy::Just(Step::Acquire),
        2 => proptest::strategy::Just(Step::Begin),
        4 => number().prop_map(Step::Keep),
        2 => number().prop_map(Step::Drop),
        1 => number().prop_map(Step::Commit),
        1 => number().prop_map(Step::Break),
        1 => number().prop_map(Step::Abandon),
    ];
    proptest::collection::vec(step, 1..24)
}

/// A user of the pool.
struct User<'a> {
    pool: Pool,
    /// Application name of its connections.
    name: String,
    /// A separate connection to the server.
    admin: &'a PgPool,
    connections: Vec<PoolConnection<Postgres>>,
    transactions: Vec<Transaction>,
}

impl User<'_> {
    async fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Acquire | Step::Begin if self.held() == LIMIT => {
                // The caller times out and leaves the queue.
                let more = timeout(Duration::from_millis(5), self.pool.acquire()).await;
                proptest::prop_assert!(more.is_err(), "more connections than the limit");
            }
            Step::Acquire => {
                let mut connection = self.pool.acquire().await.map_err(failed)?;
                let marked = query_scalar("SELECT coalesce(current_setting('kit.in_transaction', true), '')");
                let marked: String = marked.fetch_one(&mut *connection).await.map_err(failed)?;
                proptest::prop_assert_eq!(marked, "", "a connection in a transaction");
                self.connections.push(connection);
            }
            Step::Begin => {
                let mut transaction = self.pool.begin().await.map_err(failed)?;
                // Valid until the transaction ends.
                let mark = query("SELECT set_config('kit.in_transaction', 'yes', true)");
                mark.execute(&mut *transaction).await.map_err(failed)?;
                self.transactions.push(transaction);
            }
            Step::Keep(number) => {
                if let Some(connection) = take(&mut self.connections, number) {
                    self.pool.keep(connection);
                }
            }
            Step::Drop(number) if number % 2 == 0 => drop(take(&mut self.connections, number)),
            Step::Drop(number) => drop(take(&mut self.transactions, number)),
            Step::Commit(number) => {
                if let Some(transaction) = take(&mut self.transactions, number) {
                    transaction.commit().await.map_err(failed)?;
                }
            }
            Step::Break(number) => {
                if let Some(mut connection) = take(&mut self.connections, number) {
                    let pid = query_scalar("SELECT pg_backend_pid()").fetch_one(&mut *connection).await;
                    let pid: i32 = pid.map_err(failed)?;
                    let end = query("SELECT pg_terminate_backend($1, 5000)").bind(pid);
                    end.execute(self.admin).await.map_err(failed)?;
                    proptest::prop_assert!(query("SELECT 1").execute(&mut *connection).await.is_err());
                }
            }
            Step::Abandon(number) => {
                if let Some(mut connection) = take(&mut self.connections, number) {
                    let sleep = query("SELECT pg_sleep(0.02)").execute(&mut *connection);
                    let _ = timeout(Duration::from_millis(2), sleep).await;
                }
            }
        }
        // The server needs a moment to notice that the pool has closed a connection.
        let begun = Instant::now();
        loop {
            let open = query_scalar("SELECT count(*) FROM pg_stat_activity WHERE application_name = $1");
            let open: i64 = open.bind(&self.name).fetch_one(self.admin).await.map_err(failed)?;
            if usize::try_from(open).is_ok_and(|open| open <= LIMIT) {
                return Ok(());
            }
            proptest::prop_assert!(begun.elapsed() < NOTICED, "{} are open", open);
        }
    }

    fn held(&self) -> usize {
        self.connections.len() + self.transactions.len()
    }
}

fn take<One>(all: &mut Vec<One>, number: usize) -> Option<One> {
    if all.is_empty() { None } else { Some(all.swap_remove(number % all.len())) }
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes it by value")]
fn failed(error: sqlx::Error) -> TestCaseError {
    TestCaseError::fail(format!("a connection that does not work: {error}"))
}

#[test]
fn after_any_operations_connections_work_outside_a_transaction_and_within_the_limit() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("start a runtime");
    let database = runtime.block_on(TestDatabase::new(&NOTHING));
    let cases = AtomicU32::new(0);
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&steps(), |steps| {
        runtime.block_on(async {
            let limit = u32::try_from(LIMIT).unwrap_or_default();
            // Each case has its own name, because the server needs a moment to notice the closed connections of an
            // earlier pool.
            let name = format!("pool_{}", cases.fetch_add(1, Ordering::Relaxed));
            let separator = if database.url.contains('?') { '&' } else { '?' };
            let url = format!("{}{separator}application_name={name}", database.url);
            let settings =
                config::Database { patience: Duration::from_secs(5), ..config::Database::new(url, limit) };
            let pool = Pool::connect(&settings).await.expect("the database answers");
            let admin = database.pool.inner();
            let mut user = User { pool, name, admin, connections: Vec::new(), transactions: Vec::new() };
            for step in &steps {
                user.step(step).await?;
            }
            let User { pool, connections, transactions, .. } = user;
            drop((connections, transactions));
            pool.close().await;
            Ok(())
        })
    });
    outcome.expect("the property holds in every case");
    runtime.block_on(async { drop(database) });
}
