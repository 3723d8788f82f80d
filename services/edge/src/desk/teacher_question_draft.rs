//! Asking the teachers: new questions and follow-ups.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::{desk, lms};
use serde::Serialize;
use utoipa::ToSchema;

use super::incomplete;
use super::question_lesson::find_lesson;
use super::question_picture::MessagePicture;
use crate::Edge;
use crate::answer::json_of;
use crate::error::Error;
use crate::input::{Fields, Form, IdempotencyKey, JsonBody, Key};
use crate::own_account::{find_own_account, full_name};
use crate::session::Learner;

/// Longest input in characters: surrounding space and CRLF line ends are removed later.
const MAX_TEXT_INPUT: usize = 4_000;

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
    /// Whether owners of the lesson may read the answered question without a name. True needs `lesson`.
    is_shared: bool,
    /// At most 3. A picture of another message, or one that was deleted, is `UNKNOWN_CHOICE`.
    #[schema(value_type = Vec<MessagePicture>, required = false, max_items = 3)]
    pictures: Vec<desk::QuestionPicture>,
}

impl Form for TeacherQuestionDraft {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let text = fields.text("text", MAX_TEXT_INPUT);
        let (lesson, exercise) = (fields.optional_id("lesson"), fields.optional_id("exercise"));
        let at = fields.optional_whole("at", 86_400);
        let is_shared = fields.flag("is_shared");
        let pictures = MessagePicture::from_fields(fields);
        let draft = Self {
            text: text?,
            lesson: lesson?,
            at: at?.and_then(|at| u32::try_from(at).ok()),
            exercise: exercise?,
            is_shared: is_shared?,
            pictures: pictures?,
        };
        let needs_lesson = draft.at.is_some() || draft.exercise.is_some() || draft.is_shared;
        if draft.lesson.is_none() && needs_lesson {
            fields.note("lesson", "REQUIRED");
            return None;
        }
        Some(draft)
    }
}

/// The id of an accepted question.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeacherQuestionId {
    #[schema(format = Uuid)]
    id: String,
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
    responses((status = 201, description = "The accepted question.", body = TeacherQuestionId))
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
        pictures: draft.pictures,
    };
    let id = edge.teacher_questions(&learner).ask(request).await?.into_inner().id;
    Ok(json_of(StatusCode::CREATED, "application/json", &TeacherQuestionId { id }))
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

/// The caller's name and address, for the mail about the answer.
async fn find_asker(edge: &Edge, learner: &Learner) -> Result<desk::QuestionAsker, Error> {
    let user = find_own_account(edge, learner, learner.id()).await?;
    Ok(desk::QuestionAsker { name: full_name(&user), email: user.email, birth_date: user.birth_date })
}

/// A follow-up below an answer.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowUpDraft {
    /// As typed; 10 to 2,000 characters, not counting surrounding space.
    #[schema(min_length = 1, max_length = 4000, pattern = "^[^\\u0000]+$")]
    text: String,
    /// As of a question.
    #[schema(value_type = Vec<MessagePicture>, required = false, max_items = 3)]
    pictures: Vec<desk::QuestionPicture>,
}

impl Form for FollowUpDraft {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let text = fields.text("text", MAX_TEXT_INPUT);
        let pictures = MessagePicture::from_fields(fields);
        Some(Self { text: text?, pictures: pictures? })
    }
}

/// Asks again below an answer. It does not count toward the monthly limit.
///
/// 409 `ANSWER_PENDING` while the question waits, `QUESTION_CLOSED` after three follow-ups. The same
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
    responses((status = 204, description = "The follow-up was stored."))
)]
pub(crate) async fn ask_again(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(draft): JsonBody<FollowUpDraft>,
) -> Result<Response, Error> {
    let asker = find_asker(&edge, &learner).await?;
    let request = desk::AskAgainRequest {
        idempotency_key,
        id: id.to_string(),
        text: draft.text,
        asker: Some(asker),
        pictures: draft.pictures,
    };
    edge.teacher_questions(&learner).ask_again(request).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
