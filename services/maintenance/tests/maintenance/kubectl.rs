//! The real `kubectl` against a fake API server.
//!
//! Ignored by default, because `kubectl` may be missing. `cargo dev test rust` runs them if it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use apiserver::ApiServer;
use serde_json::Value;

fn kubectl(api: &ApiServer, arguments: &[&str]) -> Output {
    let mut kubectl = Command::new("kubectl");
    kubectl.arg("--kubeconfig").arg(api.kubeconfig()).arg("--cache-dir").arg(api.folder().join("cache"));
    kubectl.args(arguments).stdin(Stdio::null()).env("HOME", api.folder()).output().expect("run kubectl")
}

/// Runs `kubectl` and returns its output. It must succeed.
fn says(api: &ApiServer, arguments: &[&str]) -> String {
    let output = kubectl(api, arguments);
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {words}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs `kubectl` and returns its errors. It must fail.
fn complains(api: &ApiServer, arguments: &[&str]) -> String {
    let output = kubectl(api, arguments);
    let said = String::from_utf8(output.stdout).unwrap();
    let sent = arguments.last().map(std::fs::read_to_string);
    assert!(!output.status.success(), "{sent:?}: {said}");
    String::from_utf8(output.stderr).unwrap()
}

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../k8s/examples");
    examples.join(name).to_str().unwrap().to_owned()
}

fn file(api: &ApiServer, text: &str) -> String {
    let path: PathBuf = api.folder().join("window.yaml");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kubectl"]
async fn windows_are_applied_shown_changed_and_deleted() {
    let api = ApiServer::start();
    let said = says(&api, &["apply", "-f", &example("maintenance-learning-planned.yaml")]);
    assert_eq!(said, "maintenancewindow.ops.konomana.jp/learning-planned created\n");
    let again = says(&api, &["apply", "-f", &example("maintenance-learning-planned.yaml")]);
    assert_eq!(again, "maintenancewindow.ops.konomana.jp/learning-planned unchanged\n");
    let said = says(&api, &["apply", "--server-side", "-f", &example("maintenance-site-now.yaml")]);
    assert_eq!(said, "maintenancewindow.ops.konomana.jp/site-now serverside-applied\n");

    let shown = says(&api, &["get", "mw"]);
    let mut lines = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(lines.next().unwrap(), ["NAME", "SCOPE", "MODE", "PHASE", "STARTS", "ENDS", "AGE"]);
    let planned = lines.next().unwrap();
    assert_eq!(planned[..3], ["learning-planned", "Learning", "ReadOnly"]);
    assert!(planned.contains(&"2026-12-05T02:00:00+09:00"), "{planned:?}");

    says(&api, &["patch", "mw/learning-planned", "--type=merge", "-p", r#"{"spec":{"suspend":true}}"#]);
    let shown = says(&api, &["get", "mw/learning-planned", "-o", "json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown["spec"]["suspend"], &shown["metadata"]["generation"]), (&true.into(), &2.into()));

    says(&api, &["delete", "mw", "site-now", "learning-planned"]);
    assert_eq!(says(&api, &["get", "maintenancewindows", "-o", "name"]), "");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kubectl"]
async fn a_violated_rule_is_reported_with_its_message() {
    let api = ApiServer::start();
    let good = std::fs::read_to_string(example("maintenance-learning-planned.yaml")).unwrap();
    for (line, other, words) in [
        ("endsAt: 2026-12-05T04", "endsAt: 2026-12-05T01", "endsAt must be after startsAt"),
        ("https://", "http://", "statusUrl must be an https address"),
        ("title: システムメンテナンスのお知らせ", "title: '　'", "title must not be blank"),
        ("mode: ReadOnly", "mode: Half", "spec.mode"),
        ("endsAt:", "endAt:", "endAt"),
    ] {
        assert!(good.contains(line), "{line}");
        let said = complains(&api, &["apply", "-f", &file(&api, &good.replace(line, other))]);
        assert!(said.contains(words), "{other}: {said}");
    }
    assert_eq!(says(&api, &["get", "mw", "-o", "name"]), "");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kubectl"]
async fn wait_times_out_without_edges() {
    let api = ApiServer::start();
    let mut service = Command::new(env!("CARGO_BIN_EXE_maintenance"));
    service.args(["serve", "--listen", "127.0.0.1:0", "--source", "kube"]);
    service
        .env_clear()
        .env("CALLER_KEYS", kit::test::caller_keys())
        .env("KUBECONFIG", api.kubeconfig())
        .env("MAINTENANCE_SETTLE_MS", "0");
    let mut service = service.stdout(Stdio::null()).spawn().unwrap();
    says(&api, &["apply", "-f", &example("maintenance-site-now.yaml")]);
    says(&api, &["wait", "--for=condition=Active", "mw/site-now", "--timeout=20s"]);
    let begun = Instant::now();
    let said = complains(&api, &["wait", "--for=condition=Propagated", "mw/site-now", "--timeout=1s"]);
    assert!(said.contains("timed out"), "{said}");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    service.kill().unwrap();
    service.wait().unwrap();
}
