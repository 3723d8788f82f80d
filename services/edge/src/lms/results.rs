//! A learner's results in the questions of lessons.

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

/// Kind of a result.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResultKind {
    /// Graded attempts of a lesson.
    Graded,
    /// A practice round.
    Practice,
}

/// The caller's result in the questions of a lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonResult {
    id: i64,
    kind: ResultKind,
    lesson: Named,
    course: Named,
    #[schema(example = "数学")]
    subject: String,
    /// Number of questions at the time of the last answer.
    question_count: i32,
    answered_count: i32,
    /// Number of right answers.
    right_count: i32,
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    /// When the last question was answered; null while any is open.
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

/// Lists the caller's results, newest first.
#[utoipa::path(
    get,
    path = "/api/lms/result/",
    operation_id = "result_list",
    tag = "lms",
    params(
        ("subject" = Option<Subject>, Query, description = "Filter by subject."),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of results.", body = Page<LessonResult>))
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

/// A question of a result. The fields that reveal the answer are null until it is answered.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResultAnswer {
    question: AskedQuestion,
    #[schema(required)]
    given: Option<Answer>,
    #[schema(required)]
    is_right: Option<bool>,
    /// Correct answer; the first of several accepted texts.
    #[schema(required)]
    key: Option<Answer>,
    #[schema(required)]
    explanation: Option<String>,
    /// Position in the video that explains the answer, in seconds.
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
    /// Ordered as the questions.
    #[schema(max_items = 50)]
    answers: Vec<ResultAnswer>,
}

/// Returns a result of the caller.
#[utoipa::path(
    get,
    path = "/api/lms/result/{id}/",
    operation_id = "result",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the result.", minimum = 1)),
    responses((status = 200, description = "The result.", body = LessonResultWithAnswers))
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

/// Results of the caller's graded attempts over time.
#[derive(Serialize, ToSchema)]
pub(crate) struct Growth {
    /// Subjects with answers.
    subjects: Vec<SubjectGrowth>,
}

/// Results of the graded attempts in one subject.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubjectGrowth {
    #[schema(example = "数学")]
    subject: String,
    /// The last 60 days with answers, oldest first.
    #[schema(max_items = 60)]
    points: Vec<GrowthPoint>,
}

/// Results of the graded attempts of one day.
#[derive(Serialize, ToSchema)]
pub(crate) struct GrowthPoint {
    /// A day begins at 04:00 in Tokyo.
    #[schema(format = Date, example = "2026-11-20")]
    date: String,
    right: i32,
    of: i32,
}

/// Returns the results of the caller's graded attempts, by subject and day.
#[utoipa::path(
    get,
    path = "/api/lms/result/growth/",
    operation_id = "growth",
    tag = "lms",
    responses((status = 200, description = "Chart points by subject.", body = Growth))
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
