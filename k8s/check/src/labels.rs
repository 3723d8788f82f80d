//! The labels and the namespace of every object.

use super::picture::{LABELS, PART_OF};
use super::set::{Findings, Rule, Set, find, text};

/// Kinds without a namespace.
const CLUSTER_WIDE: [&str; 5] =
    ["ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "GatewayClass", "Namespace"];

/// Checks the labels and namespaces of all objects.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    let place = set.objects.iter().find_map(|object| object["metadata"]["namespace"].as_str());
    for object in &set.objects {
        let labels = &object["metadata"]["labels"];
        for label in LABELS.iter().filter(|label| text(&labels[**label]).is_empty()) {
            find(findings, Rule::Label, object, format!("has no label {label}"));
        }
        if labels["app.kubernetes.io/part-of"].is_string() && labels["app.kubernetes.io/part-of"] != PART_OF {
            find(findings, Rule::Label, object, format!("is no part of {PART_OF}"));
        }
        if !CLUSTER_WIDE.contains(&text(&object["kind"])) && object["metadata"]["namespace"].as_str() != place
        {
            let why = format!("is not in {}", place.unwrap_or("no namespace"));
            find(findings, Rule::Namespace, object, why);
        }
    }
    for workload in set.workloads() {
        let pods = workload.labels();
        for label in LABELS.iter().filter(|label| !pods.contains_key(**label)) {
            find(findings, Rule::Label, workload.object, format!("its pods have no label {label}"));
        }
    }
    if set.name.starts_with("overlays/") && place.is_none_or(|place| set.get("Namespace", place).is_none()) {
        findings.extend(set.objects.first().map(|object| super::set::Finding {
            rule: Rule::Namespace,
            object: super::set::id(object),
            why: "the set does not create its own namespace".to_owned(),
        }));
    }
}
