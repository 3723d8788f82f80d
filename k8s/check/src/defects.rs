//! Tests the checks: defects are seeded into the rendered production overlay, one at a time. Each must be found by its
//! rule.

mod callers;
mod databases;
mod environment;
mod exposure;
mod mesh;
mod objects;
mod pods;
mod reach;
mod references;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde_json::{Value, json};
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::report::Tally;

use super::schema::Schemas;
use super::set::{Findings, Rule, Set, id};
use super::tools::Python;
use super::{CHECKS, Knowledge};
use crate::Checks;

/// The set that defects are seeded into.
const GOOD: &str = "overlays/production";
/// The set with a mesh.
const MESHED: &str = "tests/mesh";
/// Minimum number of defects.
const MIN_DEFECTS: usize = 40;

/// A defect.
struct Defect {
    /// Description of the change.
    name: &'static str,
    /// The rule that must find it.
    rule: Rule,
    /// `Kind/name`; a name may end in `*`.
    object: &'static str,
    /// The change.
    edit: Edit,
}

/// A change of an object. A path is a list of keys separated by spaces. An element of a list is given by its index or
/// by a field, as in `name=EDGE_LMS_URL`; `+` appends one. Values are JSON.
enum Edit {
    Put(&'static str, &'static str),
    Cut(&'static str),
    /// Removes the object.
    Drop,
    /// Adds a copy with this name.
    Copy(&'static str),
    /// Adds this object.
    Add(&'static str),
}

const fn put(
    name: &'static str,
    rule: Rule,
    object: &'static str,
    path: &'static str,
    value: &'static str,
) -> Defect {
    Defect { name, rule, object, edit: Edit::Put(path, value) }
}

const fn cut(name: &'static str, rule: Rule, object: &'static str, path: &'static str) -> Defect {
    Defect { name, rule, object, edit: Edit::Cut(path) }
}

const fn without(name: &'static str, rule: Rule, object: &'static str) -> Defect {
    Defect { name, rule, object, edit: Edit::Drop }
}

impl Defect {
    /// Returns the set with this defect.
    fn seed(&self, good: &Set) -> Outcome<Set> {
        let mut set = good.clone();
        let is_meant = |object: &Value| match self.object.strip_suffix('*') {
            Some(prefix) => id(object).starts_with(prefix),
            None => id(object) == self.object,
        };
        let Some(place) = set.objects.iter().position(is_meant) else {
            return fail(format!("{} has no {}", good.name, self.object));
        };
        let object = &mut set.objects[place];
        match self.edit {
            Edit::Drop => {
                set.objects.remove(place);
            }
            Edit::Copy(name) => {
                let mut copy = object.clone();
                copy["metadata"]["name"] = json!(name);
                set.objects.push(copy);
            }
            Edit::Add(other) => set.objects.push(parse_value(other)?),
            Edit::Put(path, value) => {
                let (way, last) = path.rsplit_once(' ').unwrap_or(("", path));
                *step(walk(object, way)?, last)? = parse_value(value)?;
            }
            Edit::Cut(path) => {
                let (way, last) = path.rsplit_once(' ').unwrap_or(("", path));
                match walk(object, way)? {
                    Value::Array(elements) => {
                        let index = position(elements, last)?;
                        elements.remove(index);
                    }
                    other => {
                        let removed = other.as_object_mut().and_then(|fields| fields.remove(last));
                        if removed.is_none() {
                            return fail(format!("{} has no {path}", self.object));
                        }
                    }
                }
            }
        }
        Ok(set)
    }
}

fn parse_value(value: &str) -> Outcome<Value> {
    serde_json::from_str(value).doing(|| format!("reading {value}"))
}

fn walk<'a>(mut value: &'a mut Value, way: &str) -> Outcome<&'a mut Value> {
    for key in way.split_whitespace() {
        value = step(value, key)?;
    }
    Ok(value)
}

/// Returns the value of `key`. A missing key of an object is created; a missing element of a list is an error.
fn step<'a>(value: &'a mut Value, key: &str) -> Outcome<&'a mut Value> {
    if let Value::Array(list) = value {
        if key == "+" {
            list.push(Value::Null);
        }
        let index = if key == "+" { list.len() - 1 } else { position(list, key)? };
        return Ok(&mut list[index]);
    }
    if key == "+" {
        *value = json!([null]);
        return Ok(&mut value[0]);
    }
    if value.is_null() {
        *value = json!({});
    }
    match value.as_object_mut() {
        Some(fields) => Ok(fields.entry(key).or_insert(Value::Null)),
        None => fail(format!("{key} is below a value that is no object")),
    }
}

