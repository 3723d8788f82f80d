//! The parts of the product that maintenance closes, and the body of the 503.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

/// A part of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = MaintenanceScope)]
pub(crate) enum Scope {
    /// The whole product.
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
    /// Returns the parts that close together with this one.
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

/// The body of every 503.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Maintenance)]
pub(crate) struct Closure {
    /// Seconds until the next request should be made; also sent as `Retry-After`.
    #[serde(skip)]
    pub(crate) retry_after: u64,
    /// One line, in Japanese.
    pub(crate) title: String,
    /// Reason and effects, in Japanese.
    pub(crate) message: String,
    /// Start of the window; null: not specified.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    pub(crate) starts_at: Option<OffsetDateTime>,
    /// End of the window; null: unknown.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    pub(crate) ends_at: Option<OffsetDateTime>,
    /// Parts of the product that are closed.
    pub(crate) affected: Vec<Scope>,
}
