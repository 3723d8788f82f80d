//! `cargo dev test`: all checks, in parts, with a line of totals at the end.

mod advisories;
mod browser;
mod calendar;
mod count;
mod debian;
mod e2e;
mod format;
mod fuzz;
mod nextest;
mod pass_record;
mod policy;
mod proto;
mod python;
mod rust;
mod schema;
mod supply;
mod web;

use std::time::Instant;

use runner::foreground::{Stop, raise_file_limit};
use runner::places;
use runner::postgres::{Cluster, Durability};
use runner::product::{Options, Product};
use runner::state::{Lock, State};
use runner::supervisor::Supervisor;
use tokio::process::Command;
use tooling::command::{check_space, run_or_fail};
use tooling::failure::{Outcome, fail, to_line};
use tooling::report::Report;
use tooling::steps::{Steps, duration};

use crate::cli::{self, Part};

use pass_record::PassRecord;

/// Disk space in bytes of all parts in a clean clone, with a reserve.
const WHOLE_TEST: u64 = 12 * 1024 * 1024 * 1024;

/// The parts of a run without names, cheap parts first. Fuzzing is random and runs by name only, so its finds
/// do not block an unrelated change. `services/fuzz/tests/corpus.rs` replays them among the Rust tests.
const ALL: [Part; 9] = [
    Part::Format,
    Part::Proto,
    Part::Rust,
    Part::K8s,
    Part::Policy,
    Part::Web,
    Part::E2e,
    Part::Schema,
    Part::Faults,
];

/// Makes cargo compile the crates of the workspace with clippy, so linting needs no second compilation. Cargo caches builds
/// with and without it separately, so all parts use it.
const LINTING_COMPILER: (&str, &str) = ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");

/// Runs the parts of `arguments`, or all.
pub(crate) async fn test(arguments: &cli::Test) -> Outcome {
    let mut stop = Stop::listen()?;
    raise_file_limit()?;
    if arguments.parts.is_empty() {
        let built = places::binary("edge", false);
        check_space(&places::repository(), &built, WHOLE_TEST, "a first test of everything")?;
    }
    let mut session = Session::open(&arguments.at)?;
    let outcome = tokio::select! {
        outcome = session.parts(&arguments.parts) => outcome,
        () = stop.wait() => fail("stopped"),
    };
    let closed = session.close().await;
    outcome?;
    closed?;
    let tally = session.report.tally();
    println!("{tally}");
    if tally.failed > 0 {
        // The line of totals must be the last.
        std::process::exit(1);
    }
    Ok(())
}

/// Shared state of the parts.
struct Session {
    state: State,
    steps: Steps,
    report: Report,
    postgres: Supervisor,
    cluster: Option<Cluster>,
    product: Option<Product>,
    _lock: Lock,
}

impl Session {
    fn open(at: &cli::At) -> Outcome<Self> {
        let root = places::state(at.state.as_deref()).join("test");
        let state = State::open(&root)?;
        let steps = Steps::begin();
        let lock = state.lock()?;
        let postgres = Supervisor::new(&state.path("logs"), steps);
        Ok(Self {
            state,
            steps,
            report: Report::new(steps),
            postgres,
            cluster: None,
            product: None,
            _lock: lock,
        })
    }

    /// Runs the named parts. Without names, runs all except those that passed on the current files.
    async fn parts(&mut self, named: &[Part]) -> Outcome {
        for &part in if named.is_empty() { &ALL[..] } else { named } {
            let begun = Instant::now();
            let name = format!("{part:?}").to_lowercase();
            let record = PassRecord::open(part, &self.state).await?;
            if named.is_empty()
                && let Some(passed) = record.as_ref().and_then(PassRecord::passed)
            {
                self.report.add_earlier(passed);
                self.steps.say(&format!(
                    "== {name}: {passed} passed today on the same files; `cargo dev test {name}` runs them again =="
                ));
                continue;
            }
            self.steps.say(&format!("== {name} =="));
            let before = self.report.tally();
            let outcome = match part {
                Part::Format => self.format().await,
                Part::Rust => self.rust().await,
                Part::Proto => self.proto().await,
                Part::Policy => self.policy().await,
                Part::K8s => self.k8s().await,
                Part::Web => self.web().await,
                Part::E2e => self.e2e().await,
                Part::Faults => self.faults().await,
                Part::Schema => self.schema().await,
                Part::Fuzz => self.fuzz().await,
            };
            if let Err(error) = outcome {
                // A part that cannot run has failed. The others still run.
                self.report.add_failed(&name, &to_line(error.as_ref()));
            }
            let part_tally = self.report.tally() - before;
            self.steps.say(&format!("== {name}: {part_tally} in {} ==", duration(begun.elapsed())));
            if let Some(record) = record {
                record.save(part_tally)?;
            }
        }
        Ok(())
    }

