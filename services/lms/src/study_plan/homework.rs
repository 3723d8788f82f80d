//! Homework of classes in the plan. It has no length of its own, so each takes the same time.

use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::class::live_lesson::{self, Attendance, Filter};
use crate::day;

/// The time that is planned for homework, in seconds.
pub(crate) const SECONDS: u32 = 600;

/// Homework in the plan.
pub(crate) struct PlannedHomework {
    pub(crate) live_lesson_id: i64,
    pub(crate) class_id: i64,
    pub(crate) class_name: String,
    pub(crate) text: String,
    /// The last day.
    pub(crate) day: Date,
    /// Whether it was marked as done today.
    pub(crate) is_done: bool,
}

/// Homework of a live lesson.
pub(super) struct HomeworkItem {
    live_lesson_id: i64,
    class_id: i64,
    class_name: String,
    pub(super) course_id: i64,
    pub(super) course_name: String,
    /// When the course expires. `None` for no end, and for a course that is renewed by itself.
    pub(super) expire_at: Option<OffsetDateTime>,
    /// The lesson of the course with the recording, if it is ready and the learner was not there.
    pub(super) recording: Option<i64>,
    text: String,
    /// The last day.
    pub(super) day: Date,
    is_done: bool,
}

impl HomeworkItem {
    pub(super) fn plan(&self) -> PlannedHomework {
        PlannedHomework {
            live_lesson_id: self.live_lesson_id,
            class_id: self.class_id,
            class_name: self.class_name.clone(),
            text: self.text.clone(),
            day: self.day,
            is_done: self.is_done,
        }
    }
}

/// Homework of a learner.
#[derive(Default)]
pub(super) struct Homework {
    /// Given, neither done nor overdue, the earliest due first.
    pub(super) ahead: Vec<HomeworkItem>,
    /// Marked as done today, and not overdue before today.
    pub(super) done: Vec<HomeworkItem>,
}

impl Homework {
    /// The time of what was done today. It counts for today's minutes.
    pub(super) fn done_seconds(&self) -> u32 {
        SECONDS.saturating_mul(u32::try_from(self.done.len()).unwrap_or(u32::MAX))
    }
}

/// Lists the learner's homework for a plan.
pub(super) async fn list(
    connection: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Homework> {
    let mut found = Homework::default();
    for lesson in live_lesson::list(connection, learner, Filter::Homework, now).await? {
        let Some(homework) = lesson.homework(now) else { continue };
        let (is_done, due_at) = (homework.done_at.is_some(), homework.due_at);
        let list = match homework.done_at {
            Some(done_at) if done_at >= day::start_of_day(now) && due_at > day::start_of_day(now) => {
                &mut found.done
            }
            None if due_at > now => &mut found.ahead,
            _ => continue,
        };
        list.push(HomeworkItem {
            live_lesson_id: lesson.id,
            class_id: lesson.class_id,
            text: homework.text.to_owned(),
            // Who was there needs no recording for the homework.
            recording: lesson.recording(now).filter(|_| lesson.attendance(now) != Some(Attendance::Joined)),
            // It is due at the midnight after its last day.
            day: day::day_at(due_at - Duration::SECOND),
            is_done,
            class_name: lesson.class_name,
            course_id: lesson.course_id,
            course_name: lesson.course_name,
            expire_at: lesson.expire_at,
        });
    }
    Ok(found)
}
