//! How a learner did in the questions of lessons.

use axum::extract::State;
use axum::response::Response;
use proto::lms;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::course_list::Subject;
use super::courses::incomplete;
use super::questions::{Answer, AskedQuestion, Named};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Id, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// What a result is of.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResultKind {
    /// The graded tries of a lesson.
    Graded,
    /// A round of practice.
    Practice,
}

/// How the caller did in the questions of a lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonResult {
    id: i64,
    kind: ResultKind,
    lesson: Named,
    course: Named,
    #[schema(example = "数学")]
    subject: String,
    /// How many questions there were at the last answer.
    question_count: i32,
    answered_count: i32,
    /// Of those that are answered.
    right_count: i32,
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    /// Null while a question is open.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    finished_at: Option<OffsetDateTime>,
}

impl LessonResult {
    fn new(result: lms::Result) -> Result<Self, Error> {
        let kind = match result.kind() {
            lms::ResultKind::Graded => ResultKind::Graded,
            lms::ResultKind::Practice => ResultKind::Practice,
            lms::ResultKind::Unspecified => return Err(incomplete("kind")),
        };
        Ok(Self {
            id: result.id,
            kind,
            lesson: Named::new(result.lesson, "lesson")?,
            course: Named::new(result.course, "course")?,
            subject: result.subject,
            question_count: result.question_count,
            answered_count: result.answered_count,
            right_count: result.right_count,
            started_at: parse_timestamp(result.started_at)?,
            finished_at: parse_optional_timestamp(result.finished_at)?,
        })
    }
}

/// The caller's results, the newest first.
#[utoipa::path(
    get,
    path = "/api/lms/result/",
    operation_id = "result_list",
    tag = "lms",
    params(
        ("subject" = Option<Subject>, Query, description = "Only of this subject"),
        ("page" = Option<u32>, Query, description = "From 1; beyond the last is 404", minimum = 1)
    ),
    responses((status = 200, description = "A page of them", body = Page<LessonResult>))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    query.choice::<Subject>("subject")?;
    let subject = query.text("subject")?;
    let filters: Vec<_> = subject.clone().map(|subject| ("subject", subject)).into_iter().collect();
    let request = lms::ListResultsRequest { learner_id: learner.id(), page, subject };
    let found = edge.questions(&learner).list_results(request).await?.into_inner();
    let list = List { path: "/api/lms/result/", filters: &filters, page, count: found.count };
    Ok(json(&Page::new(&edge, &list, found.results, LessonResult::new)?))
}

/// A question within a result. What tells the answer is null where it is not answered.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResultAnswer {
    question: AskedQuestion,
    #[schema(required)]
    given: Option<Answer>,
    #[schema(required)]
    is_right: Option<bool>,
    /// What would have been right; of several texts the first.
    #[schema(required)]
    key: Option<Answer>,
    #[schema(required)]
    explanation: Option<String>,
    /// Where the video tells it, in seconds.
    #[schema(required)]
    watch_again_at: Option<i32>,
}

impl ResultAnswer {
    fn new(answer: lms::ResultAnswer) -> Result<Self, Error> {
        let question = AskedQuestion::new(answer.question.ok_or_else(|| incomplete("question"))?)?;
        let Some(outcome) = answer.outcome else {
            let (given, key) = (None, None);
            return Ok(Self {
                question,
                given,
                is_right: None,
                key,
                explanation: None,
                watch_again_at: None,
            });
        };
        Ok(Self {
            question,
            given: Some(Answer::new(outcome.given)?),
            is_right: Some(outcome.is_right),
            key: Some(Answer::new(outcome.key)?),
            explanation: Some(outcome.explanation),
            watch_again_at: outcome.watch_again_at,
        })
    }
}

/// A result with its answers.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonResultWithAnswers {
    #[serde(flatten)]
    result: LessonResult,
    /// In the order of the questions.
    #[schema(max_items = 50)]
    answers: Vec<ResultAnswer>,
}

/// One of the caller's results.
#[utoipa::path(
    get,
    path = "/api/lms/result/{id}/",
    operation_id = "result",
    tag = "lms",
    params(("id" = i64, Path, description = "The result", minimum = 1)),
    responses((status = 200, description = "The result", body = LessonResultWithAnswers))
)]
pub(crate) async fn result(
    State(edge): State<Edge>,
    learner: Learner,
    Id(id): Id,
) -> Result<Response, Error> {
    let request = lms::GetResultRequest { learner_id: learner.id(), id };
    let found = edge.questions(&learner).get_result(request).await?.into_inner();
    Ok(json(&LessonResultWithAnswers {
        result: LessonResult::new(found.result.ok_or_else(|| incomplete("result"))?)?,
        answers: found.answers.into_iter().map(ResultAnswer::new).collect::<Result<_, _>>()?,
    }))
}

/// How the caller's graded tries went.
#[derive(Serialize, ToSchema)]
pub(crate) struct Growth {
    /// Those in which something was answered.
    subjects: Vec<SubjectGrowth>,
}

/// How graded tries of one subject went.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubjectGrowth {
    #[schema(example = "数学")]
    subject: String,
    /// Oldest first; the last 60 days with answers.
    #[schema(max_items = 60)]
    points: Vec<GrowthPoint>,
}

/// How the graded tries of one day went.
#[derive(Serialize, ToSchema)]
pub(crate) struct GrowthPoint {
    /// A day begins at 04:00 in Tokyo.
    #[schema(format = Date, example = "2026-11-20")]
    date: String,
    right: i32,
    of: i32,
}

/// How the caller's graded tries went, by subject and day.
#[utoipa::path(
    get,
    path = "/api/lms/result/growth/",
    operation_id = "growth",
    tag = "lms",
    responses((status = 200, description = "Points of a chart for each subject", body = Growth))
)]
pub(crate) async fn growth(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let request = lms::GetGrowthRequest { learner_id: learner.id() };
    let found = edge.questions(&learner).get_growth(request).await?.into_inner();
    let point = |lms::GrowthPoint { date, right, of }| GrowthPoint { date, right, of };
    let subjects = found.subjects.into_iter().map(|lms::SubjectGrowth { subject, points }| SubjectGrowth {
        subject,
        points: points.into_iter().map(point).collect(),
    });
    Ok(json(&Growth { subjects: subjects.collect() }))
}
