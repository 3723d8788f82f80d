//! A build of the programs and a build of the tests must use every crate with the same features; otherwise
//! cargo compiles it twice.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Returns the crates that these dependencies bring in, each with its features.
fn crates(dependencies: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["tree", "--workspace", "--locked", "--offline", "--prefix", "none"])
        .args(["--edges", dependencies, "--format", "{p} {f}"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("names are UTF-8");
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn the_tests_enable_no_feature_that_the_programs_lack() {
    let programs = crates("normal,build");
    let tests = crates("normal,build,dev");
    let other: Vec<_> = programs.difference(&tests).collect();
    assert!(
        other.is_empty(),
        "name in [dependencies] of services/dev/Cargo.toml, with the features of the tests: {other:#?}"
    );
}
