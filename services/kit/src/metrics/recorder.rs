//! Recorders of single metrics, for statics in the code that records them.

use std::sync::OnceLock;
use std::time::Duration;

use prometheus_client::metrics::counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram;

use super::metric::{Metric, SECONDS};
use super::registry::register;

/// A counter with `LABELS` labels. It is exposed after its first use.
pub struct Counter<const LABELS: usize> {
    metric: Metric,
    series: OnceLock<Series<LABELS>>,
}

type Series<const LABELS: usize> = Family<[(&'static str, &'static str); LABELS], counter::Counter>;

impl<const LABELS: usize> Counter<LABELS> {
    /// A counter for `metric`.
    ///
    /// # Panics
    ///
    /// At compile time of a static, unless `metric` has `LABELS` labels.
    #[must_use]
    pub const fn new(metric: Metric) -> Self {
        assert!(metric.labels.len() == LABELS, "the metric has another number of labels");
        Self { metric, series: OnceLock::new() }
    }

    /// Exposes the series with these label values at zero, so that its first event is visible as an increase.
    pub fn expose(&self, values: [&'static str; LABELS]) {
        drop(self.series().get_or_create(&self.labels(values)));
    }

    /// Counts an event. `values` are the label values in the order of the declaration.
    pub fn increment(&self, values: [&'static str; LABELS]) {
        self.series().get_or_create(&self.labels(values)).inc();
    }

    fn labels(&self, values: [&'static str; LABELS]) -> [(&'static str, &'static str); LABELS] {
        std::array::from_fn(|label| (self.metric.labels[label], values[label]))
    }

    fn series(&self) -> &Series<LABELS> {
        self.series.get_or_init(|| register(&self.metric, Family::default()))
    }
}

/// A histogram of durations without labels. It is exposed after its first use.
pub struct Histogram {
    metric: Metric,
    buckets: OnceLock<histogram::Histogram>,
}

impl Histogram {
    /// A histogram for `metric`.
    ///
    /// # Panics
    ///
    /// At compile time of a static, if `metric` has labels.
    #[must_use]
    pub const fn new(metric: Metric) -> Self {
        assert!(metric.labels.is_empty(), "the metric has labels");
        Self { metric, buckets: OnceLock::new() }
    }

    /// Records a duration.
    pub fn record(&self, duration: Duration) {
        let buckets = self.buckets.get_or_init(|| register(&self.metric, histogram::Histogram::new(SECONDS)));
        buckets.observe(duration.as_secs_f64());
    }
}
