//! What `.github` claims: every test that it names is there, and every requirement has its row.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

use crate::places;

fn read(path: &str) -> String {
    fs::read_to_string(places::repository().join(path)).unwrap_or_default()
}

/// Whether `file` has a test of that name; a name of TypeScript may be a part of one.
fn is_there(file: &str, name: &str) -> bool {
    if file.starts_with("web/") {
        return read(file).contains(name);
    }
    read(&format!("services/{file}")).contains(&format!("fn {name}("))
}

#[test]
fn every_test_that_is_named_exists() {
    let reference = Regex::new(r"`([\w/.-]+\.(?:rs|ts|tsx))::([^`]+)`").expect("it is a pattern");
    for document in [".github/SECURITY.md", ".github/asvs.md"] {
        let text = read(document);
        let named: Vec<_> = reference.captures_iter(&text).map(|found| found.extract::<2>().1).collect();
        assert!(named.len() > 20, "{document} names tests");
        for [file, name] in named {
            assert!(is_there(file, name), "{document} names {file}::{name}, which is not there");
        }
    }
    assert!(!is_there("dev/src/claims.rs", "no_such_test"));
}

/// The ids in the first column: `1.2.3`, `1.2.3, 1.2.5` or `1.2.3–1.2.5`.
fn ids(part: &str) -> Vec<String> {
    let row = Regex::new(r"(?m)^\| (\d[^|]*) \|").expect("it is a pattern");
    let mut ids = Vec::new();
    for found in row.captures_iter(part) {
        for range in found[1].split(", ") {
            let (first, last) = range.split_once('–').unwrap_or((range, range));
            let number = |id: &str| id.rsplit('.').next().and_then(|last| last.parse::<u32>().ok());
            let (Some((section, _)), Some(first), Some(last)) =
                (first.rsplit_once('.'), number(first), number(last))
            else {
                panic!("{range} is no requirement");
            };
            ids.extend((first..=last).map(|number| format!("{section}.{number}")));
        }
    }
    ids
}

#[test]
fn every_requirement_of_both_levels_has_one_answer() {
    let text = read(".github/asvs.md");
    let (first, second) = text.split_once("## Level 2").expect("it has two levels");
    for (part, requirements) in [(first, 70), (second, 183)] {
        let ids = ids(part);
        assert_eq!(ids.len(), requirements);
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), requirements, "each has one row");
    }
}

#[test]
fn an_answer_is_one_of_four_and_no_yes_stands_alone() {
    for row in read(".github/asvs.md")
        .lines()
        .filter(|row| row.starts_with("| ") && row.as_bytes()[2].is_ascii_digit())
    {
        let columns: Vec<&str> = row.split(" | ").collect();
        assert!(matches!(columns[2], "yes" | "partly" | "no" | "n/a"), "{row}");
        assert!(columns[3].len() > 10, "{row}");
    }
}
