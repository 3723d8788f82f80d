//! Timestamps as text in Japanese time.

use time::macros::offset;
use time::{Date, OffsetDateTime, UtcOffset};

/// Offset of Japan from UTC. There is no daylight saving time.
pub(crate) const JAPAN: UtcOffset = offset!(+9);

/// The names of the weekdays, from Monday.
pub(crate) const WEEKDAYS: [&str; 7] = ["月", "火", "水", "木", "金", "土", "日"];

/// Formats a time in Japan, e.g. `2026年11月21日(土) 00:30`.
#[must_use]
pub(crate) fn format_in_japan(time: OffsetDateTime) -> String {
    let time = to_japan(time);
    let day = WEEKDAYS[usize::from(time.weekday().number_days_from_monday())];
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

/// The start of a day in Japan.
#[must_use]
pub(crate) fn midnight_in_japan(day: Date) -> OffsetDateTime {
    day.midnight().assume_offset(JAPAN).to_offset(UtcOffset::UTC)
}

fn to_japan(time: OffsetDateTime) -> OffsetDateTime {
    time.to_offset(JAPAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_time_is_formatted_in_japan_time_with_its_weekday() {
        assert_eq!(format_in_japan(datetime!(2026-11-20 15:30 UTC)), "2026年11月21日(土) 00:30");
        assert_eq!(format_in_japan(datetime!(2027-01-03 03:05 UTC)), "2027年1月3日(日) 12:05");
    }
}
