//! Who checks the checker: defects seeded into what production renders to, one at a time. Each must be caught, and by
//! the rule that is about it.

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
/// As few as there may be.
const LEAST: usize = 40;

/// One of them.
struct Defect {
    /// The change, in words.
    name: &'static str,
    /// Which rule must see it.
    rule: Rule,
    /// `Kind/name`; a name may end in `*`.
    object: &'static str,
    /// What was done to it.
    edit: Edit,
}

/// How an object is spoiled. A path is a list of keys with blanks between; an element of a list goes by its number, or
/// by a field of it, as in `name=EDGE_LMS_URL`; `+` is a new one. Values are JSON.
enum Edit {
    Put(&'static str, &'static str),
    Cut(&'static str),
    /// The object is not there.
    Drop,
    /// A second one, with this name in place of its own.
    Copy(&'static str),
    /// One that was not there, beside it.
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
    /// The set with this defect in it.
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

/// What is below `key`; made where it is not there yet, but for elements of a list.
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
        None => fail(format!("{key} is below something that has no fields")),
    }
}

fn position(list: &[Value], key: &str) -> Outcome<usize> {
    let found = match key.split_once('=') {
        Some((field, wanted)) => list.iter().position(|one| one[field] == wanted),
        None => key.parse().ok().filter(|index| *index < list.len()),
    };
    found.map_or_else(|| fail(format!("there is no element {key}")), Ok)
}

/// Everything that is wrong with a set.
fn findings(set: &Set, known: &Knowledge) -> Findings {
    let mut findings = Findings::new();
    for (_, check) in CHECKS {
        check(set, known, &mut findings);
    }
    findings
}

impl Checks<'_> {
    /// Seeds each defect; one that is not caught by its rule is a failed test.
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
                return fail(format!("{name}, into which defects are seeded, does not render"));
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
                    "{}: {:?} does not see it; others say: {}",
                    defect.name,
                    defect.rule,
                    said.join("; ")
                );
            }
        }
        for (rule, names) in &caught {
            self.report.steps.say(&format!("  {rule:?}: {}", names.join(", ")));
        }
        if tally.passed < LEAST {
            tally.failed += 1;
            println!("only {} defects were caught: there must be {LEAST}", tally.passed);
        }
        self.report.add_tally("defects seeded and caught", tally, begun);
        Ok(())
    }
}
