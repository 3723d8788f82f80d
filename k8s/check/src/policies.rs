//! The network policies together allow exactly the connections of the diagram, in egress and in ingress.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::entity::Entity;
use super::network::{Reach, Side, is_about};
use super::picture::{EDGES, SANDBOX, SERVICES};
use super::set::{Finding, Findings, Rule, Set, entries, find, list, selects};

/// A port without a listener. A peer that is allowed at this port is allowed at every port.
const ANY_PORT: u64 = 1;
/// The port of DNS.
const DNS: u64 = 53;

/// What the diagram requires of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Requirement {
    /// The policies must allow it.
    Must,
    /// The policies may allow it.
    May,
    /// The policies must not allow it.
    Not,
}

/// Checks the policies of the set.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    let entities = Entity::collect(set);
    let policies: Vec<&Value> = set.objects_of_kind("NetworkPolicy").collect();
    // Test combinations may omit the workloads that a policy selects.
    for policy in policies.iter().filter(|_| set.name.starts_with("overlays/")) {
        if !entities.iter().any(|one| one.is_ours && selects(&policy["spec"]["podSelector"], &one.labels())) {
            find(findings, Rule::Policy, policy, "selects no pod");
        }
    }
    let denies = |policy: &&Value| {
        let spec = &policy["spec"];
        let nothing = list(&spec["egress"]).chain(list(&spec["ingress"])).next().is_none();
        let selects_all = entries(&spec["podSelector"]).next().is_none();
        selects_all && nothing && is_about(policy, Side::Egress) && is_about(policy, Side::Ingress)
    };
    if !policies.iter().any(denies) {
        let why = "no policy denies everything by default".to_owned();
        findings.push(Finding { rule: Rule::Policy, object: set.name.clone(), why });
    }
    let ports: BTreeSet<u64> = EDGES
        .iter()
        .map(|edge| edge.port)
        .chain(entities.iter().flat_map(|entity| entity.ports.iter().copied()))
        .chain([ANY_PORT])
        .collect();
    let mut wrong: BTreeMap<(String, &str), BTreeSet<u64>> = BTreeMap::new();
    for from in &entities {
        for to in entities.iter().filter(|to| from.is_ours || to.is_ours) {
            let egress = from.is_ours.then(|| Reach::new(&policies, from, to, Side::Egress));
            let ingress = to.is_ours.then(|| Reach::new(&policies, to, from, Side::Ingress));
            for port in &ports {
                let shown = find_connection(&entities, from, to, *port);
                let protocols: &[&str] = if *port == DNS { &["TCP", "UDP"] } else { &["TCP"] };
                for protocol in protocols {
                    let lets = |reach: &Option<Reach<'_>>| {
                        reach.as_ref().map(|reach| reach.lets(to, *port, protocol))
                    };
                    let what = match (shown, lets(&egress), lets(&ingress)) {
                        (Requirement::Must, Some(false), _) => "the caller may not call (egress)",
                        (Requirement::Must, _, Some(false)) => "the receiver denies the call (ingress)",
                        (Requirement::Not, Some(true), _) => {
                            "the caller may call, but the diagram has no such connection (egress)"
                        }
                        (Requirement::Not, _, Some(true)) => {
                            "the receiver allows the call, but the diagram has no such connection (ingress)"
                        }
                        _ => continue,
                    };
                    wrong.entry((format!("{} → {}", from.name, to.name), what)).or_default().insert(*port);
                }
            }
        }
    }
    for ((object, what), ports) in wrong {
        let all = ports.contains(&ANY_PORT);
        let ports: Vec<String> = ports.iter().filter(|port| **port != ANY_PORT).map(u64::to_string).collect();
        let ports = if all { "any port".to_owned() } else { format!("port {}", ports.join(", ")) };
        findings.push(Finding { rule: Rule::Policy, object, why: format!("{ports}: {what}") });
    }
}

/// What the diagram requires of a connection from `from` to `to`.
fn find_connection(entities: &[Entity], from: &Entity, to: &Entity, port: u64) -> Requirement {
    let edges = || {
        EDGES.iter().filter(|edge| {
            edge.port == port && is_end(edge.from, from, entities) && is_end(edge.to, to, entities)
        })
    };
    if port == DNS && to.name == "dns" {
        return needs_dns(entities, from);
    }
    if edges().any(|edge| edge.needed) && to.ports.contains(&port) {
        Requirement::Must
    } else if edges().next().is_some() {
        Requirement::May
    } else {
        Requirement::Not
    }
}

/// Whether an end of a diagram's connection matches this entity.
fn is_end(end: &str, entity: &Entity, entities: &[Entity]) -> bool {
    let is_in_set = |name: &str| entities.iter().any(|one| one.is_ours && one.name == name);
    match end {
        "*" => entity.is_ours && SERVICES.contains(&entity.name.as_str()),
        "anybody" => true,
        "any mail relay" => entity.is_public() && !is_in_set("mail"),
        "any push service" => entity.is_public(),
        "any payment provider" => entity.is_public() && !is_in_set(SANDBOX),
        "anybody's database" => !is_in_set("postgres"),
        "a cluster's" => entity.is_ours && ["postgres", "pooler"].contains(&entity.name.as_str()),
        _ => end == entity.name,
    }
}

/// Every workload that makes calls needs DNS.
fn needs_dns(entities: &[Entity], from: &Entity) -> Requirement {
    let calls = |needed: bool| {
        EDGES.iter().any(|edge| {
            edge.needed == needed
                && is_end(edge.from, from, entities)
                && entities.iter().any(|to| is_end(edge.to, to, entities) && to.ports.contains(&edge.port))
        })
    };
    if calls(true) {
        Requirement::Must
    } else if calls(false) {
        Requirement::May
    } else {
        Requirement::Not
    }
}

/// Whether the diagram has a connection from the workload `from` to the workload `to`.
pub(super) fn is_shown(set: &Set, from: &str, to: &str, port: u64) -> bool {
    let entities = Entity::collect(set);
    let named = |name: &str| entities.iter().find(|entity| entity.name == name);
    match (named(from), named(to)) {
        (Some(from), Some(to)) => find_connection(&entities, from, to, port) != Requirement::Not,
        _ => false,
    }
}
