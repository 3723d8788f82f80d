//! The declaration of a metric.
//!
//! Names follow OpenTelemetry's conventions where one exists, in Prometheus notation.

use serde::Serialize;

/// A metric, declared as a constant beside the code that records it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Metric {
    /// The name in Prometheus; for a histogram without `_bucket`, `_count` and `_sum`.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The help text.
    pub help: &'static str,
}

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Only increases.
    Counter,
    /// Goes up and down.
    Gauge,
    /// A distribution over buckets.
    Histogram,
}

/// Upper bounds of the buckets of all durations, in seconds: dense around usual durations, with exact bounds at 500 ms
/// (the service level objective), at 1 s (above it every trace is kept), and at the edge's time limit.
pub(super) const SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 10.0];
