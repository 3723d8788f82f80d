//! Every object against the schema of its kind; unknown keys and unknown kinds are refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome, fail};

use super::set::{Findings, Rule, Set, entries, find, list, text};
use super::tools::Python;
use crate::repository;

/// The oldest version that k8s/README.md requires, and the newest that kubernetes-validate supports.
const VERSIONS: [&str; 2] = ["1.33", "1.37"];

/// Schemas of custom kinds by `group/version/Kind`: the product's CRDs, and the schemas of external CRDs in
/// k8s/tests/schemas.
pub(super) struct Schemas(BTreeMap<String, Value>);

/// Faults by object, so that equal objects are validated once.
#[derive(Default)]
pub(super) struct Verdicts(BTreeMap<String, Vec<(Rule, String)>>);

impl Schemas {
    /// Loads all schemas of the repository.
    pub(super) fn load() -> Outcome<Self> {
        let mut all = BTreeMap::new();
        let k8s = repository().join("k8s");
        let crd = k8s.join("base/maintenance/crd.yaml");
        if crd.exists() {
            for document in documents(&crd)? {
                for version in list(&document["spec"]["versions"]) {
                    let group = text(&document["spec"]["group"]);
                    let kind = text(&document["spec"]["names"]["kind"]);
                    let name = format!("{group}/{}/{kind}", text(&version["name"]));
                    all.insert(name, version["schema"]["openAPIV3Schema"].clone());
                }
            }
        }
        let folder = k8s.join("tests/schemas");
        for entry in fs::read_dir(&folder).doing(|| format!("reading {}", folder.display()))? {
            for document in documents(&entry?.path())? {
                all.extend(entries(&document).map(|(kind, schema)| (kind.clone(), schema.clone())));
            }
        }
        Ok(Self(all))
    }

    /// Validates the objects of `sets` that have no verdict yet.
    pub(super) async fn validate(&self, python: &Python, sets: &[&Set], verdicts: &mut Verdicts) -> Outcome {
        let mut keys: Vec<String> = Vec::new();
        let mut objects = Vec::new();
        for object in sets.iter().flat_map(|set| &set.objects) {
            let key = object.to_string();
            if !verdicts.0.contains_key(&key) {
                verdicts.0.insert(key.clone(), Vec::new());
                keys.push(key);
                objects.push(object);
            }
        }
        let (question, script) = (python.folder.join("objects.json"), python.folder.join("schema.py"));
        let given = json!({ "versions": VERSIONS, "schemas": self.0, "objects": objects });
        fs::write(&question, given.to_string())?;
        fs::write(&script, include_str!("schema.py"))?;
        let mut command = Command::new(python.program("python"));
        let answer = run_or_fail(command.arg(&script).arg(&question), &python.log).await?;
        let answers: Vec<Vec<(String, String)>> =
            serde_json::from_str(&answer).doing(|| "reading the output of schema.py")?;
        if answers.len() != keys.len() {
            return fail("schema.py returned no result for some objects");
        }
        for (key, faults) in keys.into_iter().zip(answers) {
            let rule = |kind: &str| if kind == "unknown" { Rule::UnknownKind } else { Rule::Schema };
            verdicts.0.insert(key, faults.into_iter().map(|(kind, why)| (rule(&kind), why)).collect());
        }
        Ok(())
    }
}

impl Verdicts {
    /// Adds the faults of a set's objects, which have been validated.
    pub(super) fn check(&self, set: &Set, findings: &mut Findings) {
        for object in &set.objects {
            match self.0.get(&object.to_string()) {
                None => find(findings, Rule::Schema, object, "was not validated"),
                Some(faults) => {
                    for (rule, why) in faults {
                        find(findings, *rule, object, why);
                    }
                }
            }
        }
    }
}

/// The documents of a YAML file.
pub(super) fn documents(path: &Path) -> Outcome<Vec<Value>> {
    let yaml = fs::read_to_string(path).doing(|| format!("reading {}", path.display()))?;
    serde_saphyr::from_multiple(&yaml).doing(|| format!("reading {}", path.display()))
}
