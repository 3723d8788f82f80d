//! Rate limits: token buckets that all replicas share in the database.
//!
//! A bucket is one row with the time at which it is full again (the generic cell rate algorithm). Its key is a keyed hash.
//! The bucket of a client address is nested: the networks around the address have larger buckets of their own.
//!
//! ```sql
//! CREATE TABLE rate_limit (
//!     bucket bytea CONSTRAINT rate_limit_pkey PRIMARY KEY,
//!     full_at timestamptz NOT NULL
//! );
//! CREATE INDEX rate_limit_full_at ON rate_limit (full_at);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the table lies in the database of every service that limits, so no build can check"
)]

use std::net::IpAddr;

use kit::encryption::KeyedHash;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::span;

/// The size of a bucket and its refill rate.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    burst: u32,
    /// Time to refill one token.
    interval: Duration,
}

impl Rate {
    /// A burst of `burst` tokens, refilled at `per_minute`.
    #[must_use]
    pub fn new(burst: u32, per_minute: u32) -> Self {
        Self { burst, interval: Duration::MINUTE / per_minute }
    }

    /// A burst of this many tokens, refilled at the same number an hour.
    #[must_use]
    pub fn hourly(per_hour: u32) -> Self {
        Self { burst: per_hour, interval: Duration::HOUR / per_hour }
    }

    /// Time to refill an empty bucket.
    fn depth(self) -> Duration {
        self.interval * self.burst
    }
}

/// A network has this many times the tokens of the next narrower one.
const FACTOR: u32 = 4;
/// Prefix lengths of the networks of an IPv6 address. A subscriber has at least a /64, often a /56, a company a /48.
const IPV6_PREFIXES: [u32; 3] = [64, 56, 48];

/// The buckets of one caller: its own, and those of the networks around it.
pub struct Bucket {
    /// Keys and multiples of the rate, narrowest level first. One to three levels.
    levels: Vec<(Vec<u8>, u32)>,
}

impl Bucket {
    /// A single bucket, as for a mailbox or an account. `key` is a keyed hash.
    #[must_use]
    pub fn new(key: Vec<u8>) -> Self {
        Self { levels: vec![(key, 1)] }
    }

    /// Nests it in a bucket with `times` as many tokens as the narrowest. At most three levels.
    #[must_use]
    pub fn within(mut self, key: Vec<u8>, times: u32) -> Self {
        debug_assert!(self.levels.len() < 3, "a bucket has three levels at most");
        self.levels.push((key, times));
        self
    }

    /// The key of the narrowest level: the caller alone.
    #[must_use]
    pub fn narrowest(self) -> Vec<u8> {
        self.levels.into_iter().next().map(|(key, _)| key).unwrap_or_default()
    }
}

/// The buckets of a client address for the purpose `kind`. IPv6: its /64 at the rate, its /56 at 4 times and its /48 at
/// 16 times the rate, because one subscriber owns many /64. IPv4: the address at the rate, its /24 at 16 times the
/// rate. All texts that are not addresses share one bucket.
#[must_use]
pub fn bucket(keyed_hash: &KeyedHash, kind: &str, address: &str) -> Bucket {
    nested(keyed_hash, kind, address, FACTOR)
}

/// As [`bucket`], where each wider network of an IPv6 address holds `factor` times the next narrower one, and the /24 of an
/// IPv4 address the square of it.
#[must_use]
pub fn nested(keyed_hash: &KeyedHash, kind: &str, address: &str, factor: u32) -> Bucket {
    let levels = match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => {
            let network = format!("{:x}/24", address.to_bits() >> 8);
            vec![(address.to_string(), 1), (network, factor * factor)]
        }
        Ok(IpAddr::V6(address)) => IPV6_PREFIXES
            .iter()
            .zip([1, factor, factor * factor])
            .map(|(prefix, times)| {
                let network = address.to_bits() >> (128 - prefix);
                // Without a length for the narrowest network, so that stored keys stay valid.
                let whose =
                    if *prefix == 64 { format!("{network:x}") } else { format!("{network:x}/{prefix}") };
                (whose, times)
            })
            .collect(),
        Err(_) => vec![(String::new(), 1)],
    };
    let blind = |(whose, times): (String, u32)| (keyed_hash.hash(kind, &whose), times);
    Bucket { levels: levels.into_iter().map(blind).collect() }
}

