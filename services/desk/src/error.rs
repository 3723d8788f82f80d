//! What goes wrong here, and how others hear of it.

use std::time::Duration;

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
    /// More of it is wrong: names on the wire and stable reasons.
    #[error("some fields are wrong")]
    Fields(Vec<(&'static str, &'static str)>),
    /// There is nothing, or nothing that anybody may see.
    #[error("not found")]
    NotFound,
    /// Too often; so long to wait.
    #[error("too often")]
    RateLimited(Duration),
    /// The same Idempotency-Key came with something else.
    #[error("the key was used for something else")]
    KeyReused,
    /// A picture has too many bytes or pixels.
    #[error("the picture is too large")]
    PictureTooLarge,
    /// There is no picture in what should be one.
    #[error("the picture can't be read")]
    PictureUnreadable,
    /// No number was free for an inquiry.
    #[error("no number is free for an inquiry")]
    NoNumber,
    /// A mail could not be written.
    #[error("a mail could not be written")]
    Writing(#[from] askama::Error),
    /// A mail could not be put into the form that travels.
    #[error("a mail could not be put together")]
    Building(#[from] lettre::error::Error),
    /// What goes with a mail has no name that travels.
    #[error("a mail's part could not be named")]
    Naming(#[from] lettre::message::header::ContentTypeErr),
    /// A mail, an inquiry or a picture could not be sealed, or was sealed with another key.
    #[error("something could not be sealed or opened")]
    Sealing,
    /// A statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> Problem {
        match self {
            Self::Field { name, code } => Problem::field(name, code),
            Self::Fields(fields) => Problem {
                fields: fields.iter().flat_map(|(name, code)| Problem::field(name, code).fields).collect(),
                ..Code::Invalid.into()
            },
            Self::NotFound => Code::NotFound.into(),
            Self::RateLimited(wait) => Problem::limited("RATE_LIMITED", *wait),
            Self::KeyReused => Problem::new(Code::Conflict, "IDEMPOTENCY_KEY_REUSED"),
            Self::PictureTooLarge => Problem {
                reason: "PICTURE_TOO_LARGE".into(),
                ..Problem::field("picture", "PICTURE_TOO_LARGE")
            },
            Self::PictureUnreadable => Problem {
                reason: "PICTURE_UNREADABLE".into(),
                ..Problem::field("picture", "PICTURE_UNREADABLE")
            },
            Self::Writing(_) | Self::Building(_) | Self::Naming(_) | Self::Sealing | Self::NoNumber => {
                Code::Internal.into()
            }
            Self::Database(error) => kit::db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
