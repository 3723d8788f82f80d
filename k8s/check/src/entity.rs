//! The ends of connections: pods of the set, pods that operators create, and systems outside.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use super::operator;
use super::picture::{OUTSIDE, SANDBOX};
use super::set::{Set, name, text};

/// An end of connections.
pub(super) struct Entity {
    /// Its name in the diagram.
    pub(super) name: String,
    /// Whether the policies of the set apply to it.
    pub(super) is_ours: bool,
    /// Its namespace; `None` if it is no pod.
    pub(super) namespace: Option<String>,
    /// Its address, for IP blocks.
    pub(super) address: Ipv4Addr,
    /// The ports that it listens on.
    pub(super) ports: Vec<u64>,
    /// The same, by name.
    pub(super) named: BTreeMap<String, u64>,
    labels: BTreeMap<String, String>,
}

/// The address of all pods of the product. No policy may match it.
const OURS: Ipv4Addr = Ipv4Addr::new(10, 244, 0, 20);

impl Entity {
    /// Its labels.
    pub(super) fn labels(&self) -> BTreeMap<&str, &str> {
        self.labels.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
    }

    /// Whether it is no pod and has a public address.
    pub(super) fn is_public(&self) -> bool {
        self.namespace.is_none() && !self.address.is_private() && !self.address.is_link_local()
    }

    fn ours(set: &Set, name: &str, labels: BTreeMap<String, String>, ports: &[(&str, u64)]) -> Self {
        Self {
            name: name.to_owned(),
            is_ours: true,
            namespace: Some(set.namespace().to_owned()),
            address: OURS,
            ports: ports.iter().map(|(_, port)| *port).collect(),
            named: ports.iter().map(|(name, port)| ((*name).to_owned(), *port)).collect(),
            labels,
        }
    }

    /// Collects all ends of connections.
    pub(super) fn collect(set: &Set) -> Vec<Self> {
        let mut all: Vec<Self> = set
            .workloads()
            .map(|workload| {
                let ports: Vec<(&str, u64)> = workload
                    .ports()
                    .map(|port| (text(&port["name"]), port["containerPort"].as_u64().unwrap_or_default()))
                    .collect();
                let labels =
                    workload.labels().into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
                Self::ours(set, workload.name(), labels.collect(), &ports)
            })
            .collect();
        for pods in operator::pods(set) {
            all.push(Self::ours(set, pods.name, pods.labels, pods.ports));
        }
        let stranger = BTreeMap::from([("app.kubernetes.io/name".to_owned(), "stranger".to_owned())]);
        // An unknown pod in the cluster, which the policies of the set do not restrict.
        all.push(Self { is_ours: false, ..Self::ours(set, "an unknown pod", stranger, &[("http", 8080)]) });
        for outside in OUTSIDE.iter().filter(|outside| is_there(set, outside.name)) {
            all.push(Self {
                name: outside.name.to_owned(),
                is_ours: false,
                namespace: outside.namespace.map(str::to_owned),
                address: outside.address,
                ports: outside.ports.to_vec(),
                named: BTreeMap::new(),
                labels: outside
                    .labels
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                    .collect(),
            });
        }
        all
    }
}

/// Whether an external system exists. Some exist only together with a component of the set.
fn is_there(set: &Set, outside: &str) -> bool {
    match outside {
        "gateway" => set.objects_of_kind("Gateway").next().is_some(),
        "prometheus" => set.objects_of_kind("PodMonitor").next().is_some(),
        "tempo" => set.workloads().any(|workload| workload.name() == "collector"),
        "postgres" => set.objects_of_kind("Cluster").next().is_none() && needs_database(set),
        "cnpg-operator" => set.objects_of_kind("Cluster").next().is_some(),
        "mail-relay" => !set.workloads().any(|workload| workload.name() == "mail"),
        "payment-provider" => !set.workloads().any(|workload| workload.name() == SANDBOX),
        _ => true,
    }
}

/// Whether the set must have a PostgreSQL. Overlays must; test combinations may omit it.
fn needs_database(set: &Set) -> bool {
    set.name.starts_with("overlays/") || set.name.ends_with("database")
}

/// Whether `address` is in a block like `10.0.0.0/8`. An invalid block counts as containing every address, so that it
/// is reported.
pub(super) fn is_in_block(address: Ipv4Addr, block: &str) -> bool {
    let Some((base, bits)) = block.split_once('/') else {
        return true;
    };
    if block.contains(':') {
        return false;
    }
    let (Ok(base), Ok(bits)) = (base.parse::<Ipv4Addr>(), bits.parse::<u32>()) else {
        return true;
    };
    let mask = u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0);
    u32::from(address) & mask == u32::from(base) & mask
}

/// The name of the workload behind a Service of the set.
pub(super) fn behind<'a>(set: &'a Set, service: &str) -> Option<&'a str> {
    let object = set.get("Service", service)?;
    let selector = serde_json::json!({ "matchLabels": object["spec"]["selector"] });
    set.workloads()
        .find(|workload| workload.is_serving() && super::set::selects(&selector, &workload.labels()))
        .map(|workload| workload.name())
        .or_else(|| set.objects_of_kind("Cluster").map(name).find(|cluster| service.starts_with(cluster)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_contain_their_addresses() {
        let address = Ipv4Addr::new(10, 96, 0, 1);
        assert!(is_in_block(address, "0.0.0.0/0"));
        assert!(is_in_block(address, "10.0.0.0/8"));
        assert!(is_in_block(address, "10.96.0.1/32"));
        assert!(!is_in_block(address, "10.97.0.0/16"));
        assert!(!is_in_block(address, "::/0"));
        assert!(is_in_block(address, "nonsense"));
    }
}
