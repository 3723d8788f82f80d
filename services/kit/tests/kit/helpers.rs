//! What is for tests stays out of production code.

use std::fs;
use std::path::{Path, PathBuf};

/// What production code must not name: the helpers of tests, and what checks nothing.
const FOR_TESTS: [&str; 5] = ["kit::test", "crate::test", "Callers::open(", "kit_db::test", "forms::test"];

/// The Rust sources in `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it has entries").path());
    paths
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The lines of a source before its tests, which come last, that name what is for tests.
fn offences(source: &str) -> Vec<&str> {
    let production = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
    production.lines().filter(|line| FOR_TESTS.iter().any(|name| line.contains(name))).collect()
}

#[test]
fn production_code_names_no_helper_of_tests() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("kit lies beside the services");
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
            let within = path.strip_prefix(&source).expect("it was found there");
            let is_test = within.starts_with("test")
                || ["test.rs", "tests.rs", "properties.rs"].iter().any(|name| within.ends_with(name));
            let text = fs::read_to_string(&path).expect("a source is text");
            let offences = if is_test { Vec::new() } else { offences(&text) };
            assert!(offences.is_empty(), "{}: {offences:?}", path.display());
        }
    }
}

#[test]
fn a_helper_is_found_in_production_code_alone() {
    let source =
        "use kit::test::Random;\nfn main() {}\n\n#[cfg(test)]\nmod tests {\n    use kit::test::Names;\n}\n";
    assert_eq!(offences(source), ["use kit::test::Random;"]);
}
