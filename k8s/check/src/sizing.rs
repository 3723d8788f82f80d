//! Sums the requests of each overlay, for the table in k8s/README.md.

use std::fs;

use serde_json::Value;

use super::lifecycle::fewest;
use super::quantity::quantity;
use super::set::{Set, Workload, list};
use crate::repository;

/// The requests of all pods of an overlay, at the minimum numbers of replicas.
#[derive(Clone, Copy, Default)]
struct Requests {
    pods: u64,
    /// CPU in cores.
    cpu: f64,
    /// Memory in bytes.
    memory: f64,
}

impl Requests {
    fn add<'a>(&mut self, replicas: u64, resources: impl IntoIterator<Item = &'a Value>) {
        self.pods += replicas;
        #[expect(clippy::cast_precision_loss, reason = "replicas are few")]
        for resource in resources {
            let each = |name: &str| quantity(&resource["requests"][name]).unwrap_or_default();
            self.cpu += replicas as f64 * each("cpu");
            self.memory += replicas as f64 * each("memory");
        }
    }

    /// Sums servers, PostgreSQL, poolers and the gateway. Sidecars that operators add are not in the manifests.
    fn from_set(set: &Set) -> Self {
        let mut requests = Self::default();
        for workload in set.workloads().filter(Workload::is_serving) {
            requests.add(fewest(set, workload), resources(workload.pod));
        }
        for cluster in set.objects_of_kind("Cluster") {
            let spec = &cluster["spec"];
            requests.add(spec["instances"].as_u64().unwrap_or(1), [&spec["resources"]]);
        }
        for pooler in set.objects_of_kind("Pooler") {
            let spec = &pooler["spec"];
            requests.add(spec["instances"].as_u64().unwrap_or(1), resources(&spec["template"]["spec"]));
        }
        for proxy in set.objects_of_kind("EnvoyProxy") {
            let spec = &proxy["spec"]["provider"]["kubernetes"];
            let deployment = &spec["envoyDeployment"];
            let replicas = spec["envoyHpa"]["minReplicas"].as_u64().or(deployment["replicas"].as_u64());
            requests.add(replicas.unwrap_or(1), [&deployment["container"]["resources"]]);
        }
        requests
    }

    /// A row of the table in k8s/README.md.
    fn row(self, place: &str) -> String {
        let gibibytes = self.memory / (1024.0 * 1024.0 * 1024.0);
        format!("| `{place}` | {} | {:.2} | {gibibytes:.1} GiB |", self.pods, self.cpu)
    }
}

/// The resources of each container that keeps running.
fn resources(pod: &Value) -> impl Iterator<Item = &Value> {
    list(&pod["containers"]).map(|container| &container["resources"])
}

/// Finds the rows of the manifests that are missing in k8s/README.md.
pub(super) fn missing_rows(sets: &[Set]) -> Result<Vec<String>, std::io::Error> {
    let page = fs::read_to_string(repository().join("k8s/README.md"))?;
    let places = sets.iter().filter_map(|set| Some((set, set.name.strip_prefix("overlays/")?)));
    let rows = places.map(|(set, place)| Requests::from_set(set).row(place));
    Ok(rows.filter(|row| !page.lines().any(|line| line == row)).collect())
}
