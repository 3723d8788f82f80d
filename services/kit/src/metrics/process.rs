//! Metrics of this process from the operating system.

use std::sync::LazyLock;

use time::{Duration, OffsetDateTime};

use super::list;
use super::show::{Sample, watch};
use crate::clock::Clock;

static BEGAN: LazyLock<OffsetDateTime> = LazyLock::new(|| Clock::system().now());

/// Registers the metrics of the process, and records its start time.
pub(super) fn register_metrics() {
    LazyLock::force(&BEGAN);
    watch(&list::BUILD_INFO, || vec![Sample::new([env!("CARGO_PKG_VERSION")], 1.0)]);
    watch(&list::PROCESS_START_TIME, || {
        vec![Sample::new([], (*BEGAN - OffsetDateTime::UNIX_EPOCH).as_seconds_f64())]
    });
    watch(&list::PROCESS_CPU, || {
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let used = Duration::seconds(used.tv_sec) + Duration::nanoseconds(used.tv_nsec);
        vec![Sample::new([], used.as_seconds_f64())]
    });
    // Only Linux has the file; elsewhere the metric is not there.
    watch(&list::PROCESS_RESIDENT_MEMORY, || {
        resident().map(|bytes| Sample::new([], bytes)).into_iter().collect()
    });
}

/// Bytes in RAM: the second number of `statm` counts pages.
#[expect(clippy::cast_precision_loss, reason = "exact up to 8 PiB")]
fn resident() -> Option<f64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some((pages * rustix::param::page_size()) as f64)
}
