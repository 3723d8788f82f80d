//! Who may ask the API server for what.

use std::collections::BTreeSet;

use serde_json::Value;

use super::picture::{RIGHTS, WITH_TOKEN};
use super::set::{Findings, Rule, Set, find, list, name, text};

/// Roles are bound to accounts that are there, and allow what they must and no more.
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
            find(findings, Rule::Rbac, workload.object, format!("there is no Role {role}"));
        }
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

/// API group, resource and verb of all that a rule allows. One for some names alone is not what anybody needs here.
fn granted(rule: &Value) -> impl Iterator<Item = (&str, &str, &str)> {
    list(&rule["apiGroups"]).filter(|_| rule["resourceNames"].is_null()).map(text).flat_map(move |group| {
        list(&rule["resources"])
            .map(text)
            .flat_map(move |resource| list(&rule["verbs"]).map(text).map(move |verb| (group, resource, verb)))
    })
}
