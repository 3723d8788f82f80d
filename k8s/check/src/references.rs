//! References between objects: every object that is named exists.

use std::collections::BTreeSet;

use serde_json::Value;

use super::operator;
use super::secrets::Secrets;
use super::set::{Findings, Rule, Set, Workload, containers, entries, find, list, selects, text};

/// Checks all references of the set.
pub(super) fn check(set: &Set, secrets: &Secrets, findings: &mut Findings) {
    for workload in set.workloads() {
        account(set, workload, findings);
        selector(workload, findings);
        for container in containers(workload.pod) {
            environment(set, secrets, workload.object, container, findings);
        }
        volumes(set, secrets, workload, findings);
    }
    for kind in ["Service", "PodMonitor", "PodDisruptionBudget"] {
        for object in set.objects_of_kind(kind) {
            check_selector_targets(set, object, findings);
        }
    }
}

/// A pod uses its own service account, which is part of the set.
fn account(set: &Set, workload: Workload<'_>, findings: &mut Findings) {
    let account = text(&workload.pod["serviceAccountName"]);
    if account.is_empty() || account == "default" {
        find(findings, Rule::Account, workload.object, "uses the default service account");
    } else if set.get("ServiceAccount", account).is_none() {
        find(
            findings,
            Rule::Account,
            workload.object,
            format!("uses the service account {account}, which does not exist"),
        );
    }
}

/// The selector of a Deployment selects its own pods and no others.
fn selector(workload: Workload<'_>, findings: &mut Findings) {
    if workload.is_serving() && !selects(&workload.object["spec"]["selector"], &workload.labels()) {
        find(findings, Rule::Selector, workload.object, "does not select its own pods");
    }
}

/// The `ConfigMaps` and Secrets of a container's environment exist.
fn environment(set: &Set, secrets: &Secrets, object: &Value, container: &Value, findings: &mut Findings) {
    for source in list(&container["envFrom"]) {
        config(set, object, &source["configMapRef"], None, findings);
        secrets.check(set, object, &source["secretRef"]["name"], None, findings);
    }
    let mut names = BTreeSet::new();
    for variable in list(&container["env"]) {
        if !names.insert(text(&variable["name"])) {
            find(findings, Rule::Setting, object, format!("sets {} twice", variable["name"]));
        }
        let from = &variable["valueFrom"];
        config(set, object, &from["configMapKeyRef"], Some(&from["configMapKeyRef"]["key"]), findings);
        let key = &from["secretKeyRef"];
        secrets.check(set, object, &key["name"], Some(&key["key"]), findings);
    }
}

/// A `ConfigMap` exists and has the key.
fn config(set: &Set, object: &Value, reference: &Value, key: Option<&Value>, findings: &mut Findings) {
    let wanted = text(&reference["name"]);
    if wanted.is_empty() || reference["optional"] == true {
        return;
    }
    if !is_hashed(wanted) {
        let why = format!(
            "reads ConfigMap {wanted}, whose name has no hash, so a change would not restart the pods"
        );
        find(findings, Rule::Config, object, why);
    }
    let Some(config) = set.get("ConfigMap", wanted) else {
        return find(
            findings,
            Rule::Config,
            object,
            format!("reads ConfigMap {wanted}, which does not exist"),
        );
    };
    if let Some(key) = key
        && config["data"][text(key)].is_null()
    {
        find(
            findings,
            Rule::Config,
            object,
            format!("reads {key} of ConfigMap {wanted}, which has no such key"),
        );
    }
}

/// kustomize appends a hash of the content to generated names: ten letters and digits.
fn is_hashed(name: &str) -> bool {
    let hash = name.rsplit_once('-').map_or("", |(_, hash)| hash);
    hash.len() == 10 && hash.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Every volume exists, and every mount names a volume.
fn volumes(set: &Set, secrets: &Secrets, workload: Workload<'_>, findings: &mut Findings) {
    let object = workload.object;
    for volume in list(&workload.pod["volumes"]) {
        for source in std::iter::once(volume).chain(list(&volume["projected"]["sources"])) {
            let map = &source["configMap"];
            config(set, object, map, None, findings);
            for item in list(&map["items"]) {
                config(set, object, map, Some(&item["key"]), findings);
            }
            let secret = &source["secret"];
            let named = if secret["secretName"].is_null() { &secret["name"] } else { &secret["secretName"] };
            if secret["optional"] != true {
                secrets.check(set, object, named, None, findings);
                for item in list(&secret["items"]) {
                    secrets.check(set, object, named, Some(&item["key"]), findings);
                }
            }
        }
    }
    for mount in containers(workload.pod).flat_map(|container| list(&container["volumeMounts"])) {
        if !list(&workload.pod["volumes"]).any(|volume| volume["name"] == mount["name"]) {
            find(
                findings,
                Rule::Config,
                object,
                format!("mounts {}, which is not one of its volumes", mount["name"]),
            );
        }
    }
}

/// Services, monitors and budgets select pods of the set, and their ports exist.
fn check_selector_targets(set: &Set, object: &Value, findings: &mut Findings) {
    let spec = &object["spec"];
    let is_service = object["kind"] == "Service";
    // A Service's selector is a plain map of labels.
    let plain = serde_json::json!({ "matchLabels": spec["selector"] });
    let selector = if is_service { &plain } else { &spec["selector"] };
    if entries(&spec["selector"]).next().is_none() {
        return find(findings, Rule::Selector, object, "selects everything, or nothing");
    }
    let chosen: Vec<Workload<'_>> = set
        .workloads()
        .filter(|workload| workload.is_serving() && selects(selector, &workload.labels()))
        .collect();
    let made_by_operator = operator::pods(set).iter().any(|pods| {
        selects(selector, &pods.labels.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect())
    });
    if chosen.is_empty() && !made_by_operator {
        return find(findings, Rule::Selector, object, "selects no pod of the set");
    }
    let ports: Vec<&Value> = if is_service {
        list(&spec["ports"])
            .map(|port| if port["targetPort"].is_null() { &port["port"] } else { &port["targetPort"] })
            .collect()
    } else {
        list(&spec["podMetricsEndpoints"]).map(|endpoint| &endpoint["port"]).collect()
    };
    for workload in chosen {
        for port in &ports {
            if workload.port(port).is_none() {
                let why = format!("targets port {port}, which {} does not declare", workload.name());
                find(findings, Rule::Port, object, why);
            } else if !port.is_string() {
                find(findings, Rule::Port, object, format!("targets port {port} by number: use its name"));
            }
        }
    }
    if is_service {
        balance(set, object, findings);
    }
}

/// A gRPC connection stays with one pod, so callers need the addresses of all pods (a headless Service). A Service with
/// a cluster IP is only the fallback for stale DNS.
fn balance(set: &Set, service: &Value, findings: &mut Findings) {
    let is_headless = |service: &Value| service["spec"]["clusterIP"] == "None";
    let is_headless_twin =
        |other: &Value| is_headless(other) && other["spec"]["selector"] == service["spec"]["selector"];
    if speaks_grpc(service) && !is_headless(service) && !set.objects_of_kind("Service").any(is_headless_twin)
    {
        find(
            findings,
            Rule::Balance,
            service,
            "serves gRPC and is not headless: one pod would get all requests of a caller",
        );
    }
}

/// Whether a Service leads to gRPC servers of the product.
pub(super) fn speaks_grpc(service: &Value) -> bool {
    list(&service["spec"]["ports"]).any(|port| port["name"] == "grpc")
}
