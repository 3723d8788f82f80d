//! What the schedule spreads: the unfinished lessons of each course, and the homework of each course and day.

use time::{Date, Duration, OffsetDateTime};

use super::homework::{self, HomeworkItem};
use super::schedule::{Course, Lesson};
use super::{ExamAhead, OpenLesson};
use crate::class::timetable::date_in_tokyo;
use crate::day;

/// One thing to do.
pub(super) enum Item<'a> {
    Lesson {
        lesson: &'a OpenLesson,
        /// The last day of the homework for which it is planned.
        homework_day: Option<Date>,
    },
    Homework(&'a HomeworkItem),
}

/// Items in order, and the course that the schedule spreads. Its lessons are the items.
pub(super) struct Queue<'a> {
    pub(super) course_id: i64,
    pub(super) course_name: &'a str,
    pub(super) items: Vec<Item<'a>>,
    pub(super) course: Course,
}

/// Builds the queues, homework first. Lessons of a course are next to each other in `open`.
///
/// The lesson with the recording moves from its course to the homework, before it, unless an exam comes first.
pub(super) fn build<'a>(
    open: &'a [OpenLesson],
    homework: &'a [HomeworkItem],
    exams: &[ExamAhead],
    now: OffsetDateTime,
    done_percent: i32,
) -> Vec<Queue<'a>> {
    let today = day::day_at(now);
    let mut queues: Vec<Queue<'a>> = Vec::new();
    let mut moved = Vec::new();
    for item in homework {
        let lesson = open.iter().find(|lesson| {
            Some(lesson.id) == item.recording
                && !moved.contains(&lesson.id)
                && find_eve(exams, &lesson.subject, today).is_none_or(|eve| item.day <= eve)
        });
        moved.extend(lesson.map(|lesson| lesson.id));
        let is_same = |queue: &Queue<'_>| {
            queue.course_id == item.course_id && queue.course.homework_day == Some(item.day)
        };
        let index = queues.iter().position(is_same).unwrap_or_else(|| {
            let course = Course { homework_day: Some(item.day), ..empty_course(item.expire_at, today) };
            queues.push(Queue {
                course_id: item.course_id,
                course_name: &item.course_name,
                items: Vec::new(),
                course,
            });
            queues.len() - 1
        });
        let queue = &mut queues[index];
        if let Some(lesson) = lesson {
            queue.push_lesson(lesson, Some(item.day), done_percent);
        }
        queue.course.lessons.push(Lesson { seconds: homework::SECONDS, stays_today: item.day == today });
        queue.items.push(Item::Homework(item));
    }
    for lessons in open.chunk_by(|one, next| one.course_id == next.course_id) {
        let first = &lessons[0];
        let exam_eve = find_eve(exams, &first.subject, today);
        let mut queue = Queue {
            course_id: first.course_id,
            course_name: &first.course_name,
            items: Vec::new(),
            course: Course { exam_eve, ..empty_course(first.expire_at, today) },
        };
        for lesson in lessons.iter().filter(|lesson| !moved.contains(&lesson.id)) {
            queue.push_lesson(lesson, None, done_percent);
        }
        queues.push(queue);
    }
    queues
}

impl<'a> Queue<'a> {
    fn push_lesson(&mut self, lesson: &'a OpenLesson, homework_day: Option<Date>, done_percent: i32) {
        self.course.lessons.push(Lesson {
            seconds: lesson.seconds_left(done_percent).unsigned_abs(),
            stays_today: lesson.is_seen_today,
        });
        self.items.push(Item::Lesson { lesson, homework_day });
    }
}

fn empty_course(expire_at: Option<OffsetDateTime>, today: Date) -> Course {
    Course {
        lessons: Vec::new(),
        // It expires at the first moment at which it can't be used.
        last_day: expire_at.map(|end| day::day_at(end - Duration::SECOND).max(today)),
        exam_eve: None,
        homework_day: None,
    }
}

/// The last day before the next exam in a subject.
fn find_eve(exams: &[ExamAhead], subject: &String, today: Date) -> Option<Date> {
    let eves = exams.iter().filter(|exam| exam.subjects.contains(subject));
    let eves = eves.map(|exam| date_in_tokyo(exam.starts_at).saturating_sub(Duration::DAY));
    eves.filter(|eve| *eve >= today).min()
}
