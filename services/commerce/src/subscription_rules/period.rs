//! Periods: months in Tokyo, counted from the day on which the subscription started. All periods
//! are counted from that day and not from each other, so each one begins at the end of the previous
//! one.

use time::{Date, Month, OffsetDateTime, UtcOffset};

use crate::japan_time::{JAPAN, date_in_japan};

const MONTHS: i32 = 12;

/// A month of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// From 1.
    pub number: i32,
    /// The start: for the first period the time of the payment, for others a midnight in Tokyo.
    pub start: OffsetDateTime,
    /// The exclusive end, a midnight in Tokyo.
    pub end: OffsetDateTime,
}

impl Period {
    /// The first period of a subscription that starts now.
    #[must_use]
    pub fn first(start: OffsetDateTime) -> Self {
        Self { number: 1, start, end: find_end(date_in_japan(start), 1) }
    }

    /// The period after this one, of a subscription that started on `anchor`.
    #[must_use]
    pub fn next(self, anchor: Date) -> Self {
        let number = self.number + 1;
        Self { number, start: self.end, end: find_end(anchor, number) }
    }
}

/// Lists the days of the first charges of a subscription that starts on `anchor`, beginning with
/// `anchor` itself.
pub fn list_charge_days(anchor: Date) -> impl Iterator<Item = Date> {
    (0..).map(move |months| add_months(anchor, months))
}

/// The end of a period.
fn find_end(anchor: Date, number: i32) -> OffsetDateTime {
    let day = add_months(anchor, number);
    day.midnight().assume_offset(JAPAN).to_offset(UtcOffset::UTC)
}

/// The same day `months` months later. If that month has no such day, its last day.
fn add_months(day: Date, months: i32) -> Date {
    let month = i32::from(u8::from(day.month())) - 1 + months;
    let year = day.year() + month.div_euclid(MONTHS);
    let month = Month::January.nth_next(month.rem_euclid(MONTHS).unsigned_abs().try_into().unwrap_or(0));
    let last = month.length(year);
    // Dates near the maximum year 9999 do not occur.
    Date::from_calendar_date(year, month, day.day().min(last)).unwrap_or(day)
}
