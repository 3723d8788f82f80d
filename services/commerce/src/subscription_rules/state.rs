//! The states of a subscription, and what changes them.

/// The state of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum State {
    /// Its first order awaits its payment.
    Incomplete,
    Active,
    /// A renewal is due and not paid. Access goes on for the grace period.
    PastDue,
    /// It ends with the period.
    CancelScheduled,
    Ended,
}

/// Something that happens to a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Its first order, or a renewal, was paid.
    Paid,
    /// The charge of a renewal was refused.
    Refused,
    /// The order of its first period, or of a renewal, ended without a payment.
    Unpaid,
    /// The buyer cancels it.
    Cancelled,
    /// The buyer takes the cancellation back.
    Resumed,
    /// Its last period is over.
    Over,
    /// The account of its buyer or its learner was erased.
    Erased,
}

impl State {
    /// All states.
    pub const ALL: [Self; 5] =
        [Self::Incomplete, Self::Active, Self::PastDue, Self::CancelScheduled, Self::Ended];

    /// The state after an event; `None` if the event can't happen in this state.
    #[must_use]
    pub fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Ended, _) => None,
            (_, Event::Erased) => Some(Self::Ended),
            (Self::Incomplete | Self::Active | Self::PastDue, Event::Paid) => Some(Self::Active),
            // The last renewal was under way when it was cancelled.
            (Self::CancelScheduled, Event::Paid) => Some(Self::CancelScheduled),
            (Self::Active | Self::PastDue, Event::Refused) => Some(Self::PastDue),
            // There is nothing to wait for.
            (Self::CancelScheduled, Event::Refused | Event::Unpaid | Event::Over)
            | (Self::Incomplete | Self::Active | Self::PastDue, Event::Unpaid)
            // The period that was paid is over.
            | (Self::PastDue, Event::Cancelled) => Some(Self::Ended),
            (Self::Active | Self::CancelScheduled, Event::Cancelled) => Some(Self::CancelScheduled),
            (Self::Active | Self::CancelScheduled, Event::Resumed) => Some(Self::Active),
            (Self::Incomplete, Event::Refused | Event::Cancelled)
            | (Self::Incomplete | Self::PastDue, Event::Resumed)
            | (Self::Incomplete | Self::Active | Self::PastDue, Event::Over) => None,
        }
    }

    /// Whether it gives access.
    #[must_use]
    pub fn has_access(self) -> bool {
        matches!(self, Self::Active | Self::PastDue | Self::CancelScheduled)
    }

    /// Whether the buyer can cancel it.
    #[must_use]
    pub fn can_cancel(self) -> bool {
        matches!(self, Self::Active | Self::PastDue)
    }

    /// Whether the buyer can take a cancellation back.
    #[must_use]
    pub fn can_resume(self) -> bool {
        self == Self::CancelScheduled
    }
}
