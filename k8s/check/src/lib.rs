//! Checks what `kubectl apply -k` would send, for every overlay and every combination of components: renders it, validates it
//! against schemas and compares it with the allowed connections (`picture`). Seeded defects check the checks themselves.
//!
//! `cargo dev test k8s` calls [`check`].
#![allow(clippy::print_stdout, reason = "output of a command-line tool")]

mod alerts;
mod collector;
mod databases;
mod defects;
mod endpoints;
mod entity;
mod files;
mod labels;
mod lifecycle;
mod mesh;
mod metrics;
mod network;
mod operator;
mod payments;
mod picture;
mod policies;
mod promql;
mod quantity;
mod references;
mod rights;
#[cfg(test)]
mod rollout;
mod routes;
mod schema;
mod secrets;
mod security;
mod set;
mod settings;
mod sizing;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use tooling::command::run_or_fail;
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::report::{Report, Tally};

use schema::{Schemas, Verdicts};
use secrets::Secrets;
use set::{Findings, Set};
use settings::Settings;
use tokio::process::Command;
use tools::Python;

/// Input of the checks besides the set.
struct Knowledge {
    secrets: Secrets,
    settings: Settings,
    verdicts: Verdicts,
}

/// One check of a set.
type Check = fn(&Set, &Knowledge, &mut Findings);

/// All checks, in the order in which they run.
const CHECKS: [(&str, Check); 15] = [
    ("schemas", |set, known, found| known.verdicts.check(set, found)),
    ("labels", |set, _, found| labels::check(set, found)),
    ("references", |set, known, found| references::check(set, &known.secrets, found)),
    ("settings", |set, known, found| settings::check(set, &known.settings, found)),
    ("resources", |set, _, found| quantity::check(set, found)),
    ("lifecycle", |set, _, found| lifecycle::check(set, found)),
    ("security", |set, _, found| security::check(set, found)),
    ("collector", |set, _, found| collector::check(set, found)),
    ("databases", |set, known, found| databases::check(set, &known.secrets, found)),
    ("rights", |set, _, found| rights::check(set, found)),
    ("payments", |set, _, found| payments::check(set, found)),
    ("secrets", |set, _, found| secrets::check_literals(set, found)),
    ("routes", |set, known, found| routes::check(set, &known.secrets, found)),
    ("policies", |set, _, found| policies::check(set, found)),
    ("mesh", |set, _, found| mesh::check(set, found)),
];

/// The repository that holds these manifests.
fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

/// Runs every check of the manifests and adds the results to `report`.
///
/// `programs` is the folder with the programs of the services, built. Other programs that the checks need are installed into
/// `folder`, which also takes logs and temporary files.
pub async fn check(programs: &Path, folder: &Path, report: &mut Report) -> Outcome {
    Checks { programs, folder, report }.run().await
}

/// A run of the checks.
struct Checks<'a> {
    /// The folder of the services' programs.
    programs: &'a Path,
    /// The folder for other programs, logs and temporary files.
    folder: &'a Path,
    report: &'a mut Report,
}

