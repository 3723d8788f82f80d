//! The registry of metrics and the endpoint that serves it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::{self, Registry};

use super::metric::{Kind, Metric};
use crate::Failure;

/// A current value of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    labels: Vec<String>,
    value: f64,
}

impl Sample {
    /// `value`, with the values of the metric's labels in the order of its declaration.
    #[must_use]
    pub fn new<const LABELS: usize>(labels: [&str; LABELS], value: f64) -> Self {
        Self { labels: labels.map(str::to_owned).into(), value }
    }
}

type ReadSamples = Box<dyn Fn() -> Vec<Sample> + Send + Sync>;

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(|| {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(WatchedMetrics));
    Mutex::new(registry)
});
static WATCHED: Mutex<BTreeMap<&str, (&Metric, ReadSamples)>> = Mutex::new(BTreeMap::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `read` at each scrape for the current values of `metric`. Replaces an earlier `read` of the same metric.
///
/// `read` must not block.
pub fn watch(metric: &'static Metric, read: impl Fn() -> Vec<Sample> + Send + Sync + 'static) {
    lock(&WATCHED).insert(metric.name, (metric, Box::new(read)));
}

/// Registers `recorder` for `metric`.
pub(super) fn register<Recorder: registry::Metric + Clone>(metric: &Metric, recorder: Recorder) -> Recorder {
    lock(&REGISTRY).register(base(metric), metric.help, recorder.clone());
    recorder
}

/// The name without `_total`, which the encoder adds to counters.
fn base(metric: &Metric) -> &'static str {
    metric.name.trim_end_matches("_total")
}

#[derive(Debug)]
struct WatchedMetrics;

impl Collector for WatchedMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for (metric, read) in lock(&WATCHED).values() {
            let samples = read();
            if samples.is_empty() {
                continue;
            }
            let kind = match metric.kind {
                Kind::Counter => MetricType::Counter,
                Kind::Gauge => MetricType::Gauge,
                Kind::Histogram => MetricType::Histogram,
            };
            let mut encoder = encoder.encode_descriptor(base(metric), metric.help, None, kind)?;
            for Sample { labels, value } in samples {
                let labels: Vec<_> = metric.labels.iter().copied().zip(labels).collect();
                if labels.is_empty() {
                    write(&mut encoder, metric.kind, value)?;
                } else {
                    write(&mut encoder.encode_family(&labels)?, metric.kind, value)?;
                }
            }
        }
        Ok(())
    }
}

fn write(encoder: &mut MetricEncoder<'_>, kind: Kind, value: f64) -> fmt::Result {
    match kind {
        Kind::Counter => encoder.encode_counter(&value, None::<&Exemplar<[(&str, &str); 0], f64>>),
        Kind::Gauge => encoder.encode_gauge(&value),
        // A histogram is recorded, not watched.
        Kind::Histogram => Err(fmt::Error),
    }
}

/// Every metric of this process, as `OpenMetrics` text.
pub fn text() -> Result<String, Failure> {
    let mut encoded = String::new();
    text::encode(&mut encoded, &lock(&REGISTRY))?;
    Ok(encoded)
}
