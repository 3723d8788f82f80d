//! All that can go wrong, and what others may see of it.

use std::time::Duration;

use kit::error::{Code, Problem};

/// How soon to come again when too many passwords are being hashed: most of the queue has gone by then.
const HASHING_REST: Duration = Duration::from_secs(1);

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Bad input.
    #[error("{name} is {code}")]
    Field {
        /// The field.
        name: &'static str,
        /// What is wrong with it.
        code: &'static str,
    },
    /// No account with this e-mail address and password.
    #[error("no account with this e-mail address and password")]
    BadCredentials,
    /// Too many tries.
    #[error("too many tries; the next in {0:?}")]
    RateLimited(Duration),
    /// Too many passwords are being hashed.
    #[error("too many passwords are being hashed")]
    Overloaded,
    /// The refresh token is unknown, expired, ended or used too late.
    #[error("the refresh token is dead")]
    RefreshDead,
    /// No such account.
    #[error("no such account")]
    NoAccount,
    /// No key signs, or its private part cannot be opened.
    #[error("no key signs: see `auth keys list`")]
    NoSigner,
    /// A token could not be signed.
    #[error("a token could not be signed")]
    Signing(#[from] jsonwebtoken::errors::Error),
    /// A password could not be hashed, or a stored hash not be read.
    #[error("a password could not be hashed: {0}")]
    Hashing(argon2::password_hash::Error),
    /// The machine gives no random bytes.
    #[error("no random bytes")]
    Random(#[from] aws_lc_rs::error::Unspecified),
    /// The task that hashed a password was lost.
    #[error("hashing was cut")]
    Cut(#[from] tokio::task::JoinError),
    /// The database.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}

impl From<argon2::password_hash::Error> for Error {
    fn from(error: argon2::password_hash::Error) -> Self {
        Self::Hashing(error)
    }
}

impl Error {
    fn problem(&self) -> Problem {
        match self {
            Self::Field { name, code } => Problem::field(name, code),
            Self::BadCredentials => Problem::new(Code::Invalid, "BAD_CREDENTIALS"),
            Self::RateLimited(wait) => Problem::limited("RATE_LIMITED", *wait),
            Self::Overloaded => Problem::limited("OVERLOADED", HASHING_REST),
            Self::RefreshDead => Problem::new(Code::Unauthenticated, "REFRESH_DEAD"),
            Self::NoAccount => Code::NotFound.into(),
            Self::NoSigner | Self::Signing(_) | Self::Hashing(_) | Self::Random(_) | Self::Cut(_) => {
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
