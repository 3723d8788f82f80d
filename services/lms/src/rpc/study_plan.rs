//! The study plan of a learner.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::from_timestamp;
use proto::lms as wire;
use proto::lms::study_plan_service_server::StudyPlanService;
use tonic::{Request, Response, Status};

use super::{Lms, commit};
use crate::error::Error;
use crate::study_plan::schedule::Deadline;
use crate::study_plan::{
    self, ExamAhead, PlannedDay, PlannedHomework, PlannedLesson, Shortfall, StudyPlan, minutes,
};

#[tonic::async_trait]
impl StudyPlanService for Lms {
    async fn get_study_plan(
        &self,
        request: Request<wire::GetStudyPlanRequest>,
    ) -> Result<Response<wire::GetStudyPlanResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let exams = request.into_inner().exams.into_iter().map(decode_exam).collect::<Result<Vec<_>, _>>()?;
        let (now, done_percent) = (self.clock.now(), self.rules.done_percent);
        let mut connection = self.acquire().await?;
        let plan = study_plan::compute(&mut connection, learner, &exams, now, done_percent).await;
        Ok(Response::new(encode(plan.map_err(Error::from)?)))
    }

    async fn set_study_minutes(
        &self,
        request: Request<wire::SetStudyMinutesRequest>,
    ) -> Result<Response<wire::SetStudyMinutesResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut transaction = self.begin().await?;
        let chosen = request.into_inner().minutes;
        minutes::save(&mut transaction, learner, chosen, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(wire::SetStudyMinutesResponse {}))
    }
}

fn decode_exam(exam: wire::ExamAhead) -> Result<ExamAhead, Error> {
    let invalid = || FieldError::new("starts_at", "INVALID_FORMAT");
    let starts_at = exam.starts_at.ok_or_else(invalid)?;
    let starts_at = from_timestamp(starts_at).map_err(|_| invalid())?;
    Ok(ExamAhead { subjects: exam.subjects, starts_at })
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn encode(plan: StudyPlan) -> wire::GetStudyPlanResponse {
    wire::GetStudyPlanResponse {
        minutes: plan.minutes.into(),
        watched_seconds: plan.watched_seconds,
        days: plan.days.into_iter().map(encode_day).collect(),
        later_count: count(plan.later_count),
        shortfalls: plan.shortfalls.into_iter().map(encode_shortfall).collect(),
        enough_minutes: plan.enough_minutes.map(u32::from),
    }
}

fn encode_day(day: PlannedDay) -> wire::PlannedDay {
    wire::PlannedDay {
        date: day.day.to_string(),
        lessons: day.lessons.into_iter().map(encode_lesson).collect(),
        homework: day.homework.into_iter().map(encode_homework).collect(),
    }
}

fn encode_homework(homework: PlannedHomework) -> wire::PlannedHomework {
    wire::PlannedHomework {
        live_lesson_id: homework.live_lesson_id,
        class_id: homework.class_id,
        class_name: homework.class_name,
        text: homework.text,
        due_date: homework.day.to_string(),
        is_done: homework.is_done,
    }
}

fn encode_lesson(lesson: PlannedLesson) -> wire::PlannedLesson {
    wire::PlannedLesson {
        id: lesson.id,
        name: lesson.name,
        course_id: lesson.course_id,
        course_name: lesson.course_name,
        duration: lesson.duration,
        seconds_left: lesson.seconds_left,
        is_done: lesson.is_done,
        homework_due_date: lesson.homework_day.map(|day| day.to_string()),
    }
}

fn encode_shortfall(shortfall: Shortfall) -> wire::PlanShortfall {
    let deadline = match shortfall.deadline {
        Deadline::Expiry => wire::PlanDeadline::Expiry,
        Deadline::Exam => wire::PlanDeadline::Exam,
        Deadline::Homework => wire::PlanDeadline::Homework,
    };
    wire::PlanShortfall {
        course_id: shortfall.course_id,
        course_name: shortfall.course_name,
        deadline: deadline.into(),
        date: shortfall.day.to_string(),
        lesson_count: count(shortfall.lessons),
    }
}
