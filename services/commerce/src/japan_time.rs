//! Dates in Japan.

use time::macros::offset;
use time::{Date, Duration, OffsetDateTime, UtcOffset};

/// The offset of Japan. There is no daylight saving time.
pub(crate) const JAPAN: UtcOffset = offset!(+9);

/// The date in Japan.
pub(crate) fn date_in_japan(time: OffsetDateTime) -> Date {
    time.to_offset(JAPAN).date()
}

/// The start of a date in Japan.
pub(crate) fn start_of_date(date: Date) -> OffsetDateTime {
    date.midnight().assume_offset(JAPAN)
}

/// The exclusive end of the day in Japan that is `days` days after the day of `time`, which is a
/// midnight.
pub(crate) fn end_of_day(time: OffsetDateTime, days: i64) -> OffsetDateTime {
    start_of_date(date_in_japan(time).saturating_add(Duration::days(days + 1)))
}

/// Formats the last day before `end`, an exclusive end.
pub(crate) fn format_last_day(end: OffsetDateTime) -> String {
    format_date(date_in_japan(end - Duration::MICROSECOND))
}

/// Formats a date, e.g. `2026年11月21日`.
pub(crate) fn format_date(date: Date) -> String {
    format!("{}年{}月{}日", date.year(), u8::from(date.month()), date.day())
}
