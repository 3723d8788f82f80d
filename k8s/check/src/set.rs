//! A rendered set of objects, and queries on it.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use tooling::failure::{Doing as _, Outcome};

/// The rendered objects of an overlay or a test combination.
#[derive(Clone)]
pub(super) struct Set {
    /// Its folder below `k8s/`, e.g. `overlays/production`.
    pub(super) name: String,
    /// In render order.
    pub(super) objects: Vec<Value>,
}

/// An object with a pod template.
#[derive(Clone, Copy)]
pub(super) struct Workload<'a> {
    /// The Deployment, Job or other object.
    pub(super) object: &'a Value,
    /// Its `spec.template`, or the Pod itself.
    pub(super) template: &'a Value,
    /// The pod's spec.
    pub(super) pod: &'a Value,
}

/// A fault.
pub(super) struct Finding {
    /// The rule that it violates.
    pub(super) rule: Rule,
    /// The faulty object, as `Kind/name`.
    pub(super) object: String,
    /// Description of the fault.
    pub(super) why: String,
}

/// The rule that a finding breaks. A seeded defect names the rule that must catch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    Account,
    Balance,
    Budget,
    Config,
    Database,
    Digest,
    Exposure,
    Grace,
    Host,
    Label,
    Mesh,
    Namespace,
    Payment,
    Policy,
    Port,
    Privilege,
    Probe,
    Quantity,
    Rbac,
    Route,
    Scaling,
    Schema,
    Secret,
    Selector,
    Setting,
    Spread,
    Telemetry,
    Token,
    UnknownKind,
}

/// The collected findings.
pub(super) type Findings = Vec<Finding>;

/// Adds a finding about `object`.
pub(super) fn find(findings: &mut Findings, rule: Rule, object: &Value, why: impl Into<String>) {
    findings.push(Finding { rule, object: id(object), why: why.into() });
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}: {}", self.rule, self.object, self.why)
    }
}

/// `Kind/name`.
pub(super) fn id(object: &Value) -> String {
    format!("{}/{}", text(&object["kind"]), name(object))
}

/// The name of an object.
pub(super) fn name(object: &Value) -> &str {
    text(&object["metadata"]["name"])
}

/// The text of a string; empty for other values.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The elements of a list; none for other values.
pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> + Clone {
    value.as_array().into_iter().flatten()
}

/// The entries of an object; none for other values.
pub(super) fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Labels by name.
pub(super) fn labels(value: &Value) -> BTreeMap<&str, &str> {
    entries(value).map(|(key, value)| (key.as_str(), text(value))).collect()
}

/// Whether a label selector selects `labels`. A missing selector selects nothing, an empty one everything.
pub(super) fn selects(selector: &Value, labels: &BTreeMap<&str, &str>) -> bool {
    if !selector.is_object() {
        return false;
    }
    entries(&selector["matchLabels"]).all(|(key, value)| labels.get(key.as_str()) == value.as_str().as_ref())
        && list(&selector["matchExpressions"]).all(|expression| {
            let found = labels.get(text(&expression["key"]));
            let listed = || found.is_some_and(|found| list(&expression["values"]).any(|one| one == found));
            match text(&expression["operator"]) {
                "In" => listed(),
                "NotIn" => !listed(),
                "Exists" => found.is_some(),
                "DoesNotExist" => found.is_none(),
                _ => false,
            }
        })
}

/// The containers of a pod, including init containers.
pub(super) fn containers(pod: &Value) -> impl Iterator<Item = &Value> + Clone {
    list(&pod["initContainers"]).chain(list(&pod["containers"]))
}

impl Set {
    /// Parses the output of kustomize.
    pub(super) fn parse(name: &str, yaml: &str) -> Outcome<Self> {
        let objects: Vec<Value> =
            serde_saphyr::from_multiple(yaml).doing(|| format!("parsing the rendered {name}"))?;
        Ok(Self { name: name.to_owned(), objects })
    }

    /// All objects of a kind.
    pub(super) fn objects_of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> + Clone {
        self.objects.iter().filter(move |object| object["kind"] == kind)
    }

    /// One object.
    pub(super) fn get(&self, kind: &str, name: &str) -> Option<&Value> {
        self.objects.iter().find(|object| object["kind"] == kind && object["metadata"]["name"] == name)
    }

    /// The namespace of its objects; empty if there is none.
    pub(super) fn namespace(&self) -> &str {
        self.objects
            .iter()
            .map(|object| text(&object["metadata"]["namespace"]))
            .find(|one| !one.is_empty())
            .unwrap_or("default")
    }

    /// Whether it is the production overlay.
    pub(super) fn is_production(&self) -> bool {
        self.name == "overlays/production"
    }

    /// All objects with a pod template.
    pub(super) fn workloads(&self) -> impl Iterator<Item = Workload<'_>> + Clone {
        self.objects.iter().filter_map(Workload::from_object)
    }
}

impl<'a> Workload<'a> {
    fn from_object(object: &'a Value) -> Option<Self> {
        let template = match text(&object["kind"]) {
            "Deployment" | "StatefulSet" | "DaemonSet" | "Job" => &object["spec"]["template"],
            "CronJob" => &object["spec"]["jobTemplate"]["spec"]["template"],
            "Pod" => object,
            _ => return None,
        };
        Some(Self { object, template, pod: &template["spec"] })
    }

    /// The labels of its pods.
    pub(super) fn labels(&self) -> BTreeMap<&'a str, &'a str> {
        labels(&self.template["metadata"]["labels"])
    }

    /// Its name in selectors and in the diagram.
    pub(super) fn name(&self) -> &'a str {
        text(&self.template["metadata"]["labels"]["app.kubernetes.io/name"])
    }

    /// Whether its pods run until they are stopped.
    pub(super) fn is_serving(&self) -> bool {
        matches!(text(&self.object["kind"]), "Deployment" | "StatefulSet" | "DaemonSet")
    }

    /// The declared ports of its pods.
    pub(super) fn ports(&self) -> impl Iterator<Item = &'a Value> + Clone {
        containers(self.pod).flat_map(|container| list(&container["ports"]))
    }

    /// The number of a declared port, given by number or name.
    pub(super) fn port(&self, port: &Value) -> Option<u64> {
        self.ports()
            .find(|declared| declared["containerPort"] == *port || declared["name"] == *port)
            .and_then(|declared| declared["containerPort"].as_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn selectors_select_as_kubernetes_does() {
        let pod = json!({"app": "edge", "tier": "front"});
        let chosen = |selector: Value| selects(&selector, &labels(&pod));
        assert!(chosen(json!({})));
        assert!(!chosen(Value::Null));
        assert!(chosen(json!({"matchLabels": {"app": "edge"}})));
        assert!(!chosen(json!({"matchLabels": {"app": "edge", "tier": "back"}})));
        let expression = |operator: &str, key: &str, values: Value| {
            chosen(json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]}))
        };
        assert!(expression("In", "app", json!(["site", "edge"])));
        assert!(!expression("NotIn", "app", json!(["edge"])));
        assert!(expression("NotIn", "other", json!(["edge"])));
        assert!(expression("Exists", "app", Value::Null));
        assert!(!expression("DoesNotExist", "app", Value::Null));
        assert!(!expression("Sometimes", "app", Value::Null));
    }
}
