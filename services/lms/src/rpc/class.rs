//! Classes: the timetable, attendance and homework of a learner.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use kit_content::date_time::{find_monday, parse_date};
use proto::lms as wire;
use proto::lms::class_service_server::ClassService;
use time::{Date, Duration, OffsetDateTime};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit};
use crate::class::live_lesson::{self, Attendance, Filter, LiveLesson};
use crate::class::timetable::date_in_tokyo;
use crate::class::{self, Class, attendance, homework};
use crate::error::Error;

/// A listed week is at most this far from today.
const FARTHEST: Duration = Duration::days(366);

#[tonic::async_trait]
impl ClassService for Lms {
    async fn list_class_week(
        &self,
        request: Request<wire::ListClassWeekRequest>,
    ) -> Result<Response<wire::ListClassWeekResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let now = self.clock.now();
        let day = parse_day(&request.into_inner().day, date_in_tokyo(now))?;
        Ok(Response::new(self.list_week(learner, find_monday(day), now).await?))
    }

    async fn list_live_lessons(
        &self,
        request: Request<wire::ListLiveLessonsRequest>,
    ) -> Result<Response<wire::ListLiveLessonsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let (class, now) = (request.into_inner().class_id, self.clock.now());
        let mut connection = self.acquire().await?;
        let lessons = live_lesson::list(&mut connection, learner, Filter::Class(class), now).await;
        let lessons = lessons.map_err(Error::from)?;
        // Every class has lessons.
        if lessons.is_empty() {
            return Err(Error::NotFound.into());
        }
        let lessons = lessons.iter().map(|lesson| encode_lesson(lesson, now)).collect();
        Ok(Response::new(wire::ListLiveLessonsResponse { lessons }))
    }

    async fn record_attendance(
        &self,
        request: Request<wire::RecordAttendanceRequest>,
    ) -> Result<Response<wire::RecordAttendanceResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let lesson = request.into_inner().live_lesson_id;
        let mut transaction = self.begin().await?;
        attendance::record(&mut transaction, learner, lesson, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::RecordAttendanceResponse {}))
    }

    async fn set_homework_mark(
        &self,
        request: Request<wire::SetHomeworkMarkRequest>,
    ) -> Result<Response<wire::SetHomeworkMarkResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let lesson = request.into_inner().live_lesson_id;
        let mut transaction = self.begin().await?;
        homework::set_mark(&mut transaction, learner, lesson, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::SetHomeworkMarkResponse {}))
    }

    async fn clear_homework_mark(
        &self,
        request: Request<wire::ClearHomeworkMarkRequest>,
    ) -> Result<Response<wire::ClearHomeworkMarkResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let lesson = request.into_inner().live_lesson_id;
        let mut connection = self.acquire().await?;
        homework::clear_mark(&mut connection, learner, lesson).await.map_err(Error::from)?;
        Ok(Response::new(wire::ClearHomeworkMarkResponse {}))
    }
}

impl Lms {
    async fn list_week(
        &self,
        learner: Uuid,
        monday: Date,
        now: OffsetDateTime,
    ) -> Result<wire::ListClassWeekResponse, Error> {
        let mut connection = self.acquire().await?;
        let classes = class::list(&mut connection, learner, now).await?;
        if classes.is_empty() {
            return Ok(wire::ListClassWeekResponse { monday: monday.to_string(), ..Default::default() });
        }
        let next = live_lesson::list(&mut connection, learner, Filter::Next, now).await?;
        let week = live_lesson::list(&mut connection, learner, Filter::Week(monday), now).await?;
        let homework = live_lesson::list(&mut connection, learner, Filter::Homework, now).await?;
        let (has_previous, has_next) =
            live_lesson::find_neighbours(&mut connection, learner, monday, now).await?;
        let encode_all = |lessons: &[LiveLesson]| lessons.iter().map(|one| encode_lesson(one, now)).collect();
        let encode = |class: Class| {
            let next_lesson = next.iter().find(|lesson| lesson.class_id == class.id);
            encode_class(class, next_lesson.map(|lesson| encode_lesson(lesson, now)))
        };
        Ok(wire::ListClassWeekResponse {
            classes: classes.into_iter().map(encode).collect(),
            monday: monday.to_string(),
            lessons: encode_all(&week),
            has_previous,
            has_next,
            homework: encode_all(&homework),
        })
    }
}

/// Parses a day. Empty: `today`.
fn parse_day(text: &str, today: Date) -> Result<Date, Error> {
    if text.is_empty() {
        return Ok(today);
    }
    let day = parse_date(text).map_err(|_| FieldError::new("day", "INVALID_FORMAT"))?;
    if (day - today).abs() > FARTHEST {
        return Err(FieldError::new("day", "OUT_OF_RANGE").into());
    }
    Ok(day)
}

fn encode_class(class: Class, next_lesson: Option<wire::LiveLesson>) -> wire::Class {
    wire::Class {
        id: class.id,
        name: class.name,
        course_id: class.course_id,
        course_name: class.course_name,
        item_id: class.item_id,
        teacher_id: class.teacher_id,
        teacher_name: class.teacher_name,
        next_lesson,
    }
}

fn encode_lesson(lesson: &LiveLesson, now: OffsetDateTime) -> wire::LiveLesson {
    let attendance = match lesson.attendance(now) {
        None => wire::Attendance::Unspecified,
        Some(Attendance::Joined) => wire::Attendance::Joined,
        Some(Attendance::Watched) => wire::Attendance::Watched,
        Some(Attendance::Absent) => wire::Attendance::Absent,
    };
    wire::LiveLesson {
        id: lesson.id,
        class_id: lesson.class_id,
        class_name: lesson.class_name.clone(),
        number: lesson.number,
        title: lesson.title.clone(),
        starts_at: Some(to_timestamp(lesson.starts_at)),
        ends_at: Some(to_timestamp(lesson.ends_at)),
        moved_from: lesson.moved_from().map(to_timestamp),
        is_cancelled: lesson.is_cancelled,
        reason: lesson.reason.clone(),
        revision: lesson.revision,
        join_url: lesson.join_url(now).map(str::to_owned),
        attendance: attendance.into(),
        recording_id: lesson.recording(now),
        homework: lesson.homework(now).map(|homework| wire::Homework {
            text: homework.text.to_owned(),
            due_at: Some(to_timestamp(homework.due_at)),
            done_at: homework.done_at.map(to_timestamp),
            is_late: homework.is_late(now),
        }),
    }
}
