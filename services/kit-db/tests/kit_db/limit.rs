//! Rate limits against a real PostgreSQL: nested networks, random sequences compared with a model, concurrency.
#![allow(
    clippy::disallowed_methods,
    reason = "this database has no schema that the build could check against"
)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration as StdDuration;

use futures_util::future::join_all;
use kit::encryption::KeyedHash;
use kit_db::limit::{self, Bucket, Rate};
use kit_db::test::TestDatabase;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{PgConnection, SqlSafeStr as _};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

async fn database() -> TestDatabase {
    let table = "CREATE TABLE rate_limit (bucket bytea CONSTRAINT rate_limit_pkey PRIMARY KEY, \
                 full_at timestamptz NOT NULL)";
    let description = Cow::Borrowed("the table of the limits");
    let migration = Migration::new(1, description, MigrationType::Simple, table.into_sql_str(), false);
    TestDatabase::new(&Migrator::with_migrations(vec![migration])).await
}

fn bucket(address: &str) -> Bucket {
    limit::bucket(&KeyedHash::new([7; 32]), "test", address)
}

async fn take(
    database: &mut PgConnection,
    address: &str,
    rate: Rate,
    now: OffsetDateTime,
) -> Option<StdDuration> {
    limit::take(database, &bucket(address), rate, now).await.unwrap()
}

#[tokio::test]
async fn a_network_holds_four_times_as_much_as_the_next_narrower_one() {
    let database = database().await;
    let mut connection = database.pool.acquire().await.unwrap();
    let rate = Rate::new(5, 1);
    // Every host has its own /64.
    for (what, hosts, wanted) in [
        ("/56", (0..64).map(|host| format!("2001:db8:1:{host:x}::1")).collect::<Vec<_>>(), 20),
        ("/48", (1..256).map(|net| format!("2001:db8:2:{net:x}00::1")).collect(), 80),
        ("/32", (0..64).map(|net| format!("2001:db8:{:x}::1", net + 0x100)).collect(), 64),
        ("/24", (0..256).map(|host| format!("203.0.113.{host}")).collect(), 80),
    ] {
        let mut passed = 0;
        for host in hosts {
            passed += usize::from(take(&mut connection, &host, rate, NOW).await.is_none());
        }
        assert_eq!(passed, wanted, "{what}");
    }
}

#[tokio::test]
async fn a_refused_caller_takes_no_tokens_from_any_level() {
    let database = database().await;
    let mut connection = database.pool.acquire().await.unwrap();
    let rate = Rate::new(2, 1);
    let (greedy, neighbour, last) = ("2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1");
    for _ in 0..100 {
        take(&mut connection, greedy, rate, NOW).await;
    }
    // The /56 has 8 tokens, and 2 are used.
    for turn in 0..2 {
        assert_eq!(take(&mut connection, neighbour, rate, NOW).await, None, "{turn}");
    }
    for host in 0x10..0x12 {
        for _ in 0..2 {
            take(&mut connection, &format!("2001:db8:0:{host:x}::1"), rate, NOW).await;
        }
    }
    let refused = take(&mut connection, last, rate, NOW).await;
    assert_eq!(refused, Some(StdDuration::from_secs(15)), "a quarter of the interval");
    let rows = "SELECT count(*) FROM rate_limit";
    let before: i64 = sqlx::query_scalar(rows).fetch_one(&mut *connection).await.unwrap();
    take(&mut connection, last, rate, NOW).await;
    let after: i64 = sqlx::query_scalar(rows).fetch_one(&mut *connection).await.unwrap();
    assert_eq!(before, after, "nothing was taken from the narrow one");
}

