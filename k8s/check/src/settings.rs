//! Checks of settings in the environment and in mounted files: the programs know them, and servers have all that they
//! require.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome};

use super::endpoints::{addresses, check_endpoints, check_fallback, check_listener, check_target};
use super::picture::{NOT_DIALLED, SANDBOX, SERVICES};
use super::set::{Findings, Rule, Set, Workload, containers, entries, find, list, text};

/// The settings of each service, as its program prints them (`edge settings`).
#[derive(Default)]
pub(super) struct Settings(BTreeMap<String, ServiceSettings>);

/// The settings of one service.
#[derive(Default)]
struct ServiceSettings {
    /// All settings that its commands read.
    known: BTreeSet<String>,
    /// Settings that a server in a cluster requires. Without the last two it starts, but with defaults for a laptop.
    required: BTreeSet<String>,
    /// Default values.
    defaults: BTreeMap<String, String>,
}

/// A setting, as a program prints it.
#[derive(Deserialize)]
struct Setting {
    name: String,
    /// `None` for a setting of every command.
    command: Option<String>,
    required: bool,
    default: Option<String>,
}

impl Settings {
    /// Runs the program of each service in the folder `programs`.
    pub(super) async fn load(programs: &Path, log: &Path) -> Outcome<Self> {
        let mut all = Self::default();
        for service in SERVICES.into_iter().chain([SANDBOX]) {
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
/// The URL to which buyers return after a payment.
const SITE_URL: &str = "COMMERCE_SITE_URL";
/// Required, because the default is one thread for each processor of the node, of which a pod has only a share.
const WORKER_THREADS: &str = "TOKIO_WORKER_THREADS";
/// The number of threads of each process when the capacity of a replica was measured.
const MEASURED_THREADS: &str = "2";

/// Checks the settings of the set.
pub(super) fn check(set: &Set, settings: &Settings, findings: &mut Findings) {
    check_origins(set, findings);
    check_link_times(set, settings, findings);
    for workload in set.workloads() {
        for container in containers(workload.pod) {
            let environment = environment(set, container);
            let image = text(&container["image"]);
            let declared = settings.0.iter().find(|(service, _)| is_image_of(service, image));
            let declared = declared.map(|(_, declared)| declared);
            if let Some(declared) = declared.filter(|_| is_place(set) && container["args"][0] == SERVE) {
                let lacks = |required: &&String| !environment.iter().any(|(name, _)| name == *required);
                for required in declared.required.iter().filter(lacks) {
                    find(findings, Rule::Setting, workload.object, format!("lacks the setting {required}"));
                }
                if let Some(threads) =
                    value_of(&environment, WORKER_THREADS).filter(|threads| *threads != MEASURED_THREADS)
                {
                    let why = format!(
                        "has {threads} threads, but its capacity was measured with {MEASURED_THREADS}"
                    );
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
                        format!("sets {name}, which its program does not read"),
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
                            format!("{name} is {value}, a port that is already used"),
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

/// Whether `image` is an image of this program, in any registry.
pub(super) fn is_image_of(program: &str, image: &str) -> bool {
    let name = image.strip_prefix("konomana/").or_else(|| image.split("/konomana/").nth(1));
    name.and_then(|name| name.strip_prefix(program))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
}

/// Whether the set is an overlay, which has settings of its own, and not a test combination.
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

/// The origin of links in mails, of passkeys and of the return from a payment is one from which the edge accepts
/// writes.
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
    for (config, name, origin) in said(|name| name.ends_with(PUBLIC_ORIGIN) || name == SITE_URL) {
        if !open.contains(&origin) {
            find(
                findings,
                Rule::Setting,
                config,
                format!("{name} is {origin}, an origin from which the edge accepts no writes"),
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

/// The effective value of a variable: the last one, because a container's own variables override imported ones.
pub(super) fn value_of<'a>(environment: &'a [(String, Option<String>)], name: &str) -> Option<&'a str> {
    environment.iter().rev().find(|(known, _)| known == name)?.1.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_recognised_in_any_registry() {
        for image in ["konomana/site", "konomana/site:dev", "registry.konomana.jp/konomana/site@sha256:00"] {
            assert!(is_image_of("site", image), "{image}");
        }
        for image in ["konomana/sites", "site", "other/site:dev"] {
            assert!(!is_image_of("site", image), "{image}");
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
        settings.add("desk", json).expect("parse settings");
        let desk = &settings.0["desk"];
        let required: Vec<&str> = desk.required.iter().map(String::as_str).collect();
        assert_eq!(required, ["DESK_PUBLIC_ORIGIN", "DESK_SECRET", "TOKIO_WORKER_THREADS"]);
        assert_eq!(desk.known.len(), 6);
        assert_eq!(desk.defaults["LOG"], "info");
        assert!(settings.add("lms", "{}").is_err());
    }
}