impl Checks<'_> {
    async fn run(&mut self) -> Outcome {
        let python = Python::install(self.folder, self.report.steps).await?;
        let sets = self.render(&python).await?;
        let schemas = Schemas::load()?;
        let mut known = Knowledge {
            secrets: Secrets::load()?,
            settings: Settings::load(self.programs, &python.log).await?,
            verdicts: Verdicts::default(),
        };
        schemas.validate(&python, &sets.iter().collect::<Vec<_>>(), &mut known.verdicts).await?;
        for set in &sets {
            self.checks(set, &known);
        }
        self.recovery(&sets);
        self.sizing(&sets)?;
        self.defects(&sets, &schemas, &python, &mut known).await?;
        // A check that cannot run counts as failed. The others still run.
        let done = [
            ("alerts", self.alerts(&sets, &python.log).await),
            ("container file", self.containerfile(&python).await),
            ("Tiltfile", self.tiltfile(&python).await),
            ("maintenance windows", self.windows(&schemas, &python, &mut known.verdicts).await),
        ];
        for (name, outcome) in done {
            if let Err(error) = outcome {
                self.report.add_failed(name, &error.to_string());
            }
        }
        Ok(())
    }

    /// Renders every overlay and every combination, twice.
    async fn render(&mut self, python: &Python) -> Outcome<Vec<Set>> {
        let kubectl = &python.kubectl;
        let mut sets = Vec::new();
        for folder in folders()? {
            let begun = Instant::now();
            let path = repository().join("k8s").join(&folder);
            let render = || {
                let mut command = Command::new(kubectl);
                command.arg("kustomize").arg(&path);
                command
            };
            let (mut one, mut two) = (render(), render());
            let rendered =
                tokio::try_join!(run_or_fail(&mut one, &python.log), run_or_fail(&mut two, &python.log));
            let name = format!("{folder} renders the same twice");
            match rendered {
                Err(error) => self.report.add_failed(&name, &error.to_string()),
                Ok((first, second)) if first != second => {
                    self.report.add_failed(&name, "the output differs from run to run");
                }
                Ok((yaml, _)) => {
                    sets.push(Set::parse(&folder, &yaml)?);
                    self.report.add_passed(&name, begun);
                }
            }
        }
        if sets.is_empty() { fail("k8s/overlays renders nothing") } else { Ok(sets) }
    }

    /// Checks that the cluster of the restore drill can recover production's data.
    fn recovery(&mut self, sets: &[Set]) {
        let begun = Instant::now();
        let name = "the restore drill can hold production's data";
        let cluster =
            |folder: &str| sets.iter().find(|set| set.name == folder)?.objects_of_kind("Cluster").next();
        match (cluster("overlays/production"), cluster("tests/restore-drill")) {
            (Some(production), Some(drill)) => match databases::too_small(production, drill) {
                None => self.report.add_passed(name, begun),
                Some(why) => self.report.add_failed(name, &why),
            },
            _ => self.report.add_failed(name, "one of them has no Cluster"),
        }
    }

    /// Checks that k8s/README.md has the requests of each overlay.
    fn sizing(&mut self, sets: &[Set]) -> Outcome {
        let begun = Instant::now();
        let name = "the sizing table matches the manifests";
        match sizing::missing_rows(sets).doing(|| "reading k8s/README.md")?.as_slice() {
            [] => self.report.add_passed(name, begun),
            rows => self.report.add_failed(name, &format!("k8s/README.md lacks\n{}", rows.join("\n"))),
        }
        Ok(())
    }

    /// Runs all checks of one set and counts each.
    fn checks(&mut self, set: &Set, known: &Knowledge) {
        let begun = Instant::now();
        let mut tally = Tally::default();
        for (name, check) in CHECKS {
            let mut findings = Findings::new();
            check(set, known, &mut findings);
            if findings.is_empty() {
                tally.passed += 1;
                continue;
            }
            tally.failed += 1;
            println!("{}: {name}:", set.name);
            for finding in findings {
                println!("  {finding}");
            }
        }
        self.report.add_tally(&format!("{}: {} objects", set.name, set.objects.len()), tally, begun);
    }
}

/// The kustomization folders, by path below `k8s/`.
fn folders() -> Outcome<Vec<String>> {
    let mut all = Vec::new();
    for group in ["overlays", "tests"] {
        let folder = repository().join("k8s").join(group);
        let paths: Vec<PathBuf> = fs::read_dir(&folder)
            .doing(|| format!("reading {}", folder.display()))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        all.extend(
            paths
                .iter()
                .filter(|path| path.join("kustomization.yaml").exists())
                .filter_map(|path| Some(format!("{group}/{}", path.file_name()?.to_str()?))),
        );
    }
    all.sort();
    Ok(all)
}
