//! Licences, sources and known vulnerabilities of dependencies, and the list of crates in each binary.

use std::time::Instant;

use runner::places;
use runner::services::SERVICES;
use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::Outcome;

use super::{Session, supply};
use crate::sbom;

impl Session {
    /// Runs the offline checks of cargo-deny: licences, sources, bans and duplicates. Then lists the crates
    /// of each binary.
    pub(super) async fn policy(&mut self) -> Outcome {
        let deny = self.cargo_command("cargo-deny").await?;
        // cargo-deny reads all of Cargo.lock, including crates of other platforms, which no build has
        // fetched.
        let mut fetch = Command::new("cargo");
        fetch.current_dir(places::repository()).args(["fetch", "--quiet", "--locked"]);
        run_or_fail(&mut fetch, &self.state.log("fetch")).await?;
        let mut command = Command::new(&deny);
        command.current_dir(places::repository()).args(["--offline", "check", "bans", "licenses", "sources"]);
        self.report.run_check("licences, sources, duplicates", &mut command).await?;
        self.advisories(&deny).await?;
        let begun = Instant::now();
        let lock = std::fs::read_to_string(places::repository().join("Cargo.lock"))?;
        match supply::prereleases(&lock, &supply::PRERELEASES).join("\n") {
            none if none.is_empty() => self.report.add_passed("pre-release crates", begun),
            wrong => self.report.add_failed("pre-release crates", &wrong),
        }
        let begun = Instant::now();
        match sbom::crates(&self.state, &self.steps, &SERVICES, 0).await {
            Ok(()) => self.report.add_passed("bill of materials of each binary", begun),
            Err(error) => self.report.add_failed("bill of materials of each binary", &error.to_string()),
        }
        Ok(())
    }
}
