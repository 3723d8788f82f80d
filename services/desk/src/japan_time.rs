//! Timestamps as text in Japanese time.

use time::{Date, OffsetDateTime, UtcOffset};

/// Offset of Japan from UTC in hours. There is no daylight saving time.
const JAPAN: i8 = 9;

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
    fn a_time_is_formatted_in_japan_time_with_its_weekday() {
        assert_eq!(format_in_japan(datetime!(2026-11-20 15:30 UTC)), "2026年11月21日(土) 00:30");
        assert_eq!(format_in_japan(datetime!(2027-01-03 03:05 UTC)), "2027年1月3日(日) 12:05");
    }
}
