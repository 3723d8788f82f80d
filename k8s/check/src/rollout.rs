//! Tests `k8s/rollout.sh` with a fake kubectl that logs its arguments.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use tooling::scratch::Scratch;

use crate::repository;

/// Answers `kustomize` with a namespace and `get jobs` with the next line of the file `jobs` (`;` is a line break).
/// Other commands return nothing. One pod has not started, so its log is not available.
const KUBECTL: &str = r#"#!/bin/sh
here="${0%/*}"
echo "$*" >>"$here/log"
case "$*" in
kustomize*) printf 'kind: Namespace\nmetadata:\n  name: konomana\n' ;;
*"get jobs"*) head -n 1 "$here/jobs" | tr ';' '\n'; sed -i '1{$!d}' "$here/jobs" ;;
*"logs job/migrate-auth"*) echo "container is waiting to start" >&2; exit 1 ;;
*"logs job/migrate-lms"*) echo "relation is locked" ;;
esac
"#;

/// A rollout whose migrations go through `states`.
struct Rollout {
    folder: Scratch,
    ended: Output,
}

impl Rollout {
    fn with(states: &[&str]) -> Self {
        let folder = Scratch::new();
        let kubectl = folder.path().join("kubectl");
        fs::write(&kubectl, KUBECTL).expect("write the file");
        fs::set_permissions(&kubectl, fs::Permissions::from_mode(0o755)).expect("make the file executable");
        fs::write(folder.path().join("jobs"), states.join("\n") + "\n").expect("write the file");
        let script = repository().join("k8s/rollout.sh");
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let ended = Command::new("sh").arg(script).arg("overlay").env("PATH", path).output();
        Self { ended: ended.expect("run the shell"), folder }
    }

    /// The selector of each step, in order.
    fn steps(&self) -> Vec<String> {
        let log = fs::read_to_string(self.folder.path().join("log")).expect("read the log");
        log.lines()
            .filter(|line| line.starts_with("apply") || line.contains("rollout") || line.contains("get jobs"))
            .map(|line| line.split_once(" -l ").expect("a selector").1)
            .map(|line| line.split(" -").next().unwrap_or_default().trim().to_owned())
            .collect()
    }
}

#[test]
fn callers_are_rolled_out_before_those_they_call() {
    let rollout = Rollout::with(&[
        "migrate-auth ;migrate-lms SuccessCriteriaMet Complete",
        "migrate-auth SuccessCriteriaMet Complete;migrate-lms SuccessCriteriaMet Complete",
    ]);
    assert!(rollout.ended.status.success(), "{:?}", rollout.ended);
    let server = "app.kubernetes.io/component=server,app.kubernetes.io/name";
    let (edge, services, site) =
        (format!("{server}=edge"), format!("{server} notin (edge, site)"), format!("{server}=site"));
    let wanted = [
        "app.kubernetes.io/component!=server",
        "app.kubernetes.io/component=migration",
        "app.kubernetes.io/component=migration",
        &edge,
        &edge,
        &services,
        &services,
        &site,
        &site,
    ];
    assert_eq!(rollout.steps(), wanted, "each step is applied, then awaited");
}

#[test]
fn a_failed_migration_ends_the_rollout_at_once_and_shows_its_log() {
    let rollout =
        Rollout::with(&["migrate-auth FailureTarget;migrate-commerce ;migrate-lms FailureTarget Failed"]);
    assert_eq!(rollout.ended.status.code(), Some(1));
    let said = String::from_utf8_lossy(&rollout.ended.stdout).into_owned()
        + &String::from_utf8_lossy(&rollout.ended.stderr);
    assert!(said.contains("relation is locked"), "the output has the available log: {said}");
    assert!(
        said.ends_with("the servers are as they were\n"),
        "a pod without a log does not stop the output: {said}"
    );
    let steps = rollout.steps();
    assert!(!steps.iter().any(|step| step.contains("component=server")), "no server was changed: {steps:?}");
}
