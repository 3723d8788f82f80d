//! Measures the CPU time of the idle product.

use std::time::Duration;

use runner::supervisor::ProcessTable;
use tooling::failure::Outcome;

use super::usage;

/// Pause before the measurement. Pools close unused connections, and PostgreSQL's writers become idle.
const REST: Duration = Duration::from_mins(1);
/// Length of the measurement. The kernel counts ended backends in ticks of 10 ms, so a shorter time would be inexact.
const LENGTH: Duration = Duration::from_mins(1);

/// Prints the CPU time of each process as a share of one core.
pub(super) async fn measure(watch: &ProcessTable) -> Outcome {
    tokio::time::sleep(REST).await;
    let before = usage::processors(watch)?;
    tokio::time::sleep(LENGTH).await;
    let shares = usage::processors(watch)?.into_iter().map(|(name, used)| {
        let used = used.saturating_sub(before.get(&name).copied().unwrap_or_default());
        (name, 100.0 * used.as_secs_f64() / LENGTH.as_secs_f64())
    });
    let shares: Vec<_> = shares.collect();
    println!("\nidle for {} s after {} s of rest, % of one core:", LENGTH.as_secs(), REST.as_secs());
    for (name, share) in &shares {
        println!("  {name:<12} {share:>6.2}");
    }
    println!("  {:<12} {:>6.2}", "all", shares.iter().map(|(_, share)| share).sum::<f64>());
    Ok(())
}
