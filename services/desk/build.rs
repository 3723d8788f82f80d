//! `sqlx::migrate!` reads the folder at compile time, so cargo must rebuild when it changes.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
