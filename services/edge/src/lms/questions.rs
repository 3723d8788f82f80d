//! Questions of lessons, and answers. Only the outcome of an answer contains the key.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::lms;
use proto::lms::answer::Of;
use proto::lms::answer_question_request::Round;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::courses::incomplete;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, JsonBody};
use crate::session::Learner;

/// Id and name.
#[derive(Serialize, ToSchema)]
pub(crate) struct Named {
    id: i64,
    name: String,
}

impl Named {
    pub(super) fn new(named: Option<lms::NamedRef>, field: &'static str) -> Result<Self, Error> {
        let lms::NamedRef { id, name } = named.ok_or_else(|| incomplete(field))?;
        Ok(Self { id, name })
    }
}

/// Form of a question's answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuestionKind {
    /// One choice is right.
    Single,
    /// Several choices are right; all of them must be chosen.
    Multiple,
    /// The answer is a number.
    Number,
    /// The answer is a short text.
    Text,
}

/// A picture of a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionPicture {
    pub(crate) url: String,
    /// Alternative text.
    pub(crate) alt: String,
}

/// A choice of a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct Choice {
    /// Unique within the question.
    pub(crate) id: i32,
    pub(crate) text: String,
}

/// A question without its answer. Texts may contain TeX between dollar signs.
#[derive(Serialize, ToSchema)]
pub(crate) struct AskedQuestion {
    id: i64,
    /// Position in the lesson, from 1.
    number: i32,
    kind: QuestionKind,
    prompt: String,
    #[schema(required)]
    picture: Option<QuestionPicture>,
    /// Empty for numbers and texts.
    choices: Vec<Choice>,
}

impl AskedQuestion {
    pub(super) fn new(question: lms::Question) -> Result<Self, Error> {
        let kind = match question.kind() {
            lms::QuestionKind::Single => QuestionKind::Single,
            lms::QuestionKind::Multiple => QuestionKind::Multiple,
            lms::QuestionKind::Number => QuestionKind::Number,
            lms::QuestionKind::Text => QuestionKind::Text,
            lms::QuestionKind::Unspecified => return Err(incomplete("kind")),
        };
        let choice = |lms::Choice { id, text }| Choice { id, text };
        Ok(Self {
            id: question.id,
            number: question.number,
            kind,
            prompt: question.prompt,
            picture: question.picture.map(|lms::Picture { url, alt }| QuestionPicture { url, alt }),
            choices: question.choices.into_iter().map(choice).collect(),
        })
    }
}

/// An answer: a given one or the key.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// Ids of the choices.
    Choices(Vec<i32>),
    /// A number of any width: sign, thousands separators, a decimal point or a fraction.
    Number(String),
    /// A short text.
    Text(String),
}

impl Answer {
    pub(super) fn new(answer: Option<lms::Answer>) -> Result<Self, Error> {
        Ok(match answer.and_then(|answer| answer.of).ok_or_else(|| incomplete("answer"))? {
            Of::Choices(choices) => Self::Choices(choices.ids),
            Of::Number(number) => Self::Number(number),
            Of::Text(text) => Self::Text(text),
        })
    }

    fn wire(self) -> lms::Answer {
        let of = match self {
            Self::Choices(ids) => Of::Choices(lms::Choices { ids }),
            Self::Number(number) => Of::Number(number),
            Self::Text(text) => Of::Text(text),
        };
        lms::Answer { of: Some(of) }
    }
}

/// Progress of a result.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResultProgress {
    id: i64,
    /// Number of answered questions.
    answered: i32,
    of: i32,
    is_finished: bool,
}

/// Outcome of an answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct Outcome {
    is_right: bool,
    given: Answer,
    /// Correct answer; the first of several accepted texts.
    key: Answer,
    explanation: String,
    /// Position in the video that explains the answer, in seconds; null: none.
    #[schema(required)]
    watch_again_at: Option<i32>,
    /// The result that the answer counts for; null for a review.
    #[schema(required)]
    result: Option<ResultProgress>,
}

impl Outcome {
    fn new(outcome: lms::Outcome) -> Result<Self, Error> {
        Ok(Self {
            is_right: outcome.is_right,
            given: Answer::new(outcome.given)?,
            key: Answer::new(outcome.key)?,
            explanation: outcome.explanation,
            watch_again_at: outcome.watch_again_at,
            result: outcome.result.map(|lms::Standing { id, answered, of, is_finished }| ResultProgress {
                id,
                answered,
                of,
                is_finished,
            }),
        })
    }
}

/// Outcome of a graded attempt, in short.
#[derive(Serialize, ToSchema)]
pub(crate) struct GradedTry {
    is_right: bool,
}

/// A question and the outcome of its graded attempt.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedQuestion {
    #[serde(flatten)]
    question: AskedQuestion,
    /// Whether the lesson needs an answer to count as done.
    is_required: bool,
    /// Graded attempt; null before it.
    #[schema(required)]
    graded: Option<GradedTry>,
}

impl ListedQuestion {
    fn new(listed: lms::ListedQuestion) -> Result<Self, Error> {
        let question = listed.question.ok_or_else(|| incomplete("question"))?;
        Ok(Self {
            is_required: question.is_required,
            question: AskedQuestion::new(question)?,
            graded: listed.is_right.map(|is_right| GradedTry { is_right }),
        })
    }
}

