//! The exported pictures of questions to teachers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proto::desk;
use serde::Serialize;
use utoipa::ToSchema;

/// A picture of a message.
#[derive(Serialize, ToSchema)]
pub(super) struct ExportedQuestionPicture {
    /// As in the messages of `teacher_questions`.
    #[schema(format = Uuid)]
    id: String,
    /// A JPEG in base64.
    picture: String,
}

impl ExportedQuestionPicture {
    pub(super) fn new(picture: desk::ExportQuestionPicturesResponse) -> Self {
        Self { id: picture.id, picture: STANDARD.encode(picture.jpeg) }
    }
}
