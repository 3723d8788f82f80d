//! Objects that operators create from those of the set: pods, Services and Secrets.

use std::collections::BTreeMap;

use serde_json::Value;

use super::set::{Set, list, name, text};

/// Pods that an operator creates.
pub(super) struct Pods {
    /// Their names in the diagram.
    pub(super) name: &'static str,
    /// Their labels.
    pub(super) labels: BTreeMap<String, String>,
    /// Names and numbers of their ports.
    pub(super) ports: &'static [(&'static str, u64)],
}

/// Pods of `CloudNativePG` (instances, bootstrap jobs, poolers) and of cert-manager (the ACME solver).
pub(super) fn pods(set: &Set) -> Vec<Pods> {
    let mut pods = Vec::new();
    for cluster in set.objects_of_kind("Cluster") {
        let base = BTreeMap::from([
            ("cnpg.io/cluster".to_owned(), name(cluster).to_owned()),
            ("app.kubernetes.io/name".to_owned(), "postgresql".to_owned()),
        ]);
        let with = |key: &str, value: &str| {
            let mut labels = base.clone();
            labels.insert(key.to_owned(), value.to_owned());
            labels.extend(copied(&cluster["spec"]["inheritedMetadata"]["labels"]));
            labels
        };
        let ports = &[("postgresql", 5432), ("metrics", 9187), ("status", 8000)];
        pods.push(Pods { name: "postgres", labels: with("cnpg.io/podRole", "instance"), ports });
        pods.push(Pods { name: "postgres", labels: with("cnpg.io/jobRole", "join"), ports: &[] });
    }
    for pooler in set.objects_of_kind("Pooler") {
        let ports = &[("pgbouncer", 5432), ("metrics", 9127)];
        pods.push(Pods { name: "pooler", labels: self::pooler(pooler), ports });
    }
    if set.objects_of_kind("Certificate").next().is_some() {
        let labels = BTreeMap::from([("acme.cert-manager.io/http01-solver".to_owned(), "true".to_owned())]);
        pods.push(Pods { name: "acme-solver", labels, ports: &[("http", 8089)] });
    }
    pods
}

/// The labels of the pods of a pooler.
pub(super) fn pooler(pooler: &Value) -> BTreeMap<String, String> {
    let mut labels = copied(&pooler["spec"]["template"]["metadata"]["labels"]);
    for (key, value) in [
        ("cnpg.io/cluster", text(&pooler["spec"]["cluster"]["name"])),
        ("cnpg.io/poolerName", name(pooler)),
        ("cnpg.io/podRole", "pooler"),
        ("app.kubernetes.io/name", "postgresql"),
    ] {
        labels.insert(key.to_owned(), value.to_owned());
    }
    labels
}

fn copied(labels: &Value) -> BTreeMap<String, String> {
    super::set::labels(labels).iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Whether an operator creates the Service `host` with this port.
pub(super) fn has_service(set: &Set, host: &str, port: u64) -> bool {
    let clusters = set
        .objects_of_kind("Cluster")
        .any(|cluster| ["rw", "ro", "r"].iter().any(|suffix| host == format!("{}-{suffix}", name(cluster))));
    (clusters || set.objects_of_kind("Pooler").any(|pooler| host == name(pooler))) && port == 5432
}

/// Whether an operator creates the Secret `name`.
pub(super) fn makes_secret(set: &Set, secret: &str) -> bool {
    let certificates =
        set.objects_of_kind("Certificate").any(|certificate| certificate["spec"]["secretName"] == secret);
    let external = set.objects_of_kind("ExternalSecret").any(|external| {
        let target = text(&external["spec"]["target"]["name"]);
        secret == if target.is_empty() { name(external) } else { target }
    });
    // cert-manager creates it because of the annotation of a Gateway.
    let gateways = set.objects_of_kind("Gateway").any(|gateway| {
        let annotations = &gateway["metadata"]["annotations"];
        let managed = ["cert-manager.io/issuer", "cert-manager.io/cluster-issuer"]
            .iter()
            .any(|key| annotations[*key].is_string());
        managed
            && list(&gateway["spec"]["listeners"])
                .flat_map(|listener| list(&listener["tls"]["certificateRefs"]))
                .any(|reference| reference["name"] == secret)
    });
    let clusters = set.objects_of_kind("Cluster").any(|cluster| {
        ["app", "superuser", "ca", "server", "replication"]
            .iter()
            .any(|suffix| secret == format!("{}-{suffix}", name(cluster)))
    });
    certificates || external || gateways || clusters
}