/// The questions of a lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionList {
    count: usize,
    #[schema(max_items = 50)]
    results: Vec<ListedQuestion>,
    /// Id of the graded result; null before the first answer.
    #[schema(required)]
    result: Option<i64>,
}

/// Lists the questions of a lesson, in order. The course must be owned, now or earlier.
#[utoipa::path(
    get,
    path = "/api/lms/lesson/{id}/question/",
    operation_id = "question_list",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 200, description = "The questions.", body = QuestionList))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
) -> Result<Response, Error> {
    let request = lms::ListQuestionsRequest { learner_id: learner.id(), lesson_id };
    let list = edge.questions(&learner).list_questions(request).await?.into_inner();
    let results: Vec<_> = list.questions.into_iter().map(ListedQuestion::new).collect::<Result<_, _>>()?;
    Ok(json(&QuestionList { count: results.len(), results, result: list.result_id }))
}

/// A question with its place in the lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct Question {
    #[serde(flatten)]
    asked: AskedQuestion,
    /// Number of questions in the lesson.
    of: i32,
    lesson: Named,
    course: Named,
    #[schema(required)]
    hint: Option<String>,
    /// Whether the lesson needs an answer to count as done.
    is_required: bool,
    /// Id of the previous question; null for the first.
    #[schema(required)]
    previous: Option<i64>,
    /// Id of the next question; null for the last.
    #[schema(required)]
    next: Option<i64>,
    /// Outcome of the graded attempt; null before it.
    #[schema(required)]
    graded: Option<Outcome>,
}

/// Returns a question. Its course must be owned, now or earlier.
#[utoipa::path(
    get,
    path = "/api/lms/question/{id}/",
    operation_id = "question",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the question.", minimum = 1)),
    responses((status = 200, description = "The question.", body = Question))
)]
pub(crate) async fn question(
    State(edge): State<Edge>,
    learner: Learner,
    Id(id): Id,
) -> Result<Response, Error> {
    let request = lms::GetQuestionRequest { learner_id: learner.id(), id };
    let found = edge.questions(&learner).get_question(request).await?.into_inner();
    let question = found.question.ok_or_else(|| incomplete("question"))?;
    Ok(json(&Question {
        of: found.of,
        lesson: Named::new(found.lesson, "lesson")?,
        course: Named::new(found.course, "course")?,
        hint: found.hint,
        is_required: question.is_required,
        asked: AskedQuestion::new(question)?,
        previous: found.previous_id,
        next: found.next_id,
        graded: found.graded.map(Outcome::new).transpose()?,
    }))
}

/// An answer, and the attempt it counts for.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerRequest {
    answer: Answer,
    /// Id of the practice round's result; null or absent for the graded attempt.
    #[schema(minimum = 1)]
    result: Option<i64>,
    /// Whether the answer is for a due review. Excludes `result`.
    #[schema(required = false)]
    review: bool,
}

impl Form for AnswerRequest {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (answer, result) = (fields.nested("answer"), fields.optional_id("result"));
        let review = fields.flag_or_false("review");
        let form = Self { answer: answer?, result: result?, review: review? };
        if form.review && form.result.is_some() {
            fields.note("result", "INVALID_FORMAT");
            return None;
        }
        Some(form)
    }
}

/// Answers a question: as graded attempt, in a practice round, or as a due review.
///
/// The same answer again returns the same outcome. 409 `ALREADY_ANSWERED` for another answer, 409
/// `NOT_ANSWERED_YET` for practice before the graded attempt, 409 `NOT_DUE` for a review that is not due, 403
/// `EXPIRED_ITEM` if the item has expired. An answer that does not fit the question (an unknown choice, not a
/// number) is 400 and does not use up the attempt.
#[utoipa::path(
    post,
    path = "/api/lms/question/{id}/answer/",
    operation_id = "answer_question",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the question.", minimum = 1)),
    request_body = AnswerRequest,
    responses((status = 200, description = "The outcome.", body = Outcome))
)]
pub(crate) async fn answer(
    State(edge): State<Edge>,
    learner: Learner,
    Id(question_id): Id,
    JsonBody(form): JsonBody<AnswerRequest>,
) -> Result<Response, Error> {
    let round = form.result.map(Round::ResultId).or(form.review.then_some(Round::IsReview(true)));
    let answer = Some(form.answer.wire());
    let request = lms::AnswerQuestionRequest { learner_id: learner.id(), question_id, answer, round };
    let outcome = edge.questions(&learner).answer_question(request).await?.into_inner().outcome;
    Ok(json(&Outcome::new(outcome.ok_or_else(|| incomplete("outcome"))?)?))
}

/// A practice round.
#[derive(Serialize, ToSchema)]
pub(crate) struct Practice {
    /// Id of the result.
    result: i64,
}

/// Starts a practice round over all questions of a lesson.
///
/// 409 `NOT_ANSWERED_YET` until every question has its graded attempt. A round without answers is returned
/// again.
#[utoipa::path(
    post,
    path = "/api/lms/lesson/{id}/practice/",
    operation_id = "practise",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the lesson.", minimum = 1)),
    responses((status = 201, description = "The practice round.", body = Practice))
)]
pub(crate) async fn practise(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    _: Empty,
) -> Result<Response, Error> {
    let request = lms::StartPracticeRequest { learner_id: learner.id(), lesson_id };
    let result = edge.questions(&learner).start_practice(request).await?.into_inner().result_id;
    Ok(json_of(StatusCode::CREATED, "application/json", &Practice { result }))
}
