//! CPU time and memory of the product's processes, from the kernel.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use tooling::failure::{Doing as _, Outcome};

use runner::supervisor::ProcessTable;

/// Clock ticks per second in /proc/*/stat; the same on every Linux.
const TICKS: u64 = 100;

/// CPU time of all processes of the product since they started, PostgreSQL included.
pub(super) fn processor(watch: &ProcessTable) -> Outcome<Duration> {
    Ok(processors(watch)?.into_values().sum())
}

/// CPU time of each process since it started, by name. Replicas are summed.
pub(super) fn processors(watch: &ProcessTable) -> Outcome<BTreeMap<String, Duration>> {
    let mut times = BTreeMap::new();
    let stats = all_stats()?;
    for (name, pid) in watch.pids() {
        let mut time = Duration::ZERO;
        let is_postgres = name == "postgres";
        for stat in &stats {
            if stat.pid == pid {
                // Includes backends that have ended.
                time += stat.precise() + if is_postgres { stat.ended_children } else { Duration::ZERO };
            } else if is_postgres && stat.parent == pid {
                time += stat.precise();
            }
        }
        *times.entry(name).or_default() += time;
    }
    Ok(times)
}

/// CPU time of this process since it started.
pub(super) fn own() -> Outcome<Duration> {
    let pid = std::process::id();
    let text = fs::read_to_string("/proc/self/stat").doing(|| "reading /proc/self/stat")?;
    parse_stat(pid, &text).map(|stat| stat.own).ok_or_else(|| "/proc/self/stat has another form".into())
}

/// Resident memory of each process in MiB. Memory that PostgreSQL's backends share is counted once.
pub(super) fn memory(watch: &ProcessTable) -> Outcome<BTreeMap<String, f64>> {
    let stats = all_stats()?;
    let mut memory = BTreeMap::new();
    for (name, pid) in watch.pids() {
        let kib = if name == "postgres" {
            let family = stats.iter().filter(|stat| stat.pid == pid || stat.parent == pid);
            family.map(|stat| field(stat.pid, "smaps_rollup", "Pss:").unwrap_or(0)).sum()
        } else {
            field(pid, "status", "VmRSS:").unwrap_or(0)
        };
        memory.insert(name, f64::from(u32::try_from(kib)?) / 1024.0);
    }
    Ok(memory)
}

struct Stat {
    pid: u32,
    parent: u32,
    /// Includes threads that have ended. The kernel rounds it down to ticks.
    own: Duration,
    ended_children: Duration,
}

impl Stat {
    /// CPU time to the nanosecond, unless threads have ended. Ticks are too coarse for the sum of PostgreSQL's many
    /// processes.
    fn precise(&self) -> Duration {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
        let texts = threads.filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
        let alive: u64 = texts.filter_map(|text| text.split(' ').next()?.parse::<u64>().ok()).sum();
        // Both are lower bounds of the CPU time, so the larger one is closer.
        self.own.max(Duration::from_nanos(alive))
    }
}

fn all_stats() -> Outcome<Vec<Stat>> {
    let mut stats = Vec::new();
    for entry in fs::read_dir("/proc").doing(|| "reading /proc, which only Linux has")? {
        let name = entry?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        // A process that has ended since is not one of the product.
        if let Some(stat) =
            fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(|text| parse_stat(pid, &text))
        {
            stats.push(stat);
        }
    }
    Ok(stats)
}

/// Parses /proc/PID/stat. The process name is in brackets and may contain any character. The numbers follow.
fn parse_stat(pid: u32, text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
    let time = |ticks: u64| Duration::from_millis(ticks * 1000 / TICKS);
    Some(Stat {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        own: time(number(11)? + number(12)?),
        ended_children: time(number(13)? + number(14)?),
    })
}

/// Reads a number of KiB from a file of a process.
fn field(pid: u32, file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_a_bracket_in_its_name_is_read() {
        let text = "7 (a) (b) S 3 7 7 0 -1 4194560 1 2 3 4 50 60 7 8 20 0 1 0 9 10 11";
        let stat = parse_stat(7, text).expect("it is whole");
        let milliseconds = Duration::from_millis;
        assert_eq!((stat.parent, stat.own, stat.ended_children), (3, milliseconds(1100), milliseconds(150)));
    }

    #[test]
    fn the_time_of_a_process_is_more_precise_than_ticks() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("it starts");
        let stats = all_stats().expect("the kernel lists it");
        let stat = stats.iter().find(|stat| stat.pid == child.id()).expect("it is a process");
        let precise = stat.precise();
        child.kill().and_then(|()| child.wait()).expect("it ends");
        assert!(precise > stat.own, "{precise:?} {:?}", stat.own);
    }
}
