//! Conversion of timestamps between `time` and protobuf, to the nanosecond.

use prost_types::Timestamp;
use time::OffsetDateTime;

/// Converts a time to a protobuf timestamp.
#[must_use]
pub fn to_timestamp(time: OffsetDateTime) -> Timestamp {
    // Nanoseconds are below 1,000,000,000.
    Timestamp { seconds: time.unix_timestamp(), nanos: time.nanosecond().cast_signed() }
}

/// Converts a protobuf timestamp to a time in UTC.
///
/// # Errors
///
/// If it is before the year -9999, after the year 9999, or its nanoseconds are out of range.
pub fn from_timestamp(timestamp: Timestamp) -> Result<OffsetDateTime, time::error::ComponentRange> {
    OffsetDateTime::from_unix_timestamp(timestamp.seconds)?
        .replace_nanosecond(u32::try_from(timestamp.nanos).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_time_survives_the_wire_to_the_nanosecond() {
        for time in [
            datetime!(2026-11-21 00:30:15.123456789 UTC),
            datetime!(1969-12-31 23:59:59.999999999 UTC),
            datetime!(-9999-01-01 0:00 UTC),
        ] {
            assert_eq!(from_timestamp(to_timestamp(time)), Ok(time));
        }
    }

    #[test]
    fn an_invalid_timestamp_is_an_error() {
        for (seconds, nanos) in [(i64::MAX, 0), (i64::MIN, 0), (0, -1), (0, 1_000_000_000)] {
            assert!(from_timestamp(Timestamp { seconds, nanos }).is_err(), "{seconds} {nanos}");
        }
    }
}
