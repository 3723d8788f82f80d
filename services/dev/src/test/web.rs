//! The site: lint, types, unit and component tests, generated API types, and the build.

use std::fs;
use std::path::Path;
use std::time::Instant;

use runner::{npm, places};
use tokio::process::Command;
use tooling::command::{ProgramOutput, run, run_or_fail};
use tooling::failure::{Outcome, fail};
use tooling::report::Tally;

use super::{Session, count};
use crate::content;

impl Session {
    /// Runs all checks of the site.
    pub(super) async fn web(&mut self) -> Outcome {
        let web = places::web();
        npm::install(&web, &self.state).await?;
        for (name, script) in [("web lint", "lint"), ("web types", "types")] {
            let mut command = npm::npm(&self.state, &web)?;
            self.report.run_check(name, command.args(["run", "--silent", script])).await?;
        }
        let begun = Instant::now();
        match self.document().await {
            Ok(()) => self.report.add_passed("the API document is up to date", begun),
            Err(error) => self.report.add_failed("the API document is up to date", &error.to_string()),
        }
        let chromium = self.browser().await?;
        self.units(&chromium).await?;
        let begun = Instant::now();
        self.product().await?;
        self.report.add_passed("the product with the site's build starts", begun);
        let begun = Instant::now();
        match content::check(&places::web().join("apps/site/dist/client"), &content::demo()) {
            Ok(checked) if checked.faults.is_empty() => self.report.add_passed("content", begun),
            Ok(checked) => self.report.add_failed("content", &checked.faults.join("\n")),
            Err(error) => self.report.add_failed("content", &error.to_string()),
        }
        Ok(())
    }

    /// Runs the tests of all libraries and apps in two processes. A process for each library, as in `npm test`, takes
    /// longer, because each starts a server and a browser. One process runs the tests of the browser one after another.
    async fn units(&mut self, chromium: &Path) -> Outcome {
        let begun = Instant::now();
        let (first, second) = tokio::try_join!(self.run_shard(1, chromium), self.run_shard(2, chromium))?;
        for (number, (ended, tally)) in (1..).zip([first, second]) {
            self.report.add_tests(&format!("units and components {number}/2"), &ended, tally, begun);
        }
        Ok(())
    }

    /// Runs the first or the second half of the test files.
    async fn run_shard(&self, number: u8, chromium: &Path) -> Outcome<(ProgramOutput, Option<Tally>)> {
        let report = self.state.path(&format!("vitest-{number}.json"));
        if report.exists() {
            fs::remove_file(&report)?;
        }
        let mut command = npm::npm(&self.state, &places::web())?;
        command
            .args(["exec", "--", "vitest", "run", "--shard", &format!("{number}/2")])
            .args(["--reporter=default", "--reporter=json", "--outputFile"])
            .arg(&report)
            .env("CHROMIUM", chromium);
        let ended = run(&mut command).await?;
        Ok((ended, count::vitest(&fs::read_to_string(report).unwrap_or_default())))
    }

    /// Fails unless `edge schema` prints the content of web/libs/http/openapi.json.
    async fn document(&mut self) -> Outcome {
        let log = self.state.log("edge-schema");
        self.build_programs().await?;
        let printed = run_or_fail(Command::new(places::binary("edge", false)).arg("schema"), &log).await?;
        let file = places::web().join("libs/http/openapi.json");
        if printed.trim_end() == std::fs::read_to_string(&file)?.trim_end() {
            return Ok(());
        }
        fail(
            "web/libs/http/openapi.json is out of date: run target/debug/edge schema > web/libs/http/openapi.json",
        )
    }

    /// Runs tests whose numbers are in a report file.
    pub(super) async fn reported(
        &mut self,
        name: &str,
        command: &mut Command,
        report: &std::path::Path,
        count: fn(&str) -> Option<Tally>,
    ) -> Outcome {
        if report.exists() {
            std::fs::remove_file(report)?;
        }
        let begun = Instant::now();
        let ended = run(command).await?;
        let text = std::fs::read_to_string(report).unwrap_or_default();
        self.report.add_tests(name, &ended, count(&text), begun);
        Ok(())
    }
}
