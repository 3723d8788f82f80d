//! Checks of the lifecycle of pods: startup, probes, spread, scaling, shutdown.

use std::collections::BTreeMap;

use serde_json::Value;

use super::picture::{AFTER_DRAIN, DRAIN_DELAY, DRAIN_LIMIT, SERVICES};
use super::set::{Findings, Rule, Set, Workload, containers, find, list, name, selects, text};
use super::{operator, settings};

/// Checks all workloads.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for workload in set.workloads().filter(Workload::is_serving) {
        grace(set, workload, findings);
        probes(workload, findings);
        spread(workload, findings);
        if SERVICES.contains(&workload.name()) {
            answers(workload, findings);
            if workload.object["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] != 0 {
                let why = "a rollout stops a pod before its successor is ready";
                find(findings, Rule::Grace, workload.object, why);
            }
        }
        budgets(set, workload.object, &workload.labels(), fewest(set, workload), findings);
    }
    for pooler in set.objects_of_kind("Pooler") {
        let pods = operator::pooler(pooler);
        let labels = pods.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        budgets(set, pooler, &labels, pooler["spec"]["instances"].as_u64().unwrap_or(1), findings);
    }
    let scalers = || set.objects_of_kind("HorizontalPodAutoscaler");
    for scaler in scalers() {
        scaling(set, scaler, findings);
    }
    for workload in
        set.workloads().filter(|workload| set.is_production() && SERVICES.contains(&workload.name()))
    {
        let own = name(workload.object);
        if workload.is_serving() && !scalers().any(|scaler| scaler["spec"]["scaleTargetRef"]["name"] == own) {
            find(findings, Rule::Scaling, workload.object, "has no autoscaler");
        }
    }
}

/// The kubelet waits for the preStop hook and for all steps of kit's shutdown.
fn grace(set: &Set, workload: Workload<'_>, findings: &mut Findings) {
    let grace = workload.pod["terminationGracePeriodSeconds"].as_f64().unwrap_or(30.0);
    for container in list(&workload.pod["containers"]) {
        let environment = settings::environment(set, container);
        let setting = |name: &str, default: f64| {
            let said = settings::value_of(&environment, name).and_then(|value| value.parse::<f64>().ok());
            said.map_or(default, |ms| ms / 1000.0)
        };
        let stop = &container["lifecycle"]["preStop"];
        let before = stop["sleep"]["seconds"].as_f64().unwrap_or(0.0);
        let drain = if SERVICES.contains(&workload.name()) {
            if before < 1.0 {
                find(
                    findings,
                    Rule::Grace,
                    workload.object,
                    "has no preStop sleep: traffic still arrives after SIGTERM",
                );
            }
            setting("DRAIN_DELAY_MS", DRAIN_DELAY) + setting("DRAIN_LIMIT_MS", DRAIN_LIMIT)
        } else {
            0.0
        };
        let needed = before + drain + AFTER_DRAIN;
        if grace < needed {
            let why = format!("is killed after {grace} s, but may take {needed} s to shut down");
            find(findings, Rule::Grace, workload.object, why);
        }
    }
}

/// There are three probes, each at a declared port. Liveness and readiness differ.
fn probes(workload: Workload<'_>, findings: &mut Findings) {
    for container in list(&workload.pod["containers"]) {
        for kind in ["startupProbe", "readinessProbe", "livenessProbe"] {
            let Some(probe) = container[kind].as_object() else {
                find(
                    findings,
                    Rule::Probe,
                    workload.object,
                    format!("{} has no {kind}", text(&container["name"])),
                );
                continue;
            };
            let port = ["httpGet", "grpc", "tcpSocket"].iter().find_map(|way| probe.get(*way)?.get("port"));
            if let Some(port) = port
                && workload.port(port).is_none()
            {
                find(
                    findings,
                    Rule::Port,
                    workload.object,
                    format!("{kind} uses port {port}, which no container declares"),
                );
            }
        }
        let handler = |kind: &str| {
            let probe = &container[kind];
            (
                probe["httpGet"].clone(),
                probe["grpc"].clone(),
                probe["tcpSocket"].clone(),
                probe["exec"].clone(),
            )
        };
        // Other programs may use one health check for both, because it does not depend on the product's database.
        let ours = SERVICES.contains(&workload.name()) && container["livenessProbe"].is_object();
        if ours && handler("livenessProbe") == handler("readinessProbe") {
            let why = "liveness and readiness are the same: a pod that cannot reach its database would be restarted";
            find(findings, Rule::Probe, workload.object, why);
        }
    }
}

