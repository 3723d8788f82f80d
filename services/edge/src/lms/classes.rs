//! Classes (クラス): the timetable of live lessons, attendance and homework.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::marks::CourseRef;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Id, Query};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// The teacher of a class.
#[derive(Serialize, ToSchema)]
struct ClassTeacher {
    id: i64,
    /// Without 先生.
    name: String,
}

/// A class of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct Class {
    id: i64,
    name: String,
    course: CourseRef,
    /// The caller's inventory item of the course.
    item_id: i64,
    teacher: ClassTeacher,
    /// The live lesson that is on or comes next; null: none.
    #[schema(required)]
    next_lesson: Option<LiveLesson>,
}

impl Class {
    fn new(class: lms::Class) -> Result<Self, Error> {
        Ok(Self {
            id: class.id,
            name: class.name,
            course: CourseRef { id: class.course_id, name: class.course_name },
            item_id: class.item_id,
            teacher: ClassTeacher { id: class.teacher_id, name: class.teacher_name },
            next_lesson: class.next_lesson.map(LiveLesson::new).transpose()?,
        })
    }
}

/// Whether the caller took part in a live lesson.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Attendance {
    Joined,
    /// Did not join, but has checked the lesson with the recording.
    Watched,
    Absent,
}

/// The homework of a live lesson.
#[derive(Serialize, ToSchema)]
struct Homework {
    text: String,
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
    /// Null until the caller marks it as done.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    done_at: Option<OffsetDateTime>,
    /// Whether it was done after it was due, or is overdue.
    is_late: bool,
}

impl Homework {
    fn new(homework: lms::Homework) -> Result<Self, Error> {
        Ok(Self {
            text: homework.text,
            due_at: parse_timestamp(homework.due_at)?,
            done_at: parse_optional_timestamp(homework.done_at)?,
            is_late: homework.is_late,
        })
    }
}

/// A live lesson of a class of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct LiveLesson {
    /// Stays when the lesson is moved.
    id: i64,
    class_id: i64,
    class_name: String,
    /// From 1, in the order of the timetable.
    number: i32,
    /// Empty: none.
    title: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    /// The start in the timetable; null unless the lesson is moved.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    moved_from: Option<OffsetDateTime>,
    is_cancelled: bool,
    /// Why it is moved or cancelled. Empty: neither.
    reason: String,
    /// How often the title, the times or the cancellation have changed.
    revision: i32,
    /// Link to the meeting, from 10 minutes before the start until the end; null otherwise.
    #[schema(required, format = "uri")]
    join_url: Option<String>,
    /// Null: not decided yet, cancelled, or the caller was no member then.
    #[schema(required)]
    attendance: Option<Attendance>,
    /// Lesson of the course with the recording, from the day after the live lesson; null otherwise.
    #[schema(required)]
    recording_id: Option<i64>,
    /// Null: none, the live lesson has not started, or it is cancelled.
    #[schema(required)]
    homework: Option<Homework>,
}

impl LiveLesson {
    fn new(lesson: lms::LiveLesson) -> Result<Self, Error> {
        Ok(Self {
            attendance: match lesson.attendance() {
                lms::Attendance::Unspecified => None,
                lms::Attendance::Joined => Some(Attendance::Joined),
                lms::Attendance::Watched => Some(Attendance::Watched),
                lms::Attendance::Absent => Some(Attendance::Absent),
            },
            id: lesson.id,
            class_id: lesson.class_id,
            class_name: lesson.class_name,
            number: lesson.number,
            title: lesson.title,
            starts_at: parse_timestamp(lesson.starts_at)?,
            ends_at: parse_timestamp(lesson.ends_at)?,
            moved_from: parse_optional_timestamp(lesson.moved_from)?,
            is_cancelled: lesson.is_cancelled,
            reason: lesson.reason,
            revision: lesson.revision,
            join_url: lesson.join_url,
            recording_id: lesson.recording_id,
            homework: lesson.homework.map(Homework::new).transpose()?,
        })
    }
}

fn live_lessons(lessons: Vec<lms::LiveLesson>) -> Result<Vec<LiveLesson>, Error> {
    lessons.into_iter().map(LiveLesson::new).collect()
}

