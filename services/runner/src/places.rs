//! Paths of the repository.

use std::path::{Path, PathBuf};

/// The repository this tool was built from.
#[must_use]
pub fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

/// The folder of one service.
#[must_use]
pub fn service(name: &str) -> PathBuf {
    repository().join("services").join(name)
}

/// The site's sources.
#[must_use]
pub fn web() -> PathBuf {
    repository().join("web")
}

/// The npm packages that this tool uses itself.
#[must_use]
pub fn tools() -> PathBuf {
    repository().join("services/dev/tools")
}

/// Where a state folder is: `given`, or the repository's own.
pub fn state(given: Option<&Path>) -> PathBuf {
    given.map_or_else(|| repository().join(".dev"), Path::to_owned)
}

/// The font of lessons and receipts: an npm package of the site.
#[must_use]
pub fn fonts() -> PathBuf {
    web().join("node_modules/@expo-google-fonts/biz-udpgothic")
}

/// What is drawn of the demo's lessons: one checkout has it once, whatever state it runs with.
#[must_use]
pub fn media() -> PathBuf {
    repository().join(".dev/media")
}

/// The folder of the binaries, as the last build left them.
#[must_use]
pub fn programs(release: bool) -> PathBuf {
    target().join(if release { "release" } else { "debug" })
}

/// The binary of one service.
#[must_use]
pub fn binary(name: &str, release: bool) -> PathBuf {
    programs(release).join(name)
}

/// Cargo's target folder: ours stands in it.
fn target() -> PathBuf {
    std::env::current_exe()
        .ok()
        .and_then(|own| own.ancestors().nth(2).map(Path::to_owned))
        .filter(|target| target.join("debug").is_dir() || target.join("release").is_dir())
        .unwrap_or_else(|| repository().join("target"))
}