/// The gRPC probe names match kit: liveness has its own service name, readiness the empty one.
fn answers(workload: Workload<'_>, findings: &mut Findings) {
    for container in list(&workload.pod["containers"]) {
        let asks = |kind: &str, service: &Value, path: &str| {
            let probe = &container[kind];
            (probe["grpc"].is_object() && probe["grpc"]["service"] == *service)
                || probe["httpGet"]["path"] == path
        };
        for (kind, service, path) in [
            ("startupProbe", Value::from("liveness"), "/livez"),
            ("livenessProbe", Value::from("liveness"), "/livez"),
            ("readinessProbe", Value::Null, "/readyz"),
        ] {
            if container[kind].is_object() && !asks(kind, &service, path) {
                find(
                    findings,
                    Rule::Probe,
                    workload.object,
                    format!("{kind} uses a path or service that kit does not serve"),
                );
            }
        }
    }
}

/// Replicas are spread over nodes and zones.
fn spread(workload: Workload<'_>, findings: &mut Findings) {
    let spreads = list(&workload.pod["topologySpreadConstraints"]).any(|constraint| {
        !text(&constraint["topologyKey"]).is_empty()
            && selects(&constraint["labelSelector"], &workload.labels())
    });
    if !spreads && workload.object["spec"]["replicas"] != 1 {
        find(findings, Rule::Spread, workload.object, "no topology spread constraint selects its own pods");
    }
}

/// Nodes can be drained: each pod has one budget, which permits the eviction of one pod even at the minimum number of
/// pods.
fn budgets(set: &Set, object: &Value, labels: &BTreeMap<&str, &str>, fewest: u64, findings: &mut Findings) {
    let mut budgets = set
        .objects_of_kind("PodDisruptionBudget")
        .filter(|budget| selects(&budget["spec"]["selector"], labels));
    let Some(budget) = budgets.next() else {
        return find(findings, Rule::Budget, object, "has no disruption budget");
    };
    if let Some(second) = budgets.next() {
        let why = format!("selects pods that {} also selects, so they cannot be evicted", name(budget));
        find(findings, Rule::Budget, second, why);
    }
    // Both percentages are rounded up.
    let share = |value: &Value| {
        value.as_u64().or_else(|| {
            let percent: u64 = text(value).strip_suffix('%')?.parse().ok()?;
            Some((fewest * percent).div_ceil(100))
        })
    };
    let spec = &budget["spec"];
    let allowed = match (share(&spec["maxUnavailable"]), share(&spec["minAvailable"])) {
        (Some(unavailable), None) => unavailable,
        (None, Some(available)) => fewest.saturating_sub(available),
        _ => 0,
    };
    if allowed == 0 {
        find(findings, Rule::Budget, budget, format!("permits no eviction while there are {fewest} pods"));
    }
}

/// The minimum number of pods in normal operation.
pub(super) fn fewest(set: &Set, workload: Workload<'_>) -> u64 {
    let target = name(workload.object);
    set.objects_of_kind("HorizontalPodAutoscaler")
        .find(|scaler| scaler["spec"]["scaleTargetRef"]["name"] == target)
        .map_or(&workload.object["spec"]["replicas"], |scaler| &scaler["spec"]["minReplicas"])
        .as_u64()
        .unwrap_or(1)
}

/// An autoscaler scales an existing workload that requests CPU, and does not flap.
fn scaling(set: &Set, scaler: &Value, findings: &mut Findings) {
    let spec = &scaler["spec"];
    let target = &spec["scaleTargetRef"];
    let found = set
        .get(text(&target["kind"]), text(&target["name"]))
        .filter(|found| found["apiVersion"] == target["apiVersion"]);
    let Some(object) = found else {
        let why = format!("scales {} {}, which does not exist", target["kind"], target["name"]);
        return find(findings, Rule::Scaling, scaler, why);
    };
    if !object["spec"]["replicas"].is_null() {
        find(findings, Rule::Scaling, object, "sets replicas, so each apply would undo its autoscaler");
    }
    let (least, most) =
        (spec["minReplicas"].as_u64().unwrap_or(1), spec["maxReplicas"].as_u64().unwrap_or(0));
    if least > most {
        find(findings, Rule::Scaling, scaler, format!("sets at least {least} and at most {most} pods"));
    }
    if set.is_production() && least < 2 {
        find(findings, Rule::Scaling, scaler, "allows a single pod of a public service");
    }
    if spec["behavior"]["scaleDown"]["stabilizationWindowSeconds"].as_u64().unwrap_or(300) < 60 {
        find(findings, Rule::Scaling, scaler, "scales down within a minute: it will flap");
    }
    if spec["behavior"]["scaleDown"]["policies"].as_array().is_none_or(Vec::is_empty) {
        find(findings, Rule::Scaling, scaler, "has no limit of the scale-down speed");
    }
    let by_cpu = list(&spec["metrics"]).any(|metric| metric["resource"]["name"] == "cpu");
    let asks = set.workloads().filter(|workload| std::ptr::eq(workload.object, object)).all(|workload| {
        containers(workload.pod).all(|container| !container["resources"]["requests"]["cpu"].is_null())
    });
    if !by_cpu || !asks {
        find(findings, Rule::Scaling, scaler, "does not scale by CPU that its target requests");
    }
}
