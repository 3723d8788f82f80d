//! `k8s/rollout.sh`, run with a kubectl that only writes down what it is asked for.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::places;
use crate::scratch::Scratch;

/// Answers `kustomize` with a namespace and everything else with nothing.
const KUBECTL: &str = r#"#!/bin/sh
echo "$*" >>"${0%/*}/log"
if [ "$1" = kustomize ]; then printf 'kind: Namespace\nmetadata:\n  name: konomana\n'; fi
"#;

#[test]
fn callers_are_rolled_out_before_those_they_call() {
    let folder = Scratch::new();
    let kubectl = folder.path().join("kubectl");
    fs::write(&kubectl, KUBECTL).expect("it is written");
    fs::set_permissions(&kubectl, fs::Permissions::from_mode(0o755)).expect("it may run");
    let script = places::repository().join("k8s/rollout.sh");
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let ended =
        Command::new("sh").arg(script).arg("overlay").env("PATH", path).output().expect("there is a shell");
    assert!(ended.status.success(), "{ended:?}");
    let log = fs::read_to_string(folder.path().join("log")).expect("it was called");
    let steps: Vec<_> = log
        .lines()
        .filter(|line| line.starts_with("apply") || line.contains("rollout") || line.contains("wait jobs"))
        .map(|line| line.split_once(" -l ").expect("a selector").1)
        .map(|line| line.split(" --").next().unwrap_or_default().trim())
        .collect();
    let server = "app.kubernetes.io/component=server,app.kubernetes.io/name";
    let (edge, services, site) =
        (format!("{server}=edge"), format!("{server} notin (edge, site)"), format!("{server}=site"));
    let wanted = [
        "app.kubernetes.io/component!=server",
        "app.kubernetes.io/component=migration",
        &edge,
        &edge,
        &services,
        &services,
        &site,
        &site,
    ];
    assert_eq!(steps, wanted, "each applied, then waited for");
}
