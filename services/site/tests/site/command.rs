//! The process: errors at start, start and shutdown, and span names.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::build::Build;

fn site(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_site"));
    command.env_clear().args(["serve", "--listen", "127.0.0.1:0", "--drain-delay", "0", "--root"]).arg(root);
    command
}

/// The error line of a failed start.
fn complaint(root: &Path) -> String {
    let output = site(root).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(words.lines().count(), 1, "{words}");
    words
}

#[test]
fn a_missing_folder_is_one_clear_line() {
    let words = complaint(Path::new("/nowhere/dist"));
    assert!(words.contains("cannot read /nowhere/dist: No such file"), "{words}");
    assert!(words.contains("build the site first"), "{words}");
}

#[test]
fn an_incomplete_build_is_one_clear_line_that_names_what_is_missing() {
    for file in ["routes.json", "app.html", "course/101/index.html"] {
        let build = Build::new();
        build.remove(file);
        let words = complaint(build.root());
        assert!(words.contains(&format!("has no /{file}")), "{words}");
    }
    let build = Build::new();
    build.write("routes.json", "{\"prerendered\": [");
    assert!(complaint(build.root()).contains("routes.json: EOF"));
}

#[test]
fn it_serves_until_sigterm() {
    let build = Build::new();
    let mut child = site(build.root()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains(r#""message":"serving""#), "{line}");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}
