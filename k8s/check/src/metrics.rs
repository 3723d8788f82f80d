//! The metrics that the services expose.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome};

use super::picture::SERVICES;

/// The labels of every time series that a service exposes, by its name in Prometheus.
#[derive(Default)]
pub(super) struct Metrics(BTreeMap<String, BTreeSet<String>>);

/// A metric, as a program prints it.
#[derive(Deserialize)]
struct Metric {
    name: String,
    kind: Kind,
    labels: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

impl Metrics {
    /// Runs the program of each service (`edge metrics`) in the folder `programs`.
    pub(super) async fn load(programs: &Path, log: &Path) -> Outcome<Self> {
        let mut all = Self::default();
        for service in SERVICES {
            let printed = run_or_fail(Command::new(programs.join(service)).arg("metrics"), log).await?;
            all.add(&printed).doing(|| format!("reading the metrics of {service}"))?;
        }
        Ok(all)
    }

    /// Adds the metrics of a service from the JSON that its program prints.
    pub(super) fn add(&mut self, json: &str) -> Outcome {
        for Metric { name, kind, labels } in serde_json::from_str::<Vec<Metric>>(json)? {
            let series = match kind {
                Kind::Counter | Kind::Gauge => vec![name],
                Kind::Histogram => ["bucket", "count", "sum"].map(|part| format!("{name}_{part}")).into(),
            };
            for name in series {
                self.0.entry(name).or_default().extend(labels.iter().cloned());
            }
        }
        Ok(())
    }

    /// The labels of a time series; `None` if no service exposes it.
    pub(super) fn labels(&self, series: &str) -> Option<&BTreeSet<String>> {
        self.0.get(series)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_three_series_and_services_add_labels_to_a_shared_metric() {
        let mut metrics = Metrics::default();
        let json = r#"[{"name": "wait_seconds", "kind": "histogram", "labels": ["room"], "help": "The wait"},
                       {"name": "mails_total", "kind": "counter", "labels": ["mail"], "help": "Mails"}]"#;
        metrics.add(json).expect("parse metrics");
        let more = r#"[{"name": "mails_total", "kind": "counter", "labels": ["end"], "help": "Mails"}]"#;
        metrics.add(more).expect("parse a metric");
        let labels = |series: &str| metrics.labels(series).map(|labels| Vec::from_iter(labels.clone()));
        for part in ["bucket", "count", "sum"] {
            assert_eq!(labels(&format!("wait_seconds_{part}")), Some(vec!["room".to_owned()]));
        }
        assert_eq!(labels("mails_total"), Some(vec!["end".to_owned(), "mail".to_owned()]));
        assert_eq!(labels("wait_seconds"), None);
        assert!(metrics.add("{}").is_err());
    }
}
