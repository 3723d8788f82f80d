//! Checks PostgreSQL (`CloudNativePG`): references within a cluster, number of connections, backups.

use serde_json::Value;

use super::secrets::Secrets;
use super::set::{Findings, Rule, Set, containers, find, list, name, text};
use super::settings;

/// Checks all clusters of the set.
pub(super) fn check(set: &Set, secrets: &Secrets, findings: &mut Findings) {
    for kind in ["Database", "Pooler", "ScheduledBackup", "Backup"] {
        for object in set.objects_of_kind(kind) {
            let cluster = text(&object["spec"]["cluster"]["name"]);
            let Some(found) = set.get("Cluster", cluster) else {
                let why = format!("belongs to Cluster {cluster}, which does not exist");
                find(findings, Rule::Database, object, why);
                continue;
            };
            let owner = text(&object["spec"]["owner"]);
            if kind == "Database" && !roles(found).any(|role| role["name"] == owner) {
                let why = format!("belongs to role {owner}, which {cluster} does not create");
                find(findings, Rule::Database, object, why);
            }
        }
    }
    for cluster in set.objects_of_kind("Cluster") {
        for role in roles(cluster).filter(|role| role["login"] == true) {
            let secret = &role["passwordSecret"]["name"];
            if secret.is_null() {
                find(
                    findings,
                    Rule::Database,
                    cluster,
                    format!("role {} logs in without a password", role["name"]),
                );
            }
            secrets.check(set, cluster, secret, None, findings);
            if !set.objects_of_kind("Database").any(|database| database["spec"]["owner"] == role["name"]) {
                find(findings, Rule::Database, cluster, format!("role {} has no database", role["name"]));
            }
        }
        connections(set, cluster, findings);
        log(cluster, findings);
        if set.is_production() {
            safety(set, cluster, findings);
        }
    }
    for store in set.objects_of_kind("ObjectStore") {
        let credentials = &store["spec"]["configuration"]["s3Credentials"];
        for key in ["accessKeyId", "secretAccessKey"] {
            secrets.check(set, store, &credentials[key]["name"], Some(&credentials[key]["key"]), findings);
        }
    }
}

fn roles(cluster: &Value) -> impl Iterator<Item = &Value> {
    list(&cluster["spec"]["managed"]["roles"])
}

/// The connection limits suffice for the largest number of pods, and one more during a rollout.
fn connections(set: &Set, cluster: &Value, findings: &mut Findings) {
    let parameters = &cluster["spec"]["postgresql"]["parameters"];
    let most: u64 = text(&parameters["max_connections"]).parse().unwrap_or(100);
    let promised: u64 = roles(cluster).filter_map(|role| role["connectionLimit"].as_u64()).sum();
    if promised > most {
        let why = format!("its roles may open {promised} connections, but it allows {most}");
        find(findings, Rule::Database, cluster, why);
    }
    for role in roles(cluster) {
        let service = text(&role["name"]);
        let Some(workload) = set.workloads().find(|workload| workload.name() == service) else { continue };
        let setting = format!("{}_DATABASE_CONNECTIONS", service.to_uppercase());
        let each: u64 = containers(workload.pod)
            .find_map(|container| {
                settings::value_of(&settings::environment(set, container), &setting)?.parse().ok()
            })
            .unwrap_or_default();
        let scaler = set
            .objects_of_kind("HorizontalPodAutoscaler")
            .find(|scaler| scaler["spec"]["scaleTargetRef"]["name"] == name(workload.object));
        let pods =
            scaler.map_or(&workload.object["spec"]["replicas"], |scaler| &scaler["spec"]["maxReplicas"]);
        let wanted = each * (pods.as_u64().unwrap_or(1) + 1);
        if role["connectionLimit"].as_u64().is_some_and(|limit| wanted > limit) {
            let why = format!(
                "{service} may open {wanted} connections, but its role may have {}",
                role["connectionLimit"]
            );
            find(findings, Rule::Database, cluster, why);
        }
    }
}

/// Parameters that keep personal data out of PostgreSQL's log.
const LOG: [(&str, &str); 3] = [
    ("log_error_verbosity", "terse"),
    ("log_parameter_max_length", "0"),
    ("log_parameter_max_length_on_error", "0"),
];

fn log(cluster: &Value, findings: &mut Findings) {
    for (parameter, value) in LOG {
        if cluster["spec"]["postgresql"]["parameters"][parameter] != value {
            let why = format!("its log may contain personal data: set {parameter} to {value}");
            find(findings, Rule::Database, cluster, why);
        }
    }
}

/// PostgreSQL cannot finish a recovery with lower values of these than on the server that wrote the WAL.
const RECOVERY_PARAMETERS: [&str; 5] = [
    "max_connections",
    "max_locks_per_transaction",
    "max_prepared_transactions",
    "max_wal_senders",
    "max_worker_processes",
];

/// Finds a parameter that is too low in `drill` to recover the data of `production`.
pub(super) fn too_small(production: &Value, drill: &Value) -> Option<String> {
    let of = |cluster: &Value, parameter: &str| {
        text(&cluster["spec"]["postgresql"]["parameters"][parameter]).parse::<u64>().ok()
    };
    RECOVERY_PARAMETERS.iter().find_map(|parameter| {
        let (wanted, has) = (of(production, parameter)?, of(drill, parameter));
        (has.unwrap_or_default() < wanted)
            .then(|| format!("{parameter} is {has:?}, but {wanted} in production"))
    })
}

/// Learners' data is on three nodes and in an external backup.
fn safety(set: &Set, cluster: &Value, findings: &mut Findings) {
    if cluster["spec"]["instances"].as_u64().is_none_or(|instances| instances < 3) {
        find(findings, Rule::Database, cluster, "has fewer than three instances");
    }
    if !set
        .objects_of_kind("ScheduledBackup")
        .any(|backup| backup["spec"]["cluster"]["name"] == name(cluster))
    {
        find(findings, Rule::Database, cluster, "has no scheduled backup");
    }
    let archives = list(&cluster["spec"]["plugins"])
        .filter(|plugin| plugin["isWALArchiver"] == true)
        .any(|plugin| set.get("ObjectStore", text(&plugin["parameters"]["barmanObjectName"])).is_some());
    if !archives {
        find(findings, Rule::Database, cluster, "does not archive its WAL");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_drill_with_fewer_connections_than_production_is_too_small() {
        let of = |most: &str| json!({"spec": {"postgresql": {"parameters": {"max_connections": most}}}});
        assert_eq!(too_small(&of("550"), &of("550")), None);
        assert!(too_small(&of("550"), &of("500")).is_some_and(|why| why.contains("550")));
        assert!(too_small(&of("550"), &json!({})).is_some());
    }
}