/// Takes a token from every level of a bucket. When a level is empty, takes none and returns how long to wait.
///
/// One statement, so concurrent callers never take more tokens than there are. Rows are locked from the narrowest level to
/// the widest, so callers do not deadlock.
pub async fn take(
    database: &mut PgConnection,
    bucket: &Bucket,
    rate: Rate,
    now: OffsetDateTime,
) -> sqlx::Result<Option<std::time::Duration>> {
    let latest = now + rate.depth();
    let level = |index: usize| bucket.levels.get(index);
    let key = |index: usize| level(index).map(|(key, _)| key.as_slice());
    // When an empty bucket of that level is full again after one token.
    let next = |index: usize| level(index).map(|(_, factor)| now + rate.interval / *factor);
    let (taken, refused): (i64, Option<OffsetDateTime>) = sqlx::query_as(TAKE)
        .bind(key(0))
        .bind(key(1))
        .bind(key(2))
        .bind(next(0))
        .bind(next(1))
        .bind(next(2))
        .bind(now)
        .bind(latest)
        .fetch_one(database)
        .instrument(span("INSERT rate_limit"))
        .await?;
    if usize::try_from(taken) == Ok(bucket.levels.len()) {
        return Ok(None);
    }
    // Without a refused level another caller emptied the bucket while this statement ran.
    let wait = refused.map_or(rate.interval, |full_at| full_at - latest);
    Ok(Some(wait.max(Duration::MILLISECOND).unsigned_abs()))
}

/// A level is taken only after the next narrower one passed, so a refused caller takes nothing from its neighbours.
/// Nothing is taken if any level was empty when the statement began, so a refused network takes nothing from its
/// callers.
const TAKE: &str = "
WITH level (bucket, next) AS (
    SELECT * FROM (VALUES ($1::bytea, $4::timestamptz), ($2, $5), ($3, $6)) AS given WHERE column1 IS NOT NULL
), refused AS (
    SELECT max(held.full_at + (level.next - $7)) AS full_at
    FROM rate_limit AS held JOIN level USING (bucket)
    WHERE GREATEST(held.full_at, $7) + (level.next - $7) > $8
), narrow AS (
    INSERT INTO rate_limit AS held (bucket, full_at)
    SELECT $1, $4 FROM refused WHERE refused.full_at IS NULL
    ON CONFLICT ON CONSTRAINT rate_limit_pkey
    DO UPDATE SET full_at = GREATEST(held.full_at, $7) + ($4 - $7)
    WHERE GREATEST(held.full_at, $7) + ($4 - $7) <= $8
    RETURNING 1
), middle AS (
    INSERT INTO rate_limit AS held (bucket, full_at)
    SELECT $2, $5 FROM narrow WHERE $2 IS NOT NULL
    ON CONFLICT ON CONSTRAINT rate_limit_pkey
    DO UPDATE SET full_at = GREATEST(held.full_at, $7) + ($5 - $7)
    WHERE GREATEST(held.full_at, $7) + ($5 - $7) <= $8
    RETURNING 1
), wide AS (
    INSERT INTO rate_limit AS held (bucket, full_at)
    SELECT $3, $6 FROM middle WHERE $3 IS NOT NULL
    ON CONFLICT ON CONSTRAINT rate_limit_pkey
    DO UPDATE SET full_at = GREATEST(held.full_at, $7) + ($6 - $7)
    WHERE GREATEST(held.full_at, $7) + ($6 - $7) <= $8
    RETURNING 1
)
SELECT (SELECT count(*) FROM narrow) + (SELECT count(*) FROM middle) + (SELECT count(*) FROM wide),
    refused.full_at
FROM refused";

/// Deletes at most `most` full buckets. Returns their number.
pub async fn sweep(database: &mut PgConnection, now: OffsetDateTime, most: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query(
        "DELETE FROM rate_limit WHERE bucket IN (SELECT bucket FROM rate_limit WHERE full_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind(now)
    .bind(most)
    .execute(database)
    .instrument(span("DELETE rate_limit"))
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(kind: &str, address: &str) -> Vec<(Vec<u8>, u32)> {
        bucket(&KeyedHash::new([0; 32]), kind, address).levels
    }

    /// Number of levels that two addresses share.
    fn shared(one: &str, other: &str) -> usize {
        let other = keys("login", other);
        keys("login", one).iter().filter(|level| other.contains(level)).count()
    }

    #[test]
    fn hosts_of_one_network_share_its_buckets_and_each_wider_one_holds_four_times_as_much() {
        for (one, other, levels) in [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", 3),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", 2),
            ("2001:db8:1:2::1", "2001:db8:1:102::1", 1),
            ("2001:db8:1:2::1", "2001:db8:2:2::1", 0),
            ("203.0.113.9", "::ffff:203.0.113.9", 2),
            ("203.0.113.9", "203.0.113.10", 1),
            ("203.0.113.9", "203.0.114.9", 0),
            ("", "unknown", 1),
        ] {
            assert_eq!(shared(one, other), levels, "{one} {other}");
        }
        let factors = |address| keys("login", address).iter().map(|(_, factor)| *factor).collect::<Vec<_>>();
        assert_eq!(factors("2001:db8::1"), [1, 4, 16]);
        assert_eq!(factors("203.0.113.9"), [1, 16]);
        let smaller = nested(&KeyedHash::new([0; 32]), "login", "2001:db8::1", 2).levels;
        assert_eq!(smaller.iter().map(|(_, times)| *times).collect::<Vec<_>>(), [1, 2, 4]);
        assert!(!keys("refresh", "203.0.113.9").contains(&keys("login", "203.0.113.9")[0]));
    }
}
