//! The modules of a crate must form an order: of two siblings only one imports the other, directly or
//! indirectly.

mod dependencies;
mod graph;

use std::path::{Path, PathBuf};
use std::{fs, io};

use graph::{Graph, Import};

/// Folders that contain crates, relative to the repository root.
const CRATES: [&str; 3] = [".", "k8s", "services"];

/// Returns every workspace crate with sources: its name and source folder.
fn crates() -> io::Result<Vec<(String, PathBuf)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut crates = Vec::new();
    for folder in CRATES {
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let sources = entry.path().join("src");
            if entry.path().join("Cargo.toml").is_file() && sources.is_dir() {
                crates.push((entry.file_name().to_string_lossy().into_owned(), sources));
            }
        }
    }
    crates.sort();
    Ok(crates)
}

/// Returns a line for each cycle: its modules, and an import for each step.
fn circles(graph: &Graph) -> Vec<String> {
    let describe = |import: &Import| {
        format!("{} imports {} ({}:{})", import.from, import.to, import.file.display(), import.line)
    };
    let lines = |circle: Vec<&Import>| circle.into_iter().map(describe).collect::<Vec<_>>().join("; ");
    graph.circles().into_iter().map(lines).collect()
}

#[test]
fn no_modules_import_each_other() {
    let crates = crates().expect("the repository can be read");
    assert!(crates.iter().any(|(name, _)| name == "edge"), "the services are among {crates:?}");
    let mut found = Vec::new();
    for (name, sources) in &crates {
        let graph = Graph::read_crate(sources).expect("the sources can be read");
        found.extend(circles(&graph).into_iter().map(|circle| format!("{name}: {circle}")));
    }
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
}

/// Returns the cycles in a crate of these files.
fn circles_in(files: &[(&str, &str)]) -> Vec<String> {
    let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
    circles(&Graph::new(files.collect()).expect("the files are Rust"))
}

#[test]
fn two_siblings_that_import_each_other_are_a_circle() {
    let found = circles_in(&[
        ("lib.rs", "mod bill; mod order;"),
        ("bill.rs", "use crate::order::Order;"),
        ("order.rs", "fn total() -> u32 {\n    crate::bill::total()\n}"),
    ]);
    assert_eq!(found, ["bill imports order (bill.rs:1); order imports bill (order.rs:2)"]);
}

#[test]
fn an_import_counts_for_every_ancestor_up_to_a_common_parent() {
    let found = circles_in(&[
        ("lib.rs", ""),
        ("rpc.rs", ""),
        ("rpc/order.rs", "use crate::store::Row;"),
        ("store.rs", ""),
        ("store/table.rs", "use crate::{rpc::{self, Status}, Failure};"),
    ]);
    assert_eq!(found, ["rpc imports store (rpc/order.rs:1); store imports rpc (store/table.rs:1)"]);
}

#[test]
fn a_circle_of_three_names_each_step_once() {
    let found = circles_in(&[
        ("main.rs", ""),
        ("a.rs", "use crate::b;"),
        ("b.rs", "use super::c::C;"),
        ("c.rs", "fn text() -> String { format!(\"{}\", crate::a::NAME) }"),
        ("d.rs", "use crate::a;"),
    ]);
    assert_eq!(found, ["a imports b (a.rs:1); b imports c (b.rs:1); c imports a (c.rs:1)"]);
}

#[test]
fn parents_children_and_tests_are_no_circle() {
    let found = circles_in(&[
        ("lib.rs", "pub struct Failure;"),
        ("store.rs", "mod table; use table::Table; use crate::Failure;"),
        ("store/table.rs", "use super::Store;"),
        ("page.rs", "use crate::store::Store;\n#[cfg(test)]\nmod tests { use super::*; }"),
        ("clock.rs", "#[cfg(test)]\nmod tests {\n    use crate::page::Page;\n}"),
        ("store/tests.rs", "use crate::page::Page;"),
    ]);
    assert_eq!(found, Vec::<String>::new());
}
