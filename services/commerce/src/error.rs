//! Errors, and their mapping to status codes and reasons.

use std::time::Duration;

use kit::error::{Code, FieldError, ServiceError};
use kit_db::idempotency::Refusal;

use crate::settlement_error::SettlementError;

/// The errors of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The item does not exist, is not on sale yet, or belongs to another account.
    #[error("not found")]
    NotFound,
    /// The caller's account was erased.
    #[error("the account was erased")]
    AccountErased,
    /// The cart has the maximum number of lines.
    #[error("the cart is full")]
    CartFull,
    /// The buyer has no learner to buy for.
    #[error("the buyer has no learner to buy for")]
    NoLearner,
    /// The learner has no linked guardian to ask.
    #[error("the learner has no guardian to ask")]
    NoGuardian,
    /// An order awaits its payment.
    #[error("an order awaits its payment")]
    OrderOpen,
    /// The cart has no line that can be bought.
    #[error("the cart has no line that can be bought")]
    CartEmpty,
    /// The cart, a price or the terms have changed since the confirmation.
    #[error("the confirmation has changed")]
    ConfirmationChanged,
    /// Too many attempts. The next one is possible after this duration.
    #[error("too many tries")]
    RateLimited(Duration),
    /// The order awaits no payment.
    #[error("the order awaits no payment")]
    OrderClosed,
    /// A figure of the refund has changed since the quote.
    #[error("the quote has changed")]
    QuoteChanged,
    /// The line can't be refunded.
    #[error("the line can't be refunded")]
    NotRefundable,
    /// A subscription that continues needs the card.
    #[error("a subscription needs the card")]
    CardNeeded,
    /// The subscription has ended, or was never paid.
    #[error("the subscription has ended")]
    SubscriptionEnded,
    /// The signature of a webhook event is wrong, missing or too old.
    #[error("the signature is invalid")]
    SignatureInvalid,
    /// The idempotency key was used with another body, or is in use.
    #[error(transparent)]
    Idempotency(#[from] Refusal),
    /// lms did not return the courses that the learners own.
    #[error("lms failed: {0}")]
    Lms(Box<tonic::Status>),
    /// The provider did not answer, or gave an invalid answer.
    #[error(transparent)]
    Settlement(SettlementError),
    /// No free order number was found.
    #[error("no number is free for an order")]
    NoNumber,
    /// A confirmation could not be written.
    #[error("a confirmation could not be written")]
    Document(#[from] serde_json::Error),
    /// A receipt could not be written as PDF.
    #[error("a PDF could not be written: {0}")]
    Pdf(#[from] kit_pdf::PdfError),
    /// A database statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> ServiceError {
        match self {
            Self::Field(field) => field.clone().into(),
            Self::NotFound => Code::NotFound.into(),
            Self::AccountErased => Code::Unauthenticated.into(),
            Self::CartFull => ServiceError::new(Code::Conflict, "CART_FULL"),
            Self::NoLearner => ServiceError::new(Code::Conflict, "NO_LEARNER"),
            Self::NoGuardian => ServiceError::new(Code::Conflict, "NO_GUARDIAN"),
            Self::OrderOpen => ServiceError::new(Code::Conflict, "ORDER_OPEN"),
            Self::CartEmpty => ServiceError::new(Code::Conflict, "CART_EMPTY"),
            Self::ConfirmationChanged => ServiceError::new(Code::Conflict, "CONFIRMATION_CHANGED"),
            Self::RateLimited(wait) => ServiceError::limited("RATE_LIMITED", *wait),
            Self::OrderClosed => ServiceError::new(Code::Conflict, "ORDER_CLOSED"),
            Self::QuoteChanged => ServiceError::new(Code::Conflict, "QUOTE_CHANGED"),
            Self::NotRefundable => ServiceError::new(Code::Conflict, "NOT_REFUNDABLE"),
            Self::CardNeeded => ServiceError::new(Code::Conflict, "CARD_NEEDED"),
            Self::SubscriptionEnded => ServiceError::new(Code::Conflict, "SUBSCRIPTION_ENDED"),
            Self::SignatureInvalid => ServiceError::new(Code::Invalid, "SIGNATURE_INVALID"),
            Self::Idempotency(refusal) => refusal.into(),
            Self::Lms(_) => Code::Unavailable.into(),
            Self::Settlement(error) => error.code().into(),
            Self::Document(_) | Self::NoNumber | Self::Pdf(_) => Code::Internal.into(),
            Self::Database(error) => kit_db::code(error).into(),
        }
    }
}

impl From<SettlementError> for Error {
    fn from(error: SettlementError) -> Self {
        match error {
            SettlementError::Database(error) => Self::Database(error),
            error => Self::Settlement(error),
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
