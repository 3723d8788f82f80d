//! Test helpers are not used in production code.

use std::fs;
use std::path::{Path, PathBuf};

/// Names that production code must not contain: test helpers, and disabled checks.
const FOR_TESTS: [&str; 5] = ["kit::test", "crate::test", "Callers::open(", "kit_db::test", "forms::test"];

/// The Rust sources in `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("read the folder");
    let paths = entries.map(|entry| entry.expect("read an entry").path());
    paths
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Finds the lines in front of a source's test module that use test helpers.
fn offences(source: &str) -> Vec<&str> {
    let production = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
    production.lines().filter(|line| FOR_TESTS.iter().any(|name| line.contains(name))).collect()
}

#[test]
fn production_code_uses_no_test_helpers() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the services");
    for service in [
        "auth",
        "commerce",
        "desk",
        "exam",
        "edge",
        "forms",
        "kit",
        "kit-content",
        "kit-db",
        "lms",
        "maintenance",
        "site",
    ] {
        let source = services.join(service).join("src");
        for path in sources(&source) {
            let within = path.strip_prefix(&source).expect("the path is in the folder");
            let is_test = within.starts_with("test")
                || ["test.rs", "tests.rs", "properties.rs"].iter().any(|name| within.ends_with(name));
            let text = fs::read_to_string(&path).expect("a source is text");
            let offences = if is_test { Vec::new() } else { offences(&text) };
            assert!(offences.is_empty(), "{}: {offences:?}", path.display());
        }
    }
}

#[test]
fn a_helper_is_found_only_outside_test_modules() {
    let source =
        "use kit::test::Random;\nfn main() {}\n\n#[cfg(test)]\nmod tests {\n    use kit::test::Names;\n}\n";
    assert_eq!(offences(source), ["use kit::test::Random;"]);
}
