//! The outcomes of payments.

use kit::metrics::{Counter, Kind, Metric};

use crate::order::change::Ending;

/// The number of settled payments.
pub(super) const SETTLED: Metric = Metric {
    name: "konomana_payments_settled_total",
    kind: Kind::Counter,
    labels: &["outcome"],
    help: "Payments by how they were settled; returned: the money came for no open order and goes back",
};
pub(super) static SETTLED_PAYMENTS: Counter<1> = Counter::new(SETTLED);

/// The outcome of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Paid,
    /// The money is returned.
    Returned,
    Failed,
    Cancelled,
    Expired,
}

impl Outcome {
    pub(super) const ALL: [Self; 5] =
        [Self::Paid, Self::Returned, Self::Failed, Self::Cancelled, Self::Expired];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Returned => "returned",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Cancelled => Self::Cancelled,
            Ending::Expired => Self::Expired,
        }
    }
}
