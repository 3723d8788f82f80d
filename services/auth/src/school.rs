//! School years: worked out from a birth date, as Japanese schools count.

use time::macros::offset;
use time::{Date, Month, OffsetDateTime};

/// Today in Tokyo.
#[must_use]
pub fn today(now: OffsetDateTime) -> Date {
    now.to_offset(offset!(+9)).date()
}

/// The school year of somebody born on `birth`, e.g. 高1 or 既卒; none before primary school.
///
/// A school year begins on 1 April, and who was born on or before that day belongs to the year above.
#[must_use]
pub fn year(birth: Date, today: Date) -> Option<String> {
    let entry = birth.year() + if (birth.month() as u8, birth.day()) >= (4, 2) { 7 } else { 6 };
    let school_year = today.year() - i32::from(today.month() < Month::April);
    match school_year - entry + 1 {
        ..=0 => None,
        n @ 1..=6 => Some(format!("小{n}")),
        n @ 7..=9 => Some(format!("中{}", n - 6)),
        n @ 10..=12 => Some(format!("高{}", n - 9)),
        13.. => Some("既卒".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn who_was_born_on_the_first_of_april_is_a_year_above_who_was_born_on_the_second() {
        let today = date!(2026 - 11 - 20);
        assert_eq!(year(date!(2011 - 04 - 01), today).as_deref(), Some("高1"));
        assert_eq!(year(date!(2011 - 04 - 02), today).as_deref(), Some("中3"));
    }

    #[test]
    fn a_school_year_begins_on_the_first_of_april() {
        let birth = date!(2013 - 06 - 15);
        assert_eq!(year(birth, date!(2026 - 03 - 31)).as_deref(), Some("小6"));
        assert_eq!(year(birth, date!(2026 - 04 - 01)).as_deref(), Some("中1"));
    }

    #[test]
    fn a_child_enters_primary_school_in_the_april_after_its_sixth_birthday() {
        let birth = date!(2020 - 02 - 29);
        assert_eq!(year(birth, date!(2026 - 03 - 31)), None);
        assert_eq!(year(birth, date!(2026 - 04 - 01)).as_deref(), Some("小1"));
    }

    #[test]
    fn after_the_third_year_of_high_school_one_has_left_school() {
        let birth = date!(2008 - 05 - 20);
        assert_eq!(year(birth, date!(2027 - 03 - 31)).as_deref(), Some("高3"));
        assert_eq!(year(birth, date!(2027 - 04 - 01)).as_deref(), Some("既卒"));
        assert_eq!(year(date!(1981 - 02 - 03), date!(2026 - 11 - 20)).as_deref(), Some("既卒"));
    }

    #[test]
    fn a_day_begins_in_tokyo_nine_hours_before_it_does_in_utc() {
        assert_eq!(today(datetime!(2026-03-31 14:59:59 UTC)), date!(2026 - 03 - 31));
        assert_eq!(today(datetime!(2026-03-31 15:00:00 UTC)), date!(2026 - 04 - 01));
    }
}
