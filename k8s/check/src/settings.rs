//! What the environment, and what is mounted, says: settings that the binaries know, addresses that are there, ports that are declared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use tooling::failure::{Doing as _, Outcome};

use super::picture::{NOT_DIALLED, OUTSIDE_HOSTS, SERVICES};
use super::references::speaks_grpc;
use super::set::{Findings, Rule, Set, Workload, containers, entries, find, list, text};
use super::{entity, operator, policies};
use crate::repository;

/// Settings by service, as its sources and kit's declare them.
pub(super) struct Settings(BTreeMap<&'static str, Declared>);

/// The settings of a service.
#[derive(Clone, Default)]
struct Declared {
    known: BTreeSet<String>,
    /// Without these it does not start, or believes that it is on a laptop, all of whose processors are its own.
    needed: BTreeSet<String>,
    /// What a setting is where nothing is said.
    defaults: BTreeMap<String, String>,
    /// Whether it serves gRPC to other services, and so has kit's setting for the keys of its callers.
    is_called: bool,
}

impl Settings {
    /// From `env = "NAME"` in the sources.
    pub(super) fn declared() -> Outcome<Self> {
        let mut kit = Declared::default();
        read(&repository().join("services/kit/src"), &mut kit)?;
        let mut all = BTreeMap::new();
        for service in SERVICES {
            let mut own = kit.clone();
            read(&repository().join("services").join(service).join("src"), &mut own)?;
            if !own.is_called {
                own.known.remove(CALLER_KEYS);
                own.needed.remove(CALLER_KEYS);
            }
            all.insert(service, own);
        }
        Ok(Self(all))
    }
}

fn read(folder: &Path, declared: &mut Declared) -> Outcome {
    for entry in fs::read_dir(folder).doing(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, declared)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path)?;
            declared.read(&source);
        }
    }
    Ok(())
}

impl Declared {
    /// What a source declares: an attribute, then the field on a line of its own.
    fn read(&mut self, source: &str) {
        self.is_called |= source.contains("kit::config::CallerKeys");
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            let Some(name) = line.split("env = \"").nth(1).and_then(|rest| rest.split('"').next()) else {
                continue;
            };
            let mut attribute = line.to_owned();
            while !attribute.ends_with(")]") {
                let Some(more) = lines.next() else { return };
                attribute.push_str(more);
            }
            let field = lines.next().unwrap_or_default();
            self.known.insert(name.to_owned());
            if let Some(default) = attribute.split("default_value = \"").nth(1) {
                let default = default.split('"').next().unwrap_or_default();
                self.defaults.insert(name.to_owned(), default.to_owned());
            }
            let can_be_left_out = attribute.contains("default_value")
                || [": Option<", ": Vec<", ": bool"].iter().any(|kind| field.contains(kind));
            if !can_be_left_out || name.ends_with(PUBLIC_ORIGIN) || name == WORKER_THREADS {
                self.needed.insert(name.to_owned());
            }
        }
    }
}

/// The end of the name of every setting that says where people reach the product.
const PUBLIC_ORIGIN: &str = "_PUBLIC_ORIGIN";
/// kit declares it for every service that is called.
const CALLER_KEYS: &str = "CALLER_KEYS";
/// A pod has a share of its node, and would start a thread for every processor there.
const WORKER_THREADS: &str = "TOKIO_WORKER_THREADS";
/// As many as each process had when what a replica carries was measured.
const MEASURED_THREADS: &str = "2";

/// All of it.
pub(super) fn check(set: &Set, settings: &Settings, findings: &mut Findings) {
    origins(set, findings);
    link_times(set, settings, findings);
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
            let declared = service.and_then(|service| settings.0.get(service));
            if let Some(declared) = declared.filter(|_| is_place(set) && container["args"][0] == "serve") {
                let lacks = |needed: &&String| !environment.iter().any(|(name, _)| name == *needed);
                for needed in declared.needed.iter().filter(lacks) {
                    find(findings, Rule::Setting, workload.object, format!("does not say {needed}"));
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
                    listens(workload, name, value, findings);
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
                        dials(set, workload, name, &host, port, findings);
                    }
                    falls_back(set, workload, name, value, findings);
                }
            }
        }
        for (file, content) in mounted(set, workload) {
            endpoints(set, workload, file, &content, findings);
        }
    }
}

