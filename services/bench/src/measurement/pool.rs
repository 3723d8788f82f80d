//! Measures what the ready connections of `kit_db::Pool` save: the same statement through it and through
//! sqlx's own pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kit_db::{Pool, config};
use runner::supervisor::ProcessTable;
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgConnection, PgPool, query};
use tokio::task::JoinSet;
use tooling::failure::Outcome;

use super::{RATIO_AT, usage};

/// Number of connections, as in lms.
const CONNECTIONS: u32 = 10;
const TURNS: usize = 5;
const TURN: Duration = Duration::from_secs(2);
/// The cheapest statement, so that the pool dominates.
const STATEMENT: &str = "SELECT 1";

/// A pool under test.
#[derive(Clone)]
enum Tested {
    /// The pool of `kit_db`, with ready connections.
    Kit(Pool),
    /// The pool of sqlx. It pings a connection at each release, and optionally before each use.
    Sqlx(PgPool),
}

/// The result of one turn.
#[derive(Clone, Copy)]
struct Turn {
    /// Statements per second.
    rate: f64,
    /// Microseconds of CPU time for each statement, of this process and of PostgreSQL.
    own: f64,
    postgres: f64,
}

/// Prints the rates and CPU times of three pools, measured in alternation.
pub(super) async fn measure(url: &str, watch: &ProcessTable) -> Outcome {
    let settings = config::Database::new(url.to_owned(), CONNECTIONS);
    let sqlx = |test| PgPoolOptions::new().max_connections(CONNECTIONS).test_before_acquire(test);
    let pools = [
        ("kit's pool", Tested::Kit(Pool::connect(&settings).await?)),
        ("sqlx's, tested before use", Tested::Sqlx(sqlx(true).connect(url).await?)),
        ("sqlx's, not tested", Tested::Sqlx(sqlx(false).connect(url).await?)),
    ];
    let mut turns = [const { Vec::new() }; 3];
    for _ in 0..TURNS {
        for (number, (_, pool)) in pools.iter().enumerate() {
            turns[number].push(run(pool, watch).await?);
        }
    }
    println!("\n`{STATEMENT}` by {RATIO_AT} tasks over {CONNECTIONS} connections, median of {TURNS} turns:");
    for ((name, pool), mut turns) in pools.into_iter().zip(turns) {
        turns.sort_by(|one, other| one.rate.total_cmp(&other.rate));
        let Turn { rate, own, postgres } = turns[TURNS / 2];
        println!(
            "  {name:<26} {rate:>7.0} a second; CPU: {own:>5.1} µs here, {postgres:>5.1} µs in PostgreSQL"
        );
        pool.close().await;
    }
    Ok(())
}

async fn run(pool: &Tested, watch: &ProcessTable) -> Outcome<Turn> {
    let before = used(watch)?;
    let (begun, count) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let mut tasks = JoinSet::<sqlx::Result<()>>::new();
    for _ in 0..RATIO_AT {
        let (pool, count) = (pool.clone(), count.clone());
        tasks.spawn(async move {
            while begun.elapsed() < TURN {
                pool.ask().await?;
                count.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        });
    }
    while let Some(outcome) = tasks.join_next().await {
        outcome??;
    }
    let elapsed = begun.elapsed();
    let after = used(watch)?;
    #[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
    let count = count.load(Ordering::Relaxed).max(1) as f64;
    let [own, postgres] =
        [0, 1].map(|one| after[one].saturating_sub(before[one]).as_secs_f64() * 1_000_000.0 / count);
    Ok(Turn { rate: count / elapsed.as_secs_f64(), own, postgres })
}

/// CPU time used so far by this process and by PostgreSQL.
fn used(watch: &ProcessTable) -> Outcome<[Duration; 2]> {
    let postgres = usage::processors(watch)?.remove("postgres").unwrap_or_default();
    Ok([usage::own()?, postgres])
}

impl Tested {
    async fn ask(&self) -> sqlx::Result<()> {
        match self {
            Self::Kit(pool) => {
                let mut connection = pool.acquire().await?;
                ask(&mut connection).await?;
                pool.keep(connection);
            }
            Self::Sqlx(pool) => ask(&mut *pool.acquire().await?).await?,
        }
        Ok(())
    }

    async fn close(&self) {
        match self {
            Self::Kit(pool) => pool.close().await,
            Self::Sqlx(pool) => pool.close().await,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "it needs no table that the build could check against")]
async fn ask(connection: &mut PgConnection) -> sqlx::Result<()> {
    query(STATEMENT).fetch_one(connection).await.map(drop)
}
