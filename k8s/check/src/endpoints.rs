//! Addresses in settings and files: listeners have declared ports, targets exist and are shown in the diagram, and calls of
//! gRPC fall back to a cluster IP.

use serde_json::Value;

use super::picture::OUTSIDE_HOSTS;
use super::references::speaks_grpc;
use super::set::{Findings, Rule, Set, Workload, entries, find, list};
use super::{entity, operator, policies};

/// The endpoints of a collector's file: receivers listen on declared ports, exporters have an existing target.
pub(super) fn check_endpoints(
    set: &Set,
    workload: Workload<'_>,
    file: &str,
    content: &Value,
    findings: &mut Findings,
) {
    for (section, part) in entries(content) {
        let mut found = Vec::new();
        collect(part, &mut found);
        for endpoint in found {
            if section == "exporters" {
                for (host, port) in addresses(endpoint) {
                    check_target(set, workload, file, &host, port, findings);
                }
            } else {
                check_listener(workload, file, endpoint, findings);
            }
        }
    }
}

/// Collects every value with the key `endpoint` below `value`.
fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    for (key, inner) in entries(value) {
        match inner.as_str() {
            Some(endpoint) if key == "endpoint" => found.push(endpoint),
            _ => collect(inner, found),
        }
    }
}

/// Checks that the port of a listen address is declared by a container.
pub(super) fn check_listener(workload: Workload<'_>, setting: &str, value: &str, findings: &mut Findings) {
    let port = value.rsplit(':').next().and_then(|port| port.parse::<u64>().ok());
    if port.is_none_or(|port| workload.port(&Value::from(port)).is_none()) {
        find(
            findings,
            Rule::Port,
            workload.object,
            format!("{setting} is {value}, but no container declares this port"),
        );
    }
}

/// Checks that an address is a Service of the set with a connection in the diagram, or a known external address.
pub(super) fn check_target(
    set: &Set,
    workload: Workload<'_>,
    setting: &str,
    host: &str,
    port: u64,
    findings: &mut Findings,
) {
    if OUTSIDE_HOSTS.contains(&(host, port)) || operator::has_service(set, host, port) {
        return;
    }
    let name = service_name(set, host);
    let found = set
        .get("Service", name)
        .and_then(|service| list(&service["spec"]["ports"]).find(|one| one["port"] == port));
    let Some(found) = found else {
        let why = format!("{setting} is {host}:{port}, which is no Service of the set");
        return find(findings, Rule::Host, workload.object, why);
    };
    let Some(behind) = entity::behind(set, name) else { return };
    let target = set.workloads().find(|workload| workload.name() == behind).and_then(|workload| {
        workload.port(if found["targetPort"].is_null() { &found["port"] } else { &found["targetPort"] })
    });
    if let Some(target) = target
        && !policies::is_shown(set, workload.name(), behind, target)
    {
        let why = format!("{setting} is {host}:{port}, a call that is not in the diagram");
        find(findings, Rule::Host, workload.object, why);
    }
}

/// Checks that gRPC calls are spread over a headless Service, whose DNS entry may be stale, and fall back to the
/// cluster IP of the same pods.
pub(super) fn check_fallback(
    set: &Set,
    workload: Workload<'_>,
    setting: &str,
    value: &str,
    findings: &mut Findings,
) {
    let services = |part: &str| {
        let found = addresses(part).into_iter().filter_map(|(host, _)| {
            set.get("Service", service_name(set, &host)).filter(|service| speaks_grpc(service))
        });
        found.collect::<Vec<_>>()
    };
    let (replicas, fallbacks) = value.split_once(';').unwrap_or((value, ""));
    let fallbacks = services(fallbacks);
    let is_headless = |service: &Value| service["spec"]["clusterIP"] == "None";
    for service in services(replicas) {
        let is_twin =
            |other: &Value| !is_headless(other) && other["spec"]["selector"] == service["spec"]["selector"];
        let why = if !is_headless(service) {
            "one pod would get all calls"
        } else if set.objects_of_kind("Service").any(is_twin)
            && !fallbacks.iter().any(|fallback| is_twin(fallback))
        {
            "calls fail while DNS is stale: there is no fallback to the cluster IP of the same pods"
        } else if fallbacks.iter().any(|fallback| !is_twin(fallback)) {
            "the fallback is a headless Service or another service"
        } else {
            continue;
        };
        find(findings, Rule::Balance, workload.object, format!("{setting} is {value}: {why}"));
    }
}

/// The name of the Service for a host name inside the cluster.
fn service_name<'a>(set: &Set, host: &'a str) -> &'a str {
    let own = [format!(".{}", set.namespace()), String::new()];
    let local = host.trim_end_matches('.').trim_end_matches(".cluster.local").trim_end_matches(".svc");
    own.iter().find_map(|suffix| local.strip_suffix(suffix.as_str())).unwrap_or(local)
}

/// Finds every `host:port` in a value, with the default port of the scheme. Numeric addresses are skipped.
pub(super) fn addresses(value: &str) -> Vec<(String, u64)> {
    let tokens = value.split(|character: char| character.is_whitespace() || ",;'\"".contains(character));
    tokens
        .filter_map(address)
        .filter(|(host, _)| host.starts_with(|first: char| first.is_ascii_alphabetic()))
        .collect()
}

fn address(token: &str) -> Option<(String, u64)> {
    let (scheme, rest) = match token.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, token),
    };
    let authority = rest.split(['/', '?']).next()?;
    let authority = authority.rsplit('@').next()?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().ok()?),
        None => match scheme? {
            "http" => (authority, 80),
            "https" => (authority, 443),
            "postgres" | "postgresql" => (authority, 5432),
            _ => return None,
        },
    };
    let plain = |character: char| character.is_ascii_alphanumeric() || ".-".contains(character);
    (!host.is_empty() && host.chars().all(plain)).then(|| (host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_values() {
        let found = |value: &str| addresses(value);
        assert_eq!(found("http://auth:7000"), [("auth".to_owned(), 7000)]);
        assert_eq!(found("http://a:1,http://b:2"), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
        assert_eq!(found("https://konomana.example/x"), [("konomana.example".to_owned(), 443)]);
        assert_eq!(found("postgres://u:p@db/x"), [("db".to_owned(), 5432)]);
        assert_eq!(found("collector:4317"), [("collector".to_owned(), 4317)]);
        for none in ["0.0.0.0:7000", "info", "true", "1.0", "kit=debug:x"] {
            assert_eq!(found(none), [], "{none}");
        }
    }
}