/// Whether it is a place, with settings of its own, and no combination of the tests.
fn is_place(set: &Set) -> bool {
    set.name.starts_with("overlays/")
}

/// lms tells of a stream's end for as long as an address of its files works, which is what the edge says.
fn link_times(set: &Set, settings: &Settings, findings: &mut Findings) {
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

/// Links in mails and passkeys belong to an origin that the edge lets write.
fn origins(set: &Set, findings: &mut Findings) {
    let said = |is_wanted: fn(&str) -> bool| {
        set.of("ConfigMap")
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

/// The YAML files that a workload's `ConfigMaps` bring.
pub(super) fn mounted<'a>(set: &'a Set, workload: Workload<'a>) -> Vec<(&'a str, Value)> {
    list(&workload.pod["volumes"])
        .filter_map(|volume| set.get("ConfigMap", text(&volume["configMap"]["name"])))
        .flat_map(|config| entries(&config["data"]))
        .filter_map(|(file, content)| Some((file.as_str(), serde_saphyr::from_str(content.as_str()?).ok()?)))
        .collect()
}

/// What a collector's file names: where it listens is declared, where it sends to is there.
fn endpoints(set: &Set, workload: Workload<'_>, file: &str, content: &Value, findings: &mut Findings) {
    for (section, part) in entries(content) {
        let mut found = Vec::new();
        collect(part, &mut found);
        for endpoint in found {
            if section == "exporters" {
                for (host, port) in addresses(endpoint) {
                    dials(set, workload, file, &host, port, findings);
                }
            } else {
                listens(workload, file, endpoint, findings);
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

/// Names, and values where they are no secret.
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

/// A port that a setting opens is one that the container declares.
fn listens(workload: Workload<'_>, setting: &str, value: &str, findings: &mut Findings) {
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

/// An address leads to a Service of the set, by an edge of the picture, or to a known place outside.
fn dials(set: &Set, workload: Workload<'_>, setting: &str, host: &str, port: u64, findings: &mut Findings) {
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
        let why = format!("{setting} leads to {host}:{port}, a call that the picture does not show");
        find(findings, Rule::Host, workload.object, why);
    }
}

/// Calls of gRPC are spread over a headless Service, whose name may be stale, and fall back to the same pods behind one
/// address.
fn falls_back(set: &Set, workload: Workload<'_>, setting: &str, value: &str, findings: &mut Findings) {
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
        } else if set.of("Service").any(is_twin) && !fallbacks.iter().any(|fallback| is_twin(fallback)) {
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
    fn the_sources_declare_their_settings() {
        let Settings(all) = Settings::declared().expect("the sources are there");
        assert!(all["edge"].known.contains("EDGE_AUTH_URL"));
        assert!(all["edge"].known.contains("DRAIN_DELAY_MS"));
        assert!(!all["site"].known.contains("EDGE_AUTH_URL"));
        assert!(all["edge"].needed.contains("EDGE_LMS_KEY"));
        assert!(!all["edge"].known.contains("CALLER_KEYS"));
        assert_eq!(all["edge"].defaults["EDGE_MEDIA_LINK_TIME"], "7200");
        assert_eq!(all["lms"].defaults["LMS_MEDIA_LINK_TIME"], "7200");
        let needed: Vec<&str> = all["desk"].needed.iter().map(String::as_str).collect();
        assert_eq!(
            needed,
            [
                "CALLER_KEYS",
                "DESK_CONTACT_TO",
                "DESK_DATABASE_URL",
                "DESK_MAIL_FROM",
                "DESK_PUBLIC_ORIGIN",
                "DESK_SECRET",
                "DESK_SMTP_URL",
                "TOKIO_WORKER_THREADS"
            ]
        );
        // It has a default, which is a laptop's.
        assert!(all["auth"].needed.contains("AUTH_PUBLIC_ORIGIN"));
    }
}
