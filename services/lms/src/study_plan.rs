//! The study plan of a learner: some minutes a day, spread over the unchecked lessons of the courses that can be used, and
//! the homework of their classes. It is computed from the present state. Only the minutes are stored.

mod homework;
pub(crate) mod minutes;
mod queue;
pub(crate) mod schedule;

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

pub(crate) use self::homework::PlannedHomework;
use self::queue::{Item, Queue};
use self::schedule::{Course, Deadline, Place, Today};
use crate::day;

/// Days of a plan.
const DAYS: usize = 14;

/// An exam that the learner prepares for.
pub(crate) struct ExamAhead {
    pub(crate) subjects: Vec<String>,
    pub(crate) starts_at: OffsetDateTime,
}

/// A lesson in the plan.
#[derive(Clone)]
pub(crate) struct PlannedLesson {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    /// Seconds.
    pub(crate) duration: i32,
    /// Seconds that are not watched yet. 0 for a checked lesson.
    pub(crate) seconds_left: i32,
    /// Whether it was checked today.
    pub(crate) is_done: bool,
    /// The last day of the homework for which it is planned.
    pub(crate) homework_day: Option<Date>,
}

/// The lessons and the homework of a day.
pub(crate) struct PlannedDay {
    pub(crate) day: Date,
    /// Today first has those that were checked today.
    pub(crate) lessons: Vec<PlannedLesson>,
    /// Today first has what was done today.
    pub(crate) homework: Vec<PlannedHomework>,
}

impl PlannedDay {
    fn new(day: Date) -> Self {
        Self { day, lessons: Vec::new(), homework: Vec::new() }
    }
}

/// Lessons and homework of a course that do not fit until a day.
pub(crate) struct Shortfall {
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    pub(crate) deadline: Deadline,
    pub(crate) day: Date,
    /// Homework counts as a lesson.
    pub(crate) lessons: usize,
}

/// A plan.
#[derive(Default)]
pub(crate) struct StudyPlan {
    /// 0: the plan is switched off, and the rest is empty.
    pub(crate) minutes: u16,
    /// Seconds of lessons that were watched today.
    pub(crate) watched_seconds: u32,
    pub(crate) days: Vec<PlannedDay>,
    /// The number of lessons after these days.
    pub(crate) later_count: usize,
    /// Soonest first.
    pub(crate) shortfalls: Vec<Shortfall>,
    /// The fewest minutes without a shortfall. `None` without one, and if the most are too few.
    pub(crate) enough_minutes: Option<u16>,
}

/// An unchecked lesson, or one that was checked today, of a course that the learner can use.
struct OpenLesson {
    id: i64,
    name: String,
    duration: i32,
    course_id: i64,
    course_name: String,
    subject: String,
    /// `None` for no end, and for a course that is renewed by itself.
    expire_at: Option<OffsetDateTime>,
    /// Covered seconds.
    covered: i32,
    is_seen_today: bool,
    checked_at: Option<OffsetDateTime>,
}

impl OpenLesson {
    /// Seconds that are not watched yet. A lesson whose check the learner removed after watching it starts again.
    fn seconds_left(&self, done_percent: i32) -> i32 {
        let is_watched = i64::from(self.covered) * 100 >= i64::from(self.duration) * i64::from(done_percent);
        if is_watched { self.duration } else { self.duration - self.covered }
    }

    fn plan(&self, done_percent: i32, homework_day: Option<Date>) -> PlannedLesson {
        let is_done = self.checked_at.is_some();
        PlannedLesson {
            id: self.id,
            name: self.name.clone(),
            course_id: self.course_id,
            course_name: self.course_name.clone(),
            duration: self.duration,
            seconds_left: if is_done { 0 } else { self.seconds_left(done_percent) },
            is_done,
            homework_day,
        }
    }
}