    async fn close(&mut self) -> Outcome {
        if let Some(product) = &mut self.product {
            product.stop().await;
        }
        self.postgres.stop("postgres").await;
        match &self.cluster {
            Some(cluster) => cluster.delete_data(),
            None => Ok(()),
        }
    }

    /// Checks the manifests with `k8s/check`.
    async fn k8s(&mut self) -> Outcome {
        self.build_programs().await?;
        k8s_check::check(&places::programs(false), self.state.root(), &mut self.report).await
    }

    /// Builds a cargo command at the root of the repository. It compiles the crates of the workspace with clippy.
    fn cargo(arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .current_dir(places::repository())
            .env("CARGO_TERM_COLOR", "never")
            .envs([LINTING_COMPILER]);
        command
    }

    /// Builds only the programs of the services. With `--examples` (there are none), cargo compiles
    /// dependencies with the features that the tests need, so they are compiled once for both.
    async fn build_programs(&self) -> Outcome {
        let mut build = Self::cargo(&["build", "--quiet", "--workspace", "--bins", "--examples"]);
        run_or_fail(&mut build, &self.state.log("build")).await.map(drop)
    }

    /// Starts a PostgreSQL for tests, unless it runs. Returns its URL.
    async fn postgres(&mut self) -> Outcome<String> {
        if let Some(cluster) = &self.cluster {
            return Ok(cluster.admin_url());
        }
        runner::npm::install(&places::tools(), &self.state).await?;
        let cluster = Cluster::prepare(&mut self.state, Durability::Fleeting, &self.steps).await?;
        let cluster = self.cluster.insert(cluster);
        self.postgres.start(cluster.launch());
        self.postgres.ready("postgres").await?;
        Ok(cluster.admin_url())
    }

    /// Starts the whole product with a new state in each session, and with high login limits.
    async fn product(&mut self) -> Outcome<&mut Product> {
        if self.product.is_none() {
            self.build_programs().await?;
            let root = self.state.path("product");
            if let Some(old) = State::existing(&root)? {
                old.delete()?;
            }
            let mut state = State::open(&root)?;
            let options = Options {
                port: state.port("gateway")?,
                database_url: None,
                site: true,
                is_built: true,
                release: false,
                replicas: 1,
                traced: true,
                stores_payments: true,
                settings: vec![
                    ("AUTH_LOGINS_BURST".into(), "100000".into()),
                    ("AUTH_LOGINS_PER_MINUTE".into(), "100000".into()),
                    ("AUTH_MAILS_BURST".into(), "100000".into()),
                    ("AUTH_SIGN_UP_MAILS_PER_ADDRESS_PER_HOUR".into(), "100000".into()),
                ],
            };
            self.product = Some(Product::new(options, state, self.steps)?);
            if let Some(product) = &mut self.product
                && let Err(error) = product.start().await
            {
                product.stop().await;
                self.product = None;
                return Err(error);
            }
        }
        match &mut self.product {
            Some(product) => Ok(product),
            None => fail("the product did not start"),
        }
    }

    /// Tests the product while its parts fail. The tests start it themselves.
    async fn faults(&mut self) -> Outcome {
        runner::npm::install(&places::tools(), &self.state).await?;
        self.build_programs().await?;
        self.fault_tests().await
    }
}
