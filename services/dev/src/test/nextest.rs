//! Rust tests, by cargo-nextest: each in its own process. `.config/nextest.toml` has the configuration.

use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

use runner::places;
use tokio::process::Command;
use tooling::command::{find_program, run_or_fail};
use tooling::failure::Outcome;
use tooling::report::Tally;

use super::{LINTING_COMPILER, Session, count};

/// Tests mostly wait: for a database, a socket or a timeout.
const TESTS_PER_CORE: usize = 3;
/// The test PostgreSQL does not have enough connections for more.
const MAX_TESTS: usize = 32;

impl Session {
    /// Runs the tests of the default profile.
    pub(super) async fn rust_tests(&mut self) -> Outcome {
        let nextest = self.cargo_command("cargo-nextest").await?;
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let mut tests = command(&nextest, "run");
        tests.args(["--test-threads", &(TESTS_PER_CORE * cores).min(MAX_TESTS).to_string()]);
        // The ignored tests need kubectl, and count as skipped without it.
        let has_kubectl = find_program("kubectl").is_some();
        if has_kubectl {
            tests.args(["--run-ignored", "all"]);
        }
        self.nextest("Rust tests", tests, "default").await?;
        if !has_kubectl {
            let begun = Instant::now();
            let mut list = command(&nextest, "list");
            list.args(["--run-ignored", "only", "--message-format", "oneline"]);
            let ignored = run_or_fail(&mut list, &self.state.log("nextest")).await?.lines().count();
            let skipped = Tally { skipped: ignored, ..Tally::default() };
            self.report.add_tally("Rust tests with kubectl", skipped, begun);
        }
        Ok(())
    }

    /// Compares the stand-in for the payment provider with localstripe, an independent one.
    pub(super) async fn localstripe_test(&mut self) -> Outcome {
        let Some(environment) = self.environment("localstripe").await? else {
            self.report.add_skipped("localstripe", "python3 is not installed");
            return Ok(());
        };
        let nextest = self.cargo_command("cargo-nextest").await?;
        let mut tests = command(&nextest, "run");
        tests.args(["--profile", "localstripe"]).env("LOCALSTRIPE", environment.join("bin/localstripe"));
        self.nextest("localstripe", tests, "localstripe").await
    }

    /// Runs the tests that start the product and make its parts fail.
    pub(super) async fn fault_tests(&mut self) -> Outcome {
        let nextest = self.cargo_command("cargo-nextest").await?;
        let mut tests = command(&nextest, "run");
        tests.args(["--profile", "faults"]).env("FAULTS_STATE", self.state.path("faults"));
        self.nextest("faults", tests, "faults").await
    }

    /// Runs tests and counts them.
    async fn nextest(&mut self, name: &str, mut tests: Command, profile: &str) -> Outcome {
        tests.env("TEST_DATABASE_URL", self.postgres().await?);
        let report = places::repository().join("target/nextest").join(profile).join("junit.xml");
        self.reported(name, &mut tests, &report, count::junit).await
    }
}

/// Builds a nextest command for the whole workspace, compiled like the programs.
fn command(nextest: &Path, name: &str) -> Command {
    let mut command = Command::new(nextest);
    command
        .args(["nextest", name, "--workspace", "--cargo-quiet"])
        .current_dir(places::repository())
        .env("CARGO_TERM_COLOR", "never")
        .envs([LINTING_COMPILER]);
    command
}
