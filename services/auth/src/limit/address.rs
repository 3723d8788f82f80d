//! Rate limits by client address and by mailbox.

use std::net::IpAddr;

use kit::encryption::KeyedHash;
use sqlx::PgConnection;
use time::OffsetDateTime;

pub(crate) use kit_db::limit::{Bucket, Rate, bucket, nested};

use crate::error::Error;

/// The keyed hash of a network: /24 for IPv4, /48 for IPv6. `None` for text that is no address.
pub(crate) fn hash_network(keyed_hash: &KeyedHash, address: &str) -> Option<Vec<u8>> {
    let network = match address.parse::<IpAddr>().ok()?.to_canonical() {
        IpAddr::V4(address) => format!("{:x}", address.to_bits() >> 8),
        IpAddr::V6(address) => format!("{:x}/48", address.to_bits() >> 80),
    };
    Some(keyed_hash.hash("network", &network))
}

/// The bucket of the mailbox of an e-mail address. Tags in the address don't matter.
pub(crate) fn mailbox_bucket(keyed_hash: &KeyedHash, kind: &str, email: &str) -> Bucket {
    Bucket::new(keyed_hash.hash(kind, &forms::mailbox(email)))
}

/// Takes a token from a bucket. Fails with the time to wait if it is empty.
pub(crate) async fn take_token(
    database: &mut PgConnection,
    bucket: &Bucket,
    rate: Rate,
    now: OffsetDateTime,
) -> Result<(), Error> {
    kit_db::limit::take(database, bucket, rate, now)
        .await?
        .map_or(Ok(()), |wait| Err(Error::RateLimited(wait)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_network() {
        let keyed_hash = "00".repeat(32).parse::<crate::secret::Secret>().unwrap().keyed_hash();
        let hash = |address| hash_network(&keyed_hash, address);
        assert_eq!(hash("203.0.113.9"), hash("203.0.113.250"));
        assert_eq!(hash("203.0.113.9"), hash("::ffff:203.0.113.9"));
        assert_ne!(hash("203.0.113.9"), hash("203.0.114.9"));
        assert_eq!(hash("2001:db8:1:2::1"), hash("2001:db8:1:3::1"));
        assert_ne!(hash("2001:db8:1::1"), hash("2001:db8:2::1"));
        assert_eq!(hash("unknown"), None);
    }
}
