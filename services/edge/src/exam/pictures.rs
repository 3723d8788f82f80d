//! Pictures of written answers. The candidate gets them, and the guardian with the final result.

use axum::extract::State;
use axum::response::Response;
use proto::{auth, exam};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::{jpeg, json};
use crate::child_link::check_link;
use crate::error::Error;
use crate::input::{IdAndName, KeyAndId, KeyIdAndName, PictureBody};
use crate::session::{Guardian, Learner};

/// Largest response of exam, in bytes: more than a JPEG of 2,048 pixels a side can have.
const RESPONSE_LIMIT: usize = 16 * 1024 * 1024;

/// A stored picture.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnswerPicture {
    /// For the answer. The same bytes have the same name.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    picture: String,
}

/// Stores a picture for the answer to a written question of a running sitting, before the answer is saved. The same
/// picture again changes nothing. 409 `HANDED_IN` once the sitting is sealed.
///
/// The body is the picture, at most 5 MiB. Its format is detected from the content, not from `Content-Type`.
#[utoipa::path(
    put,
    path = "/api/exam/sitting/{id}/picture/{question}/",
    operation_id = "put_answer_picture",
    tag = "exam",
    params(
        ("id" = String, Path, description = "Id of the sitting.", format = Uuid),
        ("question" = i64, Path, description = "Id of the question.", minimum = 1)
    ),
    request_body(content(("image/png"), ("image/jpeg"), ("image/webp"))),
    responses((status = 200, description = "The name of the picture.", body = AnswerPicture))
)]
pub(crate) async fn put_picture(
    State(edge): State<Edge>,
    learner: Learner,
    KeyAndId(id, question_id): KeyAndId,
    PictureBody(content): PictureBody,
) -> Result<Response, Error> {
    let request = exam::PutPictureRequest { id: id.to_string(), question_id, content: content.into() };
    let picture = edge.sittings(&learner).put_picture(request).await?.into_inner().picture;
    Ok(json(&AnswerPicture { picture }))
}

/// Returns a picture of the caller's answer.
#[utoipa::path(
    get,
    path = "/api/exam/question/{id}/picture/{picture}/",
    operation_id = "answer_picture",
    tag = "exam",
    params(
        ("id" = i64, Path, description = "Id of the question.", minimum = 1),
        ("picture" = String, Path, description = "Name of the picture.", pattern = "^[0-9a-f]{64}$")
    ),
    responses((status = 200, description = "The picture.", content_type = "image/jpeg", body = String))
)]
pub(crate) async fn picture(
    State(edge): State<Edge>,
    learner: Learner,
    IdAndName(question_id, picture): IdAndName,
) -> Result<Response, Error> {
    let request = exam::GetPictureRequest { question_id, picture };
    let mut sittings = edge.sittings(&learner).max_decoding_message_size(RESPONSE_LIMIT);
    Ok(jpeg(sittings.get_picture(request).await?.into_inner().jpeg))
}

/// Returns the picture of a linked learner's answer in a final result. 404 for a learner who is not linked.
///
/// The view is recorded and shown to the learner.
#[utoipa::path(
    get,
    path = "/api/exam/children/{id}/question/{question}/picture/{picture}/",
    operation_id = "child_answer_picture",
    tag = "exam",
    params(
        ("id" = uuid::Uuid, Path, description = "Account id of the learner."),
        ("question" = i64, Path, description = "Id of the question.", minimum = 1),
        ("picture" = String, Path, description = "Name of the picture.", pattern = "^[0-9a-f]{64}$")
    ),
    responses((status = 200, description = "The picture.", content_type = "image/jpeg", body = String))
)]
pub(crate) async fn child_picture(
    State(edge): State<Edge>,
    guardian: Guardian,
    KeyIdAndName(id, question_id, picture): KeyIdAndName,
) -> Result<Response, Error> {
    let (relation, _) = check_link(&edge, &guardian, id, auth::ChildView::ExamResult).await?;
    let request = exam::GetChildPictureRequest { question_id, picture };
    let mut results = edge.child_results(&relation).max_decoding_message_size(RESPONSE_LIMIT);
    Ok(jpeg(results.get_child_picture(request).await?.into_inner().jpeg))
}
