//! The body of an overview. It has no answers, notes or searches of the learner.

use proto::{commerce, desk, exam, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::accounts::guardian::{ChildCourse, ChildNextLesson};
use crate::commerce::order::OrderState;
use crate::error::Error;
use crate::exam::child_results::ListedResult;
use crate::lms::heartbeats::WatchedDay;
use crate::timestamp::parse_timestamp;

/// What each linked guardian sees of a learner, and the learner too.
#[derive(Serialize, ToSchema)]
pub(crate) struct Overview {
    /// Account id of the learner.
    #[schema(format = Uuid)]
    pub(super) id: String,
    pub(super) name: String,
    #[schema(required, example = "中1")]
    pub(super) school_year: Option<String>,
    /// Null: cannot be loaded now.
    #[schema(required)]
    pub(super) learning: Option<Learning>,
    /// Null: cannot be loaded now.
    #[schema(required)]
    pub(super) exams: Option<Exams>,
    /// Null: cannot be loaded now.
    #[schema(required)]
    pub(super) appointments: Option<Appointments>,
    /// What was bought for the learner, by anyone, newest first. Null: cannot be loaded now.
    #[schema(required, max_items = 10)]
    pub(super) purchases: Option<Vec<Purchase>>,
}

/// The learning of a learner.
#[derive(Serialize, ToSchema)]
#[schema(as = LearningOverview)]
pub(crate) struct Learning {
    /// The last 14 days, oldest first. The last one is today.
    #[schema(min_items = 14, max_items = 14)]
    days: Vec<WatchedDay>,
    /// Last watched first, then newest.
    courses: Vec<ChildCourse>,
    /// Null without a lesson that is left to do in a course that can be used.
    #[schema(required)]
    next_lesson: Option<ChildNextLesson>,
    /// Number of questions that are due for review.
    due_count: u32,
    /// Subjects with graded answers.
    subjects: Vec<SubjectResult>,
}

/// Graded answers in a subject, on the last 60 days with answers.
#[derive(Serialize, ToSchema)]
struct SubjectResult {
    #[schema(example = "数学")]
    subject: String,
    answer_count: u32,
    right_count: u32,
    /// The last day with answers.
    #[schema(format = Date, example = "2026-11-20")]
    last_date: String,
}

impl From<lms::SubjectResult> for SubjectResult {
    fn from(result: lms::SubjectResult) -> Self {
        let lms::SubjectResult { subject, answer_count, right_count, last_date } = result;
        Self { subject, answer_count, right_count, last_date }
    }
}

impl Learning {
    pub(super) fn new(found: lms::GetLearningOverviewResponse) -> Result<Self, Error> {
        Ok(Self {
            days: found.days.into_iter().map(WatchedDay::from).collect(),
            courses: found.courses.into_iter().map(ChildCourse::new).collect::<Result<_, _>>()?,
            next_lesson: found.next_lesson.map(ChildNextLesson::from),
            due_count: found.due_count,
            subjects: found.subjects.into_iter().map(SubjectResult::from).collect(),
        })
    }
}

/// The mock exams of a learner.
#[derive(Serialize, ToSchema)]
#[schema(as = ExamOverview)]
pub(crate) struct Exams {
    /// Exams that have not ended, soonest first.
    next: Vec<NextExam>,
    /// Newest first.
    results: Vec<ListedResult>,
    /// The total of the first of `results`. Null unless every paper is marked.
    #[schema(required)]
    last_total: Option<ExamTotal>,
}

/// An exam that has not ended.
#[derive(Serialize, ToSchema)]
struct NextExam {
    exam_id: i64,
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    /// Whether a step before the exam is open.
    is_application_open: bool,
}

impl NextExam {
    fn new(next: exam::NextExam) -> Result<Self, Error> {
        Ok(Self {
            exam_id: next.exam_id,
            name: next.name,
            starts_at: parse_timestamp(next.starts_at)?,
            ends_at: parse_timestamp(next.ends_at)?,
            is_application_open: next.is_application_open,
        })
    }
}

/// The total of a result.
#[derive(Serialize, ToSchema)]
struct ExamTotal {
    points: i32,
    full_points: i32,
    /// 偏差値 in tenths. Null with fewer than two candidates.
    #[schema(required)]
    deviation_score_tenths: Option<i32>,
}

impl From<exam::ExamTotal> for ExamTotal {
    fn from(total: exam::ExamTotal) -> Self {
        let exam::ExamTotal { points, full_points, deviation_score_tenths } = total;
        Self { points, full_points, deviation_score_tenths }
    }
}

impl Exams {
    pub(super) fn new(found: exam::GetExamOverviewResponse) -> Result<Self, Error> {
        Ok(Self {
            next: found.next.into_iter().map(NextExam::new).collect::<Result<_, _>>()?,
            results: found.results.into_iter().map(ListedResult::new).collect::<Result<_, _>>()?,
            last_total: found.last_total.map(ExamTotal::from),
        })
    }
}

/// What a learner has ahead at the school.
#[derive(Serialize, ToSchema)]
pub(crate) struct Appointments {
    /// Soonest first.
    interviews: Vec<BookedInterview>,
    /// Soonest first.
    events: Vec<EnteredEvent>,
}

/// A booked interview.
#[derive(Serialize, ToSchema)]
struct BookedInterview {
    kind_name: String,
    teacher: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
}

impl BookedInterview {
    fn new(interview: desk::BookedInterview) -> Result<Self, Error> {
        Ok(Self {
            kind_name: interview.kind_name,
            teacher: interview.teacher,
            starts_at: parse_timestamp(interview.starts_at)?,
            ends_at: parse_timestamp(interview.ends_at)?,
        })
    }
}

/// An event with an entry of the learner.
#[derive(Serialize, ToSchema)]
struct EnteredEvent {
    event_id: i64,
    title: String,
    place: String,
    #[serde(with = "time::serde::rfc3339")]
    starts_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    ends_at: OffsetDateTime,
    /// Whether the learner has a place. Otherwise the learner waits for one, or was offered one.
    has_place: bool,
}

impl EnteredEvent {
    fn new(event: desk::EnteredEvent) -> Result<Self, Error> {
        Ok(Self {
            event_id: event.event_id,
            title: event.title,
            place: event.place,
            starts_at: parse_timestamp(event.starts_at)?,
            ends_at: parse_timestamp(event.ends_at)?,
            has_place: event.has_place,
        })
    }
}

impl Appointments {
    pub(super) fn new(found: desk::ListAppointmentsResponse) -> Result<Self, Error> {
        Ok(Self {
            interviews: found.interviews.into_iter().map(BookedInterview::new).collect::<Result<_, _>>()?,
            events: found.events.into_iter().map(EnteredEvent::new).collect::<Result<_, _>>()?,
        })
    }
}

/// A line of an order for a learner.
#[derive(Serialize, ToSchema)]
#[schema(as = LearnerPurchase)]
pub(crate) struct Purchase {
    name: String,
    #[serde(with = "time::serde::rfc3339")]
    placed_at: OffsetDateTime,
    state: OrderState,
    /// Yen, tax included, after the discount.
    #[schema(minimum = 0)]
    amount: i32,
}

pub(super) fn encode_purchases(
    found: commerce::ListLearnerPurchasesResponse,
) -> Result<Vec<Purchase>, Error> {
    let purchases = found.purchases.into_iter().map(|purchase| {
        Ok(Purchase {
            state: OrderState::new(purchase.state())?,
            name: purchase.name,
            placed_at: parse_timestamp(purchase.placed_at)?,
            amount: purchase.amount,
        })
    });
    purchases.collect()
}
