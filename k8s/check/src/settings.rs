//! Settings in the environment and in mounted files: the binaries know them, their addresses exist, their ports are declared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome};

use super::picture::{NOT_DIALLED, OUTSIDE_HOSTS, SERVICES};
use super::references::speaks_grpc;
use super::set::{Findings, Rule, Set, Workload, containers, entries, find, list, text};
use super::{entity, operator, policies};

/// The settings of each service, as its program prints them (`edge settings`).
#[derive(Default)]
pub(super) struct Settings(BTreeMap<String, ServiceSettings>);

/// The settings of one service.
#[derive(Default)]
struct ServiceSettings {
    /// All that its commands read.
    known: BTreeSet<String>,
    /// Those that a server in a cluster must be given. Without the last two it starts, but with a laptop's values.
    required: BTreeSet<String>,
    /// The values of those that are not set.
    defaults: BTreeMap<String, String>,
}

/// One of them, as a program prints it.
#[derive(Deserialize)]
struct Setting {
    name: String,
    /// `None`: every command reads it.
    command: Option<String>,
    required: bool,
    default: Option<String>,
}

impl Settings {
    /// Asks the program of each service, in the folder `programs`.
    pub(super) async fn load(programs: &Path, log: &Path) -> Outcome<Self> {
        let mut all = Self::default();
        for service in SERVICES {
            let printed = run_or_fail(Command::new(programs.join(service)).arg("settings"), log).await?;
            all.add(service, &printed).doing(|| format!("reading the settings of {service}"))?;
        }
        Ok(all)
    }

    /// Adds the settings of `service` from the JSON that its program prints.
    fn add(&mut self, service: &str, json: &str) -> Outcome {
        let settings: Vec<Setting> = serde_json::from_str(json)?;
        let service = self.0.entry(service.to_owned()).or_default();
        for setting in settings {
            let name = setting.name;
            let is_served = setting.command.as_deref().is_none_or(|command| command == SERVE);
            if is_served && (setting.required || name.ends_with(PUBLIC_ORIGIN) || name == WORKER_THREADS) {
                service.required.insert(name.clone());
            }
            if let Some(default) = setting.default {
                service.defaults.insert(name.clone(), default);
            }
            service.known.insert(name);
        }
        Ok(())
    }
}

/// The command of a server.
const SERVE: &str = "serve";
/// The suffix of settings that hold the public origin.
const PUBLIC_ORIGIN: &str = "_PUBLIC_ORIGIN";
/// A pod has a share of its node, and would start a thread for every processor there.
const WORKER_THREADS: &str = "TOKIO_WORKER_THREADS";
/// The number of threads of each process when the capacity of a replica was measured.
const MEASURED_THREADS: &str = "2";

/// All of it.
pub(super) fn check(set: &Set, settings: &Settings, findings: &mut Findings) {
    check_origins(set, findings);
    check_link_times(set, settings, findings);
    for workload in set.workloads() {
        for container in containers(workload.pod) {
            let environment = environment(set, container);
            let image = text(&container["image"]);
            let service = SERVICES.iter().find(|service| {
                image.strip_prefix("konomana/").or_else(|| image.split("/konomana/").nth(1)).is_some_and(
                    |rest| {
                        rest.strip_prefix(**service)
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
                    },
                )
            });
            let declared = service.and_then(|service| settings.0.get(*service));
            if let Some(declared) = declared.filter(|_| is_place(set) && container["args"][0] == SERVE) {
                let lacks = |required: &&String| !environment.iter().any(|(name, _)| name == *required);
                for required in declared.required.iter().filter(lacks) {
                    find(findings, Rule::Setting, workload.object, format!("does not say {required}"));
                }
                if let Some(threads) =
                    value_of(&environment, WORKER_THREADS).filter(|threads| *threads != MEASURED_THREADS)
                {
                    let why =
                        format!("serves with {threads} threads, and was measured with {MEASURED_THREADS}");
                    find(findings, Rule::Setting, workload.object, why);
                }
            }
            let mut listening = BTreeSet::new();
            for (name, value) in &environment {
                if let Some(declared) = declared
                    && !declared.known.contains(name)
                {
                    find(
                        findings,
                        Rule::Setting,
                        workload.object,
                        format!("sets {name}, which its image does not know"),
                    );
                }
                let Some(value) = value else { continue };
                if name.ends_with("LISTEN") {
                    check_listener(workload, name, value, findings);
                    if !listening.insert(value) {
                        find(
                            findings,
                            Rule::Port,
                            workload.object,
                            format!("{name} is {value}, which is taken"),
                        );
                    }
                } else if !NOT_DIALLED.contains(&name.as_str()) {
                    for (host, port) in addresses(value) {
                        check_target(set, workload, name, &host, port, findings);
                    }
                    check_fallback(set, workload, name, value, findings);
                }
            }
        }
        for (file, content) in mounted(set, workload) {
            check_endpoints(set, workload, file, &content, findings);
        }
    }
}

