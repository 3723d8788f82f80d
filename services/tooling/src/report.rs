//! Counts checks and prints a line for each.

use std::fmt;
use std::ops::{AddAssign, Sub};
use std::time::Instant;

use tokio::process::Command;

use crate::command::{ProgramOutput, run};
use crate::failure::Outcome;
use crate::steps::{Steps, duration};

/// Number of checks that passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Could not run on this machine, for a reason that is printed.
    pub skipped: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Sub for Tally {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            passed: self.passed - earlier.passed,
            failed: self.failed - earlier.failed,
            skipped: self.skipped - earlier.skipped,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// The results of a run, printed immediately.
pub struct Report {
    /// Where progress is printed.
    pub steps: Steps,
    tally: Tally,
}

impl Report {
    /// An empty report that prints to `steps`.
    #[must_use]
    pub fn new(steps: Steps) -> Self {
        Self { steps, tally: Tally::default() }
    }

    /// The results so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Counts and prints one check that passed.
    pub fn add_passed(&mut self, name: &str, begun: Instant) {
        self.tally.passed += 1;
        self.steps.say(&format!("{name}: ok in {}", duration(begun.elapsed())));
    }

    /// Counts one check that failed and prints why.
    pub fn add_failed(&mut self, name: &str, why: &str) {
        self.tally.failed += 1;
        println!("{}", why.trim_end());
        self.steps.say(&format!("{name}: FAILED"));
    }

    /// Counts one check that cannot run on this machine and prints why.
    pub fn add_skipped(&mut self, name: &str, why: &str) {
        self.tally.skipped += 1;
        self.steps.say(&format!("{name}: skipped, {why}"));
    }

    /// Counts one check that passes when `faults` is empty; prints the faults.
    pub fn add_verdict(&mut self, name: &str, faults: &[String]) {
        let begun = Instant::now();
        if faults.is_empty() {
            self.add_passed(name, begun);
        } else {
            self.add_failed(name, &faults.join("\n"));
        }
    }

    /// Adds several checks under one name and prints them in one line.
    pub fn add_tally(&mut self, name: &str, tally: Tally, begun: Instant) {
        self.tally += tally;
        let verdict = if tally.failed > 0 { "FAILED" } else { "ok" };
        self.steps.say(&format!("{name}: {verdict}: {tally} in {}", duration(begun.elapsed())));
    }

    /// Adds checks that passed in an earlier run, without a line.
    pub fn add_earlier(&mut self, passed: usize) {
        self.tally.passed += passed;
    }

    /// Adds the tests that a test runner counted. A runner that fails without a failed test counts as one failure.
    /// Prints the runner's output if a test failed.
    pub fn add_tests(&mut self, name: &str, ended: &ProgramOutput, tally: Option<Tally>, begun: Instant) {
        let mut tally = tally.unwrap_or_default();
        if tally == Tally::default() || (!ended.status.success() && tally.failed == 0) {
            tally.failed = 1;
        }
        if tally.failed > 0 {
            println!("{}", ended.output);
        }
        self.add_tally(name, tally, begun);
    }

    /// Runs `command` as one check, which passes if the exit code is 0. Returns whether it passed.
    pub async fn run_check(&mut self, name: &str, command: &mut Command) -> Outcome<bool> {
        let begun = Instant::now();
        let ended = run(command).await?;
        if ended.status.success() {
            self.add_passed(name, begun);
        } else {
            self.add_failed(name, &ended.output);
        }
        Ok(ended.status.success())
    }
}
