//! Pictures of questions to teachers and of their answers.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::desk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::question_lesson::find_lesson;
use crate::Edge;
use crate::answer::{jpeg, json_of};
use crate::error::Error;
use crate::input::{Fields, IdAndKey, Key, PictureBody};
use crate::session::Learner;

/// Most pictures of a message.
const MESSAGE_LIMIT: usize = 3;
/// Largest response of desk, in bytes: more than a JPEG of 2,048 pixels a side can have.
pub(crate) const RESPONSE_LIMIT: usize = 16 * 1024 * 1024;

/// A picture of a message.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessagePicture {
    id: Uuid,
    /// Alternative text, as typed, at most 100 characters; empty: none.
    #[schema(max_length = 100, pattern = "^[^\\u0000]*$")]
    description: String,
}

impl MessagePicture {
    pub(super) fn from_wire(picture: desk::QuestionPicture) -> Result<Self, Error> {
        let id = picture.id.parse().map_err(|_| super::incomplete("the id of a picture"))?;
        Ok(Self { id, description: picture.description })
    }

    fn into_wire(self) -> desk::QuestionPicture {
        desk::QuestionPicture { id: self.id.to_string(), description: self.description }
    }

    /// Takes the pictures of a message: an empty list for a missing field and null. `None` if they are invalid.
    pub(super) fn from_fields(fields: &mut Fields) -> Option<Vec<desk::QuestionPicture>> {
        let pictures: Vec<Self> = fields.optional_nested("pictures")?.unwrap_or_default();
        let wrong = if pictures.len() > MESSAGE_LIMIT {
            "TOO_LONG"
        } else if pictures.iter().any(|picture| picture.description.contains('\0')) {
            "INVALID_FORMAT"
        } else {
            return Some(pictures.into_iter().map(Self::into_wire).collect());
        };
        fields.note("pictures", wrong);
        None
    }
}

/// The id of a stored picture.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestionPictureId {
    #[schema(format = Uuid)]
    id: String,
}

/// Stores a picture for a question or a follow-up, before that is sent. It is deleted after a day if neither has it.
///
/// The body is the picture, at most 5 MiB. Its format is detected from the content, not from `Content-Type`. Its metadata is
/// not stored.
#[utoipa::path(
    post,
    path = "/api/desk/question/picture/",
    operation_id = "put_question_picture",
    tag = "desk",
    request_body(content(("image/png"), ("image/jpeg"), ("image/webp"))),
    responses((status = 201, description = "The id of the picture.", body = QuestionPictureId))
)]
pub(crate) async fn put(
    State(edge): State<Edge>,
    learner: Learner,
    PictureBody(content): PictureBody,
) -> Result<Response, Error> {
    let request = desk::PutQuestionPictureRequest { content: content.into() };
    let id = edge.teacher_questions(&learner).put_question_picture(request).await?.into_inner().id;
    Ok(json_of(StatusCode::CREATED, "application/json", &QuestionPictureId { id }))
}

/// Returns a picture of a message of the caller's questions.
#[utoipa::path(
    get,
    path = "/api/desk/question/picture/{id}/",
    operation_id = "question_picture",
    tag = "desk",
    params(("id" = Uuid, Path, description = "Id of the picture.")),
    responses((status = 200, description = "The picture.", content_type = "image/jpeg", body = String))
)]
pub(crate) async fn picture(
    State(edge): State<Edge>,
    learner: Learner,
    Key(id): Key,
) -> Result<Response, Error> {
    let request = desk::GetQuestionPictureRequest { id: id.to_string() };
    let mut questions = edge.teacher_questions(&learner).max_decoding_message_size(RESPONSE_LIMIT);
    Ok(jpeg(questions.get_question_picture(request).await?.into_inner().jpeg))
}

/// Returns a picture of a shared question of a lesson. 404 for a lesson that the caller does not own.
#[utoipa::path(
    get,
    path = "/api/desk/lesson/{id}/question/picture/{picture}/",
    operation_id = "shared_question_picture",
    tag = "desk",
    params(
        ("id" = i64, Path, description = "Id of the lesson.", minimum = 1),
        ("picture" = Uuid, Path, description = "Id of the picture.")
    ),
    responses((status = 200, description = "The picture.", content_type = "image/jpeg", body = String))
)]
pub(crate) async fn shared_picture(
    State(edge): State<Edge>,
    learner: Learner,
    IdAndKey(lesson_id, id): IdAndKey,
) -> Result<Response, Error> {
    find_lesson(&edge, &learner, lesson_id).await?;
    let request = desk::GetSharedQuestionPictureRequest { lesson_id, id: id.to_string() };
    let mut questions = edge.teacher_questions(&learner).max_decoding_message_size(RESPONSE_LIMIT);
    Ok(jpeg(questions.get_shared_question_picture(request).await?.into_inner().jpeg))
}