fn position(list: &[Value], key: &str) -> Outcome<usize> {
    let found = match key.split_once('=') {
        Some((field, wanted)) => list.iter().position(|one| one[field] == wanted),
        None => key.parse().ok().filter(|index| *index < list.len()),
    };
    found.map_or_else(|| fail(format!("there is no element {key}")), Ok)
}

/// Runs all checks of a set.
fn findings(set: &Set, known: &Knowledge) -> Findings {
    let mut findings = Findings::new();
    for (_, check) in CHECKS {
        check(set, known, &mut findings);
    }
    findings
}

impl Checks<'_> {
    /// Seeds each defect. A defect that its rule does not find is a failed test.
    pub(super) async fn defects(
        &mut self,
        sets: &[Set],
        schemas: &Schemas,
        python: &Python,
        known: &mut Knowledge,
    ) -> Outcome {
        let begun = Instant::now();
        let mut usual: BTreeSet<String> = BTreeSet::new();
        let mut tally = Tally::default();
        let mut seeded = Vec::new();
        let groups = [
            (
                GOOD,
                vec![
                    pods::DEFECTS,
                    references::DEFECTS,
                    environment::DEFECTS,
                    exposure::DEFECTS,
                    databases::DEFECTS,
                    objects::DEFECTS,
                    reach::DEFECTS,
                    callers::DEFECTS,
                ],
            ),
            (MESHED, vec![mesh::DEFECTS]),
        ];
        for (name, defects) in groups {
            let Some(good) = sets.iter().find(|set| set.name == name) else {
                return fail(format!("{name}, the set for seeded defects, does not render"));
            };
            usual.extend(findings(good, known).iter().map(ToString::to_string));
            for defect in defects.into_iter().flatten() {
                match defect.seed(good) {
                    Ok(set) => seeded.push((defect, set)),
                    Err(error) => {
                        tally.failed += 1;
                        println!("{}: could not be seeded: {error}", defect.name);
                    }
                }
            }
        }
        let spoiled: Vec<&Set> = seeded.iter().map(|(_, set)| set).collect();
        schemas.validate(python, &spoiled, &mut known.verdicts).await?;
        let mut caught: BTreeMap<Rule, Vec<&str>> = BTreeMap::new();
        for (defect, set) in &seeded {
            let new: Findings = findings(set, known)
                .into_iter()
                .filter(|finding| !usual.contains(&finding.to_string()))
                .collect();
            if new.iter().any(|finding| finding.rule == defect.rule) {
                caught.entry(defect.rule).or_default().push(defect.name);
                tally.passed += 1;
            } else {
                tally.failed += 1;
                let said: Vec<String> = new.iter().map(ToString::to_string).collect();
                println!(
                    "{}: not found by {:?}; other findings: {}",
                    defect.name,
                    defect.rule,
                    said.join("; ")
                );
            }
        }
        for (rule, names) in &caught {
            self.report.steps.say(&format!("  {rule:?}: {}", names.join(", ")));
        }
        if tally.passed < MIN_DEFECTS {
            tally.failed += 1;
            println!("only {} defects were found; at least {MIN_DEFECTS} are required", tally.passed);
        }
        self.report.add_tally("defects seeded and found", tally, begun);
        Ok(())
    }
}
