//! How often one client address may try, and how many mails one e-mail address gets: a token bucket for each, as one row
//! that says when the bucket is full again (the generic cell rate algorithm).

use std::net::IpAddr;

use kit::db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;

use crate::error::Error;
use crate::secret::Blinding;

/// Tokens in a full bucket, and how they come back.
#[derive(Clone, Copy)]
pub(crate) struct Rate {
    burst: u32,
    /// How long one token takes to come back.
    interval: Duration,
}

impl Rate {
    /// `burst` at once, `per_minute` after that.
    pub(crate) fn new(burst: u32, per_minute: u32) -> Self {
        Self { burst, interval: Duration::MINUTE / per_minute }
    }

    /// So many at once, and so many in each hour after that.
    pub(crate) fn hourly(per_hour: u32) -> Self {
        Self { burst: per_hour, interval: Duration::HOUR / per_hour }
    }

    /// How long an empty bucket takes to fill.
    fn depth(self) -> Duration {
        self.interval * self.burst
    }
}

/// The bucket of an address for what is called `kind`. A network of IPv6 has one: its hosts change theirs at will.
/// Whatever is no address shares one.
pub(crate) fn bucket(blinding: &Blinding, kind: &str, address: &str) -> Vec<u8> {
    let whose = match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => address.to_string(),
        Ok(IpAddr::V6(address)) => format!("{:x}", address.to_bits() >> 64),
        Err(_) => String::new(),
    };
    blinding.blind(kind, &whose)
}

/// What stands for the network of an address: /24 of IPv4, /48 of IPv6. None of what is no address.
pub(crate) fn network(blinding: &Blinding, address: &str) -> Option<Vec<u8>> {
    let network = match address.parse::<IpAddr>().ok()?.to_canonical() {
        IpAddr::V4(address) => format!("{:x}", address.to_bits() >> 8),
        IpAddr::V6(address) => format!("{:x}/48", address.to_bits() >> 80),
    };
    Some(blinding.blind("network", &network))
}

/// The bucket of an e-mail address, given as [`email_key`](crate::account::email_key) makes it.
pub(crate) fn mailbox(blinding: &Blinding, kind: &str, email_key: &str) -> Vec<u8> {
    blinding.blind(kind, email_key)
}

/// Takes a token out of a bucket, or says how long to wait for one.
pub(crate) async fn take(
    database: &mut PgConnection,
    bucket: &[u8],
    rate: Rate,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let interval = rate.interval;
    let first = now + interval;
    let latest = now + rate.depth();
    // One statement: of any number at once just as many pass as there are tokens.
    let row = sqlx::query!(
        r#"WITH taken AS (
            INSERT INTO rate_limit AS bucket (bucket, full_at) VALUES ($1, $2)
            ON CONFLICT ON CONSTRAINT rate_limit_pkey
            DO UPDATE SET full_at = GREATEST(bucket.full_at, $3) + ($2 - $3)
            WHERE GREATEST(bucket.full_at, $3) + ($2 - $3) <= $4
            RETURNING full_at
        )
        SELECT full_at AS "full_at!", true AS "taken!" FROM taken
        UNION ALL
        SELECT full_at, false FROM rate_limit WHERE bucket = $1 AND NOT EXISTS (SELECT FROM taken)"#,
        bucket,
        first,
        now,
        latest
    )
    .fetch_optional(database)
    .instrument(span("INSERT rate_limit"))
    .await?;
    match row {
        Some(row) if row.taken => Ok(()),
        // Without a row the bucket was first used, and emptied, while this statement ran.
        row => {
            let wait = row.map_or(interval, |row| row.full_at + interval - latest);
            Err(Error::RateLimited(wait.max(Duration::MILLISECOND).unsigned_abs()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_one_ipv6_network_share_a_bucket_and_ipv4_is_the_same_in_either_spelling() {
        let blinding = "00".repeat(32).parse::<crate::secret::Secret>().unwrap().blinding();
        let of = |address| bucket(&blinding, "login", address);
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("203.0.113.9"), of("::ffff:203.0.113.9"));
        assert_ne!(of("203.0.113.9"), of("203.0.113.10"));
        assert_eq!(of(""), of("unknown"));
        assert_ne!(of("203.0.113.9"), bucket(&blinding, "refresh", "203.0.113.9"));
    }

    #[test]
    fn neighbours_share_a_network() {
        let blinding = "00".repeat(32).parse::<crate::secret::Secret>().unwrap().blinding();
        let of = |address| network(&blinding, address);
        assert_eq!(of("203.0.113.9"), of("203.0.113.250"));
        assert_eq!(of("203.0.113.9"), of("::ffff:203.0.113.9"));
        assert_ne!(of("203.0.113.9"), of("203.0.114.9"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("2001:db8:1::1"), of("2001:db8:2::1"));
        assert_eq!(of("unknown"), None);
    }
}
