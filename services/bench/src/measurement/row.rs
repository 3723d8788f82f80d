//! One measurement: the answers of the product, and its CPU time for each.

use std::collections::BTreeMap;

use runner::supervisor::ProcessTable;
use tooling::failure::Outcome;

use super::load::LoadResult;
use super::{RATIO_AT, usage};

/// The result of one measurement.
pub(super) struct Row {
    pub(super) seen: LoadResult,
    /// Milliseconds of CPU time for each request, by process.
    processors: BTreeMap<String, f64>,
}

impl Row {
    /// Measures the load that `run` puts on the product.
    pub(super) async fn measure(
        watch: &ProcessTable,
        run: impl Future<Output = Outcome<LoadResult>>,
    ) -> Outcome<Self> {
        let before = usage::processors(watch)?;
        let seen = run.await?;
        #[expect(clippy::cast_precision_loss, reason = "far below what a float can count")]
        let answers = seen.answers().max(1) as f64;
        let used = usage::processors(watch)?.into_iter().map(|(name, used)| {
            let used = used.saturating_sub(before.get(&name).copied().unwrap_or_default());
            (name, used.as_secs_f64() * 1000.0 / answers)
        });
        Ok(Self { seen, processors: used.collect() })
    }

    /// Milliseconds of CPU time for each request, summed over all processes.
    pub(super) fn processor(&self) -> f64 {
        self.processors.values().sum()
    }

    /// Ratio of the p99 of both measurements.
    pub(super) fn p99_to(&self, other: &Self) -> f64 {
        self.seen.quantile(0.99) / other.seen.quantile(0.99)
    }

    pub(super) fn print(&self, name: &str, connections: u64) {
        let seen = &self.seen;
        let failures = seen.describe_failures();
        println!(
            "{name:<10} {connections:>5} {:>9.0} {:>9.2} {:>9.2} {:>12.0}{failures}",
            seen.rate(),
            seen.quantile(0.5),
            seen.quantile(0.99),
            self.processor() * 1000.0
        );
        if connections == RATIO_AT {
            println!("{:<26} by process: {}", "", self.describe_processors());
        }
    }

    /// Lists microseconds of CPU time for each request, by process.
    pub(super) fn describe_processors(&self) -> String {
        let largest = self.processors.iter().filter(|(_, time)| **time >= 0.001);
        let parts: Vec<_> = largest.map(|(name, time)| format!("{name} {:.0}", time * 1000.0)).collect();
        parts.join(", ")
    }
}
