//! The errors of exam and their codes.

use kit::error::{Code, FieldError, ServiceError};

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// It does not exist, or belongs to another learner.
    #[error("not found")]
    NotFound,
    /// A statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> ServiceError {
        match self {
            Self::Field(field) => field.clone().into(),
            Self::NotFound => Code::NotFound.into(),
            Self::Database(error) => kit_db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
