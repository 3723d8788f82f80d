//! Questions of learners to the teachers.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::{auth, desk, lms};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::incomplete;
use crate::Edge;
use crate::answer::{json, json_of};
use crate::error::Error;
use crate::input::{Empty, Fields, Form, Id, IdempotencyKey, JsonBody, Key, Query};
use crate::page::{List, Page};
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Longest input in characters: surrounding space and CRLF line ends are removed later.
const MAX_TEXT_INPUT: usize = 4_000;

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

/// A question to a teacher.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeacherQuestionDraft {
    /// As typed; 10 to 2,000 characters, not counting surrounding space.
    #[schema(min_length = 1, max_length = 4000, pattern = "^[^\\u0000]+$")]
    text: String,
    /// The lesson that the question is about, which the caller owns; null: none.
    #[schema(required = false, minimum = 1)]
    lesson: Option<i64>,
    /// Position in the lesson's video, in seconds; null: none. Needs `lesson`.
    #[schema(required = false, minimum = 0, maximum = 86_400)]
    at: Option<u32>,
    /// A question of the lesson; null: none. Needs `lesson`.
    #[schema(required = false, minimum = 1)]
    exercise: Option<i64>,
    /// Whether owners of the lesson may read the answered question without a name.
    is_shared: bool,
}

impl Form for TeacherQuestionDraft {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let text = fields.text("text", MAX_TEXT_INPUT);
        let (lesson, exercise) = (fields.optional_id("lesson"), fields.optional_id("exercise"));
        let at = fields.optional_whole("at", 86_400);
        let is_shared = fields.flag("is_shared");
        Some(Self {
            text: text?,
            lesson: lesson?,
            at: at?.and_then(|at| u32::try_from(at).ok()),
            exercise: exercise?,
            is_shared: is_shared?,
        })
    }
}

/// The id of an accepted question.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeacherQuestionTaken {
    #[schema(format = Uuid)]
    id: String,
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
}

impl QuestionMessage {
    fn new(message: desk::QuestionMessage) -> Result<Self, Error> {
        Ok(Self {
            teacher: message.teacher,
            text: message.text,
            sent_at: parse_timestamp(message.sent_at)?,
            lesson: message.lesson_id,
            at: message.at,
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

/// Asks the teachers a question.
///
/// 404 for a lesson or an exercise that the caller does not own. 409 `QUESTIONS_USED_UP` beyond the monthly limit. The
/// same idempotency key again returns the same question; with other content it is 409.
#[utoipa::path(
    post,
    path = "/api/desk/question/",
    operation_id = "ask_teacher",
    tag = "desk",
    params(("Idempotency-Key" = String, Header, description = "Idempotency key, chosen by the browser for each question.", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")),
    request_body = TeacherQuestionDraft,
    responses((status = 201, description = "The accepted question.", body = TeacherQuestionTaken))
)]
pub(crate) async fn ask(
    State(edge): State<Edge>,
    learner: Learner,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(draft): JsonBody<TeacherQuestionDraft>,
) -> Result<Response, Error> {
    let (place, asker) = tokio::try_join!(find_place(&edge, &learner, &draft), find_asker(&edge, &learner))?;
    let request = desk::AskRequest {
        idempotency_key,
        text: draft.text,
        place,
        is_shared: draft.is_shared,
        asker: Some(asker),
    };
    let id = edge.teacher_questions(&learner).ask(request).await?.into_inner().id;
    Ok(json_of(StatusCode::CREATED, "application/json", &TeacherQuestionTaken { id }))
}

/// The lesson and the exercise of a draft. Both must be the caller's.
async fn find_place(
    edge: &Edge,
    learner: &Learner,
    draft: &TeacherQuestionDraft,
) -> Result<Option<desk::QuestionPlace>, Error> {
    let Some(lesson) = draft.lesson else { return Ok(None) };
    let owned = find_lesson(edge, learner, lesson).await?;
    let exercise_text = match draft.exercise {
        None => None,
        Some(id) => {
            let request = lms::GetQuestionRequest { learner_id: learner.id(), id };
            let exercise = edge.questions(learner).get_question(request).await?.into_inner();
            if exercise.lesson.is_none_or(|of| of.id != lesson) {
                return Err(Error::NotFound);
            }
            Some(exercise.question.ok_or_else(|| incomplete("question"))?.prompt)
        }
    };
    Ok(Some(desk::QuestionPlace { at: draft.at, exercise_id: draft.exercise, exercise_text, ..owned }))
}

/// A lesson that the caller owns or owned, with the names of it and its course.
async fn find_lesson(edge: &Edge, learner: &Learner, lesson: i64) -> Result<desk::QuestionPlace, Error> {
    let request = lms::GetLessonRequest { learner_id: learner.id(), lesson_id: lesson };
    let lesson = edge.lessons(learner).get_lesson(request).await?.into_inner().lesson;
    let (reference, lesson) =
        lesson.and_then(|of| Some((of.clone(), of.lesson?))).ok_or_else(|| incomplete("lesson"))?;
    Ok(desk::QuestionPlace {
        course_id: reference.course_id,
        course_name: reference.course_name,
        lesson_id: lesson.id,
        lesson_name: lesson.name,
        at: None,
        exercise_id: None,
        exercise_text: None,
    })
}

/// The caller's name and address, for the mail about the answer.
async fn find_asker(edge: &Edge, learner: &Learner) -> Result<desk::QuestionAsker, Error> {
    let request = auth::GetUserRequest { user_id: learner.id() };
    let user = edge.auth(learner).get_user(request).await?.into_inner().user;
    let user = user.ok_or_else(|| incomplete("user"))?;
    Ok(desk::QuestionAsker { name: format!("{} {}", user.last_name, user.first_name), email: user.email })
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

/// A further question below an answer.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowUpDraft {
    /// As typed; 10 to 2,000 characters, not counting surrounding space.
    #[schema(min_length = 1, max_length = 4000, pattern = "^[^\\u0000]+$")]
    text: String,
}

impl Form for FollowUpDraft {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { text: fields.text("text", MAX_TEXT_INPUT)? })
    }
}

/// Asks again below an answer. It does not count toward the monthly limit.
///
/// 409 `ANSWER_PENDING` while the question waits, `QUESTION_CLOSED` after three further questions. The same
/// idempotency key again changes nothing; with other content it is 409.
#[utoipa::path(
    post,
    path = "/api/desk/question/{id}/again/",
    operation_id = "ask_teacher_again",
    tag = "desk",
    params(
        ("id" = uuid::Uuid, Path, description = "Id of the question."),
        ("Idempotency-Key" = String, Header, description = "Idempotency key, chosen by the browser for each question.", min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9-]+$")
    ),
    request_body = FollowUpDraft,
    responses((status = 204, description = "The further question was stored."))
)]
pub(crate) async fn ask_again(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(draft): JsonBody<FollowUpDraft>,
) -> Result<Response, Error> {
    let asker = find_asker(&edge, &learner).await?;
    let request =
        desk::AskAgainRequest { idempotency_key, id: id.to_string(), text: draft.text, asker: Some(asker) };
    edge.teacher_questions(&learner).ask_again(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
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

/// Whether a question is shared.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionSharing {
    is_shared: bool,
}

impl Form for QuestionSharing {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { is_shared: fields.flag("is_shared")? })
    }
}

