//! Checks of other files: Containerfile, Tiltfile, CRD, examples.

use std::fs;

use tokio::process::Command;
use tooling::command::{run, run_or_fail};
use tooling::failure::{Doing as _, Outcome};

use super::picture::LINTED;
use super::schema::{Schemas, Verdicts, documents};
use super::set::{Findings, Set};
use super::tools::Python;
use crate::Checks;
use crate::repository;

/// Defects of the Tiltfile, and the message that must report each.
const DEFECTS: [(&str, &str, &str); 6] = [
    ("allow_k8s_contexts(", "print(", "allow_k8s_contexts was never called"),
    ("'k8s/overlays/dev'", "'k8s/overlays/deb'", "k8s/overlays/deb is not there"),
    ("'Cargo.lock'", "'Cargo.lok'", "Cargo.lok is not there"),
    ("    'compile',", "    'compyle',", "waits for compile, which is no resource"),
    ("'konomana/%s'", "'konomana/%s-x'", "is run, and nothing builds it"),
    ("SERVICES = ", "import os\nSERVICES = ", "Starlark has no Import"),
];

impl Checks<'_> {
    /// Runs the linter of the Containerfile.
    pub(super) async fn containerfile(&mut self, python: &Python) -> Outcome {
        for file in LINTED {
            let mut command = Command::new(python.program("hadolint"));
            command.args(["--no-color", "--failure-threshold", "info", file]).current_dir(repository());
            self.report.run_check(&format!("hadolint {file}"), &mut command).await?;
        }
        Ok(())
    }

    /// Runs the Tiltfile with stubs instead of Tilt, then with seeded defects, which must be reported.
    pub(super) async fn tiltfile(&mut self, python: &Python) -> Outcome {
        let source = fs::read_to_string(repository().join("Tiltfile")).doing(|| "reading the Tiltfile")?;
        let script = python.folder.join("tiltfile.py");
        fs::write(&script, include_str!("tiltfile.py"))?;
        let tried = python.folder.join("Tiltfile");
        let tilt = || {
            let mut command = Command::new(python.program("python"));
            command.arg(&script).arg(&tried).arg(&python.kubectl).arg(repository());
            command
        };
        fs::write(&tried, &source)?;
        self.report.run_check("the Tiltfile refers to existing files", &mut tilt()).await?;
        let mut wrong = Vec::new();
        for (right, other, said) in DEFECTS {
            let spoiled = source.replacen(right, other, 1);
            fs::write(&tried, &spoiled)?;
            let output = run(&mut tilt()).await?.output;
            if spoiled == source || !output.contains(said) {
                wrong.push(format!("{right} became {other}, which was not reported as: {said}"));
            }
        }
        self.report.add_verdict(&format!("{} defects of a Tiltfile are found", DEFECTS.len()), &wrong);
        Ok(())
    }

    /// Checks that the committed CRD is up to date and that the examples match it.
    pub(super) async fn windows(
        &mut self,
        schemas: &Schemas,
        python: &Python,
        verdicts: &mut Verdicts,
    ) -> Outcome {
        let path = repository().join("k8s/base/maintenance/crd.yaml");
        let written = fs::read_to_string(&path).doing(|| format!("reading {}", path.display()))?;
        let mut command = Command::new(self.programs.join("maintenance"));
        let printed = run_or_fail(command.arg("crd"), &python.log).await?;
        let stale = ["run: cargo run --bin maintenance -- crd > k8s/base/maintenance/crd.yaml".to_owned()];
        let wrong = if written == printed { &[][..] } else { &stale };
        self.report.add_verdict("the CRD is up to date", wrong);
        let folder = repository().join("k8s/examples");
        let mut examples = Set { name: "examples".to_owned(), objects: Vec::new() };
        for entry in fs::read_dir(&folder).doing(|| format!("reading {}", folder.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                examples.objects.extend(documents(&path)?);
            }
        }
        schemas.validate(python, &[&examples], verdicts).await?;
        let mut findings = Findings::new();
        verdicts.check(&examples, &mut findings);
        let wrong: Vec<String> = findings.iter().map(ToString::to_string).collect();
        self.report.add_verdict(&format!("{} examples match their schemas", examples.objects.len()), &wrong);
        Ok(())
    }
}
