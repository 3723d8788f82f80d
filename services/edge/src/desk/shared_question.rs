//! Answered questions that learners share with the other owners of a lesson.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;

use super::question_lesson::find_lesson;
use super::teacher_question::QuestionMessage;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::{Fields, Form, Id, JsonBody, Key, Query};
use crate::page::{List, Page};
use crate::session::Learner;

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
pub(crate) async fn list(
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
