//! Errors of the settlement.

use kit::error::Code;

use crate::provider::ProviderError;

/// Why a payment could not be checked or settled.
#[derive(Debug, thiserror::Error)]
pub enum SettlementError {
    /// A database statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The provider gave no usable answer.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The provider refuses to close a page on which nothing was paid.
    #[error("the page of the payment can't be closed now")]
    NotClosed,
    /// The provider says a state that this release does not know. What it means is not guessed: nothing is booked, and
    /// the object is asked for again until its state is known.
    #[error("the provider says a state of {0} that this release does not know")]
    UnknownState(String),
    /// A renewal could not be placed.
    #[error("a renewal could not be placed: {0}")]
    Renewal(Box<dyn std::error::Error + Send + Sync>),
}

impl SettlementError {
    /// The status code for a call that needed the provider.
    pub(crate) fn code(&self) -> Code {
        match self {
            Self::Database(error) => kit_db::code(error),
            Self::Provider(ProviderError::Unreachable(_)) | Self::NotClosed | Self::UnknownState(_) => {
                Code::Unavailable
            }
            Self::Provider(_) | Self::Renewal(_) => Code::Internal,
        }
    }
}
