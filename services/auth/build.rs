//! Builds the binary again when only a migration changed.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
