//! Crates that must not be linked by certain others, directly or indirectly.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// A crate, and the crates that it must not link.
const BANS: [(&str, &[&str]); 4] = [
    ("edge", &["kit-content", "kit-db", "sqlx"]),
    ("forms", &["kit", "sqlx", "tokio"]),
    ("kit", &["forms", "kit-content", "kit-db", "rlibphonenumber", "sqlx", "tar"]),
    ("site", &["forms", "kit-content", "kit-db", "rlibphonenumber", "sqlx", "tar"]),
];

/// The dependencies of each crate, except dev and build dependencies.
struct Dependencies(BTreeMap<String, BTreeSet<String>>);

impl Dependencies {
    /// Parses the JSON of `cargo metadata`.
    fn from_metadata(metadata: &Value) -> Self {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let names: BTreeMap<_, _> =
            list(&metadata["packages"]).iter().map(|one| (text(&one["id"]), text(&one["name"]))).collect();
        let nodes = list(&metadata["resolve"]["nodes"]);
        let normal = |node: &Value| {
            let dependencies = list(&node["deps"]);
            let is_normal = |one: &&Value| list(&one["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            dependencies.iter().filter(is_normal).map(|one| names[&text(&one["pkg"])].clone()).collect()
        };
        Self(nodes.iter().map(|node| (names[&text(&node["id"])].clone(), normal(node))).collect())
    }

    /// Returns every crate that `name` links.
    fn linked<'a>(&'a self, name: &'a str) -> BTreeSet<&'a str> {
        let (mut found, mut left) = (BTreeSet::new(), vec![name]);
        while let Some(dependencies) = left.pop().and_then(|name| self.0.get(name)) {
            left.extend(dependencies.iter().map(String::as_str).filter(|name| found.insert(*name)));
        }
        found
    }

    /// Returns a line for each violation.
    fn offences(&self, bans: &[(&str, &[&str])]) -> Vec<String> {
        let offence = |(name, banned): &(&str, &[&str])| {
            let linked = self.linked(name);
            banned
                .iter()
                .filter(|banned| linked.contains(**banned))
                .map(|banned| format!("{name} links {banned}"))
                .collect::<Vec<_>>()
        };
        bans.iter().flat_map(offence).collect()
    }
}

#[test]
fn no_crate_links_what_it_must_not() {
    // Crates of other platforms may not be downloaded.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", "host-tuple"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    let metadata = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"));
    let dependencies = Dependencies::from_metadata(&metadata);
    assert!(dependencies.linked("lms").contains("sqlx"), "what a service links is found");
    assert_eq!(dependencies.offences(&BANS), Vec::<String>::new());
}

#[test]
fn a_ban_holds_through_other_crates_and_not_for_tests() {
    let dependency =
        |name: &str, kind: Value| serde_json::json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
    let packages = ["site", "kit", "sqlx", "insta"].map(|name| serde_json::json!({"id": name, "name": name}));
    let metadata = serde_json::json!({
        "packages": packages,
        "resolve": {"nodes": [
            {"id": "site", "deps": [dependency("kit", Value::Null), dependency("insta", "dev".into())]},
            {"id": "kit", "deps": [dependency("sqlx", Value::Null)]},
            {"id": "sqlx", "deps": []},
        ]},
    });
    let dependencies = Dependencies::from_metadata(&metadata);
    assert_eq!(dependencies.offences(&[("site", &["insta", "sqlx"])]), ["site links sqlx"]);
}
