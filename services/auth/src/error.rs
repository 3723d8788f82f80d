//! All that can go wrong, and what others may see of it.

use std::time::Duration;

use kit::error::{Code, Field, Problem};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// How soon to come again when too many passwords are being hashed: most of the queue has gone by then.
const HASHING_REST: Duration = Duration::from_secs(1);

/// A guardian is under 18: of a field, or of the account.
pub(crate) const GUARDIAN_UNDER_18: &str = "GUARDIAN_UNDER_18";

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
    /// Bad input in more than one field.
    #[error("{} fields are wrong", .0.len())]
    Fields(Vec<Field>),
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
    /// The account is closing: it can only be taken up again.
    #[error("the account is closing")]
    AccountClosing {
        /// When it will be erased.
        erase_at: OffsetDateTime,
    },
    /// The link of a mail, or the sign-up, is unknown, used or too old.
    #[error("the link is dead")]
    LinkDead,
    /// Another account has this address by now.
    #[error("another account has this e-mail address")]
    EmailTaken,
    /// Not the code that was mailed, or that a learner issued.
    #[error("the code is wrong")]
    CodeWrong,
    /// The learner has as many guardians as may be.
    #[error("the learner has four guardians")]
    GuardiansFull,
    /// A guardian is under 18, or of an age that is not known.
    #[error("the guardian is not known to be 18 or older")]
    GuardianUnder18,
    /// A guardian's mailbox is the learner's own, or that of an account of a minor.
    #[error("the mailbox is the learner's own or a minor's")]
    GuardianMailbox,
    /// A guardian has agreed already.
    #[error("a guardian has agreed already")]
    ConsentGiven,
    /// Nobody has to agree.
    #[error("nobody has to agree")]
    ConsentNotNeeded,
    /// A mail was sent a moment ago.
    #[error("a mail was sent just now; the next in {0:?}")]
    ResendTooSoon(Duration),
    /// Not there, or not the caller's.
    #[error("not there, or not the caller's")]
    NotFound,
    /// The account's password must be changed first.
    #[error("the password must be changed")]
    PasswordChangeRequired,
    /// The code has been tried too often.
    #[error("the code was tried too often")]
    CodeTriesOver,
    /// The code was used, or is too old.
    #[error("the code is dead")]
    CodeExpired,
    /// Nobody has proven yet that the address is theirs.
    #[error("the address is not verified")]
    NotVerified,
    /// No such account.
    #[error("no such account")]
    NoAccount,
    /// No account has this passkey any more.
    #[error("no account has this passkey")]
    PasskeyUnknown,
    /// The passkey is kept already.
    #[error("the passkey is kept already")]
    PasskeyKnown,
    /// The account has as many passkeys as it may.
    #[error("as many passkeys as may be")]
    PasskeysFull,
    /// What a browser was asked to sign is unknown, too old or taken.
    #[error("the challenge is unknown, too old or taken")]
    ChallengeDead,
    /// What a browser made or signed does not hold.
    #[error("the passkey does not hold: {0}")]
    PasskeyRefused(#[from] webauthn_rs::prelude::WebauthnError),
    /// Options for a browser could not be written.
    #[error("options could not be written")]
    Options(#[from] serde_json::Error),
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
            Self::Fields(fields) => Problem { fields: fields.clone(), ..Code::Invalid.into() },
            Self::PasswordChangeRequired => Problem::new(Code::Forbidden, "PASSWORD_CHANGE_REQUIRED"),
            Self::LinkDead => Problem::new(Code::Invalid, "LINK_DEAD"),
            Self::CodeWrong => Problem::new(Code::Invalid, "CODE_WRONG"),
            Self::CodeTriesOver => Problem::new(Code::Invalid, "CODE_TRIES_OVER"),
            Self::CodeExpired => Problem::new(Code::Invalid, "CODE_EXPIRED"),
            Self::ResendTooSoon(wait) => Problem::limited("RESEND_TOO_SOON", *wait),
            Self::NotVerified => Problem::new(Code::Conflict, "NOT_VERIFIED"),
            Self::EmailTaken => Problem::new(Code::Conflict, "EMAIL_TAKEN"),
            Self::BadCredentials => Problem::new(Code::Invalid, "BAD_CREDENTIALS"),
            Self::RateLimited(wait) => Problem::limited("RATE_LIMITED", *wait),
            Self::Overloaded => Problem::limited("OVERLOADED", HASHING_REST),
            Self::RefreshDead => Problem::new(Code::Unauthenticated, "REFRESH_DEAD"),
            Self::AccountClosing { erase_at } => {
                let closing = Problem::new(Code::Forbidden, "ACCOUNT_CLOSING");
                // A year of five digits, which alone can't be written, no account lives to see.
                match erase_at.format(&Rfc3339) {
                    Ok(erase_at) => closing.with("erase_at", erase_at),
                    Err(_) => closing,
                }
            }
            Self::GuardiansFull => Problem::new(Code::Conflict, "GUARDIANS_FULL"),
            Self::GuardianUnder18 => Problem::new(Code::Conflict, GUARDIAN_UNDER_18),
            Self::GuardianMailbox => Problem::new(Code::Conflict, "GUARDIAN_MAILBOX"),
            Self::ConsentGiven => Problem::new(Code::Conflict, "CONSENT_GIVEN"),
            Self::ConsentNotNeeded => Problem::new(Code::Conflict, "CONSENT_NOT_NEEDED"),
            Self::NotFound | Self::NoAccount => Code::NotFound.into(),
            Self::PasskeyUnknown => Problem::new(Code::Invalid, "PASSKEY_UNKNOWN"),
            Self::PasskeyKnown => Problem::new(Code::Conflict, "PASSKEY_KNOWN"),
            Self::PasskeysFull => Problem::new(Code::Conflict, "PASSKEYS_FULL"),
            Self::ChallengeDead => Problem::new(Code::Invalid, "CHALLENGE_DEAD"),
            Self::PasskeyRefused(_) => Problem::new(Code::Invalid, "PASSKEY_REFUSED"),
            Self::NoSigner
            | Self::Signing(_)
            | Self::Hashing(_)
            | Self::Random(_)
            | Self::Cut(_)
            | Self::Options(_) => Code::Internal.into(),
            Self::Database(error) => kit::db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
