//! The errors of lms and their codes.

use kit::error::{Code, FieldError, ServiceError};

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The thing does not exist, or belongs to another learner.
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
    /// The question was answered differently before.
    #[error("answered already")]
    AlreadyAnswered,
    /// A graded try is missing, which must come before practice.
    #[error("not answered yet")]
    NotAnsweredYet,
    /// The learner has reached today's limit of practice rounds of the lesson.
    #[error("too many rounds of practice")]
    PracticeLimit,
    /// The question is not due for review.
    #[error("not due")]
    NotDue,
    /// Lessons or right answers are missing for the certificate.
    #[error("the certificate is not earned")]
    CertificateNotEarned,
    /// A PDF could not be written.
    #[error("a PDF could not be written: {0}")]
    Pdf(#[from] kit_pdf::PdfError),
    /// There are no random bytes.
    #[error("there are no random bytes")]
    Random,
    /// A SQL statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> ServiceError {
        match self {
            Self::Field(field) => field.clone().into(),
            Self::NotFound => Code::NotFound.into(),
            Self::MarkLimit => ServiceError::new(Code::Conflict, "MARK_LIMIT"),
            Self::TooManyStreams => ServiceError::new(Code::Conflict, "TOO_MANY_STREAMS"),
            Self::StreamEnded => ServiceError::new(Code::Conflict, "STREAM_ENDED"),
            Self::ExpiredItem => ServiceError::new(Code::Forbidden, "EXPIRED_ITEM"),
            Self::AlreadyAnswered => ServiceError::new(Code::Conflict, "ALREADY_ANSWERED"),
            Self::NotAnsweredYet => ServiceError::new(Code::Conflict, "NOT_ANSWERED_YET"),
            Self::PracticeLimit => ServiceError::new(Code::Conflict, "PRACTICE_LIMIT"),
            Self::NotDue => ServiceError::new(Code::Conflict, "NOT_DUE"),
            Self::CertificateNotEarned => ServiceError::new(Code::Conflict, "CERTIFICATE_NOT_EARNED"),
            Self::Pdf(_) | Self::Random => Code::Internal.into(),
            Self::Database(error) => kit_db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
