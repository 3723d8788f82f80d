//! The errors of the service, and what callers see of them.

use std::time::Duration;

use kit::error::{Code, FieldError, ServiceError};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Retry time after a refusal for load. Most of the queue is done by then.
const OVERLOAD_RETRY: Duration = Duration::from_secs(1);

/// The code for a guardian under 18, in a field or in the account.
pub(crate) const GUARDIAN_UNDER_18: &str = "GUARDIAN_UNDER_18";

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Several fields are invalid.
    #[error("{} fields are wrong", .0.len())]
    Fields(Vec<FieldError>),
    /// No account with this e-mail address and password.
    #[error("no account with this e-mail address and password")]
    BadCredentials,
    /// Too many attempts; retry after this time.
    #[error("too many attempts; retry after {0:?}")]
    RateLimited(Duration),
    /// Too many passwords are being hashed.
    #[error("too many passwords are being hashed")]
    Overloaded,
    /// The refresh token is unknown, expired, revoked or was used too long ago.
    #[error("the refresh token is unknown, expired or revoked")]
    RefreshDead,
    /// The account is closing. The owner can only reopen it.
    #[error("the account is closing")]
    AccountClosing {
        /// When the account will be erased.
        erase_at: OffsetDateTime,
    },
    /// The link of a mail or the sign-up is unknown, used or expired.
    #[error("the link is unknown, used or expired")]
    LinkDead,
    /// Another account has this e-mail address.
    #[error("another account has this e-mail address")]
    EmailTaken,
    /// The code is not the one that was mailed or that a learner issued.
    #[error("the code is wrong")]
    CodeWrong,
    /// The learner has the maximum number of guardians.
    #[error("the learner has the maximum number of guardians")]
    GuardiansFull,
    /// The guardian is under 18, or their age is unknown.
    #[error("the guardian is not known to be 18 or older")]
    GuardianUnder18,
    /// The guardian's mailbox is the learner's, or that of a minor's account.
    #[error("the mailbox is the learner's own or a minor's")]
    GuardianMailbox,
    /// A guardian has already given consent.
    #[error("a guardian has already given consent")]
    ConsentGiven,
    /// The account needs no consent.
    #[error("the account needs no consent")]
    ConsentNotNeeded,
    /// A mail was sent too recently; retry after this time.
    #[error("a mail was sent just now; retry after {0:?}")]
    ResendTooSoon(Duration),
    /// The object does not exist, or it belongs to another account.
    #[error("not found, or not the caller's")]
    NotFound,
    /// The owner must change the password first.
    #[error("the password must be changed")]
    PasswordChangeRequired,
    /// Too many wrong codes.
    #[error("too many wrong codes")]
    CodeTriesOver,
    /// The code was used or has expired.
    #[error("the code was used or has expired")]
    CodeExpired,
    /// The e-mail address is not verified yet.
    #[error("the address is not verified")]
    NotVerified,
    /// No such account.
    #[error("no such account")]
    NoAccount,
    /// No account has this passkey.
    #[error("no account has this passkey")]
    PasskeyUnknown,
    /// The passkey is already registered.
    #[error("the passkey is already registered")]
    PasskeyKnown,
    /// The account has the maximum number of passkeys.
    #[error("the account has the maximum number of passkeys")]
    PasskeysFull,
    /// The challenge is unknown, expired or used.
    #[error("the challenge is unknown, expired or used")]
    ChallengeDead,
    /// The registration or the signature by the browser is invalid.
    #[error("the passkey is invalid: {0}")]
    PasskeyRefused(#[from] webauthn_rs::prelude::WebauthnError),
    /// The options for the browser could not be encoded.
    #[error("the options could not be encoded")]
    Options(#[from] serde_json::Error),
    /// There is no signing key, or its private part cannot be opened.
    #[error("there is no usable signing key: see `auth keys list`")]
    NoSigner,
    /// A token could not be signed.
    #[error("a token could not be signed")]
    Signing(#[from] jsonwebtoken::errors::Error),
    /// A password could not be hashed, or a stored hash is invalid.
    #[error("a password could not be hashed: {0}")]
    Hashing(argon2::password_hash::Error),
    /// The operating system returned no random bytes.
    #[error("no random bytes")]
    Random(#[from] aws_lc_rs::error::Unspecified),
    /// The task that hashed a password was cancelled.
    #[error("hashing was cancelled")]
    Cut(#[from] tokio::task::JoinError),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}

impl From<argon2::password_hash::Error> for Error {
    fn from(error: argon2::password_hash::Error) -> Self {
        Self::Hashing(error)
    }
}

impl Error {
    fn problem(&self) -> ServiceError {
        match self {
            Self::Field(field) => field.clone().into(),
            Self::Fields(fields) => fields.clone().into(),
            Self::PasswordChangeRequired => ServiceError::new(Code::Forbidden, "PASSWORD_CHANGE_REQUIRED"),
            Self::LinkDead => ServiceError::new(Code::Invalid, "LINK_DEAD"),
            Self::CodeWrong => ServiceError::new(Code::Invalid, "CODE_WRONG"),
            Self::CodeTriesOver => ServiceError::new(Code::Invalid, "CODE_TRIES_OVER"),
            Self::CodeExpired => ServiceError::new(Code::Invalid, "CODE_EXPIRED"),
            Self::ResendTooSoon(wait) => ServiceError::limited("RESEND_TOO_SOON", *wait),
            Self::NotVerified => ServiceError::new(Code::Conflict, "NOT_VERIFIED"),
            Self::EmailTaken => ServiceError::new(Code::Conflict, "EMAIL_TAKEN"),
            Self::BadCredentials => ServiceError::new(Code::Invalid, "BAD_CREDENTIALS"),
            Self::RateLimited(wait) => ServiceError::limited("RATE_LIMITED", *wait),
            Self::Overloaded => ServiceError::limited("OVERLOADED", OVERLOAD_RETRY),
            Self::RefreshDead => ServiceError::new(Code::Unauthenticated, "REFRESH_DEAD"),
            Self::AccountClosing { erase_at } => {
                let closing = ServiceError::new(Code::Forbidden, "ACCOUNT_CLOSING");
                // Fails only for years of five digits.
                match erase_at.format(&Rfc3339) {
                    Ok(erase_at) => closing.with("erase_at", erase_at),
                    Err(_) => closing,
                }
            }
            Self::GuardiansFull => ServiceError::new(Code::Conflict, "GUARDIANS_FULL"),
            Self::GuardianUnder18 => ServiceError::new(Code::Conflict, GUARDIAN_UNDER_18),
            Self::GuardianMailbox => ServiceError::new(Code::Conflict, "GUARDIAN_MAILBOX"),
            Self::ConsentGiven => ServiceError::new(Code::Conflict, "CONSENT_GIVEN"),
            Self::ConsentNotNeeded => ServiceError::new(Code::Conflict, "CONSENT_NOT_NEEDED"),
            Self::NotFound | Self::NoAccount => Code::NotFound.into(),
            Self::PasskeyUnknown => ServiceError::new(Code::Invalid, "PASSKEY_UNKNOWN"),
            Self::PasskeyKnown => ServiceError::new(Code::Conflict, "PASSKEY_KNOWN"),
            Self::PasskeysFull => ServiceError::new(Code::Conflict, "PASSKEYS_FULL"),
            Self::ChallengeDead => ServiceError::new(Code::Invalid, "CHALLENGE_DEAD"),
            Self::PasskeyRefused(_) => ServiceError::new(Code::Invalid, "PASSKEY_REFUSED"),
            Self::NoSigner
            | Self::Signing(_)
            | Self::Hashing(_)
            | Self::Random(_)
            | Self::Cut(_)
            | Self::Options(_) => Code::Internal.into(),
            Self::Database(error) => kit_db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
