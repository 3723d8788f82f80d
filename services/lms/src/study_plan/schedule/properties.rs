//! Properties of any plan.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any};
use proptest::{prop_assert, prop_assert_eq, proptest};
use time::macros::date;

use super::*;

const DAY: Date = date!(2026 - 12 - 24);

fn courses() -> impl Strategy<Value = Vec<Course>> {
    let lesson =
        (1_u32..2_500, any::<bool>()).prop_map(|(seconds, stays_today)| Lesson { seconds, stays_today });
    let day = || option::of((0_i64..40).prop_map(|days| DAY + Duration::days(days)));
    let course =
        (vec(lesson, 0..20), day(), day(), day()).prop_map(|(lessons, last_day, exam_eve, homework_day)| {
            Course { lessons, last_day, exam_eve, homework_day }
        });
    vec(course, 0..6)
}

fn today() -> impl Strategy<Value = Today> {
    proptest::prop_oneof![Just(0_u32), 0_u32..4_000].prop_map(|watched| Today { day: DAY, watched })
}

fn minutes() -> impl Strategy<Value = u16> {
    (1_u16..=24).prop_map(|steps| steps * STEP)
}

/// The courses after some of each course's first lessons were watched.
fn without(courses: &[Course], watched: &[Place]) -> Vec<Course> {
    let mut left = courses.to_vec();
    for (index, course) in left.iter_mut().enumerate() {
        let done = watched.iter().filter(|place| place.course == index).count();
        course.lessons.drain(..done);
    }
    left
}

proptest! {
    #[test]
    fn each_lesson_is_on_one_day_in_order_or_in_a_shortfall(
        courses in courses(), today in today(), minutes in minutes()
    ) {
        let schedule = spread(&courses, today, minutes);
        let planned: Vec<Place> = schedule.days.iter().flatten().copied().collect();
        let distinct: HashSet<Place> = planned.iter().copied().collect();
        prop_assert_eq!(planned.len(), distinct.len());
        for (index, course) in courses.iter().enumerate() {
            let own: Vec<usize> =
                planned.iter().filter(|place| place.course == index).map(|place| place.lesson).collect();
            prop_assert!(own.iter().copied().eq(0..own.len()), "out of order: {:?}", own);
            let left: usize = schedule
                .shortfalls
                .iter()
                .filter(|left| left.course == index && left.deadline == Deadline::Expiry)
                .map(|left| left.lessons)
                .sum();
            prop_assert_eq!(own.len() + left, course.lessons.len());
        }
    }

    #[test]
    fn no_lesson_comes_after_the_last_day_of_its_course(
        courses in courses(), today in today(), minutes in minutes()
    ) {
        for (day, places) in spread(&courses, today, minutes).days.iter().enumerate() {
            for place in places {
                let last_day = courses[place.course].last_day;
                prop_assert!(last_day.is_none_or(|last| today.add_days(day) <= last));
            }
        }
    }

    #[test]
    fn a_day_exceeds_its_minutes_only_with_a_single_lesson(
        courses in courses(), today in today(), minutes in minutes()
    ) {
        let most = u32::from(minutes) * 60;
        let schedule = spread(&courses, today, minutes);
        for (day, places) in schedule.days.iter().enumerate() {
            let lessons: Vec<&Lesson> =
                places.iter().map(|place| &courses[place.course].lessons[place.lesson]).collect();
            let watched = if day == 0 { today.watched } else { 0 };
            let used = watched + lessons.iter().map(|lesson| lesson.seconds).sum::<u32>();
            match &lessons[..] {
                [] => prop_assert!(day == 0, "only today may be full already"),
                [lesson] if used > most => {
                    prop_assert!(watched < most);
                    prop_assert!(lesson.seconds > most || day == 0 && lesson.stays_today);
                }
                _ => prop_assert!(used <= most, "{used} of {most} seconds"),
            }
        }
    }

    #[test]
    fn no_course_is_planned_before_one_with_an_earlier_deadline(
        courses in courses(), today in today(), minutes in minutes()
    ) {
        let most = u32::from(minutes) * 60;
        let days = spread(&courses, today, minutes).days;
        for (day, places) in days.iter().enumerate() {
            let date = today.add_days(day);
            let mut used = if day == 0 { today.watched } else { 0 };
            for (number, place) in places.iter().enumerate() {
                let own = courses[place.course].deadline().unwrap_or(Date::MAX);
                for (other, course) in courses.iter().enumerate() {
                    // Its next lesson at this moment would not fit, or it has none.
                    let next = places[..number].iter().filter(|before| before.course == other).count();
                    let sooner = course.deadline().unwrap_or(Date::MAX) < own && course.is_usable(date);
                    let before =
                        days[..day].iter().flatten().filter(|before| before.course == other).count();
                    if let (true, Some(lesson)) = (sooner, course.lessons.get(before + next)) {
                        prop_assert!(used + lesson.seconds > most);
                    }
                }
                used += courses[place.course].lessons[place.lesson].seconds;
            }
        }
    }

    #[test]
    fn the_plan_stays_for_a_learner_who_follows_it(
        courses in courses(), minutes in minutes(), at in any::<proptest::sample::Index>()
    ) {
        let mut courses = courses;
        for lesson in courses.iter_mut().flat_map(|course| &mut course.lessons) {
            lesson.stays_today = false;
        }
        let morning = Today { day: DAY, watched: 0 };
        let schedule = spread(&courses, morning, minutes);
        let Some(first) = schedule.days.first() else { return Ok(()) };

        // In the middle of the day, the rest of it remains.
        let done = &first[..at.index(first.len() + 1)];
        let watched = done.iter().map(|place| courses[place.course].lessons[place.lesson].seconds).sum();
        let noon = spread(&without(&courses, done), Today { day: DAY, watched }, minutes);
        prop_assert_eq!(noon.days.first().map_or(0, Vec::len), first.len() - done.len());
        prop_assert_eq!(&noon.shortfalls, &schedule.shortfalls);

        // The next morning, the second day comes first.
        let tomorrow = Today { day: DAY + Duration::DAY, watched: 0 };
        let next = spread(&without(&courses, first), tomorrow, minutes);
        let lengths = |days: &[Vec<Place>]| days.iter().map(Vec::len).collect::<Vec<_>>();
        prop_assert_eq!(lengths(&next.days), lengths(&schedule.days[1..]));
    }

    #[test]
    fn the_minutes_that_are_enough_leave_nothing(
        courses in courses(), today in today(), minutes in minutes()
    ) {
        let enough = find_enough_minutes(&courses, today, minutes);
        if let Some(enough) = enough {
            prop_assert!(enough > minutes && enough <= MOST && enough.is_multiple_of(STEP));
            prop_assert!(spread(&courses, today, enough).shortfalls.is_empty());
        }
        let end = enough.unwrap_or(MOST + STEP);
        for fewer in (minutes + STEP..end).step_by(STEP.into()) {
            prop_assert!(!spread(&courses, today, fewer).shortfalls.is_empty(), "{} minutes", fewer);
        }
    }
}
