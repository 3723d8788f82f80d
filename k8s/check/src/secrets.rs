//! Checks of Secrets: manifests refer to them and never contain them; each is documented in k8s/README.md or created by
//! an operator.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tooling::failure::{Doing as _, Outcome};

use super::operator;
use super::set::{Findings, Rule, Set, containers, entries, find, list, text};
use crate::repository;

/// Words in the names of secret settings.
const WORDS: [&str; 6] = ["SECRET", "PASSWORD", "TOKEN", "DATABASE_URL", "SMTP_URL", "_KEY"];
/// Settings with such a word that are not secret.
const HARMLESS: [&str; 2] = ["EDGE_TOKEN_ISSUER", "EDGE_TOKEN_AUDIENCE"];

/// The documented Secrets: keys by name.
pub(super) struct Secrets(BTreeMap<String, BTreeSet<String>>);

impl Secrets {
    /// Parses the table in k8s/README.md: `| `name` | `KEY`, `KEY` | … |`.
    pub(super) fn load() -> Outcome<Self> {
        let path = repository().join("k8s/README.md");
        Ok(Self::from_readme(&std::fs::read_to_string(&path).doing(|| path.display().to_string())?))
    }

    fn from_readme(readme: &str) -> Self {
        let mut documented: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut is_secrets = false;
        for line in readme.lines() {
            let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
            if !line.trim_start().starts_with('|') {
                is_secrets = false;
            } else if cells[0] == "Secret" {
                is_secrets = true;
            } else if is_secrets && cells.len() >= 2 {
                let quoted =
                    |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
                for name in quoted(cells[0]) {
                    documented.entry(name).or_default().extend(quoted(cells[1]));
                }
            }
        }
        Self(documented)
    }

    /// A Secret and its key are documented, or created by an operator of the set.
    pub(super) fn check(
        &self,
        set: &Set,
        object: &Value,
        name: &Value,
        key: Option<&Value>,
        findings: &mut Findings,
    ) {
        let name = text(name);
        if name.is_empty() || operator::makes_secret(set, name) {
            return;
        }
        let Some(keys) = self.0.get(name) else {
            return find(
                findings,
                Rule::Secret,
                object,
                format!("reads Secret {name}, which k8s/README.md does not list"),
            );
        };
        if let Some(key) = key
            && !keys.contains(text(key))
        {
            find(
                findings,
                Rule::Secret,
                object,
                format!("reads {key} of Secret {name}, which k8s/README.md does not list"),
            );
        }
    }
}

/// Manifests contain no secret value.
pub(super) fn check_literals(set: &Set, findings: &mut Findings) {
    for secret in set.objects_of_kind("Secret") {
        if entries(&secret["data"]).chain(entries(&secret["stringData"])).next().is_some() {
            find(findings, Rule::Secret, secret, "contains secret values");
        }
    }
    for workload in set.workloads() {
        for variable in containers(workload.pod).flat_map(|container| list(&container["env"])) {
            if is_secret(text(&variable["name"]), text(&variable["value"])) {
                find(
                    findings,
                    Rule::Secret,
                    workload.object,
                    format!("{} has a secret value", variable["name"]),
                );
            }
        }
        for argument in containers(workload.pod)
            .flat_map(|container| list(&container["args"]).chain(list(&container["command"])))
        {
            let (flag, value) = text(argument).trim_start_matches('-').split_once('=').unwrap_or_default();
            if is_secret(&flag.to_uppercase().replace('-', "_"), value) {
                find(findings, Rule::Secret, workload.object, format!("--{flag} has a secret value"));
            }
        }
    }
    for config in set.objects_of_kind("ConfigMap") {
        for (key, value) in entries(&config["data"]) {
            if is_secret(key, text(value)) {
                find(findings, Rule::Secret, config, format!("{key} has a secret value"));
            }
        }
    }
}

/// Whether a setting is secret by its name or its value.
fn is_secret(name: &str, value: &str) -> bool {
    let by_name =
        WORDS.iter().any(|word| name.contains(word)) && !HARMLESS.contains(&name) && !value.is_empty();
    let credentials = value.split("://").skip(1).any(|rest| {
        let authority = rest.split(['/', ' ', '"', '\n']).next().unwrap_or_default();
        authority.split_once('@').is_some_and(|(user, _)| user.contains(':'))
    });
    by_name || credentials || value.contains("PRIVATE KEY-----")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_readme_is_parsed() {
        let readme = "| other | `x` |\n|---|---|\n\n| Secret | key | what |\n|---|---|---|\n\
                      | `auth` | `AUTH_DATABASE_URL`, `AUTH_SECRET` | two |\n| `edge` | `KEY` | one |\n\nText.\n| `no` | `no` |\n";
        let Secrets(documented) = Secrets::from_readme(readme);
        let names: Vec<&str> = documented.keys().map(String::as_str).collect();
        assert_eq!(names, ["auth", "edge"]);
        assert!(documented["auth"].contains("AUTH_SECRET"));
    }

    #[test]
    fn secrets_are_recognised_by_name_and_value() {
        for name in ["EDGE_CSRF_SECRET", "EDGE_MEDIA_KEY", "EDGE_LMS_KEY", "CALLER_KEYS"] {
            assert!(is_secret(name, "abc"), "{name}");
        }
        assert!(is_secret("X", "postgres://auth:word@postgres-rw:5432/auth"));
        assert!(is_secret("X", "-----BEGIN PRIVATE KEY-----"));
        assert!(!is_secret("EDGE_TOKEN_ISSUER", "konomana-auth"));
        assert!(!is_secret("EDGE_AUTH_URL", "http://auth:7000"));
        assert!(!is_secret("EDGE_CSRF_SECRET", ""));
    }
}
