//! The errors of lms and their codes.

use kit::error::{ApiError, Code};

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field's name on the wire.
        field: &'static str,
        /// A stable code, e.g. `OUT_OF_RANGE`.
        reason: &'static str,
    },
    /// It does not exist, or belongs to another learner.
    #[error("not found")]
    NotFound,
    /// The learner has reached the limit of marks of this kind.
    #[error("too many marks")]
    MarkLimit,
    /// Every entitlement of the learner to the course has ended.
    #[error("the item has expired")]
    ExpiredItem,
    /// The learner has reached the limit of running streams.
    #[error("too many streams")]
    TooManyStreams,
    /// The stream has ended, or is unknown.
    #[error("the stream has ended")]
    StreamEnded,
    /// The question has a different answer.
    #[error("answered already")]
    AlreadyAnswered,
    /// The graded try comes before practice.
    #[error("not answered yet")]
    NotAnsweredYet,
    /// The learner has reached today's limit of practice rounds of the lesson.
    #[error("too many rounds of practice")]
    PracticeLimit,
    /// The question is not due for review.
    #[error("not due")]
    NotDue,
    /// A statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> ApiError {
        match self {
            Self::Invalid { field, reason } => ApiError::field(field, reason),
            Self::NotFound => Code::NotFound.into(),
            Self::MarkLimit => ApiError::new(Code::Conflict, "MARK_LIMIT"),
            Self::TooManyStreams => ApiError::new(Code::Conflict, "TOO_MANY_STREAMS"),
            Self::StreamEnded => ApiError::new(Code::Conflict, "STREAM_ENDED"),
            Self::ExpiredItem => ApiError::new(Code::Forbidden, "EXPIRED_ITEM"),
            Self::AlreadyAnswered => ApiError::new(Code::Conflict, "ALREADY_ANSWERED"),
            Self::NotAnsweredYet => ApiError::new(Code::Conflict, "NOT_ANSWERED_YET"),
            Self::PracticeLimit => ApiError::new(Code::Conflict, "PRACTICE_LIMIT"),
            Self::NotDue => ApiError::new(Code::Conflict, "NOT_DUE"),
            Self::Database(error) => kit::db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
