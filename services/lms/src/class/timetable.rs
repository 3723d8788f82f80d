//! Timetables: recurrence rules of RFC 5545 in Asia/Tokyo, and their dates.

use rrule::RRuleSet;
use time::macros::{format_description, offset};
use time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

/// Days begin and end in Tokyo. There is no daylight saving time.
const TOKYO: UtcOffset = offset!(+9);
/// Most lessons of a timetable.
pub(crate) const LESSON_LIMIT: u16 = 200;

/// Lists the starts of the lessons, soonest first.
///
/// `rule` is the value of an RRULE with a COUNT or UNTIL, e.g. `FREQ=WEEKLY;BYDAY=MO,TH;COUNT=24`. Its days begin at
/// `first`. There is no lesson on the days in `except`, which are the rule's EXDATE.
pub(crate) fn list_starts(
    first: Date,
    time: Time,
    rule: &str,
    except: &[Date],
) -> Result<Vec<OffsetDateTime>, String> {
    let is_rule = |byte: u8| byte.is_ascii_alphanumeric() || b"=;,+-".contains(&byte);
    if !rule.starts_with("FREQ=") || !rule.bytes().all(is_rule) {
        return Err(format!("'{rule}' is not a rule like FREQ=WEEKLY;BYDAY=MO,TH;COUNT=24"));
    }
    if !["COUNT=", "UNTIL="].iter().any(|bound| rule.contains(bound)) {
        return Err("has neither COUNT nor UNTIL".to_owned());
    }
    let local = |day: Date| {
        let format = format_description!("[year][month][day]T[hour][minute][second]");
        PrimitiveDateTime::new(day, time).format(format).map_err(|error| error.to_string())
    };
    let mut text = format!("DTSTART;TZID=Asia/Tokyo:{}\nRRULE:{rule}", local(first)?);
    for day in except {
        text.push_str("\nEXDATE;TZID=Asia/Tokyo:");
        text.push_str(&local(*day)?);
    }
    let rules: RRuleSet = text.parse().map_err(|error| format!("is not a rule: {error}"))?;
    let found = rules.all(LESSON_LIMIT + 1);
    if found.limited || found.dates.len() > LESSON_LIMIT.into() {
        return Err(format!("has more than {LESSON_LIMIT} lessons"));
    }
    if found.dates.is_empty() {
        return Err("has no lesson".to_owned());
    }
    let starts: Result<_, _> =
        found.dates.iter().map(|date| OffsetDateTime::from_unix_timestamp(date.timestamp())).collect();
    starts.map_err(|error| error.to_string())
}

/// The date in Tokyo.
pub(crate) fn date_in_tokyo(time: OffsetDateTime) -> Date {
    time.to_offset(TOKYO).date()
}

/// A time of a day in Tokyo.
pub(crate) fn time_in_tokyo(day: Date, time: Time) -> OffsetDateTime {
    PrimitiveDateTime::new(day, time).assume_offset(TOKYO).to_offset(UtcOffset::UTC)
}

/// The end of a day in Tokyo.
pub(crate) fn end_of_day(day: Date) -> OffsetDateTime {
    time_in_tokyo(day.saturating_add(Duration::DAY), Time::MIDNIGHT)
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime, time};

    use super::*;

    /// The dates in Tokyo.
    fn days(first: Date, rule: &str, except: &[Date]) -> Vec<String> {
        let starts = list_starts(first, time!(18:30), rule, except).unwrap();
        starts.into_iter().map(|start| date_in_tokyo(start).to_string()).collect()
    }

    #[test]
    fn a_lesson_starts_at_its_time_in_tokyo() {
        let starts = list_starts(date!(2026 - 12 - 07), time!(08:30), "FREQ=WEEKLY;COUNT=2", &[]).unwrap();
        assert_eq!(starts, [datetime!(2026-12-06 23:30 UTC), datetime!(2026-12-13 23:30 UTC)]);
    }

    #[test]
    fn a_week_with_two_lessons_goes_on_over_the_end_of_the_year_without_the_excepted_days() {
        let except = [date!(2026 - 12 - 31), date!(2027 - 01 - 04)];
        // The first day is a Wednesday.
        let found = days(date!(2026 - 12 - 23), "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=6", &except);
        assert_eq!(found, ["2026-12-24", "2026-12-28", "2027-01-07", "2027-01-11"]);
    }

    #[test]
    fn until_is_the_last_moment() {
        let rule = "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270104T093000Z";
        assert_eq!(
            days(date!(2026 - 12 - 21), rule, &[]),
            ["2026-12-21", "2026-12-28", "2027-01-04"],
            "18:30 in Tokyo"
        );
        let rule = "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270104T092959Z";
        assert_eq!(days(date!(2026 - 12 - 21), rule, &[]), ["2026-12-21", "2026-12-28"]);
    }

    #[test]
    fn every_second_week_and_the_last_saturday_of_a_month_are_rules() {
        let found = days(date!(2026 - 12 - 19), "FREQ=WEEKLY;INTERVAL=2;COUNT=3", &[]);
        assert_eq!(found, ["2026-12-19", "2027-01-02", "2027-01-16"]);
        let found = days(date!(2026 - 12 - 01), "FREQ=MONTHLY;BYDAY=-1SA;COUNT=3", &[]);
        assert_eq!(found, ["2026-12-26", "2027-01-30", "2027-02-27"]);
    }

    #[test]
    fn the_29th_of_february_is_a_day_only_of_leap_years() {
        let found = days(date!(2028 - 02 - 22), "FREQ=WEEKLY;BYDAY=TU;COUNT=3", &[]);
        assert_eq!(found, ["2028-02-22", "2028-02-29", "2028-03-07"]);
        let found = days(date!(2027 - 01 - 29), "FREQ=MONTHLY;BYMONTHDAY=29;COUNT=3", &[]);
        assert_eq!(found, ["2027-01-29", "2027-03-29", "2027-04-29"], "2027 has no such day in February");
        let found = days(date!(2028 - 02 - 29), "FREQ=YEARLY;COUNT=2", &[]);
        assert_eq!(found, ["2028-02-29", "2032-02-29"]);
    }

    #[test]
    fn a_rule_without_an_end_with_too_many_lessons_or_with_none_is_refused() {
        let reason = |rule| list_starts(date!(2026 - 12 - 07), time!(18:30), rule, &[]).unwrap_err();
        assert_eq!(reason("FREQ=WEEKLY"), "has neither COUNT nor UNTIL");
        assert_eq!(reason("FREQ=DAILY;COUNT=201"), "has more than 200 lessons");
        assert_eq!(reason("FREQ=WEEKLY;UNTIL=20261201T000000Z").get(..8), Some("is not a"));
        for rule in
            ["weekly", "FREQ=OFTEN;COUNT=1", "FREQ=WEEKLY;BYDAY=XX;COUNT=1", "FREQ=DAILY;COUNT=2\nRDATE:1"]
        {
            assert!(reason(rule).contains("not a rule"), "{rule}: {}", reason(rule));
        }
        assert_eq!(
            list_starts(date!(2026 - 12 - 07), time!(18:30), "FREQ=DAILY;COUNT=200", &[])
                .map(|all| all.len()),
            Ok(200)
        );
    }
}
