//! The parts of the product that maintenance closes, and the body of the 503.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

/// A part of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = MaintenanceScope)]
pub(crate) enum Scope {
    /// All of it.
    Site,
    /// Sign-in, sign-up, settings.
    Accounts,
    /// Courses, lessons, marks.
    Learning,
    /// Cart, orders, payments.
    Commerce,
    /// Mock exams.
    Exam,
}

impl Scope {
    /// The parts that close with this one.
    pub(crate) fn affected(self) -> &'static [Self] {
        match self {
            Self::Site => &[Self::Site, Self::Accounts, Self::Learning, Self::Commerce, Self::Exam],
            Self::Accounts => &[Self::Accounts],
            Self::Learning => &[Self::Learning],
            Self::Commerce => &[Self::Commerce],
            Self::Exam => &[Self::Exam],
        }
    }
}

/// The body of a 503, the only one there is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Maintenance)]
pub(crate) struct Closure {
    /// Seconds; sent as `Retry-After`.
    #[serde(skip)]
    pub(crate) retry_after: u64,
    /// One line, in Japanese.
    pub(crate) title: String,
    /// What happens and why, in Japanese.
    pub(crate) message: String,
    /// Since when; null where that was not said.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    pub(crate) starts_at: Option<OffsetDateTime>,
    /// Until when; null while nobody knows.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    pub(crate) ends_at: Option<OffsetDateTime>,
    /// Every part that is closed with it.
    pub(crate) affected: Vec<Scope>,
}
