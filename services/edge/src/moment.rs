//! Points in time, from the wire between the services to RFC 3339.

use kit::timestamp::from_timestamp;
use prost_types::Timestamp;
use time::OffsetDateTime;

use crate::error::Error;

/// A point in time that must be there.
pub(crate) fn moment(timestamp: Option<Timestamp>) -> Result<OffsetDateTime, Error> {
    optional(timestamp)?.ok_or_else(|| {
        tracing::error!("a service left out a time");
        Error::Internal
    })
}

/// A point in time that may be absent.
pub(crate) fn optional(timestamp: Option<Timestamp>) -> Result<Option<OffsetDateTime>, Error> {
    timestamp.map(read).transpose()
}

fn read(timestamp: Timestamp) -> Result<OffsetDateTime, Error> {
    from_timestamp(timestamp).map_err(|error| {
        tracing::error!(%error, "a service sent a time that is none");
        Error::Internal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_to_the_nanosecond_and_junk_is_our_fault() {
        let read = moment(Some(Timestamp { seconds: 1_800_000_000, nanos: 5_000 })).unwrap();
        assert_eq!(read.unix_timestamp_nanos(), 1_800_000_000_000_005_000);
        for junk in [
            None,
            Some(Timestamp { seconds: i64::MAX, nanos: 0 }),
            Some(Timestamp { seconds: 0, nanos: -1 }),
            Some(Timestamp { seconds: 0, nanos: 1_000_000_000 }),
        ] {
            assert!(matches!(moment(junk), Err(Error::Internal)));
        }
        assert!(matches!(optional(None), Ok(None)));
    }
}
