//! Attempts to pay orders at the provider.

use time::OffsetDateTime;

/// How an order is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Method {
    Card,
}

/// The state of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum State {
    /// The provider was not asked yet.
    Created,
    /// The provider's answer is missing.
    Unknown,
    /// The provider waits for the buyer.
    RequiresAction,
    Succeeded,
    Failed,
    Cancelled,
    Expired,
}

/// The last attempt to pay an order, as its buyer sees it.
pub(crate) struct LastPayment {
    pub(crate) method: Method,
    pub(crate) state: State,
    /// The provider's page.
    pub(crate) page_url: Option<String>,
    pub(crate) page_expires_at: OffsetDateTime,
    /// Why the provider refused the last card.
    pub(crate) decline_code: Option<String>,
}

impl LastPayment {
    /// The provider's page, while the buyer can pay there.
    pub(crate) fn open_page(&self, now: OffsetDateTime) -> Option<&str> {
        let is_open = self.state == State::RequiresAction && now < self.page_expires_at;
        self.page_url.as_deref().filter(|_| is_open)
    }
}
