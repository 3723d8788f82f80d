//! Converts the services' timestamps to `OffsetDateTime`, which responses contain as RFC 3339.

use kit::timestamp::from_timestamp;
use prost_types::Timestamp;
use time::OffsetDateTime;

use crate::error::Error;

/// Converts a required timestamp.
pub(crate) fn parse_timestamp(timestamp: Option<Timestamp>) -> Result<OffsetDateTime, Error> {
    parse_optional_timestamp(timestamp)?.ok_or_else(|| {
        tracing::error!("a response of a service lacks a timestamp");
        Error::Internal
    })
}

/// Converts an optional timestamp.
pub(crate) fn parse_optional_timestamp(
    timestamp: Option<Timestamp>,
) -> Result<Option<OffsetDateTime>, Error> {
    timestamp.map(from_proto).transpose()
}

fn from_proto(timestamp: Timestamp) -> Result<OffsetDateTime, Error> {
    from_timestamp(timestamp).map_err(|error| {
        tracing::error!(%error, "a service sent an invalid timestamp");
        Error::Internal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_keep_nanoseconds_and_invalid_ones_are_internal_errors() {
        let parsed = parse_timestamp(Some(Timestamp { seconds: 1_800_000_000, nanos: 5_000 })).unwrap();
        assert_eq!(parsed.unix_timestamp_nanos(), 1_800_000_000_000_005_000);
        for junk in [
            None,
            Some(Timestamp { seconds: i64::MAX, nanos: 0 }),
            Some(Timestamp { seconds: 0, nanos: -1 }),
            Some(Timestamp { seconds: 0, nanos: 1_000_000_000 }),
        ] {
            assert!(matches!(parse_timestamp(junk), Err(Error::Internal)));
        }
        assert!(matches!(parse_optional_timestamp(None), Ok(None)));
    }
}
