//! Metrics: active windows and their age, confirmations, and the state of the source.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use kit::clock::Clock;
use kit::metrics::{Kind, Metric, Sample, watch};
use time::OffsetDateTime;

use crate::board::{Board, Windows};
use crate::window::{Scope, Window};

/// Active maintenance windows.
const WINDOWS_ACTIVE: Metric = Metric {
    name: "konomana_maintenance_windows_active",
    kind: Kind::Gauge,
    labels: &["scope"],
    help: "Active maintenance windows",
};
/// The age of an active maintenance window.
const WINDOW_AGE: Metric = Metric {
    name: "konomana_maintenance_window_age_seconds",
    kind: Kind::Gauge,
    labels: &["name", "ends"],
    help: "Time since a maintenance window became active; ends is planned for a window with an end, and open otherwise",
};
/// Edges that follow the maintenance service.
const EDGES: Metric = Metric {
    name: "konomana_maintenance_edges",
    kind: Kind::Gauge,
    labels: &["state"],
    help: "Connected edges: known, all of them; told, those that confirmed the newest list",
};
/// Whether the maintenance windows can be read.
const SOURCE_UP: Metric = Metric {
    name: "konomana_maintenance_source_up",
    kind: Kind::Gauge,
    labels: &[],
    help: "1 while the declared windows can be read and parsed, 0 while the last valid list stays active",
};
/// The metrics that only maintenance has.
pub(crate) const OWN: &[Metric] = &[WINDOWS_ACTIVE, WINDOW_AGE, EDGES, SOURCE_UP];

/// Registers the metrics.
pub(crate) fn register_metrics(board: &Board, clock: &Clock) {
    let (list, now) = (board.watch_list(), clock.clone());
    watch(&WINDOWS_ACTIVE, move || {
        let windows = list.borrow().as_ref().map(|list| list.windows.clone()).unwrap_or_default();
        count_active(&windows, now.now())
    });
    let (list, now, ages) = (board.watch_list(), clock.clone(), Ages::default());
    watch(&WINDOW_AGE, move || {
        let windows = list.borrow().as_ref().map(|list| list.windows.clone()).unwrap_or_default();
        ages.collect_samples(&windows, now.now())
    });
    let (list, audience) = (board.watch_list(), board.watch_audience());
    watch(&EDGES, move || {
        let audience = audience.borrow();
        let revision = list.borrow().as_ref().map_or(0, |list| list.revision);
        let sample = |state: &str, edges: u32| Sample::new([state], edges.into());
        vec![sample("known", audience.count_edges()), sample("told", audience.count_confirmed(revision))]
    });
    let source = board.clone();
    watch(&SOURCE_UP, move || vec![Sample::new([], if source.is_source_up() { 1.0 } else { 0.0 })]);
}

/// Counts the active windows of each scope.
fn count_active(windows: &Windows, now: OffsetDateTime) -> Vec<Sample> {
    [Scope::Site, Scope::Accounts, Scope::Learning, Scope::Commerce, Scope::Exam]
        .into_iter()
        .map(|scope| {
            let count =
                windows.iter().filter(|window| window.scope == scope && window.is_active(now)).count();
            Sample::new([&format!("{scope:?}")], u32::try_from(count).unwrap_or(u32::MAX).into())
        })
        .collect()
}

/// The age of each active window: since its start, or since its declaration if it has no start.
#[derive(Default)]
struct Ages {
    /// First observation of windows with an unknown declaration time.
    first_seen: Mutex<HashMap<String, OffsetDateTime>>,
}

impl Ages {
    fn collect_samples(&self, windows: &[Window], now: OffsetDateTime) -> Vec<Sample> {
        let mut seen = self.first_seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|name, _| windows.iter().any(|window| window.name == *name && window.is_active(now)));
        let active = windows.iter().filter(|window| window.is_active(now));
        active
            .map(|window| {
                let first = || *seen.entry(window.name.clone()).or_insert(now);
                let since = window.starts_at.max(window.declared_at).unwrap_or_else(first);
                let ends = if window.ends_at.is_some() { "planned" } else { "open" };
                Sample::new([&window.name, ends], (now - since).as_seconds_f64())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Mode;
    use time::Duration;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn window(name: &str) -> Window {
        Window {
            name: name.to_owned(),
            scope: Scope::Learning,
            mode: Mode::Full,
            declared_at: None,
            starts_at: None,
            ends_at: None,
            title: "メンテナンス中です".to_owned(),
            message: "お待ちください。".to_owned(),
            status_url: None,
            retry_after_seconds: None,
            bypass_scopes: Vec::new(),
            suspend: false,
        }
    }

    #[test]
    fn each_scope_counts_its_active_windows() {
        let windows = [
            window("one"),
            Window { suspend: true, ..window("asleep") },
            Window { starts_at: Some(NOW + Duration::HOUR), ..window("later") },
            Window { scope: Scope::Exam, ends_at: Some(NOW), ..window("over") },
        ];
        let wanted = [("Site", 0.0), ("Accounts", 0.0), ("Learning", 1.0), ("Commerce", 0.0), ("Exam", 0.0)];
        assert_eq!(
            count_active(&windows.into(), NOW),
            wanted.map(|(scope, count)| Sample::new([scope], count))
        );
    }

    #[test]
    fn a_window_ages_from_its_start_its_declaration_or_its_first_observation() {
        let ages = Ages::default();
        let begun = Some(NOW - Duration::MINUTE);
        let windows = [
            Window { starts_at: begun, declared_at: Some(NOW - Duration::DAY), ..window("planned") },
            Window { declared_at: begun, ends_at: Some(NOW + Duration::DAY), ..window("declared") },
            window("seen"),
        ];
        ages.collect_samples(&windows, NOW);
        let wanted = [("planned", "open", 61.0), ("declared", "planned", 61.0), ("seen", "open", 1.0)];
        assert_eq!(
            ages.collect_samples(&windows, NOW + Duration::SECOND),
            wanted.map(|(name, ends, age)| Sample::new([name, ends], age))
        );
    }
}
