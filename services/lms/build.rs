//! `sqlx::migrate!` reads the folder at compile time, so cargo must watch it.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
