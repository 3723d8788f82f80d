//! Dates in Japan.

use time::{Date, Duration, OffsetDateTime, UtcOffset};

/// Offset of Japan from UTC in hours. There is no daylight saving time.
const JAPAN: i8 = 9;

fn offset() -> UtcOffset {
    UtcOffset::from_hms(JAPAN, 0, 0).unwrap_or(UtcOffset::UTC)
}

/// The date in Japan.
pub(crate) fn date_in_japan(time: OffsetDateTime) -> Date {
    time.to_offset(offset()).date()
}

/// The end of the day in Japan that is so many days after that of `time`: the midnight after it, which is no part of it.
pub(crate) fn end_of_day(time: OffsetDateTime, days: i64) -> OffsetDateTime {
    start_of_date(date_in_japan(time).saturating_add(Duration::days(days + 1)))
}

/// Formats a date, e.g. `2026年11月21日`.
pub(crate) fn format_date(date: Date) -> String {
    format!("{}年{}月{}日", date.year(), u8::from(date.month()), date.day())
}

/// The first moment of a date in Japan.
pub(crate) fn start_of_date(date: Date) -> OffsetDateTime {
    date.midnight().assume_offset(offset()).to_offset(UtcOffset::UTC)
}
