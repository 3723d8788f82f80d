//! Errors, and their mapping to codes and reasons of the wire.

use std::time::Duration;

use kit::error::{Code, FieldError, ServiceError};
use kit_db::idempotency::Refusal;
use kit_picture::PictureError;

/// The errors of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Several fields are invalid.
    #[error("{} fields are wrong", .0.len())]
    Fields(Vec<FieldError>),
    /// The item does not exist or is not public.
    #[error("not found")]
    NotFound,
    /// The link of a mail is unknown, or its account was erased.
    #[error("the link is unknown")]
    LinkDead,
    /// Too many requests; retry after this time.
    #[error("too often")]
    RateLimited(Duration),
    /// The idempotency key was used with another body, or is in use.
    #[error(transparent)]
    Idempotency(#[from] Refusal),
    /// A picture has too many bytes or pixels.
    #[error("the picture is too large")]
    PictureTooLarge,
    /// An upload is not a readable picture.
    #[error("the picture is not readable")]
    PictureUnreadable,
    /// The learner has asked as many questions this month as they may.
    #[error("the questions of this month are used up")]
    QuestionsUsedUp,
    /// The question waits for its answer, or has none.
    #[error("the answer is pending")]
    AnswerPending,
    /// The question does not wait for an answer.
    #[error("the question is answered already")]
    AlreadyAnswered,
    /// The question has as many follow-ups as it may.
    #[error("the question takes no more follow-ups")]
    QuestionClosed,
    /// Another learner holds or has booked the slot.
    #[error("the slot is taken")]
    SlotTaken,
    /// The slot starts too soon, or staff closed it.
    #[error("the slot can no longer be booked")]
    SlotClosed,
    /// The learner does not hold the slot, or no longer.
    #[error("the learner does not hold the slot")]
    HoldExpired,
    /// The learner has as many upcoming interviews as they may.
    #[error("the learner has as many upcoming interviews as they may")]
    InterviewLimit,
    /// The learner has another interview at that time.
    #[error("the learner has another interview at that time")]
    InterviewOverlap,
    /// The interview starts too soon to be cancelled or changed.
    #[error("the interview can no longer be cancelled")]
    InterviewFixed,
    /// The learner missed two interviews.
    #[error("booking is paused after two missed interviews")]
    BookingPaused,
    /// The deadline of the event has passed.
    #[error("the event accepts no one any more")]
    SignUpClosed,
    /// The entry has no valid offer of a place.
    #[error("the offer of a place has ended")]
    OfferEnded,
    /// The event has started.
    #[error("the event has started")]
    EventStarted,
    /// The operating system returned no random bytes.
    #[error("no random bytes")]
    NoRandomness,
    /// No free inquiry number was found.
    #[error("no free inquiry number was found")]
    NoNumber,
    /// The template of an email failed.
    #[error("the template of a mail failed")]
    Writing(#[from] askama::Error),
    /// The message of an email could not be built.
    #[error("the message of a mail could not be built")]
    Building(#[from] lettre::error::Error),
    /// The content type of an attachment is invalid.
    #[error("the content type of an attachment is invalid")]
    Naming(#[from] lettre::message::header::ContentTypeErr),
    /// A mail, an inquiry or a picture could not be encrypted or decrypted.
    #[error("a value could not be encrypted or decrypted")]
    Sealing,
    /// A database statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> ServiceError {
        match self {
            Self::Field(field) => field.clone().into(),
            Self::Fields(fields) => fields.clone().into(),
            Self::NotFound => Code::NotFound.into(),
            Self::LinkDead => ServiceError::new(Code::Invalid, "LINK_DEAD"),
            Self::RateLimited(wait) => ServiceError::limited("RATE_LIMITED", *wait),
            // On the wire, inquiries used this code before the idempotency layer had 422.
            Self::Idempotency(refusal @ Refusal::KeyReused) => {
                ServiceError { code: Code::Conflict, ..refusal.into() }
            }
            Self::Idempotency(refusal) => refusal.into(),
            Self::QuestionsUsedUp => ServiceError::new(Code::Conflict, "QUESTIONS_USED_UP"),
            Self::AnswerPending => ServiceError::new(Code::Conflict, "ANSWER_PENDING"),
            Self::AlreadyAnswered => ServiceError::new(Code::Conflict, "ALREADY_ANSWERED"),
            Self::QuestionClosed => ServiceError::new(Code::Conflict, "QUESTION_CLOSED"),
            Self::SlotTaken => ServiceError::new(Code::Conflict, "SLOT_TAKEN"),
            Self::SlotClosed => ServiceError::new(Code::Conflict, "SLOT_CLOSED"),
            Self::HoldExpired => ServiceError::new(Code::Conflict, "HOLD_EXPIRED"),
            Self::InterviewLimit => ServiceError::new(Code::Conflict, "INTERVIEW_LIMIT"),
            Self::InterviewOverlap => ServiceError::new(Code::Conflict, "INTERVIEW_OVERLAP"),
            Self::InterviewFixed => ServiceError::new(Code::Conflict, "INTERVIEW_FIXED"),
            Self::BookingPaused => ServiceError::new(Code::Conflict, "BOOKING_PAUSED"),
            Self::SignUpClosed => ServiceError::new(Code::Conflict, "SIGN_UP_CLOSED"),
            Self::OfferEnded => ServiceError::new(Code::Conflict, "OFFER_ENDED"),
            Self::EventStarted => ServiceError::new(Code::Conflict, "EVENT_STARTED"),
            Self::PictureTooLarge => ServiceError {
                reason: "PICTURE_TOO_LARGE".into(),
                ..ServiceError::field("picture", "PICTURE_TOO_LARGE")
            },
            Self::PictureUnreadable => ServiceError {
                reason: "PICTURE_UNREADABLE".into(),
                ..ServiceError::field("picture", "PICTURE_UNREADABLE")
            },
            Self::Writing(_)
            | Self::Building(_)
            | Self::Naming(_)
            | Self::Sealing
            | Self::NoRandomness
            | Self::NoNumber => Code::Internal.into(),
            Self::Database(error) => kit_db::code(error).into(),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}

impl From<PictureError> for Error {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::TooLarge => Self::PictureTooLarge,
            PictureError::Unreadable => Self::PictureUnreadable,
        }
    }
}
