//! The age of the oldest event of each receiver, as a metric.

use std::sync::{Arc, Mutex, PoisonError};

use kit::clock::Clock;
use kit::metrics::{self, Kind, Metric, Sample};
use time::OffsetDateTime;

/// The age of the oldest outbox entry.
const OUTBOX_AGE: Metric = Metric {
    name: "konomana_outbox_age_seconds",
    kind: Kind::Gauge,
    labels: &["receiver"],
    help: "Age of the oldest undelivered event or mail for a receiver; 0 if there is none",
};
/// The metrics of a process that delivers events or mails.
pub const METRICS: &[Metric] = &[OUTBOX_AGE];

/// When the oldest event or mail for one receiver was added. Cheap to clone.
#[derive(Clone, Default)]
pub struct Age(Arc<Mutex<Option<OffsetDateTime>>>);

impl Age {
    /// Sets the time that was last read from the database, or `None` when nothing waits.
    pub fn set(&self, since: Option<OffsetDateTime>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    fn get(&self) -> Option<OffsetDateTime> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The ages of one metric in this process, by the value of its label.
pub struct Ages {
    metric: &'static Metric,
    ages: Vec<(&'static str, Age)>,
}

/// Those of the outbox, by receiver.
impl Default for Ages {
    fn default() -> Self {
        Self::new(&OUTBOX_AGE)
    }
}

impl Ages {
    /// For a metric with one label, whose queues are no outbox.
    #[must_use]
    pub fn new(metric: &'static Metric) -> Self {
        Self { metric, ages: Vec::new() }
    }

    /// Adds a receiver, or another value of the label.
    pub fn add(&mut self, receiver: &'static str) -> Age {
        let age = Age::default();
        self.ages.push((receiver, age.clone()));
        age
    }

    /// Registers them as metrics, in place of earlier ones.
    pub fn register_metrics(self, clock: &Clock) {
        let clock = clock.clone();
        metrics::watch(self.metric, move || {
            let seconds = |since: OffsetDateTime| (clock.now() - since).as_seconds_f64();
            self.ages
                .iter()
                .map(|(receiver, age)| Sample::new([receiver], age.get().map_or(0.0, seconds)))
                .collect()
        });
    }
}