/// Whether it is a place, with settings of its own, and no combination of the tests.
fn is_place(set: &Set) -> bool {
    set.name.starts_with("overlays/")
}

/// lms reports a finished stream for at least as long as the signed URLs of its files are valid, which the edge decides.
fn check_link_times(set: &Set, settings: &Settings, findings: &mut Findings) {
    let seconds = |service: &str, setting: &str| {
        let workload = set.workloads().find(|workload| workload.name() == service)?;
        let said = containers(workload.pod)
            .find_map(|container| value_of(&environment(set, container), setting).map(str::to_owned));
        let seconds = said.or_else(|| settings.0.get(service)?.defaults.get(setting).cloned())?;
        Some((workload.object, seconds.parse::<u64>().ok()?))
    };
    if let Some((_, works)) = seconds("edge", "EDGE_MEDIA_LINK_TIME")
        && let Some((lms, kept)) = seconds("lms", "LMS_MEDIA_LINK_TIME")
        && kept < works
    {
        let why = format!(
            "LMS_MEDIA_LINK_TIME is {kept} s: addresses work for {works} s (EDGE_MEDIA_LINK_TIME), also of streams \
             that have ended"
        );
        find(findings, Rule::Setting, lms, why);
    }
}

/// The origin of links in mails and of passkeys is one from which the edge accepts writes.
fn check_origins(set: &Set, findings: &mut Findings) {
    let said = |is_wanted: fn(&str) -> bool| {
        set.objects_of_kind("ConfigMap")
            .flat_map(move |config| entries(&config["data"]).map(move |(name, value)| (config, name, value)))
            .filter(move |(_, name, _)| is_wanted(name))
            .map(|(config, name, value)| (config, name, text(value)))
    };
    let open: Vec<&str> = said(|name| ["EDGE_PUBLIC_ORIGIN", "EDGE_FURTHER_ORIGINS"].contains(&name))
        .flat_map(|(_, _, origins)| origins.split(','))
        .collect();
    for (config, name, origin) in said(|name| name.ends_with(PUBLIC_ORIGIN)) {
        if !open.contains(&origin) {
            find(
                findings,
                Rule::Setting,
                config,
                format!("{name} is {origin}, where the edge lets nobody write"),
            );
        }
    }
}

/// The YAML files of a workload's `ConfigMaps`.
pub(super) fn mounted<'a>(set: &'a Set, workload: Workload<'a>) -> Vec<(&'a str, Value)> {
    list(&workload.pod["volumes"])
        .filter_map(|volume| set.get("ConfigMap", text(&volume["configMap"]["name"])))
        .flat_map(|config| entries(&config["data"]))
        .filter_map(|(file, content)| Some((file.as_str(), serde_saphyr::from_str(content.as_str()?).ok()?)))
        .collect()
}

/// The endpoints of a collector's file: receivers listen on declared ports, exporters have an existing target.
fn check_endpoints(set: &Set, workload: Workload<'_>, file: &str, content: &Value, findings: &mut Findings) {
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

/// Everything called `endpoint` below `value`.
fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    for (key, inner) in entries(value) {
        match inner.as_str() {
            Some(endpoint) if key == "endpoint" => found.push(endpoint),
            _ => collect(inner, found),
        }
    }
}

/// The environment of a container: names, and values that are not secret.
pub(super) fn environment(set: &Set, container: &Value) -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    for source in list(&container["envFrom"]) {
        if let Some(config) = set.get("ConfigMap", text(&source["configMapRef"]["name"])) {
            all.extend(
                entries(&config["data"])
                    .map(|(name, value)| (name.clone(), value.as_str().map(str::to_owned))),
            );
        }
    }
    for variable in list(&container["env"]) {
        let reference = &variable["valueFrom"]["configMapKeyRef"];
        let value = if reference.is_object() {
            set.get("ConfigMap", text(&reference["name"]))
                .and_then(|config| config["data"][text(&reference["key"])].as_str())
        } else {
            variable["value"].as_str()
        };
        all.push((text(&variable["name"]).to_owned(), value.map(str::to_owned)));
    }
    all
}

