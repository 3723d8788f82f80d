//! The weekly report (週間レポート) of a learner: what was done in a week, and what is due in the week after.
//!
//! It has no answers, notes or searches.

pub(crate) mod sheet;

use kit::error::FieldError;
use kit_content::date_time::{find_monday, parse_monday};
use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::class::live_lesson::{self, Attendance, Filter, LiveLesson};
use crate::day::{self, WatchDay};
use crate::{exam_review, review};

/// Weeks with a report.
const WEEKS: i64 = 8;
/// Days in a week.
const DAYS: i32 = 7;

/// A week that has ended. It begins and ends at 04:00 in Tokyo, as days of watch time do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Week {
    monday: Date,
}

impl Week {
    /// Parses the Monday of one of the last eight weeks that have ended. Empty: the last week.
    pub(crate) fn parse(text: &str, now: OffsetDateTime) -> Result<Self, FieldError> {
        let current = find_monday(day::day_at(now));
        if text.is_empty() {
            return Ok(Self { monday: current.saturating_sub(Duration::WEEK) });
        }
        parse_monday(text)
            .ok()
            .filter(|monday| (1..=WEEKS).contains(&(current - *monday).whole_weeks()))
            .map(|monday| Self { monday })
            .ok_or_else(|| FieldError::new("week", "INVALID_FORMAT"))
    }

    pub(crate) fn monday(self) -> Date {
        self.monday
    }

    fn next_monday(self) -> Date {
        self.monday.saturating_add(Duration::WEEK)
    }

    fn start(self) -> OffsetDateTime {
        day::start_of(self.monday)
    }

    fn end(self) -> OffsetDateTime {
        day::start_of(self.next_monday())
    }
}

/// The figures of a learner in a week.
pub(crate) struct WeeklyFigures {
    /// Monday first.
    pub(crate) days: Vec<WatchDay>,
    /// Lessons that were checked as done.
    pub(crate) check_count: i64,
    /// Answers to questions, practice included.
    pub(crate) answer_count: i64,
    pub(crate) right_count: i64,
    pub(crate) attendance: AttendanceCounts,
    pub(crate) homework: HomeworkCounts,
    /// Live lessons in the week after, soonest first.
    pub(crate) next_lessons: Vec<LiveLesson>,
    /// Live lessons with homework that is not done and is due in the week after, the earliest due first.
    pub(crate) next_homework: Vec<LiveLesson>,
    /// Questions to review until the end of the week after. `None` once that has ended.
    pub(crate) due_count: Option<i64>,
}

/// Live lessons of a week by attendance.
#[derive(Default)]
pub(crate) struct AttendanceCounts {
    pub(crate) joined: u32,
    pub(crate) watched: u32,
    pub(crate) absent: u32,
}

impl AttendanceCounts {
    fn count(lessons: &[LiveLesson], now: OffsetDateTime) -> Self {
        let mut counts = Self::default();
        for attendance in lessons.iter().filter_map(|lesson| lesson.attendance(now)) {
            match attendance {
                Attendance::Joined => counts.joined += 1,
                Attendance::Watched => counts.watched += 1,
                Attendance::Absent => counts.absent += 1,
            }
        }
        counts
    }

    fn is_empty(&self) -> bool {
        self.joined + self.watched + self.absent == 0
    }
}

/// Homework that was due in a week.
#[derive(Default)]
pub(crate) struct HomeworkCounts {
    pub(crate) due: u32,
    pub(crate) done: u32,
}

impl HomeworkCounts {
    fn count(lessons: &[LiveLesson], now: OffsetDateTime) -> Self {
        let mut counts = Self::default();
        for homework in lessons.iter().filter_map(|lesson| lesson.homework(now)) {
            counts.due += 1;
            counts.done += u32::from(homework.done_at.is_some());
        }
        counts
    }
}

impl WeeklyFigures {
    /// Whether the learner did nothing in the week.
    fn is_quiet(&self) -> bool {
        self.days.iter().all(|day| day.seconds == 0)
            && self.check_count == 0
            && self.answer_count == 0
            && self.attendance.joined + self.attendance.watched == 0
            && self.homework.done == 0
    }

    /// Finds the figures of a week.
    pub(crate) async fn find(
        connection: &mut PgConnection,
        learner: Uuid,
        week: Week,
        now: OffsetDateTime,
    ) -> sqlx::Result<Self> {
        let sunday = week.end() - Duration::DAY;
        let days = day::list_last(connection, learner, DAYS, sunday).await?;
        let counts = sqlx::query!(
            r#"
            SELECT
                (
                    SELECT count(*) FROM lesson_check
                    WHERE learner_id = $1 AND created >= $2 AND created < $3
                ) AS "check_count!",
                count(*) AS "answer_count!",
                count(*) FILTER (WHERE is_right) AS "right_count!"
            FROM answer
            WHERE learner_id = $1 AND created >= $2 AND created < $3
            "#,
            learner,
            week.start(),
            week.end(),
        )
        .fetch_one(&mut *connection)
        .instrument(span("SELECT answer"))
        .await?;
        let lessons = live_lesson::list(connection, learner, Filter::Week(week.monday), now).await?;
        let homework = live_lesson::list(connection, learner, Filter::HomeworkWeek(week.monday), now).await?;
        let mut next_lessons =
            live_lesson::list(connection, learner, Filter::Week(week.next_monday()), now).await?;
        next_lessons.retain(|lesson| !lesson.is_cancelled);
        let mut next_homework =
            live_lesson::list(connection, learner, Filter::HomeworkWeek(week.next_monday()), now).await?;
        next_homework
            .retain(|lesson| lesson.homework(now).is_some_and(|homework| homework.done_at.is_none()));
        let next_end = week.end() + Duration::WEEK;
        let due_count = if now < next_end {
            let count = review::count_due(connection, learner, now, next_end).await?
                + exam_review::count_due(connection, learner, next_end).await?;
            Some(count)
        } else {
            None
        };
        Ok(Self {
            days,
            check_count: counts.check_count,
            answer_count: counts.answer_count,
            right_count: counts.right_count,
            attendance: AttendanceCounts::count(&lessons, now),
            homework: HomeworkCounts::count(&homework, now),
            next_lessons,
            next_homework,
            due_count,
        })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::Week;

    #[test]
    fn a_week_ends_at_four_on_monday_in_tokyo() {
        let week = Week { monday: date!(2026 - 12 - 28) };
        assert_eq!(week.start(), datetime!(2026-12-28 04:00 +9));
        assert_eq!(week.end(), datetime!(2027-01-04 04:00 +9));
        let sunday_night = datetime!(2027-01-03 23:59 +9);
        assert!(week.start() < sunday_night && sunday_night < week.end());
    }

    #[test]
    fn only_the_last_eight_weeks_that_have_ended_are_reported() {
        let now = datetime!(2027-01-06 12:00 +9);
        for monday in ["2026-12-28", "2026-11-09"] {
            assert!(Week::parse(monday, now).is_ok(), "{monday}");
        }
        for wrong in ["2027-01-04", "2026-11-02", "2026-12-27", "2027-01-11", "2026-12-1", "monday"] {
            assert!(Week::parse(wrong, now).is_err(), "{wrong}");
        }
        assert_eq!(Week::parse("", now), Week::parse("2026-12-28", now));
        let night = datetime!(2027-01-04 03:59:59 +9);
        assert!(Week::parse("2026-12-28", night).is_err(), "the week has not ended");
        assert!(Week::parse("2026-12-28", night + time::Duration::SECOND).is_ok());
    }
}
