//! Tests the documents in `.github`: every test that they name exists, and every requirement has its row.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

use runner::places;

fn read_file(path: &str) -> String {
    fs::read_to_string(places::repository().join(path)).unwrap_or_default()
}

/// Whether `file` has a test of that name. In TypeScript, a part of the name is enough.
fn is_there(file: &str, name: &str) -> bool {
    if file.starts_with("web/") {
        is_typescript_test(&read_file(file), name)
    } else {
        is_rust_test(&read_file(&format!("services/{file}")), name)
    }
}

/// Whether a function of that name has an attribute like `#[test]` or `#[tokio::test]`, and is not ignored.
/// Cases of macros like `proptest!` have the attribute too.
fn is_rust_test(source: &str, name: &str) -> bool {
    let function = pattern(&format!(r"(?m)^[ \t]*(?:async )?fn {name}\("));
    let is_test = pattern(r"^#\[(?:\w+::)*test(?:\(.*\))?\]");
    function.find_iter(source).any(|found| {
        let above = source[..found.start()].lines().rev().map(str::trim);
        let above: Vec<_> =
            above.take_while(|line| line.starts_with("#[") || line.starts_with("///")).collect();
        above.iter().any(|line| is_test.is_match(line))
            && !above.iter().any(|line| line.starts_with("#[ignore"))
    })
}

/// Whether `test("…")`, `it("…")` or one of them with `.each` has the name in its first argument, at the
/// beginning of a line: not in a comment, and not skipped.
fn is_typescript_test(source: &str, name: &str) -> bool {
    let name = regex::escape(name);
    let title = format!(r#"\(\s*(?:"[^"\n]*{name}|'[^'\n]*{name}|`[^`\n]*{name})"#);
    let call = pattern(&format!(r"(?m)^[ \t]*(?:test|it)(?:\.(?:each|for)\([^\n]*\))?{title}"));
    // The end of a table of several lines. Its first line is the nearest line above with the same
    // indentation.
    let end = pattern(&format!(r"(?m)^([ \t]*)\]\){title}"));
    let begin = pattern(r"^(?:test|it)\.(?:each|for)\(\[$");
    let ends_table = |found: regex::Captures<'_>| {
        let indent = &found[1];
        let above = source[..found.get(0).map_or(0, |all| all.start())].lines().rev();
        let alike = above.filter_map(|line| line.strip_prefix(indent));
        let mut alike = alike.filter(|line| line.starts_with(|first: char| !first.is_whitespace()));
        alike.next().is_some_and(|line| begin.is_match(line))
    };
    call.is_match(source) || end.captures_iter(source).any(ends_table)
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is valid")
}

#[test]
fn only_tests_that_run_count() {
    for source in [
        "#[test]\nfn it_holds() {",
        "    #[tokio::test(flavor = \"multi_thread\")]\n    async fn it_holds() {",
        "#[test]\n#[expect(clippy::panic, reason = \"x\")]\n/// Why.\nfn it_holds() {",
        "fn it_holds() {}\nmod tests {\n#[test]\nfn it_holds() {",
        "proptest! {\n    #[test]\n    fn it_holds(number in 0..9) {",
    ] {
        assert!(is_rust_test(source, "it_holds"), "{source}");
    }
    for source in [
        "fn it_holds() {",
        "#[test]\nfn it_holds_too() {",
        "#[test]\nfn other() {}\n\nfn it_holds() {",
        "// #[test]\nfn it_holds() {",
        "#[test]\n// fn it_holds() {",
        "#[test]\n#[ignore = \"slow\"]\nfn it_holds() {",
        "#[cfg(test)]\nfn it_holds() {",
        "#[test]\nfn other() { it_holds(); }",
    ] {
        assert!(!is_rust_test(source, "it_holds"), "{source}");
    }
    for source in [
        "test(\"it holds\", () => {",
        "  it('so it holds here', async () => {",
        "test(\n  `it holds ${x}`,",
        "test.each([\"a\", \"b\"])(\"it holds %s\", (x) => {",
        "test.each([\n  [1, () => { f(); }],\n])(\n  \"it holds\",",
        "  it.for([\n    1,\n  ])(\"it holds\", f);",
    ] {
        assert!(is_typescript_test(source, "it holds"), "{source}");
    }
    for source in [
        "const name = \"it holds\";",
        "// it holds",
        "// test(\"it holds\", () => {",
        "test.skip(\"it holds\", () => {",
        "test.todo(\"it holds\");",
        "describe(\"it holds\", () => {",
        "test(\"other\", () => expect(\"it holds\"));",
        "test.each([1])(\"other\", f);\nconst x = (\"it holds\");",
        "test.skip.each([\n  1,\n])(\"it holds\", f);",
        "test.each([\n  1,\n])(\"other\", f);\nf([\n  1,\n])(\"it holds\");",
        "latest(\"it holds\");",
    ] {
        assert!(!is_typescript_test(source, "it holds"), "{source}");
    }
}

