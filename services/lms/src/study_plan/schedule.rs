//! Spreads unfinished lessons over days of some minutes each. Pure: no clock, randomness or database.
//!
//! - The lessons of a course keep their order.
//! - Courses with an earlier deadline come first. A deadline is the last day of the course, or an earlier exam or homework.
//! - Homework of a course is a course of its own here, so its order is independent of the other lessons.
//! - A day is filled until its minutes are reached. A longer lesson gets a day of its own.
//! - No lesson comes after the last day of its course. What does not fit until then is a shortfall.

#[cfg(test)]
mod properties;

use time::{Date, Duration};

use super::minutes::{MOST, STEP};

/// An unfinished lesson.
#[derive(Clone, Debug)]
pub(crate) struct Lesson {
    /// Seconds that are not watched yet, more than 0.
    pub(crate) seconds: u32,
    /// Whether a part of it was watched today. Such a lesson stays on today while today's minutes are not reached.
    pub(crate) stays_today: bool,
}

/// A course with its unfinished lessons, in order.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) lessons: Vec<Lesson>,
    /// The last day on which it can be used, today or later. `None` for no end.
    pub(crate) last_day: Option<Date>,
    /// The last day before an exam in its subject, today or later.
    pub(crate) exam_eve: Option<Date>,
    /// The last day of homework, today or later.
    pub(crate) homework_day: Option<Date>,
}

impl Course {
    /// The day until which its lessons should be watched.
    fn deadline(&self) -> Option<Date> {
        [self.last_day, self.exam_eve, self.homework_day].into_iter().flatten().min()
    }

    fn is_usable(&self, day: Date) -> bool {
        self.last_day.is_none_or(|last| day <= last)
    }
}

/// The first day of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Today {
    pub(crate) day: Date,
    /// Seconds of lessons that were watched today. They count for today's minutes.
    pub(crate) watched: u32,
}

impl Today {
    pub(crate) fn add_days(self, days: usize) -> Date {
        self.day.saturating_add(Duration::days(i64::try_from(days).unwrap_or(i64::MAX)))
    }
}

/// A lesson by the indices of its course and of its place among the course's unfinished lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) course: usize,
    pub(crate) lesson: usize,
}

/// Why lessons must be watched until a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deadline {
    /// The course expires. The lessons that remain are on no day.
    Expiry,
    /// An exam begins. The lessons that remain are on later days, or also remain at the expiry.
    Exam,
    /// Homework is due. What remains is too late, except for lessons, which are on later days or also remain at the
    /// expiry.
    Homework,
}

/// Lessons of a course that do not fit until a day.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shortfall {
    pub(crate) course: usize,
    pub(crate) deadline: Deadline,
    /// The last day.
    pub(crate) day: Date,
    pub(crate) lessons: usize,
}

/// The lessons of each day.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// The first is today. The last has a lesson, unless there is no other day.
    pub(crate) days: Vec<Vec<Place>>,
    /// Soonest first.
    pub(crate) shortfalls: Vec<Shortfall>,
}

/// Spreads the lessons over days of `minutes`, more than 0. Of courses with the same deadline the first comes first.
pub(crate) fn spread(courses: &[Course], today: Today, minutes: u16) -> Schedule {
    let mut order: Vec<usize> = (0..courses.len()).collect();
    order.sort_by_key(|&course| courses[course].deadline().unwrap_or(Date::MAX));
    // How many lessons of each course are on a day.
    let mut planned = vec![0; courses.len()];
    let mut days = Vec::new();
    loop {
        let day = today.add_days(days.len());
        let is_open = |&course: &usize| {
            planned[course] < courses[course].lessons.len() && courses[course].is_usable(day)
        };
        let open: Vec<usize> = order.iter().copied().filter(is_open).collect();
        if open.is_empty() {
            break;
        }
        let used = if days.is_empty() { today.watched } else { 0 };
        let is_today = days.is_empty();
        days.push(fill_day(courses, &open, &mut planned, used, minutes, is_today));
    }
    let shortfalls = find_shortfalls(courses, today, &days);
    Schedule { days, shortfalls }
}

/// Plans one day.
fn fill_day(
    courses: &[Course],
    open: &[usize],
    planned: &mut [usize],
    mut used: u32,
    minutes: u16,
    is_today: bool,
) -> Vec<Place> {
    let most = u32::from(minutes) * 60;
    let mut places = Vec::new();
    if used >= most {
        return places;
    }
    for &course in open {
        while let Some(lesson) = courses[course].lessons.get(planned[course]) {
            let fits = used.saturating_add(lesson.seconds) <= most;
            let is_alone = places.is_empty() && (used == 0 || is_today && lesson.stays_today);
            if !fits && !is_alone {
                break;
            }
            places.push(Place { course, lesson: planned[course] });
            planned[course] += 1;
            used = used.saturating_add(lesson.seconds);
        }
    }
    places
}

fn find_shortfalls(courses: &[Course], today: Today, days: &[Vec<Place>]) -> Vec<Shortfall> {
    let count_until = |course: usize, last: Date| {
        let until_then = days.iter().enumerate().filter(|(day, _)| today.add_days(*day) <= last);
        until_then.flat_map(|(_, places)| places).filter(|place| place.course == course).count()
    };
    let mut shortfalls = Vec::new();
    for (course, Course { lessons, last_day, exam_eve, homework_day }) in courses.iter().enumerate() {
        // An exam or homework after the course has ended adds no deadline.
        let is_before_end = |day: &Date| last_day.is_none_or(|last| *day < last);
        let deadlines = [
            (Deadline::Exam, exam_eve.filter(is_before_end)),
            (Deadline::Homework, homework_day.filter(is_before_end)),
            (Deadline::Expiry, *last_day),
        ];
        for (deadline, day) in deadlines {
            let Some(day) = day else { continue };
            let left = lessons.len() - count_until(course, day);
            if left > 0 {
                shortfalls.push(Shortfall { course, deadline, day, lessons: left });
            }
        }
    }
    shortfalls.sort_by_key(|shortfall| shortfall.day);
    shortfalls
}

