//! A bucket in the database holds to what a bucket is, whatever is asked and whenever.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

use kit::limit::{Rate, sweep, take};
use kit::test::{Random, TestDatabase};
use sqlx::migrate::Migrator;
use sqlx::{Connection as _, Executor as _};
use time::{Duration, OffsetDateTime};

static MIGRATIONS: Migrator = Migrator::DEFAULT;
const START: OffsetDateTime = time::macros::datetime!(2026-11-20 03:00 UTC);
const TABLE: &str = "CREATE TABLE rate_limit (bucket bytea CONSTRAINT rate_limit_pkey PRIMARY KEY, \
                     full_at timestamptz NOT NULL)";

/// A bucket of tokens, as one would count them on paper: in microseconds of refilling.
struct Paper {
    burst: i64,
    interval: i64,
    level: i64,
    at: OffsetDateTime,
}

impl Paper {
    fn take(&mut self, now: OffsetDateTime) -> bool {
        let passed = i64::try_from((now - self.at).whole_microseconds()).unwrap();
        self.level = (self.level + passed).min(self.burst * self.interval);
        self.at = now;
        let is_there = self.level >= self.interval;
        if is_there {
            self.level -= self.interval;
        }
        is_there
    }
}

#[tokio::test]
async fn tokens_are_given_as_on_paper_and_a_refused_caller_who_waits_as_told_gets_one() {
    let database = TestDatabase::new(&MIGRATIONS).await;
    let mut connection = database.pool.begin().await.unwrap();
    connection.execute(TABLE).await.unwrap();
    for seed in 0..20 {
        let random = &mut Random::new(seed);
        let bucket = seed.to_be_bytes();
        let (burst, per_minute) = (random.below(6) + 1, *random.pick(&[&1, &2, &5, &30, &60]));
        let rate = Rate::new(u32::try_from(burst).unwrap(), per_minute);
        let burst = i64::try_from(burst).unwrap();
        let interval = 60_000_000 / i64::from(per_minute);
        let mut paper = Paper { burst, interval, level: burst * interval, at: START };
        let mut now = START;
        for step in 0..40 {
            now += Duration::microseconds(i64::try_from(random.below(2 * interval.unsigned_abs())).unwrap());
            if random.below(3) > 0 {
                now = paper.at;
            }
            let refused = take(&mut connection, &bucket, rate, now).await.unwrap();
            assert_eq!(refused.is_none(), paper.take(now), "seed {seed}, step {step}");
            if let Some(wait) = refused {
                let (early, late) = (now + wait - Duration::milliseconds(2), now + wait);
                let mut attempt = connection.begin().await.unwrap();
                assert!(take(&mut attempt, &bucket, rate, early).await.unwrap().is_some(), "seed {seed}");
                assert!(take(&mut attempt, &bucket, rate, late).await.unwrap().is_none(), "seed {seed}");
                attempt.rollback().await.unwrap();
            }
        }
        // A bucket that is full again is forgotten, and nothing is gained by it.
        sweep(&mut connection, now + Duration::HOUR, 100).await.unwrap();
        let mut given = 0;
        while take(&mut connection, &bucket, rate, now + Duration::HOUR).await.unwrap().is_none() {
            given += 1;
        }
        assert_eq!(given, burst, "seed {seed}");
    }
}
