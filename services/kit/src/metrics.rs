//! Metrics for Prometheus: `GET /metrics` (`OpenMetrics` text) on a listener of its own.
//!
//! [`list`] declares every metric. Frequent events are recorded where they happen. Current values are read at each scrape
//! ([`watch`]). Labels are routes, methods, codes and fixed words: never an id, never input of a client.

pub mod list;
mod process;
mod record;
mod show;

pub use list::{ALL, Kind, Metric, NAMES};
pub(crate) use record::{
    Active, caller_refused, connection_waited, http_served, may_refuse_callers, rpc_called, rpc_served,
};
pub use record::{CappedMail, Refusal, may_refuse, may_withhold, refused, withheld};
pub use show::{Sample, text, watch};

/// Registers the metrics of the process and remembers when it began: call it first.
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

    /// The metrics of a text and their labels.
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
    fn what_is_shown_is_what_the_list_says_and_all_of_it_can_be() {
        let (took, nowhere) = (Duration::from_millis(3), SpanContext::empty_context());
        http_served("GET", "/list/", Some(StatusCode::OK), took, &nowhere);
        rpc_served("test.v1.ListService/List", "OK", took, &nowhere);
        rpc_called("test.v1.ListService/List", "OK", took);
        connection_waited(took);
        begin();
        may_refuse();
        may_refuse_callers(&["missing"]);
        may_withhold(CappedMail::Receipt);
        drop(Active::begin());
        for metric in &ALL {
            let of_kit = [
                "konomana_build_info",
                "konomana_requests_refused_total",
                "konomana_callers_refused_total",
                "konomana_mails_withheld_total",
            ]
            .contains(&metric.name);
            let of_a_service = metric.name.starts_with("konomana_") && !of_kit;
            if of_a_service || metric.name.starts_with("db_client_connection_") && metric.kind == Kind::Gauge
            {
                watch(metric, || vec![Sample::new(["a", "b"], 1.0)]);
            }
        }
        let text = text().unwrap();
        let listed =
            ALL.iter().map(|metric| (metric.name, metric.labels.iter().copied().collect())).collect();
        assert_eq!(shown(&text), listed, "{text}");
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn the_list_names_each_metric_once_and_the_way_prometheus_does() {
        assert_eq!(BTreeSet::from(NAMES).len(), NAMES.len());
        for metric in &ALL {
            assert_eq!(metric.name.ends_with("_total"), metric.kind == Kind::Counter, "{}", metric.name);
            assert!(!metric.help.ends_with('.') && !metric.processes.is_empty(), "{}", metric.name);
        }
        assert_eq!(
            list::HTTP_SERVER_REQUEST_DURATION.series(),
            ["bucket", "count", "sum"].map(|part| format!("http_server_request_duration_seconds_{part}"))
        );
    }
}
