//! The age of majority.

use time::{Date, Month};

/// From this age on a person needs no consent and can be a guardian.
const AGE: i32 = 18;

/// Whether a person born on `birth` is an adult.
pub(crate) fn is_adult(birth: Date, today: Date) -> bool {
    forms::age(birth, today) >= AGE
}

/// The latest birth date of an adult, for comparisons in SQL.
pub(crate) fn latest_birth_date(today: Date) -> Date {
    let year = today.year() - AGE;
    let same_day = Date::from_calendar_date(year, today.month(), today.day());
    // A person born on 29 February comes of age on 28 February in a year without a 29th.
    same_day.or_else(|_| Date::from_calendar_date(year, Month::February, 28)).unwrap_or(Date::MIN)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn the_latest_birth_date_agrees_with_the_age() {
        let mut today = date!(2026 - 01 - 01);
        while today < date!(2029 - 01 - 01) {
            let last = latest_birth_date(today);
            assert!(is_adult(last, today), "{last} on {today}");
            let next = last.next_day().unwrap();
            assert!(!is_adult(next, today), "{next} on {today}");
            today = today.next_day().unwrap();
        }
    }
}
