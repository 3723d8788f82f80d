//! The study plan of a learner: some minutes a day, spread over the unchecked lessons of the courses that can be used.
//! It is computed from the present state. Only the minutes are stored.

pub(crate) mod minutes;
pub(crate) mod schedule;

use kit_db::span;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use self::schedule::{Course, Deadline, Lesson, Place, Today};
use crate::class::timetable::date_in_tokyo;
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
}

/// The lessons of a day.
pub(crate) struct PlannedDay {
    pub(crate) day: Date,
    /// Today first has those that were checked today.
    pub(crate) lessons: Vec<PlannedLesson>,
}

/// Lessons of a course that do not fit until a day.
pub(crate) struct Shortfall {
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    pub(crate) deadline: Deadline,
    pub(crate) day: Date,
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

    fn plan(&self, done_percent: i32) -> PlannedLesson {
        let is_done = self.checked_at.is_some();
        PlannedLesson {
            id: self.id,
            name: self.name.clone(),
            course_id: self.course_id,
            course_name: self.course_name.clone(),
            duration: self.duration,
            seconds_left: if is_done { 0 } else { self.seconds_left(done_percent) },
            is_done,
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
    let today = Today { day: day::day_at(now), watched };
    // The rows of a course are next to each other.
    let groups: Vec<&[OpenLesson]> = open.chunk_by(|one, next| one.course_id == next.course_id).collect();
    let courses: Vec<Course> =
        groups.iter().map(|lessons| build_course(lessons, exams, today.day, done_percent)).collect();
    let found = schedule::spread(&courses, today, minutes);
    let enough_minutes = if found.shortfalls.is_empty() {
        None
    } else {
        schedule::find_enough_minutes(&courses, today, minutes)
    };
    let plan = |place: &Place| groups[place.course][place.lesson].plan(done_percent);
    let mut days: Vec<PlannedDay> = (0..DAYS)
        .map(|number| PlannedDay {
            day: today.add_days(number),
            lessons: found.days.get(number).map_or_else(Vec::new, |places| places.iter().map(plan).collect()),
        })
        .collect();
    if let Some(first) = days.first_mut() {
        let mut done = done;
        done.sort_by_key(|lesson| lesson.checked_at);
        first.lessons.splice(0..0, done.iter().map(|lesson| lesson.plan(done_percent)));
    }
    let shortfalls = found.shortfalls.iter().map(|shortfall| {
        let lesson = &groups[shortfall.course][0];
        Shortfall {
            course_id: lesson.course_id,
            course_name: lesson.course_name.clone(),
            deadline: shortfall.deadline,
            day: shortfall.day,
            lessons: shortfall.lessons,
        }
    });
    Ok(StudyPlan {
        minutes,
        watched_seconds: watched,
        days,
        later_count: found.days.iter().skip(DAYS).map(Vec::len).sum(),
        shortfalls: shortfalls.collect(),
        enough_minutes,
    })
}

/// Builds a course from its unchecked lessons, at least one.
fn build_course(lessons: &[OpenLesson], exams: &[ExamAhead], today: Date, done_percent: i32) -> Course {
    let OpenLesson { expire_at, subject, .. } = &lessons[0];
    let eves = exams.iter().filter(|exam| exam.subjects.contains(subject));
    let eves = eves.map(|exam| date_in_tokyo(exam.starts_at).saturating_sub(Duration::DAY));
    Course {
        // It expires at the first moment at which it can't be used.
        last_day: expire_at.map(|end| day::day_at(end - Duration::SECOND).max(today)),
        exam_eve: eves.filter(|eve| *eve >= today).min(),
        lessons: lessons
            .iter()
            .map(|lesson| Lesson {
                seconds: lesson.seconds_left(done_percent).unsigned_abs(),
                is_begun_today: lesson.is_seen_today,
            })
            .collect(),
    }
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
