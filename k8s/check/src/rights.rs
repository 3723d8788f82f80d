//! Checks the rights at the API server.

use std::collections::BTreeSet;

use serde_json::Value;

use super::picture::{RIGHTS, WITH_TOKEN};
use super::set::{Findings, Rule, Set, find, list, name, text};

/// Only one service has rights in the cluster. Overlays may bind people to roles. Roles allow exactly the listed verbs.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for binding in set.objects_of_kind("RoleBinding").chain(set.objects_of_kind("ClusterRoleBinding")) {
        let role = &binding["roleRef"];
        if role["kind"] != "Role" || role["name"] != WITH_TOKEN {
            let why = format!("binds {} {}, which is not an expected role", role["kind"], role["name"]);
            find(findings, Rule::Rbac, binding, why);
        }
        for subject in list(&binding["subjects"]) {
            let place = text(&subject["namespace"]);
            let is_here = place.is_empty() || place == set.namespace();
            if subject["kind"] != "ServiceAccount" || subject["name"] != WITH_TOKEN || !is_here {
                let why = format!("gives rights to {}", subject["name"]);
                find(findings, Rule::Rbac, binding, why);
            }
        }
    }
    for role in set.objects_of_kind("Role").chain(set.objects_of_kind("ClusterRole")) {
        for rule in list(&role["rules"]).filter(|rule| !rule["resourceNames"].is_null()) {
            // Rights on single objects are not needed here.
            let why = format!("has rights on {} only", rule["resourceNames"]);
            find(findings, Rule::Rbac, role, why);
        }
        let granted: BTreeSet<_> = list(&role["rules"]).flat_map(granted).collect();
        let needed: BTreeSet<_> = RIGHTS
            .iter()
            .filter(|(of, ..)| *of == name(role))
            .flat_map(|(_, group, resource, verbs)| verbs.iter().map(|verb| (*group, *resource, *verb)))
            .collect();
        for (group, resource, verb) in granted.difference(&needed) {
            find(findings, Rule::Rbac, role, format!("may {verb} {resource} of '{group}'"));
        }
        for (group, resource, verb) in needed.difference(&granted) {
            find(findings, Rule::Rbac, role, format!("may not {verb} {resource} of '{group}'"));
        }
    }
    for workload in set.workloads().filter(|workload| workload.name() == WITH_TOKEN) {
        let roles: BTreeSet<_> = RIGHTS.iter().map(|(role, ..)| *role).collect();
        for role in roles.into_iter().filter(|role| set.get("Role", role).is_none()) {
            find(findings, Rule::Rbac, workload.object, format!("the Role {role} does not exist"));
        }
        let account = &workload.pod["serviceAccountName"];
        let is_bound = set
            .objects_of_kind("RoleBinding")
            .any(|binding| list(&binding["subjects"]).any(|subject| subject["name"] == *account));
        if !is_bound {
            find(findings, Rule::Rbac, workload.object, "has no rights, so it cannot watch windows");
        }
        if workload.pod["automountServiceAccountToken"] != true {
            find(findings, Rule::Token, workload.object, "calls the API server but has no token");
        }
    }
}

/// API group, resource and verb of each right in a rule.
fn granted(rule: &Value) -> impl Iterator<Item = (&str, &str, &str)> {
    list(&rule["apiGroups"]).map(text).flat_map(move |group| {
        list(&rule["resources"])
            .map(text)
            .flat_map(move |resource| list(&rule["verbs"]).map(text).map(move |verb| (group, resource, verb)))
    })
}
