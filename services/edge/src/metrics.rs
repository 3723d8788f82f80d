//! The metrics of the edge: the requests that it refuses with 429.

use kit::metrics::{Counter, Kind, Metric};

/// Requests refused by the edge.
const REQUESTS_REFUSED: Metric = Metric {
    name: "konomana_requests_refused_total",
    kind: Kind::Counter,
    labels: &["reason"],
    help: "Answers with 429: rate, a rate limit; load, the edge is overloaded",
};
/// The metrics that only the edge has.
pub(crate) const OWN: &[Metric] = &[REQUESTS_REFUSED];

static REFUSED_REQUESTS: Counter<1> = Counter::new(REQUESTS_REFUSED);

/// Cause of a 429.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A rate limit.
    Rate,
    /// Load shedding.
    Load,
}

impl Refusal {
    /// Counts a refused request.
    pub(crate) fn count(self) {
        REFUSED_REQUESTS.increment(self.labels());
    }

    fn labels(self) -> [&'static str; 1] {
        [match self {
            Self::Rate => "rate",
            Self::Load => "load",
        }]
    }
}

/// Registers the counters.
pub(crate) fn register_metrics() {
    for refusal in [Refusal::Rate, Refusal::Load] {
        REFUSED_REQUESTS.expose(refusal.labels());
    }
}
