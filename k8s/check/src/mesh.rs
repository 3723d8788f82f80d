//! Checks of the mesh (Linkerd), if a set has it: every port has a Server, and the callers that its policies allow are
//! those of the diagram (`picture`).

use std::collections::BTreeSet;

use serde_json::Value;

use super::entity::Entity;
use super::network::{Reach, Side};
use super::picture::{EDGES, SANDBOX, SERVICES};
use super::set::{Findings, Rule, Set, Workload, entries, find, list, name, selects, text};

/// The annotations of a pod in the mesh.
const ANNOTATIONS: [(&str, &str); 3] = [
    ("linkerd.io/inject", "enabled"),
    ("config.linkerd.io/default-inbound-policy", "deny"),
    ("config.beta.linkerd.io/proxy-enable-native-sidecar", "true"),
];
/// Ports that bypass the proxy, because traffic is already encrypted or the server speaks first.
const SKIPPED: [&str; 4] = ["465", "587", "5432", "6443"];
/// The mount path that the injector requires.
const MOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
/// The port on which a proxy receives traffic for its pod, whichever port was called.
const INBOUND: u64 = 4143;
/// The namespace of the gateway's pods.
const GATEWAY: &str = "envoy-gateway-system";
/// The service of the kubelet's gRPC probes.
const HEALTH: &str = "grpc.health.v1.Health";

/// Checks the mesh of the set.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    if set.objects_of_kind("MeshTLSAuthentication").next().is_none() {
        return;
    }
    let meshed: Vec<Workload<'_>> = set
        .workloads()
        .filter(|one| one.is_serving() && (SERVICES.contains(&one.name()) || one.name() == "collector"))
        .collect();
    for workload in &meshed {
        injected(*workload, findings);
        for port in workload.ports() {
            covered(set, *workload, port, findings);
        }
    }
    for server in set.objects_of_kind("Server") {
        callers(set, server, findings);
    }
    for policy in set.objects_of_kind("AuthorizationPolicy") {
        references(set, policy, findings);
    }
    for proxy in set.objects_of_kind("EnvoyProxy") {
        let pod = &proxy["spec"]["provider"]["kubernetes"]["envoyDeployment"]["pod"];
        if pod["annotations"]["linkerd.io/inject"] != "enabled" {
            find(findings, Rule::Mesh, proxy, "its pods call ports of the mesh but are outside it");
        }
    }
    proxies(set, &meshed, findings);
}

/// Its pods get a proxy, which closes ports without a Server.
fn injected(workload: Workload<'_>, findings: &mut Findings) {
    let annotations = &workload.template["metadata"]["annotations"];
    for (key, value) in ANNOTATIONS {
        if annotations[key] != value {
            find(
                findings,
                Rule::Mesh,
                workload.object,
                format!("its pods lack the annotation {key}: {value}"),
            );
        }
    }
    let skipped: Vec<&str> = text(&annotations["config.linkerd.io/skip-outbound-ports"]).split(',').collect();
    for port in SKIPPED.iter().filter(|port| !skipped.contains(port)) {
        find(
            findings,
            Rule::Mesh,
            workload.object,
            format!("port {port} goes through the proxy, which cannot parse it"),
        );
    }
    let is_mounted = list(&workload.pod["containers"])
        .next()
        .is_some_and(|first| list(&first["volumeMounts"]).any(|mount| mount["mountPath"] == MOUNT));
    if workload.pod["automountServiceAccountToken"] == false && !is_mounted {
        find(
            findings,
            Rule::Mesh,
            workload.object,
            format!("nothing is mounted at {MOUNT}: no proxy is injected"),
        );
    }
}

/// Exactly one Server covers a port, except for ports that serve only HTTP probes.
fn covered(set: &Set, workload: Workload<'_>, port: &Value, findings: &mut Findings) {
    let servers = set.objects_of_kind("Server").filter(|server| {
        selects(&server["spec"]["podSelector"], &workload.labels())
            && (server["spec"]["port"] == port["name"] || server["spec"]["port"] == port["containerPort"])
    });
    let count = servers.count();
    if count > 1 || (count == 0 && port["name"] != "health") {
        let why = format!("{count} Servers cover its port {}", port["name"]);
        find(findings, Rule::Mesh, workload.object, why);
    }
}

