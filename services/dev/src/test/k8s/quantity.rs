//! Quantities as Kubernetes writes them, and what a container may use.

use serde_json::Value;

use super::set::{Findings, Rule, Set, containers, entries, find, name, text};

/// What a container can say a quantity of.
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

/// Requests and limits of every container: they are read, a request is no more than its limit, memory is bounded.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for workload in set.workloads() {
        for container in containers(workload.pod) {
            let of = |why: String| format!("container {}: {why}", text(&container["name"]));
            let resources = &container["resources"];
            for part in ["requests", "limits"] {
                for (resource, value) in entries(&resources[part]) {
                    if quantity(value).is_none() {
                        find(
                            findings,
                            Rule::Quantity,
                            workload.object,
                            of(format!("{part}.{resource} is {value}, no quantity")),
                        );
                    }
                    if !RESOURCES.contains(&resource.as_str()) {
                        find(
                            findings,
                            Rule::Quantity,
                            workload.object,
                            of(format!("{part}.{resource} is no resource")),
                        );
                    }
                }
            }
            for resource in ["cpu", "memory"] {
                if resources["requests"][resource].is_null() {
                    find(findings, Rule::Quantity, workload.object, of(format!("requests no {resource}")));
                }
            }
            if resources["limits"]["memory"].is_null() {
                find(findings, Rule::Quantity, workload.object, of("has no limit of memory".to_owned()));
            }
            for (resource, request) in entries(&resources["requests"]) {
                let limit = quantity(&resources["limits"][resource]).unwrap_or(f64::INFINITY);
                if quantity(request).is_some_and(|request| request > limit) {
                    find(
                        findings,
                        Rule::Quantity,
                        workload.object,
                        of(format!("requests more {resource} than its limit")),
                    );
                }
            }
        }
    }
    clusters(set, findings);
}

/// The same for the pods that `CloudNativePG` makes, and the sizes of their volumes.
fn clusters(set: &Set, findings: &mut Findings) {
    for cluster in set.of("Cluster") {
        let resources = &cluster["spec"]["resources"];
        for resource in ["cpu", "memory"] {
            match (&resources["requests"][resource], &resources["limits"][resource]) {
                (Value::Null, _) => {
                    find(findings, Rule::Quantity, cluster, format!("its pods request no {resource}"));
                }
                (_, Value::Null) if resource == "memory" => {
                    find(findings, Rule::Quantity, cluster, "its pods have no limit of memory");
                }
                (request, limit) => match (quantity(request), quantity(limit)) {
                    (None, _) => find(
                        findings,
                        Rule::Quantity,
                        cluster,
                        format!("{resource}: {request} is no quantity"),
                    ),
                    (Some(request), Some(limit)) if request > limit => {
                        find(
                            findings,
                            Rule::Quantity,
                            cluster,
                            format!("its pods request more {resource} than their limit"),
                        );
                    }
                    _ => {}
                },
            }
        }
        for storage in ["storage", "walStorage"] {
            let size = &cluster["spec"][storage]["size"];
            if !size.is_null() && quantity(size).is_none() {
                find(
                    findings,
                    Rule::Quantity,
                    cluster,
                    format!("{storage} of {}: {size} is no quantity", name(cluster)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn quantities_are_read_as_kubernetes_reads_them() {
        let close = |text: &str, number: f64| {
            let read = quantity(&json!(text)).expect("it is a quantity");
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
