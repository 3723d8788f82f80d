//! Metrics for Prometheus: `GET /metrics` (`OpenMetrics` text) on a listener of its own.
//!
//! A metric is declared beside the code that records it. A process lists all of its metrics for [`run`](crate::run);
//! `edge metrics` prints them. Frequent events are recorded where they happen. Current values are read at each scrape
//! ([`watch`]). Labels are routes, methods, codes and fixed words: never an id, never input of a client.

mod metric;
mod process;
mod record;
mod recorder;
mod registry;

pub use metric::{Kind, Metric};
pub use process::PROCESS;
pub(crate) use record::{
    Active, count_refused_caller, expose_refused_callers, http_served, rpc_called, rpc_served,
};
pub use record::{HTTP_SERVER, RPC_CLIENT, RPC_SERVER};
pub use recorder::{Counter, Histogram};
pub use registry::{Sample, text, watch};

/// The hidden command that prints the metrics of a process as JSON, for the checks of the manifests (`k8s/check`).
pub(crate) const COMMAND: &str = "metrics";

/// Registers the metrics of the process and records its start time. Call it first.
pub(crate) fn begin() {
    process::register_metrics();
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    use http::StatusCode;
    use opentelemetry::trace::SpanContext;

    use super::*;

    /// Parses the metrics of a text and their labels.
    fn shown(text: &str) -> BTreeMap<&str, BTreeSet<&str>> {
        let kinds: BTreeMap<_, _> =
            text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' ')).collect();
        let mut shown = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let series = line.split(" # ").next().unwrap_or(line);
            let (name, labels) = series.rsplit_once(' ').unwrap().0.split_once('{').unwrap_or((series, ""));
            let name = name.split(' ').next().unwrap();
            let of_histogram = ["_bucket", "_count", "_sum"].iter().find_map(|part| name.strip_suffix(part));
            let metric = of_histogram.filter(|name| kinds.get(name) == Some(&"histogram")).unwrap_or(name);
            let labels = labels.trim_end_matches('}').split("\",").filter_map(|label| label.split_once('='));
            let names = labels.map(|(name, _)| name).filter(|name| *name != "le");
            shown.entry(metric).or_insert_with(BTreeSet::new).extend(names);
        }
        shown
    }

    #[test]
    fn exposed_metrics_match_their_declarations() {
        static COUNTER: Counter<2> = Counter::new(EVENTS);
        static HISTOGRAM: Histogram = Histogram::new(WAITS);
        let (took, nowhere) = (Duration::from_millis(3), SpanContext::empty_context());
        http_served("GET", "/list/", Some(StatusCode::OK), took, &nowhere);
        rpc_served("test.v1.ListService/List", "OK", took, &nowhere);
        rpc_called("test.v1.ListService/List", "OK", took);
        begin();
        expose_refused_callers(&["missing"]);
        drop(Active::begin());
        COUNTER.expose(["day", "old"]);
        for _ in 0..2 {
            COUNTER.increment(["night", "new"]);
        }
        HISTOGRAM.record(took);
        watch(&LEVEL, || vec![Sample::new(["a", "b"], 1.0)]);
        let text = text().unwrap();
        let declared = [PROCESS, HTTP_SERVER, RPC_SERVER, RPC_CLIENT, &[EVENTS, WAITS, LEVEL]];
        let declared: Vec<_> = declared.into_iter().flatten().collect();
        let labels =
            declared.iter().map(|metric| (metric.name, metric.labels.iter().copied().collect())).collect();
        assert_eq!(shown(&text), labels, "{text}");
        for line in [
            r#"test_events_total{time="day",age="old"} 0"#,
            r#"test_events_total{time="night",age="new"} 2"#,
            r#"test_wait_seconds_bucket{le="0.0025"} 0"#,
            r#"test_wait_seconds_bucket{le="0.005"} 1"#,
        ] {
            assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
        }
        assert!(text.ends_with("# EOF\n"));
        for metric in declared {
            assert_eq!(metric.name.ends_with("_total"), metric.kind == Kind::Counter, "{}", metric.name);
            assert!(!metric.help.ends_with('.'), "{}", metric.name);
        }
    }

    const EVENTS: Metric = Metric {
        name: "test_events_total",
        kind: Kind::Counter,
        labels: &["time", "age"],
        help: "Events of this test",
    };
    const WAITS: Metric =
        Metric { name: "test_wait_seconds", kind: Kind::Histogram, labels: &[], help: "Waits of this test" };
    const LEVEL: Metric =
        Metric { name: "test_level", kind: Kind::Gauge, labels: &["one", "other"], help: "A level" };
}
