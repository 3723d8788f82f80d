//! A learner's result in one paper of a mock exam, question by question, with the lessons that teach the questions.

use axum::extract::State;
use axum::response::Response;
use proto::exam;
use serde::Serialize;
use utoipa::ToSchema;

use super::incomplete;
use super::lessons::{TeachingLesson, TeachingLessons};
use super::question::{ExamAnswer, ExamQuestion, decode_answer};
use super::result::{Standing, from_tenths};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::Id;
use crate::session::{Learner, OnBehalf};

/// The final result of a paper.
#[derive(Serialize, ToSchema)]
pub(crate) struct FinalPaperResult {
    exam_id: i64,
    paper_id: i64,
    subject: String,
    standing: Standing,
    /// In order.
    questions: Vec<QuestionResult>,
}

impl FinalPaperResult {
    /// Converts a result. Adds the lessons that teach its questions, as the caller may use them.
    pub(super) async fn new(
        edge: &Edge,
        who: &impl OnBehalf,
        result: exam::GetPaperResultResponse,
    ) -> Result<Self, Error> {
        let ids = result.questions.iter().filter_map(|question| question.lesson_id);
        let lessons = TeachingLessons::fetch(edge, who, ids).await;
        let questions = result.questions.into_iter().map(|question| QuestionResult::new(question, &lessons));
        Ok(Self {
            exam_id: result.exam_id,
            paper_id: result.paper_id,
            subject: result.subject,
            standing: Standing::new(result.standing.ok_or_else(|| incomplete("standing"))?),
            questions: questions.collect::<Result<_, _>>()?,
        })
    }
}

/// The result of one question.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionResult {
    question: ExamQuestion,
    /// Null: blank.
    #[schema(required)]
    given: Option<ExamAnswer>,
    /// The first of several accepted texts; the model answer of a written question.
    key: ExamAnswer,
    /// A written answer is right with full points.
    is_right: bool,
    /// Candidates with the right answer, in percent, one decimal.
    #[schema(example = 63.4)]
    right_rate: f64,
    explanation: String,
    /// The lesson that teaches it; null: no lesson of the catalogue.
    #[schema(required)]
    lesson: Option<TeachingLesson>,
    /// Null: not a written question.
    #[schema(required)]
    written_mark: Option<WrittenMark>,
}

/// The mark of a written answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct WrittenMark {
    points: i32,
    /// Remarks of those who decided the points, at most two.
    comments: Vec<String>,
}

impl QuestionResult {
    fn new(result: exam::QuestionResult, lessons: &TeachingLessons) -> Result<Self, Error> {
        Ok(Self {
            question: ExamQuestion::new(result.question.ok_or_else(|| incomplete("question"))?)?,
            given: result.given.map(decode_answer).transpose()?,
            key: decode_answer(result.key.ok_or_else(|| incomplete("key"))?)?,
            is_right: result.is_right,
            right_rate: from_tenths(result.right_rate_tenths),
            explanation: result.explanation,
            lesson: lessons.find(result.lesson_id, result.watch_again_at),
            written_mark: result
                .written_mark
                .map(|exam::WrittenMark { points, comments }| WrittenMark { points, comments }),
        })
    }
}

/// Returns the caller's final result of a paper, question by question. 409 `NOT_FINAL` before it is final,
/// `NOTHING_HANDED_IN` if the paper was not handed in.
#[utoipa::path(
    get,
    path = "/api/exam/paper/{id}/result/",
    operation_id = "exam_paper_result",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the paper.", minimum = 1)),
    responses((status = 200, description = "The result.", body = FinalPaperResult))
)]
pub(crate) async fn paper_result(
    State(edge): State<Edge>,
    learner: Learner,
    Id(paper_id): Id,
) -> Result<Response, Error> {
    let request = exam::GetPaperResultRequest { paper_id };
    let found = edge.exam_results(&learner).get_paper_result(request).await?.into_inner();
    Ok(json(&FinalPaperResult::new(&edge, &learner, found).await?))
}

/// A question of an exam, with its result.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExamQuestionResult {
    exam_id: i64,
    exam_name: String,
    subject: String,
    result: QuestionResult,
}

/// Returns the caller's final result of one question. 409 `NOT_FINAL` before it is final, `NOTHING_HANDED_IN` if its
/// paper was not handed in.
#[utoipa::path(
    get,
    path = "/api/exam/question/{id}/result/",
    operation_id = "exam_question_result",
    tag = "exam",
    params(("id" = i64, Path, description = "Id of the question.", minimum = 1)),
    responses((status = 200, description = "The result.", body = ExamQuestionResult))
)]
pub(crate) async fn question_result(
    State(edge): State<Edge>,
    learner: Learner,
    Id(question_id): Id,
) -> Result<Response, Error> {
    let request = exam::GetQuestionResultRequest { question_id };
    let found = edge.exam_results(&learner).get_question_result(request).await?.into_inner();
    let result = found.result.ok_or_else(|| incomplete("result"))?;
    let lessons = TeachingLessons::fetch(&edge, &learner, result.lesson_id.into_iter()).await;
    Ok(json(&ExamQuestionResult {
        exam_id: found.exam_id,
        exam_name: found.exam_name,
        subject: found.subject,
        result: QuestionResult::new(result, &lessons)?,
    }))
}