/// Finds the fewest minutes, more than `minutes`, without a shortfall. `None` if the most are too few.
pub(crate) fn find_enough_minutes(courses: &[Course], today: Today, minutes: u16) -> Option<u16> {
    let mut more = (minutes + STEP..=MOST).step_by(STEP.into());
    more.find(|minutes| spread(courses, today, *minutes).shortfalls.is_empty())
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    const TODAY: Today = Today { day: date!(2026 - 11 - 20), watched: 0 };

    fn course(seconds: &[u32], days: Option<i64>) -> Course {
        let lessons = seconds.iter().map(|&seconds| Lesson { seconds, stays_today: false }).collect();
        Course {
            lessons,
            last_day: days.map(|days| TODAY.day + Duration::days(days)),
            exam_eve: None,
            homework_day: None,
        }
    }

    /// The lessons of each day as `course.lesson`.
    fn days(courses: &[Course], today: Today, minutes: u16) -> Vec<String> {
        let written = |place: &Place| format!("{}.{}", place.course, place.lesson);
        let days = spread(courses, today, minutes).days;
        days.iter().map(|day| day.iter().map(written).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_day_is_filled_until_its_minutes_are_reached_and_a_longer_lesson_has_one_of_its_own() {
        let courses = [course(&[300, 600, 400, 1000, 100], None)];
        assert_eq!(days(&courses, TODAY, 15), ["0.0 0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(days(&courses, TODAY, 120), ["0.0 0.1 0.2 0.3 0.4"]);
        assert_eq!(days(&[], TODAY, 15), Vec::<String>::new());
    }

    #[test]
    fn the_course_that_ends_first_comes_first_and_another_fills_the_rest_of_a_day() {
        let courses = [course(&[500, 300], None), course(&[600, 600], Some(9)), course(&[200], Some(5))];
        assert_eq!(days(&courses, TODAY, 15), ["2.0 1.0", "1.1", "0.0 0.1"]);
    }

    #[test]
    fn an_exam_brings_a_course_forward_but_ends_nothing() {
        let mut courses = [course(&[600, 600], Some(9)), course(&[600, 600, 600], None)];
        courses[1].exam_eve = Some(TODAY.day + Duration::DAY);
        assert_eq!(days(&courses, TODAY, 15), ["1.0", "1.1", "1.2", "0.0", "0.1"]);
        let exam =
            Shortfall { course: 1, deadline: Deadline::Exam, day: TODAY.day + Duration::DAY, lessons: 1 };
        assert_eq!(spread(&courses, TODAY, 15).shortfalls, [exam]);
    }

    #[test]
    fn homework_comes_before_a_later_deadline_and_what_does_not_fit_is_planned_later() {
        let mut courses = [course(&[600, 600], Some(9)), course(&[600, 600], None), course(&[300], Some(0))];
        courses[1].homework_day = Some(TODAY.day);
        assert_eq!(days(&courses, TODAY, 15), ["1.0 2.0", "1.1", "0.0", "0.1"]);
        let left = Shortfall { course: 1, deadline: Deadline::Homework, day: TODAY.day, lessons: 1 };
        assert_eq!(spread(&courses, TODAY, 15).shortfalls, [left]);
        assert_eq!(find_enough_minutes(&courses, TODAY, 15), Some(25));
        courses[1].last_day = Some(TODAY.day);
        let [expiry] = &spread(&courses, TODAY, 15).shortfalls[..] else { panic!("one deadline a day") };
        assert_eq!((expiry.deadline, expiry.lessons), (Deadline::Expiry, 1));
    }

    #[test]
    fn a_shortfall_has_the_minutes_that_are_enough() {
        let courses = [course(&[600; 4], Some(1)), course(&[600], None)];
        let schedule = spread(&courses, TODAY, 15);
        let last_day = TODAY.day + Duration::DAY;
        let two = Shortfall { course: 0, deadline: Deadline::Expiry, day: last_day, lessons: 2 };
        assert_eq!(schedule.shortfalls, [two]);
        assert_eq!(find_enough_minutes(&courses, TODAY, 15), Some(20));
        assert_eq!(
            find_enough_minutes(&[course(&[7200; 3], Some(1))], TODAY, 15),
            None,
            "120 minutes are the most"
        );
    }

    #[test]
    fn what_was_watched_today_counts_and_a_begun_lesson_stays() {
        let mut courses = [course(&[500, 300], None)];
        let today = |watched| Today { watched, ..TODAY };
        assert_eq!(days(&courses, today(600), 15), ["", "0.0 0.1"]);
        assert_eq!(days(&courses, today(400), 15), ["0.0", "0.1"]);
        courses[0].lessons[0] = Lesson { seconds: 2000, stays_today: true };
        assert_eq!(days(&courses, today(600), 15), ["0.0", "0.1"]);
        assert_eq!(days(&courses, today(900), 15), ["", "0.0", "0.1"]);
    }
}
