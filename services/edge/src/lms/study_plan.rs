//! The study plan: some minutes a day, spread over the unchecked lessons and the homework.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::{exam, lms};
use serde::Serialize;
use utoipa::ToSchema;

use super::courses::incomplete;
use super::marks::CourseRef;
use crate::Edge;
use crate::answer::json;
use crate::bulkhead::Part;
use crate::closure::Scope;
use crate::error::Error;
use crate::input::{Fields, Form, JsonBody};
use crate::part::load_optional;
use crate::session::Learner;

/// Most minutes a day.
const MAX_MINUTES: i64 = 120;

/// A lesson in the plan.
#[derive(Serialize, ToSchema)]
struct PlannedLesson {
    id: i64,
    name: String,
    course: CourseRef,
    /// Seconds.
    duration: i32,
    /// Seconds that are not watched yet; 0 for a checked lesson.
    seconds_left: i32,
    /// Whether it was checked today.
    is_done: bool,
    /// The last day of the homework for which it is planned.
    #[schema(required, format = Date)]
    homework_due_date: Option<String>,
}

impl From<lms::PlannedLesson> for PlannedLesson {
    fn from(lesson: lms::PlannedLesson) -> Self {
        Self {
            id: lesson.id,
            name: lesson.name,
            course: CourseRef { id: lesson.course_id, name: lesson.course_name },
            duration: lesson.duration,
            seconds_left: lesson.seconds_left,
            is_done: lesson.is_done,
            homework_due_date: lesson.homework_due_date,
        }
    }
}

/// Homework in the plan. It was not overdue when the day began, nor done before that day.
#[derive(Serialize, ToSchema)]
struct PlannedHomework {
    /// Id of the live lesson.
    id: i64,
    class_id: i64,
    class_name: String,
    text: String,
    /// The last day.
    #[schema(format = Date)]
    due_date: String,
    /// Whether it was marked as done today.
    is_done: bool,
}

impl From<lms::PlannedHomework> for PlannedHomework {
    fn from(homework: lms::PlannedHomework) -> Self {
        Self {
            id: homework.live_lesson_id,
            class_id: homework.class_id,
            class_name: homework.class_name,
            text: homework.text,
            due_date: homework.due_date,
            is_done: homework.is_done,
        }
    }
}

/// The lessons and the homework of a day, which begins at 04:00 in Tokyo.
#[derive(Serialize, ToSchema)]
struct PlannedDay {
    #[schema(format = Date)]
    date: String,
    /// Today first has those that were checked today.
    lessons: Vec<PlannedLesson>,
    /// Each takes 10 minutes of the plan. Today first has what was marked as done today.
    homework: Vec<PlannedHomework>,
}

impl From<lms::PlannedDay> for PlannedDay {
    fn from(day: lms::PlannedDay) -> Self {
        Self {
            date: day.date,
            lessons: day.lessons.into_iter().map(PlannedLesson::from).collect(),
            homework: day.homework.into_iter().map(PlannedHomework::from).collect(),
        }
    }
}

/// Why lessons must be watched until a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PlanDeadline {
    /// The course expires. The lessons that remain are not in the plan.
    Expiry,
    /// An exam begins. The lessons that remain are planned after it.
    Exam,
    /// Homework is due. Lessons that remain are planned after it. Homework that remains is not planned.
    Homework,
}

/// Lessons and homework of a course that do not fit until a day.
#[derive(Serialize, ToSchema)]
struct PlanShortfall {
    course: CourseRef,
    deadline: PlanDeadline,
    /// The last day.
    #[schema(format = Date)]
    date: String,
    /// Homework counts as a lesson.
    lesson_count: u32,
}

impl PlanShortfall {
    fn new(shortfall: lms::PlanShortfall) -> Result<Self, Error> {
        Ok(Self {
            deadline: match shortfall.deadline() {
                lms::PlanDeadline::Expiry => PlanDeadline::Expiry,
                lms::PlanDeadline::Exam => PlanDeadline::Exam,
                lms::PlanDeadline::Homework => PlanDeadline::Homework,
                lms::PlanDeadline::Unspecified => return Err(incomplete("deadline")),
            },
            course: CourseRef { id: shortfall.course_id, name: shortfall.course_name },
            date: shortfall.date,
            lesson_count: shortfall.lesson_count,
        })
    }
}

