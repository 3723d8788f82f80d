//! How often somebody may do something: a token bucket for each, as one row that says when the bucket is full again (the
//! generic cell rate algorithm). Kept in the database, so that all replicas share it; whose a bucket is, stands there as a
//! keyed hash only.
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

use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::db::span;
use crate::seal::Blinding;

/// Tokens in a full bucket, and how they come back.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    burst: u32,
    /// How long one token takes to come back.
    interval: Duration,
}

impl Rate {
    /// `burst` at once, `per_minute` after that.
    #[must_use]
    pub fn new(burst: u32, per_minute: u32) -> Self {
        Self { burst, interval: Duration::MINUTE / per_minute }
    }

    /// So many at once, and so many in each hour after that.
    #[must_use]
    pub fn hourly(per_hour: u32) -> Self {
        Self { burst: per_hour, interval: Duration::HOUR / per_hour }
    }

    /// How long an empty bucket takes to fill.
    fn depth(self) -> Duration {
        self.interval * self.burst
    }
}

/// The bucket of an address for what is called `kind`. A network of IPv6 has one: its hosts change theirs at will.
/// Whatever is no address shares one.
#[must_use]
pub fn bucket(blinding: &Blinding, kind: &str, address: &str) -> Vec<u8> {
    let whose = match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => address.to_string(),
        Ok(IpAddr::V6(address)) => format!("{:x}", address.to_bits() >> 64),
        Err(_) => String::new(),
    };
    blinding.blind(kind, &whose)
}

/// Takes a token out of a bucket; where there is none, says how long to wait for one.
pub async fn take(
    database: &mut PgConnection,
    bucket: &[u8],
    rate: Rate,
    now: OffsetDateTime,
) -> sqlx::Result<Option<std::time::Duration>> {
    let interval = rate.interval;
    let latest = now + rate.depth();
    // One statement: of any number at once just as many pass as there are tokens.
    let row: Option<(OffsetDateTime, bool)> = sqlx::query_as(
        "WITH taken AS (
            INSERT INTO rate_limit AS bucket (bucket, full_at) VALUES ($1, $2)
            ON CONFLICT ON CONSTRAINT rate_limit_pkey
            DO UPDATE SET full_at = GREATEST(bucket.full_at, $3) + ($2 - $3)
            WHERE GREATEST(bucket.full_at, $3) + ($2 - $3) <= $4
            RETURNING full_at
        )
        SELECT full_at, true FROM taken
        UNION ALL
        SELECT full_at, false FROM rate_limit WHERE bucket = $1 AND NOT EXISTS (SELECT FROM taken)",
    )
    .bind(bucket)
    .bind(now + interval)
    .bind(now)
    .bind(latest)
    .fetch_optional(database)
    .instrument(span("INSERT rate_limit"))
    .await?;
    Ok(match row {
        Some((_, true)) => None,
        // Without a row the bucket was first used, and emptied, while this statement ran.
        row => {
            let wait = row.map_or(interval, |(full_at, _)| full_at + interval - latest);
            Some(wait.max(Duration::MILLISECOND).unsigned_abs())
        }
    })
}

/// Forgets at most `most` of the buckets that are full again; gives how many.
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

    #[test]
    fn hosts_of_one_ipv6_network_share_a_bucket_and_ipv4_is_the_same_in_either_spelling() {
        let blinding = Blinding::new([0; 32]);
        let of = |address| bucket(&blinding, "login", address);
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("203.0.113.9"), of("::ffff:203.0.113.9"));
        assert_ne!(of("203.0.113.9"), of("203.0.113.10"));
        assert_eq!(of(""), of("unknown"));
        assert_ne!(of("203.0.113.9"), bucket(&blinding, "refresh", "203.0.113.9"));
    }
}
