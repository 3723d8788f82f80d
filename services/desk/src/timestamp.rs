//! Timestamps: on the wire, and as text in Japanese time.

use prost_types::Timestamp;
use time::{Date, OffsetDateTime, UtcOffset};

/// Offset of Japan from UTC in hours. There is no daylight saving time.
const JAPAN: i8 = 9;

/// Converts a timestamp from the wire. `None` if it is absent or out of range.
#[must_use]
pub(crate) fn from_proto(time: Option<Timestamp>) -> Option<OffsetDateTime> {
    let time = time?;
    let nanos = time::Duration::nanoseconds(time.nanos.into());
    OffsetDateTime::from_unix_timestamp(time.seconds).ok()?.checked_add(nanos)
}

/// Converts a timestamp for the wire.
#[must_use]
pub(crate) fn to_proto(time: OffsetDateTime) -> Timestamp {
    Timestamp { seconds: time.unix_timestamp(), nanos: time.nanosecond().cast_signed() }
}

/// Formats a time in Japan, e.g. `2026年11月21日(土) 00:30`.
#[must_use]
pub(crate) fn format_in_japan(time: OffsetDateTime) -> String {
    let time = to_japan(time);
    let day =
        ["月", "火", "水", "木", "金", "土", "日"][usize::from(time.weekday().number_days_from_monday())];
    format!(
        "{}年{}月{}日({day}) {:02}:{:02}",
        time.year(),
        u8::from(time.month()),
        time.day(),
        time.hour(),
        time.minute()
    )
}

/// The date in Japan.
#[must_use]
pub(crate) fn date_in_japan(time: OffsetDateTime) -> Date {
    to_japan(time).date()
}

fn to_japan(time: OffsetDateTime) -> OffsetDateTime {
    time.to_offset(UtcOffset::from_hms(JAPAN, 0, 0).unwrap_or(UtcOffset::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_time_is_said_in_japan_with_its_weekday() {
        assert_eq!(format_in_japan(datetime!(2026-11-20 15:30 UTC)), "2026年11月21日(土) 00:30");
        assert_eq!(format_in_japan(datetime!(2027-01-03 03:05 UTC)), "2027年1月3日(日) 12:05");
    }
}
