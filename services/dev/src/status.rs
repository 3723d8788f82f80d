//! `cargo dev status`: the processes and their health.

use runner::control::Control;
use runner::places;
use runner::state::State;
use runner::supervisor::Status;
use tooling::failure::Outcome;
use tooling::steps::duration;

use crate::cli;

/// Prints a table of the processes.
pub(crate) async fn print(at: &cli::At) -> Outcome {
    let root = places::state(at.state.as_deref());
    let control = Control::open(State::existing(&root)?.as_ref())?;
    print!("{}", table(&control.status().await?));
    Ok(())
}

fn table(all: &[Status]) -> String {
    let mut text = line(["name", "pid", "address", "up", "restarts", "health"]);
    for status in all {
        text.push_str(&line([
            &status.name,
            &status.pid.map_or_else(|| "-".to_owned(), |pid| pid.to_string()),
            &status.address,
            &status
                .up
                .map_or_else(|| "-".to_owned(), |seconds| duration(std::time::Duration::from_secs(seconds))),
            &status.restarts.to_string(),
            if status.ready { "ready" } else { "not ready" },
        ]));
    }
    text
}

fn line([name, pid, address, up, restarts, health]: [&str; 6]) -> String {
    format!("{name:<12} {pid:>8} {address:<22} {up:>14} {restarts:>9}  {health}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_is_one_line() {
        let status = |name: &str, pid, up, ready| Status {
            name: name.into(),
            pid,
            address: "127.0.0.1:7000".into(),
            up,
            restarts: 2,
            ready,
        };
        let text = table(&[status("edge", Some(12), Some(61), true), status("lms", None, None, false)]);
        assert_eq!(text.lines().count(), 3);
        assert!(text.contains("1 min 01 s") && text.contains("not ready"), "{text}");
    }
}