/// The callers of a Server's port are those of the diagram.
fn callers(set: &Set, server: &Value, findings: &mut Findings) {
    let selector = &server["spec"]["podSelector"];
    let Some(called) = set.workloads().find(|one| one.is_serving() && selects(selector, &one.labels()))
    else {
        return;
    };
    let Some(port) = called.port(&server["spec"]["port"]) else {
        let why = format!("{} has no port {}", called.name(), server["spec"]["port"]);
        return find(findings, Rule::Mesh, server, why);
    };
    if server["spec"]["port"] == "metrics" {
        if server["spec"]["accessPolicy"] != "all-unauthenticated" {
            find(findings, Rule::Mesh, server, "Prometheus is outside the mesh and cannot read it");
        }
        return;
    }
    if !server["spec"]["accessPolicy"].is_null() && server["spec"]["accessPolicy"] != "deny" {
        find(findings, Rule::Mesh, server, "is open to more than its policies say");
    }
    let shown: BTreeSet<&str> = EDGES
        .iter()
        .filter(|edge| edge.needed && edge.port == port && edge.to == called.name())
        .filter(|edge| edge.from != SANDBOX || set.workloads().any(|one| one.name() == SANDBOX))
        .flat_map(|edge| if edge.from == "*" { SERVICES.to_vec() } else { vec![edge.from] })
        .collect();
    let allowed = allowed(set, name(server));
    if shown != allowed {
        let why = format!("may be called by {allowed:?}, but the diagram has {shown:?}");
        find(findings, Rule::Mesh, server, why);
    }
}

/// The callers that policies of a Server or of its routes authorise, without probes.
fn allowed<'a>(set: &'a Set, server: &str) -> BTreeSet<&'a str> {
    let routes = set.objects_of_kind("GRPCRoute").filter(|route| {
        list(&route["spec"]["parentRefs"])
            .any(|parent| parent["kind"] == "Server" && parent["name"] == server)
    });
    let targets: Vec<(&str, &str, bool)> = routes
        .map(|route| ("GRPCRoute", name(route), is_probe(route)))
        .chain([("Server", server, false)])
        .collect();
    let mut allowed = BTreeSet::new();
    for policy in set.objects_of_kind("AuthorizationPolicy") {
        let target = &policy["spec"]["targetRef"];
        let Some((_, _, is_probe)) =
            targets.iter().find(|(kind, name, _)| target["kind"] == *kind && target["name"] == *name)
        else {
            continue;
        };
        let required = || list(&policy["spec"]["requiredAuthenticationRefs"]);
        if required().all(|one| one["kind"] != "MeshTLSAuthentication") && !is_probe {
            allowed.insert("anybody");
        }
        for one in required().filter(|one| one["kind"] == "MeshTLSAuthentication") {
            let identities = set.get("MeshTLSAuthentication", text(&one["name"]));
            for identity in identities.into_iter().flat_map(|found| list(&found["spec"]["identityRefs"])) {
                let is_gateway = identity["kind"] == "Namespace" && identity["name"] == GATEWAY;
                allowed.insert(if is_gateway { "gateway" } else { text(&identity["name"]) });
            }
        }
    }
    allowed
}

/// Whether a route covers only the kubelet's probe.
fn is_probe(route: &Value) -> bool {
    let mut rules = list(&route["spec"]["rules"]).peekable();
    rules.peek().is_some()
        && rules.all(|rule| {
            let mut matches = list(&rule["matches"]).peekable();
            matches.peek().is_some()
                && matches.all(|one| one["method"]["service"] == HEALTH && one["method"]["method"] == "Check")
        })
}

/// Every object that a policy names exists: Linkerd ignores the policy otherwise.
fn references(set: &Set, policy: &Value, findings: &mut Findings) {
    let named = list(&policy["spec"]["requiredAuthenticationRefs"]).chain([&policy["spec"]["targetRef"]]);
    for one in named.filter(|one| set.get(text(&one["kind"]), text(&one["name"])).is_none()) {
        let why = format!("names {} {}, which does not exist", text(&one["kind"]), text(&one["name"]));
        find(findings, Rule::Mesh, policy, why);
    }
    if entries(&policy["spec"]).all(|(key, _)| key != "requiredAuthenticationRefs")
        || list(&policy["spec"]["requiredAuthenticationRefs"]).next().is_none()
    {
        find(findings, Rule::Mesh, policy, "requires no authentication");
    }
}

/// The network policies let two proxies connect if the diagram has a call between their pods.
fn proxies(set: &Set, meshed: &[Workload<'_>], findings: &mut Findings) {
    let entities = Entity::collect(set);
    let policies: Vec<&Value> = set.objects_of_kind("NetworkPolicy").collect();
    for called in meshed {
        let Some(to) = entities.iter().find(|one| one.is_ours && one.name == called.name()) else { continue };
        for from in entities.iter().filter(|one| one.is_ours || one.name == "gateway") {
            let is_shown = EDGES.iter().any(|edge| {
                let is_caller =
                    edge.from == from.name || (edge.from == "*" && SERVICES.contains(&from.name.as_str()));
                edge.needed && is_caller && edge.to == to.name && to.ports.contains(&edge.port)
            });
            let lets = |own: &Entity, peer: &Entity, side| {
                !own.is_ours || Reach::new(&policies, own, peer, side).lets(to, INBOUND, "TCP")
            };
            if is_shown && !(lets(from, to, Side::Egress) && lets(to, from, Side::Ingress)) {
                let why = format!("the proxy of {} may not call its proxy (port {INBOUND})", from.name);
                find(findings, Rule::Mesh, called.object, why);
            }
        }
    }
}