/// Computes the learner's plan. A lesson is watched at `done_percent` of it.
pub(crate) async fn compute(
    connection: &mut PgConnection,
    learner: Uuid,
    exams: &[ExamAhead],
    now: OffsetDateTime,
    done_percent: i32,
) -> sqlx::Result<StudyPlan> {
    let minutes = minutes::find_chosen(connection, learner).await?.unwrap_or(minutes::DEFAULT);
    if minutes == 0 {
        return Ok(StudyPlan::default());
    }
    let watched = day::list_last(connection, learner, 1, now).await?;
    let watched = watched.first().map_or(0, |day| day.seconds.unsigned_abs());
    let (done, open): (Vec<_>, Vec<_>) = list_open(connection, learner, now)
        .await?
        .into_iter()
        .partition(|lesson| lesson.checked_at.is_some());
    let homework = homework::list(connection, learner, now).await?;
    let today = Today { day: day::day_at(now), watched: watched + homework.done_seconds() };
    let queues = queue::build(&open, &homework.ahead, exams, now, done_percent);
    let courses: Vec<Course> = queues.iter().map(|queue| queue.course.clone()).collect();
    let found = schedule::spread(&courses, today, minutes);
    let enough_minutes = if found.shortfalls.is_empty() {
        None
    } else {
        schedule::find_enough_minutes(&courses, today, minutes)
    };
    let find_item = |place: Place| &queues[place.course].items[place.lesson];
    let mut days: Vec<PlannedDay> = (0..DAYS).map(|number| PlannedDay::new(today.add_days(number))).collect();
    for (day, places) in days.iter_mut().zip(&found.days) {
        let date = day.day;
        for place in places {
            match find_item(*place) {
                Item::Lesson { lesson, homework_day } => {
                    let homework_day = homework_day.filter(|due| *due >= date);
                    day.lessons.push(lesson.plan(done_percent, homework_day));
                }
                // It would be overdue by then. The shortfall names it.
                Item::Homework(homework) if homework.day < date => {}
                Item::Homework(homework) => day.homework.push(homework.plan()),
            }
        }
    }
    if let Some(first) = days.first_mut() {
        let mut done = done;
        done.sort_by_key(|lesson| lesson.checked_at);
        first.lessons.splice(0..0, done.iter().map(|lesson| lesson.plan(done_percent, None)));
        first.homework.splice(0..0, homework.done.iter().map(homework::HomeworkItem::plan));
    }
    let later = found.days.iter().skip(DAYS).flatten().map(|place| find_item(*place));
    Ok(StudyPlan {
        minutes,
        watched_seconds: watched,
        days,
        later_count: later.filter(|item| matches!(item, Item::Lesson { .. })).count(),
        shortfalls: merge_shortfalls(&queues, &found.shortfalls),
        enough_minutes,
    })
}

/// Counts the shortfalls of a course and its homework with the same deadline as one.
fn merge_shortfalls(queues: &[Queue<'_>], found: &[schedule::Shortfall]) -> Vec<Shortfall> {
    let mut merged: Vec<Shortfall> = Vec::new();
    for &schedule::Shortfall { course, deadline, day, lessons } in found {
        let queue = &queues[course];
        let same =
            |one: &&mut Shortfall| (one.course_id, one.deadline, one.day) == (queue.course_id, deadline, day);
        match merged.iter_mut().find(same) {
            Some(one) => one.lessons += lessons,
            None => merged.push(Shortfall {
                course_id: queue.course_id,
                course_name: queue.course_name.to_owned(),
                deadline,
                day,
                lessons,
            }),
        }
    }
    merged
}

/// Lists the unchecked lessons of the learner's active courses and those that were checked today. Last watched courses
/// come first, then the newest; each in the order of its lessons.
async fn list_open(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<OpenLesson>> {
    sqlx::query_as!(
        OpenLesson,
        r#"
        SELECT
            lesson.id,
            lesson.name,
            lesson.duration,
            course.id AS course_id,
            course.name AS course_name,
            course.category AS subject,
            CASE WHEN inventory.is_auto_renewal THEN NULL ELSE entitlement.expire_at END AS expire_at,
            coalesce(watch.covered, 0) AS "covered!",
            coalesce(watch.last_seen >= $3, false) AS "is_seen_today!",
            lesson_check.created AS "checked_at?"
        FROM entitlement
        JOIN inventory ON inventory.id = entitlement.inventory_id
        JOIN course ON course.id = entitlement.course_id
        JOIN chapter ON chapter.course_id = course.id
        JOIN unit ON unit.chapter_id = chapter.id
        JOIN lesson ON lesson.unit_id = unit.id
        LEFT JOIN progress ON progress.learner_id = $1 AND progress.course_id = course.id
        LEFT JOIN watch ON watch.learner_id = $1 AND watch.lesson_id = lesson.id
        LEFT JOIN lesson_check ON lesson_check.learner_id = $1 AND lesson_check.lesson_id = lesson.id
        WHERE
            entitlement.learner_id = $1
            AND entitlement.active_until > $2
            AND (lesson_check.created IS NULL OR lesson_check.created >= $3)
        ORDER BY
            progress.last_watched_at DESC NULLS LAST,
            entitlement.newest_created DESC,
            course.id,
            chapter.position,
            unit.position,
            lesson.position
        "#,
        learner,
        now,
        day::start_of_day(now),
    )
    .fetch_all(connection)
    .instrument(span("SELECT lesson"))
    .await
}