/// What holds where a name is there more than once: the last, as what a container says itself is after what it takes from
/// elsewhere.
pub(super) fn value_of<'a>(environment: &'a [(String, Option<String>)], name: &str) -> Option<&'a str> {
    environment.iter().rev().find(|(known, _)| known == name)?.1.as_deref()
}

/// Checks that the port of a listen address is declared by a container.
fn check_listener(workload: Workload<'_>, setting: &str, value: &str, findings: &mut Findings) {
    let port = value.rsplit(':').next().and_then(|port| port.parse::<u64>().ok());
    if port.is_none_or(|port| workload.port(&Value::from(port)).is_none()) {
        find(
            findings,
            Rule::Port,
            workload.object,
            format!("{setting} is {value}, a port that no container names"),
        );
    }
}

/// An address is a Service of the set with a connection in the diagram, or a known address outside.
fn check_target(
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
        let why = format!("{setting} leads to {host}:{port}, which is no Service of the set");
        return find(findings, Rule::Host, workload.object, why);
    };
    let Some(behind) = entity::behind(set, name) else { return };
    let target = set.workloads().find(|workload| workload.name() == behind).and_then(|workload| {
        workload.port(if found["targetPort"].is_null() { &found["port"] } else { &found["targetPort"] })
    });
    if let Some(target) = target
        && !policies::is_shown(set, workload.name(), behind, target)
    {
        let why = format!("{setting} leads to {host}:{port}, a call that the diagram does not show");
        find(findings, Rule::Host, workload.object, why);
    }
}

/// Calls of gRPC are spread over a headless Service, whose name may be stale, and fall back to the same pods behind one
/// address.
fn check_fallback(set: &Set, workload: Workload<'_>, setting: &str, value: &str, findings: &mut Findings) {
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
            "its calls fail while the name is stale: it does not fall back to the same pods behind one address"
        } else if fallbacks.iter().any(|fallback| !is_twin(fallback)) {
            "it falls back to what is as stale, or to others"
        } else {
            continue;
        };
        find(findings, Rule::Balance, workload.object, format!("{setting} is {value}: {why}"));
    }
}

/// The name of the Service that a host of the set's own names.
fn service_name<'a>(set: &Set, host: &'a str) -> &'a str {
    let own = [format!(".{}", set.namespace()), String::new()];
    let local = host.trim_end_matches('.').trim_end_matches(".cluster.local").trim_end_matches(".svc");
    own.iter().find_map(|suffix| local.strip_suffix(suffix.as_str())).unwrap_or(local)
}

/// Every `host:port` in a value, with the port that a scheme implies; numbers in place of a name are no host.
fn addresses(value: &str) -> Vec<(String, u64)> {
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

    #[test]
    fn a_server_must_be_given_what_it_requires_and_what_a_laptop_has_a_default_for() {
        let json = r#"[
            {"name": "TOKIO_WORKER_THREADS", "command": null, "required": false, "default": null},
            {"name": "LOG", "command": null, "required": false, "default": "info"},
            {"name": "DESK_SECRET", "command": "serve", "required": true, "default": null},
            {"name": "DESK_PUBLIC_ORIGIN", "command": "serve", "required": false, "default": "http://127.0.0.1"},
            {"name": "DESK_PEER", "command": "serve", "required": false, "default": null},
            {"name": "DESK_ARCHIVE", "command": "import", "required": true, "default": null}
        ]"#;
        let mut settings = Settings::default();
        settings.add("desk", json).expect("it is a list of settings");
        let desk = &settings.0["desk"];
        let required: Vec<&str> = desk.required.iter().map(String::as_str).collect();
        assert_eq!(required, ["DESK_PUBLIC_ORIGIN", "DESK_SECRET", "TOKIO_WORKER_THREADS"]);
        assert_eq!(desk.known.len(), 6);
        assert_eq!(desk.defaults["LOG"], "info");
        assert!(settings.add("lms", "{}").is_err());
    }
}
