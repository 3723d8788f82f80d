//! Kubernetes quantities, and the requests and limits of containers.

use serde_json::Value;

use super::set::{Findings, Rule, Set, containers, entries, find, list, text};

/// The resources that a container may request or limit.
const RESOURCES: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// The number behind `500m`, `1.5Gi`, `2e3`, `4`.
pub(super) fn quantity(value: &Value) -> Option<f64> {
    let Some(quantity) = value.as_str() else {
        return value.as_f64();
    };
    let digits = quantity.trim_start_matches(['+', '-']);
    let end = digits
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let number: f64 = number.parse().ok().filter(|_| !quantity.starts_with('-'))?;
    let factor = match suffix {
        "" => 1.0,
        "n" => 1e-9,
        "u" => 1e-6,
        "m" => 1e-3,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "Ki" => 1024.0,
        "Mi" => 1024.0 * 1024.0,
        "Gi" => 1024.0 * 1024.0 * 1024.0,
        "Ti" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => 10f64.powi(suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    Some(number * factor)
}

/// Every container has requests and limits that parse, and no request exceeds its limit.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for object in &set.objects {
        check_bounds(object, object, findings);
    }
    for workload in set.workloads() {
        for container in containers(workload.pod) {
            check_presence(workload.object, text(&container["name"]), &container["resources"], findings);
        }
    }
    for cluster in set.objects_of_kind("Cluster") {
        check_presence(cluster, "postgres", &cluster["spec"]["resources"], findings);
        for storage in ["storage", "walStorage"] {
            let size = &cluster["spec"][storage]["size"];
            if !size.is_null() && quantity(size).is_none() {
                find(findings, Rule::Quantity, cluster, format!("{storage}: {size} is not a quantity"));
            }
        }
    }
}

/// A container requests CPU and memory and limits memory.
fn check_presence(object: &Value, container: &str, resources: &Value, findings: &mut Findings) {
    for resource in ["cpu", "memory"] {
        if resources["requests"][resource].is_null() {
            find(findings, Rule::Quantity, object, format!("{container} requests no {resource}"));
        }
    }
    if resources["limits"]["memory"].is_null() {
        find(findings, Rule::Quantity, object, format!("{container} has no memory limit"));
    }
}

/// Checks every `resources` below `value`, also in custom resources.
fn check_bounds(object: &Value, value: &Value, findings: &mut Findings) {
    let resources = &value["resources"];
    for part in ["requests", "limits"] {
        for (resource, value) in entries(&resources[part]) {
            if quantity(value).is_none() {
                let why = format!("{part}.{resource} is {value}, which is not a quantity");
                find(findings, Rule::Quantity, object, why);
            }
            if !RESOURCES.contains(&resource.as_str()) {
                find(findings, Rule::Quantity, object, format!("{part}.{resource} is not a known resource"));
            }
        }
    }
    for (resource, request) in entries(&resources["requests"]) {
        let limit = quantity(&resources["limits"][resource]).unwrap_or(f64::INFINITY);
        if quantity(request).is_some_and(|request| request > limit) {
            find(findings, Rule::Quantity, object, format!("requests more {resource} than its limit"));
        }
    }
    for (_, inner) in entries(value) {
        check_bounds(object, inner, findings);
    }
    for inner in list(value) {
        check_bounds(object, inner, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn quantities_are_read_as_kubernetes_reads_them() {
        let close = |text: &str, number: f64| {
            let read = quantity(&json!(text)).expect("parse a quantity");
            assert!((read - number).abs() < number * 1e-9, "{text} is {read}");
        };
        close("500m", 0.5);
        close("1.5Gi", 1_610_612_736.0);
        close("2e3", 2000.0);
        close("4", 4.0);
        assert_eq!(quantity(&json!(2)), Some(2.0));
        for wrong in ["12Mx", "", "Mi", "-1", "1..2", "1 Gi"] {
            assert_eq!(quantity(&json!(wrong)), None, "{wrong}");
        }
    }
}
