//! What goes wrong here, and how others hear of it.

use kit::error::{Code, Problem};

/// Everything a call can fail with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller's input is wrong: which field, and a stable reason.
    #[error("{name} is {code}")]
    Field {
        /// Its name on the wire.
        name: &'static str,
        /// E.g. `INVALID_FORMAT`.
        code: &'static str,
    },
    /// A mail could not be written.
    #[error("a mail could not be written")]
    Writing(#[from] askama::Error),
    /// A mail could not be put into the form that travels.
    #[error("a mail could not be put together")]
    Building(#[from] lettre::error::Error),
    /// A mail could not be sealed.
    #[error("a mail could not be sealed")]
    Sealing,
    /// A statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> Problem {
        match self {
            Self::Field { name, code } => Problem::field(name, code),
            Self::Writing(_) | Self::Building(_) | Self::Sealing => Code::Internal.into(),
            Self::Database(error) => kit::db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