/// The caller's plan, computed from the present state.
#[derive(Serialize, ToSchema)]
pub(crate) struct StudyPlan {
    /// Minutes a day. 0: the plan is switched off, and the rest is empty.
    minutes: u32,
    /// Seconds of lessons that were watched today.
    watched_seconds: u32,
    /// Today and the 13 days after it.
    days: Vec<PlannedDay>,
    /// Number of lessons that are planned after these days.
    later_count: u32,
    /// What does not fit, soonest deadline first.
    shortfalls: Vec<PlanShortfall>,
    /// The fewest minutes a day without a shortfall; null without one, and if 120 are too few.
    #[schema(required)]
    enough_minutes: Option<u32>,
}

/// The minutes a day.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StudyMinutesForm {
    /// 0, or 5 to 120 in steps of 5. 0 switches the plan off.
    #[schema(minimum = 0, maximum = 120, multiple_of = 5)]
    minutes: u32,
}

impl Form for StudyMinutesForm {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let minutes = fields.whole("minutes", MAX_MINUTES)?;
        Some(Self { minutes: u32::try_from(minutes).ok()? })
    }
}

/// Returns the caller's plan for 14 days.
///
/// The lessons of a course keep their order. Courses with an earlier end, or with an exam of the caller in their subject,
/// come first. Homework of the caller's classes is planned until its last day, and before it the lesson with the recording
/// if the caller was not there. While exams cannot be loaded, the plan is without them.
#[utoipa::path(
    get,
    path = "/api/lms/study-plan/",
    operation_id = "study_plan",
    tag = "lms",
    responses((status = 200, description = "The plan.", body = StudyPlan))
)]
pub(crate) async fn plan(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let exams =
        load_optional(&edge, Part::Exam, Scope::Exam, list_exams(&edge, &learner)).await.unwrap_or_default();
    let request = lms::GetStudyPlanRequest { exams };
    let plan = edge.study_plans(&learner).get_study_plan(request).await?.into_inner();
    Ok(json(&StudyPlan {
        minutes: plan.minutes,
        watched_seconds: plan.watched_seconds,
        days: plan.days.into_iter().map(PlannedDay::from).collect(),
        later_count: plan.later_count,
        shortfalls: plan.shortfalls.into_iter().map(PlanShortfall::new).collect::<Result<_, _>>()?,
        enough_minutes: plan.enough_minutes,
    }))
}

/// Lists the exams that the learner has a seat or an application for.
async fn list_exams(edge: &Edge, learner: &Learner) -> Result<Vec<lms::ExamAhead>, Error> {
    let request = exam::ListApplicationsRequest {};
    let found = edge.applications(learner).list_applications(request).await?.into_inner().applications;
    let mine = found.into_iter().filter(|application| {
        application.state() == exam::ApplicationState::Mine
            && application.stage() != exam::ApplicationStage::HandedIn
    });
    let ahead = mine.filter_map(|application| application.exam).map(|exam| lms::ExamAhead {
        subjects: exam.papers.into_iter().map(|paper| paper.subject).collect(),
        starts_at: exam.starts_at,
    });
    Ok(ahead.collect())
}

/// Stores the minutes a day of the caller's plan. Idempotent.
#[utoipa::path(
    put,
    path = "/api/lms/study-plan/",
    operation_id = "set_study_minutes",
    tag = "lms",
    request_body = StudyMinutesForm,
    responses((status = 204, description = "The minutes are stored."))
)]
pub(crate) async fn set_minutes(
    State(edge): State<Edge>,
    learner: Learner,
    JsonBody(StudyMinutesForm { minutes }): JsonBody<StudyMinutesForm>,
) -> Result<Response, Error> {
    let request = lms::SetStudyMinutesRequest { minutes };
    edge.study_plans(&learner).set_study_minutes(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
