//! Who may ask the API server for what.

use super::picture::{RIGHTS, WITH_TOKEN};
use super::set::{Findings, Rule, Set, find, list, name, text};

/// Roles are bound to accounts that are there, and allow no more than they must.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for binding in set.of("RoleBinding").chain(set.of("ClusterRoleBinding")) {
        let role = &binding["roleRef"];
        if set.get(text(&role["kind"]), text(&role["name"])).is_none() {
            let why = format!("binds {} {}, which is not there", role["kind"], role["name"]);
            find(findings, Rule::Rbac, binding, why);
        }
        for subject in list(&binding["subjects"]) {
            let (wanted, place) = (text(&subject["name"]), text(&subject["namespace"]));
            let is_here = place.is_empty() || place == set.namespace();
            if subject["kind"] != "ServiceAccount" || !is_here || set.get("ServiceAccount", wanted).is_none()
            {
                find(
                    findings,
                    Rule::Rbac,
                    binding,
                    format!("binds {wanted}, which is no account of the set"),
                );
            }
        }
    }
    for role in set.of("Role").chain(set.of("ClusterRole")) {
        for rule in list(&role["rules"]) {
            for field in ["apiGroups", "resources", "verbs"] {
                if list(&rule[field]).any(|one| one == "*") {
                    find(findings, Rule::Rbac, role, format!("allows all {field}"));
                }
            }
            for resource in list(&rule["resources"]).map(text) {
                let Some((.., verbs)) =
                    RIGHTS.iter().find(|(of, over, _)| *of == name(role) && *over == resource)
                else {
                    find(findings, Rule::Rbac, role, format!("has rights over {resource}"));
                    continue;
                };
                for verb in list(&rule["verbs"]).map(text).filter(|verb| !verbs.contains(verb)) {
                    find(findings, Rule::Rbac, role, format!("may {verb} {resource}"));
                }
            }
        }
    }
    for workload in set.workloads().filter(|workload| workload.name() == WITH_TOKEN) {
        let account = &workload.pod["serviceAccountName"];
        let is_bound = set
            .of("RoleBinding")
            .any(|binding| list(&binding["subjects"]).any(|subject| subject["name"] == *account));
        if !is_bound {
            find(findings, Rule::Rbac, workload.object, "has no rights: it would hear of nothing");
        }
        if workload.pod["automountServiceAccountToken"] != true {
            find(findings, Rule::Token, workload.object, "speaks with the API server and has no token");
        }
    }
}
