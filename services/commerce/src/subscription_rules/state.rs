//! The states of a subscription and their transitions.

/// The state of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum State {
    /// Its first order awaits payment.
    Incomplete,
    Active,
    /// A renewal is due and unpaid. Access continues for the grace period.
    PastDue,
    /// It ends with the current period.
    CancelScheduled,
    Ended,
}

/// An event that may change the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Its first order, or a renewal, was paid.
    Paid,
    /// The charge of a renewal was refused.
    Refused,
    /// The order of its first period or of a renewal ended unpaid.
    Unpaid,
    /// The buyer cancels the subscription.
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

    /// The state after an event, or `None` if the event is not possible in this state.
    #[must_use]
    pub fn after(self, event: Event) -> Option<Self> {
        match self {
            Self::Incomplete => match event {
                Event::Paid => Some(Self::Active),
                Event::Unpaid | Event::Erased => Some(Self::Ended),
                Event::Refused | Event::Cancelled | Event::Resumed | Event::Over => None,
            },
            Self::Active => match event {
                Event::Paid | Event::Resumed => Some(Self::Active),
                Event::Refused => Some(Self::PastDue),
                Event::Cancelled => Some(Self::CancelScheduled),
                Event::Unpaid | Event::Erased => Some(Self::Ended),
                Event::Over => None,
            },
            Self::PastDue => match event {
                Event::Paid => Some(Self::Active),
                Event::Refused => Some(Self::PastDue),
                // The paid period is over.
                Event::Cancelled | Event::Unpaid | Event::Erased => Some(Self::Ended),
                Event::Resumed | Event::Over => None,
            },
            Self::CancelScheduled => match event {
                // The last renewal was in progress at the time of the cancellation.
                Event::Paid | Event::Cancelled => Some(Self::CancelScheduled),
                Event::Resumed => Some(Self::Active),
                Event::Refused | Event::Unpaid | Event::Over | Event::Erased => Some(Self::Ended),
            },
            Self::Ended => None,
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
