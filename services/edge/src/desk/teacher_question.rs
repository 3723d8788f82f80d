//! The questions that a learner has asked the teachers.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use super::question_picture::MessagePicture;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Empty, Key, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// What the caller may ask.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionAllowance {
    /// Questions left this month; null: without a limit.
    #[schema(required)]
    left: Option<u32>,
    /// Questions a month without a subscription.
    monthly: u32,
    /// When the next month begins in Tokyo.
    #[serde(with = "time::serde::rfc3339")]
    renews_at: OffsetDateTime,
    /// Answered questions that the caller has not opened since.
    unread: u32,
}

/// What a question is about.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionPlace {
    course: i64,
    course_name: String,
    lesson: i64,
    lesson_name: String,
    /// Position in the video, in seconds; null: none.
    #[schema(required)]
    at: Option<u32>,
    /// A question of the lesson; null: none.
    #[schema(required)]
    exercise: Option<i64>,
    /// Its text.
    #[schema(required)]
    exercise_text: Option<String>,
}

impl From<desk::QuestionPlace> for QuestionPlace {
    fn from(place: desk::QuestionPlace) -> Self {
        Self {
            course: place.course_id,
            course_name: place.course_name,
            lesson: place.lesson_id,
            lesson_name: place.lesson_name,
            at: place.at,
            exercise: place.exercise_id,
            exercise_text: place.exercise_text,
        }
    }
}

/// A question of the caller.
#[derive(Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(crate) struct TeacherQuestion {
    #[schema(format = Uuid)]
    id: String,
    /// The first message, as typed.
    text: String,
    /// Null: nothing in particular.
    #[schema(required)]
    place: Option<QuestionPlace>,
    #[serde(with = "time::serde::rfc3339")]
    asked_at: OffsetDateTime,
    /// Whether it waits for an answer.
    is_waiting: bool,
    /// Until when the answer is promised; null: without a promise, or answered.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    due_at: Option<OffsetDateTime>,
    /// Who answers, or has answered; empty until a teacher takes it.
    teacher: String,
    /// The last answer; null: none.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    answered_at: Option<OffsetDateTime>,
    /// Whether the last answer was not opened yet.
    is_unread: bool,
    is_thanked: bool,
    /// Whether owners of the lesson may read the answered question without a name.
    is_shared: bool,
    can_ask_again: bool,
}

impl TeacherQuestion {
    fn new(question: desk::TeacherQuestion) -> Result<Self, Error> {
        Ok(Self {
            id: question.id,
            text: question.text,
            place: question.place.map(Into::into),
            asked_at: parse_timestamp(question.asked_at)?,
            is_waiting: question.is_waiting,
            due_at: parse_optional_timestamp(question.due_at)?,
            teacher: question.teacher,
            answered_at: parse_optional_timestamp(question.answered_at)?,
            is_unread: question.is_unread,
            is_thanked: question.is_thanked,
            is_shared: question.is_shared,
            can_ask_again: question.can_ask_again,
        })
    }
}

/// A message of a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionMessage {
    /// Who answered; empty: the learner.
    teacher: String,
    /// A teacher's text may contain TeX between dollar signs.
    text: String,
    #[serde(with = "time::serde::rfc3339")]
    sent_at: OffsetDateTime,
    /// The lesson that an answer refers to; null: none.
    #[schema(required)]
    lesson: Option<i64>,
    /// Position in its video, in seconds.
    #[schema(required)]
    at: Option<u32>,
    /// In their order.
    pictures: Vec<MessagePicture>,
}

impl QuestionMessage {
    pub(super) fn new(message: desk::QuestionMessage) -> Result<Self, Error> {
        Ok(Self {
            teacher: message.teacher,
            text: message.text,
            sent_at: parse_timestamp(message.sent_at)?,
            lesson: message.lesson_id,
            at: message.at,
            pictures: message
                .pictures
                .into_iter()
                .map(MessagePicture::from_wire)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// A question with its messages.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeacherQuestionThread {
    question: TeacherQuestion,
    /// Oldest first.
    messages: Vec<QuestionMessage>,
}

impl TeacherQuestionThread {
    fn new(
        question: Option<desk::TeacherQuestion>,
        messages: Vec<desk::QuestionMessage>,
    ) -> Result<Self, Error> {
        Ok(Self {
            question: TeacherQuestion::new(question.ok_or_else(|| incomplete("question"))?)?,
            messages: messages.into_iter().map(QuestionMessage::new).collect::<Result<_, _>>()?,
        })
    }

    /// Fetches every question of the caller, oldest first.
    pub(crate) async fn export(
        edge: &Edge,
        caller: &impl crate::session::OnBehalf,
    ) -> Result<Vec<Self>, Error> {
        let request = desk::ExportTeacherQuestionsRequest {};
        let mut stream = edge.teacher_questions(caller).export_teacher_questions(request).await?.into_inner();
        let mut questions = Vec::new();
        while let Some(part) = stream.message().await? {
            questions.push(Self::new(part.question, part.messages)?);
        }
        Ok(questions)
    }
}

/// Returns what the caller may ask this month.
#[utoipa::path(
    get,
    path = "/api/desk/question/allowance/",
    operation_id = "question_allowance",
    tag = "desk",
    responses((status = 200, description = "What the caller may ask.", body = QuestionAllowance))
)]
pub(crate) async fn allowance(State(edge): State<Edge>, learner: Learner) -> Result<Response, Error> {
    let request = desk::GetQuestionAllowanceRequest {};
    let allowance = edge.teacher_questions(&learner).get_question_allowance(request).await?.into_inner();
    Ok(json(&QuestionAllowance {
        left: allowance.left,
        monthly: allowance.monthly,
        renews_at: parse_timestamp(allowance.renews_at)?,
        unread: allowance.unread,
    }))
}

/// Lists the caller's questions, last changed first.
#[utoipa::path(
    get,
    path = "/api/desk/question/",
    operation_id = "teacher_question_list",
    tag = "desk",
    params(("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)),
    responses((status = 200, description = "A page of questions.", body = Page<TeacherQuestion>))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    let request = desk::ListTeacherQuestionsRequest { page };
    let list = edge.teacher_questions(&learner).list_teacher_questions(request).await?.into_inner();
    let listing = List { path: "/api/desk/question/", filters: &[], page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.questions, TeacherQuestion::new)?))
}

/// Returns a question of the caller with its messages. Its answer counts as read.
#[utoipa::path(
    get,
    path = "/api/desk/question/{id}/",
    operation_id = "teacher_question",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the question.")),
    responses((status = 200, description = "The question.", body = TeacherQuestionThread))
)]
pub(crate) async fn question(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = desk::GetTeacherQuestionRequest { id: id.to_string() };
    let found = edge.teacher_questions(&learner).get_teacher_question(request).await?.into_inner();
    Ok(json(&TeacherQuestionThread::new(found.question, found.messages)?))
}

/// Thanks the teacher for the answer. Idempotent. 409 `ANSWER_PENDING` without an answer.
#[utoipa::path(
    put,
    path = "/api/desk/question/{id}/thanks/",
    operation_id = "thank_teacher",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the question.")),
    responses((status = 204, description = "The thanks were stored."))
)]
pub(crate) async fn thank(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    _: Empty,
) -> Result<Response, Error> {
    edge.teacher_questions(&learner).thank(desk::ThankRequest { id: id.to_string() }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
