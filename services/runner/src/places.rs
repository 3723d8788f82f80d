//! Paths of the repository.

use std::path::{Path, PathBuf};

/// The repository from which this tool was built.
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

/// The npm packages of this tool.
#[must_use]
pub fn tools() -> PathBuf {
    repository().join("services/dev/tools")
}

/// The path of the state folder: `given`, or the default in the repository.
pub fn state(given: Option<&Path>) -> PathBuf {
    given.map_or_else(|| repository().join(".dev"), Path::to_owned)
}

/// The font of lessons and receipts: an npm package of the site.
#[must_use]
pub fn fonts() -> PathBuf {
    web().join("node_modules/@expo-google-fonts/biz-udpgothic")
}

/// The rendered demo lessons. All states of a checkout share one folder.
#[must_use]
pub fn media() -> PathBuf {
    repository().join(".dev/media")
}

/// The folder of the built binaries.
#[must_use]
pub fn programs(release: bool) -> PathBuf {
    target().join(if release { "release" } else { "debug" })
}

/// The binary of one service.
#[must_use]
pub fn binary(name: &str, release: bool) -> PathBuf {
    programs(release).join(name)
}

/// Cargo's target folder, found from the path of this binary.
fn target() -> PathBuf {
    std::env::current_exe()
        .ok()
        .and_then(|own| own.ancestors().nth(2).map(Path::to_owned))
        .filter(|target| target.join("debug").is_dir() || target.join("release").is_dir())
        .unwrap_or_else(|| repository().join("target"))
}