/// The caller's classes, and one week of them.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassWeek {
    /// By name.
    classes: Vec<Class>,
    /// The Monday of the week.
    #[schema(format = Date)]
    monday: String,
    /// The live lessons of the week from Monday to Sunday in Tokyo, soonest first.
    lessons: Vec<LiveLesson>,
    /// Whether an earlier week has live lessons.
    has_previous: bool,
    /// Whether a later week has live lessons.
    has_next: bool,
    /// Live lessons with homework that is not done, or was due or done in the last 14 days. The earliest due is first.
    homework: Vec<LiveLesson>,
}

/// All live lessons of a class.
#[derive(Serialize, ToSchema)]
pub(crate) struct LiveLessons {
    /// Soonest first.
    results: Vec<LiveLesson>,
}

/// Returns the caller's classes, the live lessons of a week, and the homework. Without a class, the lists are empty.
#[utoipa::path(
    get,
    path = "/api/lms/class/",
    operation_id = "class_week",
    tag = "lms",
    params(("day" = Option<String>, Query, description = "A day of the week in Tokyo, e.g. 2026-12-01, at most 366 days from today. Without it: today.")),
    responses((status = 200, description = "The week.", body = ClassWeek))
)]
pub(crate) async fn week(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let request = lms::ListClassWeekRequest { day: query.text("day")?.unwrap_or_default() };
    let week = edge.classes(&learner).list_class_week(request).await?.into_inner();
    Ok(json(&ClassWeek {
        classes: week.classes.into_iter().map(Class::new).collect::<Result<_, _>>()?,
        monday: week.monday,
        lessons: live_lessons(week.lessons)?,
        has_previous: week.has_previous,
        has_next: week.has_next,
        homework: live_lessons(week.homework)?,
    }))
}

/// Lists all live lessons of a class of the caller, for a calendar. 404 for other classes.
#[utoipa::path(
    get,
    path = "/api/lms/class/{id}/lesson/",
    operation_id = "live_lesson_list",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the class.", minimum = 1)),
    responses((status = 200, description = "The live lessons.", body = LiveLessons))
)]
pub(crate) async fn lessons(
    State(edge): State<Edge>,
    learner: Learner,
    Id(class_id): Id,
) -> Result<Response, Error> {
    let request = lms::ListLiveLessonsRequest { class_id };
    let found = edge.classes(&learner).list_live_lessons(request).await?.into_inner().lessons;
    Ok(json(&LiveLessons { results: live_lessons(found)? }))
}

/// Records that the caller joins a live lesson. Idempotent. 404 unless the caller can join it now.
#[utoipa::path(
    put,
    path = "/api/lms/live-lesson/{id}/attendance/",
    operation_id = "record_attendance",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the live lesson.", minimum = 1)),
    responses((status = 204, description = "The attendance is recorded."))
)]
pub(crate) async fn record_attendance(
    State(edge): State<Edge>,
    learner: Learner,
    Id(live_lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    let request = lms::RecordAttendanceRequest { live_lesson_id };
    edge.classes(&learner).record_attendance(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Marks the homework of a live lesson as done. Idempotent. 404 before the live lesson has started.
#[utoipa::path(
    put,
    path = "/api/lms/live-lesson/{id}/homework/",
    operation_id = "set_homework_mark",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the live lesson.", minimum = 1)),
    responses((status = 204, description = "The homework is marked."))
)]
pub(crate) async fn set_homework_mark(
    State(edge): State<Edge>,
    learner: Learner,
    Id(live_lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    let request = lms::SetHomeworkMarkRequest { live_lesson_id };
    edge.classes(&learner).set_homework_mark(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes the mark of homework. Idempotent.
#[utoipa::path(
    delete,
    path = "/api/lms/live-lesson/{id}/homework/",
    operation_id = "remove_homework_mark",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the live lesson.", minimum = 1)),
    responses((status = 204, description = "The homework is not marked."))
)]
pub(crate) async fn remove_homework_mark(
    State(edge): State<Edge>,
    learner: Learner,
    Id(live_lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    let request = lms::ClearHomeworkMarkRequest { live_lesson_id };
    edge.classes(&learner).clear_homework_mark(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
