//! Dates in Japan.

use time::macros::offset;
use time::{Date, OffsetDateTime, UtcOffset};

/// The offset of Japan. There is no daylight saving time.
pub(crate) const JAPAN: UtcOffset = offset!(+9);

/// The date in Japan.
pub(crate) fn date_in_japan(time: OffsetDateTime) -> Date {
    time.to_offset(JAPAN).date()
}

/// Formats a date, e.g. `2026年11月21日`.
pub(crate) fn format_date(date: Date) -> String {
    format!("{}年{}月{}日", date.year(), u8::from(date.month()), date.day())
}
