//! School years, computed from birth dates by the rules of Japanese schools.

use time::macros::offset;
use time::{Date, Month, OffsetDateTime};

/// The current date in Tokyo.
#[must_use]
pub fn today(now: OffsetDateTime) -> Date {
    now.to_offset(offset!(+9)).date()
}

/// The school year of a person born on `birth`, e.g. 高1 or 既卒, shifted by `shift` years; `None` before primary school.
#[must_use]
pub fn compute_year(birth: Date, shift: i16, today: Date) -> Option<String> {
    format_year(count_year(birth, today) + i32::from(shift))
}

/// Difference between the school year `chosen` and the computed one, in years; `None` if `chosen` is no school year.
#[must_use]
pub fn compute_shift(birth: Date, chosen: &str, today: Date) -> Option<i16> {
    let said = count_year(birth, today);
    if format_year(said).as_deref() == Some(chosen) {
        return Some(0);
    }
    let chosen = (1..=LEFT).find(|number| format_year(*number).as_deref() == Some(chosen))?;
    i16::try_from(chosen - said).ok()
}

/// The number of 既卒, after twelve years of school.
const LEFT: i32 = 13;

/// The number of a school year, counted from 1 through all schools.
///
/// A school year begins on 1 April. A child born on or before that day belongs to the year above.
fn count_year(birth: Date, today: Date) -> i32 {
    let entry = birth.year() + if (birth.month() as u8, birth.day()) >= (4, 2) { 7 } else { 6 };
    let school_year = today.year() - i32::from(today.month() < Month::April);
    school_year - entry + 1
}

fn format_year(number: i32) -> Option<String> {
    match number {
        ..=0 => None,
        n @ 1..=6 => Some(format!("小{n}")),
        n @ 7..=9 => Some(format!("中{}", n - 6)),
        n @ 10..=12 => Some(format!("高{}", n - 9)),
        LEFT.. => Some("既卒".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn school_years_follow_from_birth_dates_as_on_the_site() {
        let cases = forms::test::form_cases("school_year");
        assert!(cases.len() >= 10);
        for case in cases {
            let today = case.today().unwrap();
            let birth = forms::birth_date(case.typed(), date!(2030 - 01 - 01)).unwrap();
            assert_eq!(compute_year(birth, 0, today).unwrap_or_default(), case.wanted().unwrap(), "{case:?}");
        }
    }

    #[test]
    fn one_may_choose_any_school_year_and_nothing_else() {
        for case in forms::test::form_cases("school_year_choice") {
            let chosen = compute_shift(date!(2011 - 04 - 01), case.typed(), date!(2026 - 11 - 20));
            assert_eq!(chosen.is_some(), case.wanted().is_ok(), "{case:?}");
        }
    }

    #[test]
    fn a_child_born_on_1_april_is_a_year_above_one_born_on_2_april() {
        let today = date!(2026 - 11 - 20);
        assert_eq!(compute_year(date!(2011 - 04 - 01), 0, today).as_deref(), Some("高1"));
        assert_eq!(compute_year(date!(2011 - 04 - 02), 0, today).as_deref(), Some("中3"));
    }

    #[test]
    fn a_school_year_begins_on_the_first_of_april() {
        let birth = date!(2013 - 06 - 15);
        assert_eq!(compute_year(birth, 0, date!(2026 - 03 - 31)).as_deref(), Some("小6"));
        assert_eq!(compute_year(birth, 0, date!(2026 - 04 - 01)).as_deref(), Some("中1"));
    }

    #[test]
    fn a_child_enters_primary_school_in_the_april_after_its_sixth_birthday() {
        let birth = date!(2020 - 02 - 29);
        assert_eq!(compute_year(birth, 0, date!(2026 - 03 - 31)), None);
        assert_eq!(compute_year(birth, 0, date!(2026 - 04 - 01)).as_deref(), Some("小1"));
    }

    #[test]
    fn after_the_third_year_of_high_school_one_has_left_school() {
        let birth = date!(2008 - 05 - 20);
        assert_eq!(compute_year(birth, 0, date!(2027 - 03 - 31)).as_deref(), Some("高3"));
        assert_eq!(compute_year(birth, 0, date!(2027 - 04 - 01)).as_deref(), Some("既卒"));
        assert_eq!(compute_year(date!(1981 - 02 - 03), 0, date!(2026 - 11 - 20)).as_deref(), Some("既卒"));
    }

    #[test]
    fn a_chosen_year_moves_on_with_the_others() {
        let (birth, today) = (date!(2011 - 04 - 02), date!(2026 - 11 - 20));
        assert_eq!(compute_shift(birth, "中3", today), Some(0));
        assert_eq!(compute_shift(birth, "高1", today), Some(1));
        assert_eq!(compute_shift(birth, "小1", today), Some(-8));
        assert_eq!(compute_shift(birth, "既卒", today), Some(4));
        assert_eq!(compute_year(birth, 1, date!(2027 - 04 - 01)).as_deref(), Some("高2"));
        // Out of school for many years, so the number is high.
        assert_eq!(compute_shift(date!(1981 - 02 - 03), "既卒", today), Some(0));
        assert_eq!(
            compute_year(
                date!(1981 - 02 - 03),
                compute_shift(date!(1981 - 02 - 03), "高3", today).unwrap(),
                today
            )
            .as_deref(),
            Some("高3")
        );
        for junk in ["", "中4", "高1 ", "1", "小0"] {
            assert_eq!(compute_shift(birth, junk, today), None, "{junk}");
        }
    }

    #[test]
    fn a_day_begins_in_tokyo_nine_hours_before_it_does_in_utc() {
        assert_eq!(today(datetime!(2026-03-31 14:59:59 UTC)), date!(2026 - 03 - 31));
        assert_eq!(today(datetime!(2026-03-31 15:00:00 UTC)), date!(2026 - 04 - 01));
    }
}
