//! Dates and times in content: a day, an instant, or days counted from the import.

use time::format_description::well_known::Rfc3339;
use time::macros::{format_description, offset};
use time::{Date, Duration, OffsetDateTime, UtcOffset};

/// Days begin and end in Tokyo.
const TOKYO: UtcOffset = offset!(+9);

/// A day, `2025-03-10`.
pub fn parse_date(text: &str) -> Result<Date, String> {
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map_err(|_| format!("'{text}' is not a day like 2025-03-10"))
}

/// The Monday of the week of a day.
#[must_use]
pub fn find_monday(day: Date) -> Date {
    day.saturating_sub(Duration::days(day.weekday().number_days_from_monday().into()))
}

/// A Monday, `2025-03-10`.
pub fn parse_monday(text: &str) -> Result<Date, String> {
    let day = parse_date(text)?;
    if day == find_monday(day) { Ok(day) } else { Err(format!("'{text}' is not a Monday")) }
}

/// The start of a day, `2025-03-10`, in Tokyo.
pub fn parse_day(text: &str) -> Result<OffsetDateTime, String> {
    Ok(parse_date(text)?.midnight().assume_offset(TOKYO).to_offset(UtcOffset::UTC))
}

/// A time in the past: an instant, or a number of days before `now` (`-P3D`).
pub fn parse_past(text: &str, now: OffsetDateTime) -> Result<OffsetDateTime, String> {
    let moment = match days(text) {
        Some(days) => now.checked_add(days).ok_or_else(|| unreadable(text))?,
        None => parse_instant(text)?,
    };
    if moment > now { Err(format!("'{text}' is still to come")) } else { Ok(moment) }
}

/// A time of expiry: an instant, or the end of the day a number of days after `now` (`P90D`).
pub fn parse_end(text: &str, now: OffsetDateTime) -> Result<OffsetDateTime, String> {
    let Some(days) = days(text) else { return parse_instant(text) };
    let midnight = now.to_offset(TOKYO).date().midnight().assume_offset(TOKYO);
    let end = midnight.checked_add(days + Duration::DAY).ok_or_else(|| unreadable(text))?;
    Ok(end.to_offset(UtcOffset::UTC))
}

/// Parses `P90D` or `-P3D`.
fn days(text: &str) -> Option<Duration> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let days: u16 = text.strip_prefix('P')?.strip_suffix('D')?.parse().ok()?;
    Some(Duration::days(sign * i64::from(days)))
}

/// Parses an instant, `2025-03-10T09:00:00+09:00`, and converts it to UTC.
pub fn parse_instant(text: &str) -> Result<OffsetDateTime, String> {
    let instant = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| unreadable(text))?;
    Ok(instant.to_offset(UtcOffset::UTC))
}

fn unreadable(text: &str) -> String {
    format!("'{text}' is neither a number of days like -P3D nor an instant like 2025-03-10T09:00:00+09:00")
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::{find_monday, parse_day, parse_end, parse_monday, parse_past};

    #[test]
    fn a_day_begins_at_midnight_in_tokyo() {
        assert_eq!(parse_day("2025-03-10"), Ok(datetime!(2025-03-09 15:00 UTC)));
        assert!(parse_day("2025-02-30").is_err());
        assert!(parse_day("10 March").is_err());
    }

    #[test]
    fn the_past_is_counted_in_whole_days_from_now() {
        let now = datetime!(2026-11-20 03:30 UTC);
        assert_eq!(parse_past("-P3D", now), Ok(datetime!(2026-11-17 03:30 UTC)));
        assert_eq!(parse_past("2026-11-20T12:00:00+09:00", now), Ok(datetime!(2026-11-20 03:00 UTC)));
        assert!(parse_past("P1D", now).is_err());
        assert!(parse_past("-P3", now).is_err());
    }

    #[test]
    fn a_thing_that_ends_on_a_day_ends_before_the_next_midnight_in_tokyo() {
        // Already the 21st in Tokyo.
        let now = datetime!(2026-11-20 16:00 UTC);
        assert_eq!(parse_end("P0D", now), Ok(datetime!(2026-11-21 15:00 UTC)));
        assert_eq!(parse_end("-P1D", now), Ok(datetime!(2026-11-20 15:00 UTC)));
    }

    #[test]
    fn a_week_goes_from_monday_to_sunday_also_at_the_end_of_a_year() {
        for day in [date!(2026 - 12 - 28), date!(2026 - 12 - 31), date!(2027 - 01 - 03)] {
            assert_eq!(find_monday(day), date!(2026 - 12 - 28), "{day}");
        }
        assert_eq!(find_monday(date!(2027 - 01 - 04)), date!(2027 - 01 - 04));
    }

    #[test]
    fn only_a_monday_is_parsed_as_one() {
        assert_eq!(parse_monday("2026-12-28"), Ok(date!(2026 - 12 - 28)));
        for wrong in ["2026-12-27", "2026-12-29", "2026-13-01", "2026-12-8", "monday", ""] {
            assert!(parse_monday(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_monday("2026-12-29"), Err("'2026-12-29' is not a Monday".to_owned()));
    }
}
