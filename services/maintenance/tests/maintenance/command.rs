//! The output and the log of the commands.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use crate::folder::{Folder, window};

fn maintenance() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maintenance"));
    command.env_clear().env("CALLER_KEYS", kit::test::caller_keys());
    command
}

fn check(text: &str) -> Output {
    let folder = Folder::new();
    folder.write(text);
    maintenance().arg("check").arg(folder.file()).output().unwrap()
}

/// The first fault that `check` prints, starting with the file name.
fn complaint(text: &str) -> String {
    let output = check(text);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(words.lines().count(), 1, "{words}");
    let from = words.find("windows.yaml").expect("the output names the file");
    words[from..].trim_end().to_owned()
}

/// The valid window with one line replaced.
fn with(line: &str, other: &str) -> String {
    let good = window("upgrade");
    assert!(good.contains(line), "{line}");
    good.replace(line, other)
}

#[test]
fn check_prints_the_windows_of_a_valid_file() {
    let text = with("  scope: Site\n", "  scope: Exam\n  endsAt: 2026-11-21T18:00:00Z\n  suspend: true\n");
    let output = check(&text);
    let words = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(
        words.starts_with("upgrade: Exam, Full, from now until 2026-11-21T18:00:00Z, suspended\n"),
        "{words}"
    );
    assert!(words.ends_with("windows.yaml: 1 window, valid\n"), "{words}");
}

#[test]
fn check_reports_the_line_and_the_violated_rule() {
    let twice = format!("{}---\n{}", window("upgrade"), window("upgrade"));
    let backwards = with(
        "  mode: Full\n",
        "  mode: Full\n  startsAt: 2026-11-21T18:00:00Z\n  endsAt: 2026-11-21T18:00:00Z\n",
    );
    for (text, expected) in [
        (with("v1alpha1", "v2"), "windows.yaml:1: apiVersion must be ops.konomana.jp/v1alpha1"),
        (
            with("kind: MaintenanceWindow", "kind: Maintenance"),
            "windows.yaml:2: kind must be MaintenanceWindow",
        ),
        (
            with("name: upgrade", "name: Upgrade_1"),
            "windows.yaml:3: metadata.name must be lower-case letters, digits, '-' and '.', as Kubernetes requires",
        ),
        (backwards, "windows.yaml:8: endsAt must be after startsAt"),
        (
            with("  mode: Full", "  mode: Full\n  startsAt: tomorrow"),
            "windows.yaml:7: startsAt must be a time like 2026-11-21T18:00:00+09:00",
        ),
        (
            with("  mode: Full", "  mode: Full\n  statusUrl: http://status.konomana.jp"),
            "windows.yaml:7: statusUrl must be an https address",
        ),
        (
            with("  mode: Full", "  mode: Full\n  retryAfterSeconds: -1"),
            "windows.yaml:7: retryAfterSeconds must be 1 to 86400",
        ),
        (
            with("  mode: Full", "  mode: Full\n  bypassScopes: [staff support]"),
            "windows.yaml:7: 'staff support' is not a scope like staff:support",
        ),
        (
            with("title: メンテナンス中です", "title: ' '"),
            "windows.yaml:7: title must have 1 to 100 characters",
        ),
        (twice, "windows.yaml:12: 'upgrade' is already declared in line 3"),
    ] {
        assert_eq!(complaint(&text), expected);
    }
}

#[test]
fn check_reports_the_line_of_a_schema_fault() {
    for (text, line, word) in [
        (with("  mode: Full", "  mode: Half"), 6, "Half"),
        (with("  mode: Full", "  mode: Full\n  endAt: 2026-11-21T18:00:00Z"), 7, "endAt"),
        (with("  mode: Full\n", ""), 7, "missing field `mode`"),
        (with("  mode: Full", "  mode: Full\n  mode: Full"), 7, "mode"),
        (with("  mode: Full", "  mode: [Full"), 6, ""),
    ] {
        let complaint = complaint(&text);
        assert!(complaint.starts_with(&format!("windows.yaml:{line}: ")), "{complaint}");
        assert!(complaint.contains(word), "{complaint}");
    }
}

#[test]
fn check_of_a_missing_file_fails() {
    let output = maintenance().args(["check", "/nowhere/windows.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("/nowhere/windows.yaml: No such file"));
}

/// A running `maintenance serve`, killed at the end of the test.
struct Serving {
    child: Child,
    log: BufReader<ChildStdout>,
}

impl Serving {
    fn with(folder: &Folder) -> Self {
        let mut command = maintenance();
        command.args(["serve", "--listen", "127.0.0.1:0", "--drain-delay", "0", "--file"]);
        command.arg(folder.file());
        Self::start(command)
    }

    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let log = BufReader::new(child.stdout.take().unwrap());
        Self { child, log }
    }

    fn next_line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.log.read_line(&mut line).unwrap() > 0, "the log continues");
        line
    }

    fn wait_for(&mut self, words: &str) -> String {
        loop {
            let line = self.next_line();
            if line.contains(words) {
                return line;
            }
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_invalid_file_is_logged_once_and_again_when_it_is_valid() {
    let folder = Folder::new();
    let mut serving = Serving::with(&folder);
    serving.wait_for("windows declared");
    folder.write(&with("kind: MaintenanceWindow", "kind: Maintenance"));
    let line = serving.wait_for("the file of windows is invalid");
    assert!(line.contains("windows.yaml:2: kind must be MaintenanceWindow"), "{line}");
    assert!(line.contains(r#""level":"ERROR""#), "{line}");
    folder.write(&window("upgrade"));
    // No lines in between, although the invalid file was read several times.
    assert!(serving.next_line().contains("valid again"));
    assert!(serving.next_line().contains(r#""windows":1"#));
}

#[test]
fn it_serves_without_an_api_server() {
    let folder = Folder::new();
    // Port 1 is closed.
    folder.write(
        "{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}],
        clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}], users: [{name: a, user: {}}]}",
    );
    let mut command = maintenance();
    command.args(["serve", "--listen", "127.0.0.1:0", "--source", "kube"]).env("KUBECONFIG", folder.file());
    let mut serving = Serving::start(command);
    let (mut serves, mut is_lost) = (false, false);
    while !(serves && is_lost) {
        let line = serving.next_line();
        serves |= line.contains(r#""serving""#);
        is_lost |= line.contains("the API server is unreachable");
    }
}

#[test]
fn the_file_source_requires_a_file() {
    let output = maintenance().args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--file"));
}

#[test]
fn sigterm_ends_it_without_an_error() {
    let folder = Folder::new();
    let mut serving = Serving::with(&folder);
    serving.wait_for(r#""serving""#);
    let pid = rustix::process::Pid::from_child(&serving.child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(serving.child.wait().unwrap().success());
}