#[test]
fn every_named_test_exists() {
    let reference = pattern(r"`([\w/.-]+\.(?:rs|ts|tsx))::([^`]+)`");
    for document in [".github/SECURITY.md", ".github/asvs.md"] {
        let text = read_file(document);
        let named: Vec<_> = reference.captures_iter(&text).map(|found| found.extract::<2>().1).collect();
        assert!(named.len() > 20, "{document} names tests");
        for [file, name] in named {
            assert!(is_there(file, name), "{document} names {file}::{name}, which is not a test");
        }
    }
    assert!(!is_there("dev/src/claims.rs", "no_such_test"));
    assert!(!is_there("dev/src/claims.rs", "is_there"), "a function is no test");
}

#[test]
fn every_row_names_a_test_or_a_reason() {
    let text = read_file(".github/SECURITY.md");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what |"));
    let headings = ["| boundary |", "| key |"];
    let rows: Vec<_> = rows.filter(|row| !headings.iter().any(|heading| row.starts_with(heading))).collect();
    assert!(rows.len() > 30, "{} rows", rows.len());
    for row in rows {
        let has_test = row.contains("::") || row.contains("`cargo dev test k8s`");
        assert!(has_test || row.contains("**No test**"), "{row}");
    }
}

/// Parses the ids in the first column: `1.2.3`, `1.2.3, 1.2.5` or `1.2.3–1.2.5`.
fn ids(part: &str) -> Vec<String> {
    let row = pattern(r"(?m)^\| (\d[^|]*) \|");
    let mut ids = Vec::new();
    for found in row.captures_iter(part) {
        for range in found[1].split(", ") {
            let (first, last) = range.split_once('–').unwrap_or((range, range));
            let number = |id: &str| id.rsplit('.').next().and_then(|last| last.parse::<u32>().ok());
            let (Some((section, _)), Some(first), Some(last)) =
                (first.rsplit_once('.'), number(first), number(last))
            else {
                panic!("{range} is not a requirement");
            };
            ids.extend((first..=last).map(|number| format!("{section}.{number}")));
        }
    }
    ids
}

#[test]
fn every_requirement_of_both_levels_has_one_answer() {
    let text = read_file(".github/asvs.md");
    let (first, second) = text.split_once("## Level 2").expect("the document has two levels");
    for (part, requirements) in [(first, 70), (second, 183)] {
        let ids = ids(part);
        assert_eq!(ids.len(), requirements);
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), requirements, "each has one row");
    }
}

#[test]
fn every_requirement_has_a_known_answer_and_a_reason() {
    for row in read_file(".github/asvs.md")
        .lines()
        .filter(|row| row.starts_with("| ") && row.as_bytes()[2].is_ascii_digit())
    {
        let columns: Vec<&str> = row.split(" | ").collect();
        assert!(matches!(columns[2], "yes" | "partly" | "no" | "n/a"), "{row}");
        assert!(columns[3].len() > 10, "{row}");
    }
}
