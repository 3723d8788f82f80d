//! Times as people in Japan read them.

use kit::timestamp::from_timestamp;
use prost_types::Timestamp;
use time::{Date, OffsetDateTime, UtcOffset};

/// No summer time, ever since 1952.
const JAPAN: i8 = 9;

/// A time of the wire; `None` for what can't be one.
#[must_use]
pub(crate) fn utc(time: Option<Timestamp>) -> Option<OffsetDateTime> {
    from_timestamp(time?).ok()
}

/// `2026年11月21日(土) 00:30`
#[must_use]
pub(crate) fn in_words(time: OffsetDateTime) -> String {
    let time = in_japan(time);
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

/// The day that it is in Japan.
#[must_use]
pub(crate) fn day(time: OffsetDateTime) -> Date {
    in_japan(time).date()
}

fn in_japan(time: OffsetDateTime) -> OffsetDateTime {
    time.to_offset(UtcOffset::from_hms(JAPAN, 0, 0).unwrap_or(UtcOffset::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_time_is_said_in_japan_with_its_weekday() {
        assert_eq!(in_words(datetime!(2026-11-20 15:30 UTC)), "2026年11月21日(土) 00:30");
        assert_eq!(in_words(datetime!(2027-01-03 03:05 UTC)), "2027年1月3日(日) 12:05");
    }
}