/// Allows or forbids that owners of the lesson read the answered question without a name. Idempotent.
#[utoipa::path(
    put,
    path = "/api/desk/question/{id}/sharing/",
    operation_id = "share_teacher_question",
    tag = "desk",
    params(("id" = uuid::Uuid, Path, description = "Id of the question.")),
    request_body = QuestionSharing,
    responses((status = 204, description = "The choice was stored."))
)]
pub(crate) async fn share(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    JsonBody(sharing): JsonBody<QuestionSharing>,
) -> Result<Response, Error> {
    let request = desk::ShareTeacherQuestionRequest { id: id.to_string(), is_shared: sharing.is_shared };
    edge.teacher_questions(&learner).share_teacher_question(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// An answered question of another owner of the lesson, without a name.
#[derive(Serialize, ToSchema)]
pub(crate) struct SharedQuestion {
    #[schema(format = Uuid)]
    id: String,
    /// Position in the video, in seconds; null: none.
    #[schema(required)]
    at: Option<u32>,
    /// Oldest first, up to the last answer.
    messages: Vec<QuestionMessage>,
    /// Whether it is the caller's own.
    is_own: bool,
}

impl SharedQuestion {
    fn new(question: desk::SharedQuestion) -> Result<Self, Error> {
        Ok(Self {
            id: question.id,
            at: question.at,
            messages: question.messages.into_iter().map(QuestionMessage::new).collect::<Result<_, _>>()?,
            is_own: question.is_own,
        })
    }
}

/// Lists the answered questions of a lesson that their learners share, newest first. 404 for a lesson that the caller
/// does not own.
#[utoipa::path(
    get,
    path = "/api/desk/lesson/{id}/question/",
    operation_id = "shared_question_list",
    tag = "desk",
    params(
        ("id" = i64, Path, description = "Id of the lesson.", minimum = 1),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of questions.", body = Page<SharedQuestion>))
)]
pub(crate) async fn shared(
    State(edge): State<Edge>,
    learner: Learner,
    Id(lesson_id): Id,
    query: Query,
) -> Result<Response, Error> {
    let page = query.page()?;
    find_lesson(&edge, &learner, lesson_id).await?;
    let request = desk::ListSharedQuestionsRequest { lesson_id, page };
    let list = edge.teacher_questions(&learner).list_shared_questions(request).await?.into_inner();
    let path = format!("/api/desk/lesson/{lesson_id}/question/");
    let listing = List { path: &path, filters: &[], page, count: list.count };
    Ok(json(&Page::new(&edge, &listing, list.questions, SharedQuestion::new)?))
}