#[tokio::test]
async fn concurrent_calls_from_many_networks_pass_up_to_the_limit_of_the_widest() {
    let database = database().await;
    let rate = Rate::new(2, 1);
    let calls = (0..120).map(async |turn| {
        let host = format!("2001:db8:0:{:x}::1", turn % 60);
        let mut connection = database.pool.acquire().await.unwrap();
        usize::from(take(&mut connection, &host, rate, NOW).await.is_none())
    });
    assert_eq!(join_all(calls).await.into_iter().sum::<usize>(), 8);

    let flood = (0..40).map(async |_| {
        let mut connection = database.pool.acquire().await.unwrap();
        usize::from(take(&mut connection, "2001:db8:1::1", rate, NOW).await.is_none())
    });
    assert_eq!(join_all(flood).await.into_iter().sum::<usize>(), 2);
    let mut connection = database.pool.acquire().await.unwrap();
    for turn in 0..2 {
        let passed = take(&mut connection, "2001:db8:1:1::1", rate, NOW).await;
        assert_eq!(passed, None, "{turn}: the flood drained no more of the network than passed");
    }
}

/// Random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % limit
    }
}

/// A textbook token bucket, as a model.
struct Model {
    /// By network: the tokens in milliseconds, and the time of the last update.
    filled: HashMap<String, (i64, i64)>,
    burst: i64,
    interval: i64,
}

impl Model {
    /// The networks of a host, with their factors.
    fn levels(net: u64, host: u64) -> [(String, i64); 3] {
        [(format!("{net} {host}"), 1), (format!("{net}"), 4), ("all".to_owned(), 16)]
    }

    /// Returns the wait of a call in milliseconds; 0 if it passes.
    fn take(&mut self, net: u64, host: u64, now: i64) -> i64 {
        let depth = self.burst * self.interval;
        let mut wait = 0;
        for (name, factor) in Self::levels(net, host) {
            let (level, since) = self.filled.get(&name).copied().unwrap_or((depth, now));
            let level = (level + now - since).min(depth);
            self.filled.insert(name, (level, now));
            wait = wait.max(self.interval / factor - level);
        }
        if wait <= 0 {
            for (name, factor) in Self::levels(net, host) {
                self.filled.get_mut(&name).unwrap().0 -= self.interval / factor;
            }
        }
        wait.max(0)
    }
}

#[tokio::test]
async fn random_calls_pass_and_wait_like_a_model() {
    let database = database().await;
    let mut connection = database.pool.acquire().await.unwrap();
    for seed in 0..12 {
        let mut random = Random(seed);
        let burst = 1 + random.below(4);
        // In milliseconds; each is a multiple of 16.
        let per_minute = [1_u64, 5, 15, 30][usize::try_from(random.below(4)).unwrap()];
        let interval = 60_000 / per_minute;
        assert_eq!(interval % 16, 0);
        let rate = Rate::new(u32::try_from(burst).unwrap(), u32::try_from(per_minute).unwrap());
        let mut model =
            Model { filled: HashMap::new(), burst: burst.cast_signed(), interval: interval.cast_signed() };
        let mut now = 0;
        let mut passed = 0;
        for turn in 0..300 {
            if random.below(20) == 0 {
                now += random.below(interval).cast_signed();
            }
            let (net, host) = (random.below(5), random.below(5));
            let address = format!("2001:db8:{seed:x}:{net:x}{host:02x}::1");
            let wanted = model.take(net, host, now);
            let answer = take(&mut connection, &address, rate, NOW + Duration::milliseconds(now)).await;
            let wait = answer.map_or(0, |wait| i64::try_from(wait.as_millis()).unwrap());
            assert_eq!(wait, wanted, "seed {seed}, turn {turn}");
            if wait > 0 && random.below(4) == 0 {
                // A caller that waits for the returned time passes.
                now += wait;
                assert_eq!(model.take(net, host, now), 0, "seed {seed}, turn {turn}: the model");
                let answer = take(&mut connection, &address, rate, NOW + Duration::milliseconds(now)).await;
                assert_eq!(answer, None, "seed {seed}, turn {turn}");
            }
            passed += usize::from(wait == 0);
        }
        assert!((5..300).contains(&passed), "seed {seed}: {passed} passed");
    }
}
