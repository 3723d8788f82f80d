//! The periods of a subscription.

use commerce::subscription_rules::{Period, find_retry, list_charge_days};
use time::macros::{date, datetime};
use time::{Date, Duration, OffsetDateTime};

/// The days of the first charges.
fn charges(anchor: Date, count: usize) -> Vec<String> {
    list_charge_days(anchor).take(count).map(|day| day.to_string()).collect()
}

/// The first periods of a subscription.
fn periods(start: OffsetDateTime, anchor: Date, count: usize) -> Vec<Period> {
    let next = |period: &Period| Some(period.next(anchor));
    std::iter::successors(Some(Period::first(start)), next).take(count).collect()
}

#[test]
fn a_charge_comes_each_month_on_the_day_of_the_start() {
    assert_eq!(charges(date!(2026 - 11 - 15), 4), ["2026-11-15", "2026-12-15", "2027-01-15", "2027-02-15"]);
}

#[test]
fn the_31st_is_the_last_day_of_a_shorter_month_and_comes_back() {
    assert_eq!(
        charges(date!(2026 - 12 - 31), 6),
        ["2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]
    );
    assert_eq!(charges(date!(2027 - 01 - 30), 3), ["2027-01-30", "2027-02-28", "2027-03-30"]);
}

#[test]
fn a_leap_day_is_the_28th_in_other_years_and_the_29th_in_the_next_leap_year() {
    let days = charges(date!(2028 - 02 - 29), 49);
    assert_eq!(days[1], "2028-03-29");
    assert_eq!(days[12], "2029-02-28");
    assert_eq!(days[13], "2029-03-29");
    assert_eq!(days[48], "2032-02-29");
    assert_eq!(charges(date!(2028 - 01 - 31), 2)[1], "2028-02-29");
}

#[test]
fn the_day_is_that_of_tokyo() {
    // 00:30 of the 1st in Tokyo, and the last day of the month before in London.
    let first = Period::first(datetime!(2026-11-30 15:30 UTC));
    assert_eq!(first.end, datetime!(2026-12-31 15:00 UTC));
    let before = Period::first(datetime!(2026-11-30 14:59:59 UTC));
    assert_eq!(before.end, datetime!(2026-12-29 15:00 UTC));
}

#[test]
fn no_day_of_a_start_leaves_a_gap_or_an_overlap_within_five_years() {
    let mut day = date!(2026 - 01 - 01);
    while day < date!(2030 - 03 - 02) {
        // 23:00 in Tokyo.
        let start = day.midnight().assume_utc() + Duration::hours(14);
        let periods = periods(start, day, 62);
        for pair in periods.windows(2) {
            assert_eq!(pair[0].end, pair[1].start, "{day}");
            assert_eq!(pair[0].number + 1, pair[1].number);
            let length = pair[1].end - pair[1].start;
            assert!(length >= Duration::days(28) && length <= Duration::days(31), "{day} {length}");
        }
        let ends: Vec<String> =
            periods.iter().map(|period| (period.end + Duration::hours(9)).date().to_string()).collect();
        assert_eq!(ends, charges(day, 63)[1..], "{day}");
        day = day.next_day().unwrap();
    }
}

#[test]
fn the_first_period_starts_with_the_payment_and_the_others_at_midnight() {
    let start = datetime!(2027-01-31 3:00 UTC);
    let [first, second] = periods(start, date!(2027 - 01 - 31), 2)[..] else { panic!() };
    assert_eq!((first.number, first.start), (1, start));
    assert_eq!((first.end, second.start), (datetime!(2027-02-27 15:00 UTC), datetime!(2027-02-27 15:00 UTC)));
    assert_eq!(second.end, datetime!(2027-03-30 15:00 UTC));
}

#[test]
fn a_refused_charge_is_repeated_after_1_3_and_5_days() {
    let due = datetime!(2027-01-15 15:00 UTC);
    let retry = |hours| find_retry(due, due + Duration::hours(hours)).map(|at| (at - due).whole_days());
    assert_eq!(
        [0, 23, 24, 71, 72, 119, 120, 168].map(retry).map(Option::unwrap_or_default),
        [1, 1, 3, 3, 5, 5, 0, 0]
    );
}
