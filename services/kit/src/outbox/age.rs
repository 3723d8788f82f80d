//! For how long what waits has waited, among the metrics.

use std::sync::{Arc, Mutex, PoisonError};

use time::OffsetDateTime;

use crate::clock::Clock;
use crate::metrics::{self, Sample, list};

/// Since when the oldest of what waits for one receiver has waited, as it was last looked up. Cheap to clone.
#[derive(Clone, Default)]
pub struct Age(Arc<Mutex<Option<OffsetDateTime>>>);

impl Age {
    /// It was looked up; `None` where nothing waits.
    pub fn set(&self, since: Option<OffsetDateTime>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    fn get(&self) -> Option<OffsetDateTime> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of every receiver that this process has something for.
#[derive(Default)]
pub struct Ages(Vec<(&'static str, Age)>);

impl Ages {
    /// Of one more.
    pub fn add(&mut self, receiver: &'static str) -> Age {
        let age = Age::default();
        self.0.push((receiver, age.clone()));
        age
    }

    /// Shows them, in place of others that were shown.
    pub fn show(self, clock: &Clock) {
        let clock = clock.clone();
        metrics::watch(&list::OUTBOX_AGE, move || {
            let seconds = |since: OffsetDateTime| (clock.now() - since).as_seconds_f64();
            self.0
                .iter()
                .map(|(receiver, age)| Sample::new([receiver], age.get().map_or(0.0, seconds)))
                .collect()
        });
    }
}
