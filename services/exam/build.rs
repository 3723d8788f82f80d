//! `sqlx::migrate!` reads the folder while compiling; cargo has to know.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
