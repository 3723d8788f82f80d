//! What goes wrong here, and how others hear of it.

use kit::error::{Code, Problem};

/// Everything a call can fail with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller's input is wrong: which field, and a stable reason.
    #[error("{field}: {reason}")]
    Invalid {
        /// Its name on the wire.
        field: &'static str,
        /// E.g. `OUT_OF_RANGE`.
        reason: &'static str,
    },
    /// Not there, or not this learner's.
    #[error("not found")]
    NotFound,
    /// The learner has as many marks of the kind as may be.
    #[error("too many marks")]
    MarkLimit,
    /// Every item that the learner has of the course has run out.
    #[error("the item has expired")]
    ExpiredItem,
    /// As many of the learner's players run as may.
    #[error("too many streams")]
    TooManyStreams,
    /// The player was ended by another, or fell silent and found no room again.
    #[error("the stream has ended")]
    StreamEnded,
    /// There is another answer already.
    #[error("answered already")]
    AlreadyAnswered,
    /// Practice comes after the graded try.
    #[error("not answered yet")]
    NotAnsweredYet,
    /// The learner began as many rounds of practice of the lesson today as may be.
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
    fn problem(&self) -> Problem {
        match self {
            Self::Invalid { field, reason } => Problem::field(field, reason),
            Self::NotFound => Code::NotFound.into(),
            Self::MarkLimit => Problem::new(Code::Conflict, "MARK_LIMIT"),
            Self::TooManyStreams => Problem::new(Code::Conflict, "TOO_MANY_STREAMS"),
            Self::StreamEnded => Problem::new(Code::Conflict, "STREAM_ENDED"),
            Self::ExpiredItem => Problem::new(Code::Forbidden, "EXPIRED_ITEM"),
            Self::AlreadyAnswered => Problem::new(Code::Conflict, "ALREADY_ANSWERED"),
            Self::NotAnsweredYet => Problem::new(Code::Conflict, "NOT_ANSWERED_YET"),
            Self::PracticeLimit => Problem::new(Code::Conflict, "PRACTICE_LIMIT"),
            Self::NotDue => Problem::new(Code::Conflict, "NOT_DUE"),
            Self::Database(error) => kit::db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
