//! The definition of `MaintenanceWindow`: what is committed is what the code says, and it refuses what a file is
//! refused for.
#![allow(clippy::unwrap_used, reason = "a test that can't go on should panic")]

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_committed_definition_is_what_the_code_says() {
    let path = repository().join("k8s/base/maintenance/crd.yaml");
    let committed = std::fs::read_to_string(path).unwrap();
    let hint = "cargo run --bin maintenance -- crd > k8s/base/maintenance/crd.yaml";
    assert!(committed == maintenance::yaml().unwrap(), "write it anew: {hint}");
}
