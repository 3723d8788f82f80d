//! Evaluates network policies like a network plugin: which connections are allowed, at which ports.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entity::{Entity, is_in_block};
use super::set::{list, selects, text};

/// An end of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The caller.
    Egress,
    /// The called end.
    Ingress,
}

/// The connections that the policies of one end allow with another end.
pub(super) enum Reach<'a> {
    /// No policy selects this end, so everything is allowed.
    Everything,
    /// The port lists of the rules that match the other end. An empty list is every port.
    Ports(Vec<&'a Value>),
}

impl<'a> Reach<'a> {
    /// Evaluates the policies of `own` for connections with `peer`.
    pub(super) fn new(policies: &[&'a Value], own: &Entity, peer: &Entity, side: Side) -> Self {
        let labels = own.labels();
        let mut about = policies
            .iter()
            .filter(|policy| is_about(policy, side) && selects(&policy["spec"]["podSelector"], &labels))
            .peekable();
        if about.peek().is_none() {
            return Self::Everything;
        }
        let (rules, peers) = match side {
            Side::Egress => ("egress", "to"),
            Side::Ingress => ("ingress", "from"),
        };
        let rules = about.flat_map(|policy| list(&policy["spec"][rules])).filter(|rule| {
            let mut named = list(&rule[peers]).peekable();
            named.peek().is_none() || named.any(|one| is_peer(one, own, peer))
        });
        Self::Ports(rules.map(|rule| &rule["ports"]).collect())
    }

    /// Whether a port of `called` is allowed.
    pub(super) fn lets(&self, called: &Entity, port: u64, protocol: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Ports(rules) => rules.iter().any(|ports| {
                let mut ports = list(ports).peekable();
                ports.peek().is_none() || ports.any(|rule| is_port(rule, called, port, protocol))
            }),
        }
    }
}

fn is_port(rule: &Value, called: &Entity, port: u64, protocol: &str) -> bool {
    let number = rule["port"].as_u64().or_else(|| called.named.get(text(&rule["port"])).copied());
    let fits = match (number, rule["endPort"].as_u64()) {
        (None, _) => rule["port"].is_null(),
        (Some(first), Some(last)) => (first..=last).contains(&port),
        (Some(number), None) => number == port,
    };
    fits && rule["protocol"].as_str().unwrap_or("TCP") == protocol
}

/// Whether a policy restricts this direction.
pub(super) fn is_about(policy: &Value, side: Side) -> bool {
    let spec = &policy["spec"];
    let name = if side == Side::Egress { "Egress" } else { "Ingress" };
    match spec["policyTypes"].as_array() {
        Some(types) => types.iter().any(|one| one == name),
        None => side == Side::Ingress || !spec["egress"].is_null(),
    }
}

/// Whether a peer of a rule matches `peer`, in a policy of `own`.
fn is_peer(rule: &Value, own: &Entity, peer: &Entity) -> bool {
    if rule["ipBlock"].is_object() {
        let block = &rule["ipBlock"];
        return is_in_block(peer.address, text(&block["cidr"]))
            && !list(&block["except"]).any(|except| is_in_block(peer.address, text(except)));
    }
    let Some(namespace) = &peer.namespace else {
        return false;
    };
    let same_namespace = own.namespace.as_ref() == Some(namespace);
    let in_namespace = if rule["namespaceSelector"].is_object() {
        let labels = BTreeMap::from([("kubernetes.io/metadata.name", namespace.as_str())]);
        selects(&rule["namespaceSelector"], &labels)
    } else {
        same_namespace
    };
    let pods = &rule["podSelector"];
    in_namespace && (pods.is_null() || selects(pods, &peer.labels()))
}
