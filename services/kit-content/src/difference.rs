//! The changes of an import, one line for each. A dry run prints the same lines.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// The differences between a folder and the database.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Difference {
    lines: Vec<String>,
    kept: u64,
}

impl Difference {
    /// Adds one entity, like `course 101`, with its `name`. Returns whether it has to be written: it is new or differs
    /// from `before`.
    pub fn note<T: Serialize + PartialEq>(
        &mut self,
        noun: &str,
        id: impl fmt::Display,
        name: &str,
        before: Option<&T>,
        after: &T,
    ) -> bool {
        match before {
            None => self.lines.push(format!("+ {noun} {id} {name}")),
            Some(before) if before == after => {
                self.kept += 1;
                return false;
            }
            Some(before) => self.lines.push(format!("~ {noun} {id} {}", changed(before, after).join(", "))),
        }
        true
    }

    /// Adds an entity that is no longer in the folder.
    pub fn gone(&mut self, noun: &str, id: impl fmt::Display, name: &str) {
        self.lines.push(format!("- {noun} {id} {name}"));
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// A line for each entity that is added (`+`), changed (`~`, with the names of the fields) or removed (`-`), then one for
/// the number of unchanged ones (`=`).
impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(out, "{line}")?;
        }
        write!(out, "= {} as they were", self.kept)
    }
}

/// The names of the fields that differ.
fn changed<T: Serialize>(before: &T, after: &T) -> Vec<String> {
    let (before, after) = (fields(before), fields(after));
    let names = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    names.map(|(name, _)| name.clone()).collect()
}

fn fields<T: Serialize>(value: &T) -> serde_json::Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, PartialEq)]
    struct Course {
        name: &'static str,
        summary: &'static str,
        level: i32,
    }

    #[test]
    fn every_change_is_a_line_and_unchanged_entities_are_counted() {
        let before = Course { name: "a", summary: "b", level: 1 };
        let after = Course { name: "c", summary: "d", level: 1 };
        let mut difference = Difference::default();
        assert!(!difference.note("course", 100, "a", Some(&before), &before));
        assert!(difference.is_empty());
        assert!(difference.note("course", 101, "c", Some(&before), &after));
        assert!(difference.note("course", 102, "c", None, &after));
        difference.gone("notice", 3, "e");
        assert_eq!(
            difference.to_string(),
            "~ course 101 name, summary\n+ course 102 c\n- notice 3 e\n= 1 as they were"
        );
    }
}
