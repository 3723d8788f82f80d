//! Metrics of this process from the operating system.

use std::sync::LazyLock;

use time::{Duration, OffsetDateTime};

use super::metric::{Kind, Metric};
use super::registry::{Sample, watch};
use crate::clock::Clock;

/// The build.
const BUILD_INFO: Metric =
    Metric { name: "konomana_build_info", kind: Kind::Gauge, labels: &["version"], help: "Always 1" };
/// Resident memory.
const RESIDENT_MEMORY: Metric = Metric {
    name: "process_resident_memory_bytes",
    kind: Kind::Gauge,
    labels: &[],
    help: "Resident memory of the process",
};
/// CPU time.
const CPU: Metric = Metric {
    name: "process_cpu_seconds_total",
    kind: Kind::Counter,
    labels: &[],
    help: "CPU time of the process, user and system",
};
/// The start time of the process.
const START_TIME: Metric = Metric {
    name: "process_start_time_seconds",
    kind: Kind::Gauge,
    labels: &[],
    help: "Start time of the process, in seconds since 1970",
};

/// The metrics of every process.
pub const PROCESS: &[Metric] = &[BUILD_INFO, RESIDENT_MEMORY, CPU, START_TIME];

static BEGAN: LazyLock<OffsetDateTime> = LazyLock::new(|| Clock::system().now());

/// Registers the metrics of the process, and records its start time.
pub(super) fn register_metrics() {
    LazyLock::force(&BEGAN);
    watch(&BUILD_INFO, || vec![Sample::new([env!("CARGO_PKG_VERSION")], 1.0)]);
    watch(&START_TIME, || vec![Sample::new([], (*BEGAN - OffsetDateTime::UNIX_EPOCH).as_seconds_f64())]);
    watch(&CPU, || {
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let used = Duration::seconds(used.tv_sec) + Duration::nanoseconds(used.tv_nsec);
        vec![Sample::new([], used.as_seconds_f64())]
    });
    // The file exists only on Linux. Elsewhere the metric is absent.
    watch(&RESIDENT_MEMORY, || resident().map(|bytes| Sample::new([], bytes)).into_iter().collect());
}

/// Bytes in RAM: the second number of `statm` counts pages.
#[expect(clippy::cast_precision_loss, reason = "exact up to 8 PiB")]
fn resident() -> Option<f64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some((pages * rustix::param::page_size()) as f64)
}
