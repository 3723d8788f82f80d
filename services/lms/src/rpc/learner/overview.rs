//! The learning of a learner in short, for the learner and linked guardians. It has no answers, notes or searches.

use kit::timestamp::to_timestamp;
use proto::lms as wire;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::inventory::CourseProgress;
use crate::lesson::NextLesson;
use crate::result::growth::{self, SubjectGrowth};
use crate::{day, exam_review, inventory, lesson, review};

/// Number of days with watch time: this week and the last one.
const DAYS: i32 = 14;

/// Finds the overview.
pub(super) async fn find(
    database: &mut PgConnection,
    learner: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<wire::GetLearningOverviewResponse> {
    let days = day::list_last(database, learner, DAYS, now).await?;
    let courses = inventory::list_progress(database, learner).await?;
    let next_lesson = lesson::find_next(database, learner, now).await?;
    let due = review::count_due(database, learner, now, now).await?
        + exam_review::count_due(database, learner, now).await?;
    let subjects = growth::find_growth(database, learner).await?;
    Ok(wire::GetLearningOverviewResponse {
        days: days.into_iter().map(wire::WatchedDay::from).collect(),
        courses: courses.into_iter().map(encode_course).collect(),
        next_lesson: next_lesson.map(encode_next_lesson),
        due_count: u32::try_from(due).unwrap_or(u32::MAX),
        subjects: subjects.into_iter().map(encode_subject).collect(),
    })
}

pub(super) fn encode_course(course: CourseProgress) -> wire::CourseProgress {
    wire::CourseProgress {
        course_id: course.course_id,
        name: course.name,
        lesson_count: course.lesson_count,
        check_count: course.check_count,
        completed_at: course.completed_at.map(to_timestamp),
        expire_at: course.expire_at.map(to_timestamp),
        last_watched_at: course.last_watched_at.map(to_timestamp),
    }
}

pub(super) fn encode_next_lesson(next: NextLesson) -> wire::NextLesson {
    wire::NextLesson { lesson_name: next.lesson_name, course_name: next.course_name }
}

fn encode_subject(SubjectGrowth { subject, points }: SubjectGrowth) -> wire::SubjectResult {
    wire::SubjectResult {
        subject,
        answer_count: points.iter().map(|point| point.answer_count.unsigned_abs()).sum(),
        right_count: points.iter().map(|point| point.right_count.unsigned_abs()).sum(),
        last_date: points.into_iter().last().map(|point| point.date).unwrap_or_default(),
    }
}
