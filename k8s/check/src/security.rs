//! Checks of privileges on nodes and in the cluster (Pod Security `restricted` and more), and of exposure.

use serde_json::Value;

use super::picture::WITH_TOKEN;
use super::set::{Findings, Rule, Set, Workload, containers, entries, find, list, text};

/// The volume types that `restricted` allows.
const VOLUMES: [&str; 8] = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
];
/// The sysctls that only affect the pod.
const SYSCTLS: [&str; 9] = [
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.ping_group_range",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_syncookies",
];

/// Checks all pods and Services of the set.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    for workload in set.workloads() {
        pod(workload, findings);
        for container in containers(workload.pod) {
            self::container(workload, container, findings);
        }
        token(set, workload, findings);
        images(set, workload, findings);
    }
    for namespace in set.objects_of_kind("Namespace") {
        if namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] != "restricted" {
            find(
                findings,
                Rule::Privilege,
                namespace,
                "does not enforce the restricted Pod Security standard",
            );
        }
    }
    for cluster in set.objects_of_kind("Cluster").filter(|_| set.is_production()) {
        if !is_pinned(text(&cluster["spec"]["imageName"])) {
            find(findings, Rule::Digest, cluster, "imageName has no digest");
        }
    }
    exposure(set, findings);
}

/// The security context of a pod.
fn pod(workload: Workload<'_>, findings: &mut Findings) {
    let mut wrong = |why: String| find(findings, Rule::Privilege, workload.object, why);
    let pod = workload.pod;
    for field in ["hostNetwork", "hostPID", "hostIPC"] {
        if pod[field] == true {
            wrong(format!("uses the node's {field}"));
        }
    }
    if pod["hostUsers"] == true {
        wrong("hostUsers is on".to_owned());
    }
    for volume in list(&pod["volumes"]) {
        for (kind, _) in entries(volume).filter(|(key, _)| *key != "name") {
            if !VOLUMES.contains(&kind.as_str()) {
                wrong(format!("volume {} has the forbidden type {kind}", volume["name"]));
            }
        }
    }
    for sysctl in list(&pod["securityContext"]["sysctls"]) {
        if !SYSCTLS.contains(&text(&sysctl["name"])) {
            wrong(format!("sets the sysctl {}", sysctl["name"]));
        }
    }
}

/// The security context of a container, which inherits from its pod.
fn container(workload: Workload<'_>, container: &Value, findings: &mut Findings) {
    let mut wrong = |why: &str| {
        find(
            findings,
            Rule::Privilege,
            workload.object,
            format!("container {}: {why}", text(&container["name"])),
        );
    };
    let (own, pods) = (&container["securityContext"], &workload.pod["securityContext"]);
    let effective = |field: &str| if own[field].is_null() { &pods[field] } else { &own[field] };
    if effective("runAsNonRoot") != true {
        wrong("may run as root (runAsNonRoot)");
    }
    if effective("runAsUser").as_u64().is_none_or(|user| user == 0) {
        wrong("sets no user other than 0");
    }
    if !matches!(text(&effective("seccompProfile")["type"]), "RuntimeDefault" | "Localhost") {
        wrong("has no seccomp profile");
    }
    if matches!(text(&effective("appArmorProfile")["type"]), "Unconfined") {
        wrong("is not confined by AppArmor");
    }
    let linux = effective("seLinuxOptions");
    if !text(&linux["user"]).is_empty() || !text(&linux["role"]).is_empty() {
        wrong("chooses its SELinux user or role");
    }
    if own["privileged"] == true {
        wrong("is privileged");
    }
    if own["allowPrivilegeEscalation"] != false {
        wrong("may gain privileges (allowPrivilegeEscalation)");
    }
    if own["readOnlyRootFilesystem"] != true {
        wrong("can write to its root file system");
    }
    if !own["procMount"].is_null() && own["procMount"] != "Default" {
        wrong("has an unmasked /proc");
    }
    let capabilities = &own["capabilities"];
    if !list(&capabilities["drop"]).any(|one| one == "ALL") {
        wrong("keeps capabilities");
    }
    if list(&capabilities["add"]).any(|one| one != "NET_BIND_SERVICE") {
        wrong("adds capabilities");
    }
    if list(&container["ports"]).any(|port| port["hostPort"].as_u64().is_some_and(|port| port != 0)) {
        wrong("uses a port of its node");
    }
}

/// Only the workload that calls the API server has a token for it.
fn token(set: &Set, workload: Workload<'_>, findings: &mut Findings) {
    let account = set.get("ServiceAccount", text(&workload.pod["serviceAccountName"]));
    let mounts = [Some(workload.pod), account]
        .into_iter()
        .flatten()
        .find_map(|object| object["automountServiceAccountToken"].as_bool())
        .unwrap_or(true);
    let projected = list(&workload.pod["volumes"])
        .flat_map(|volume| list(&volume["projected"]["sources"]))
        .any(|source| source["serviceAccountToken"].is_object());
    if (mounts || projected) && workload.name() != WITH_TOKEN {
        find(findings, Rule::Token, workload.object, "mounts a service account's token");
    }
}

/// Production images have a digest, so that exactly the tested image runs. Elsewhere an image needs a specific tag.
fn images(set: &Set, workload: Workload<'_>, findings: &mut Findings) {
    for container in containers(workload.pod) {
        let image = text(&container["image"]);
        if set.is_production() && !is_pinned(image) {
            find(findings, Rule::Digest, workload.object, format!("image {image} has no digest"));
        } else if image.ends_with(":latest") {
            find(findings, Rule::Digest, workload.object, format!("image {image} has no specific tag"));
        }
    }
}

fn is_pinned(image: &str) -> bool {
    image
        .rsplit_once("@sha256:")
        .is_some_and(|(_, digest)| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The gateway is the only ingress.
fn exposure(set: &Set, findings: &mut Findings) {
    for service in set.objects_of_kind("Service") {
        let spec = &service["spec"];
        if matches!(text(&spec["type"]), "LoadBalancer" | "NodePort" | "ExternalName") {
            find(findings, Rule::Exposure, service, format!("is a {}", text(&spec["type"])));
        }
        if list(&spec["externalIPs"]).next().is_some() {
            find(findings, Rule::Exposure, service, "is exposed outside the cluster");
        }
    }
    for ingress in set.objects_of_kind("Ingress") {
        find(findings, Rule::Exposure, ingress, "is an ingress besides the gateway");
    }
}
