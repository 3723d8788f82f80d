//! `cargo dev test`: everything there is to check, in parts, with one line of numbers at the end.

mod advisories;
mod browser;
mod count;
mod e2e;
mod format;
mod fuzz;
mod pass_record;
mod policy;
mod proto;
mod rust;
mod schema;
mod supply;
mod web;

use std::time::Instant;

use runner::places;
use runner::postgres::{Cluster, Durability};
use runner::product::{Options, Product};
use runner::state::{Lock, State};
use runner::supervisor::Supervisor;
use tokio::process::Command;
use tooling::command::{check_space, run, run_or_fail};
use tooling::failure::{Outcome, fail, to_line};
use tooling::report::{Report, Tally};
use tooling::steps::{Steps, duration};

use crate::cli::{self, Part};
use crate::up::{Stop, raise_file_limit};

use pass_record::PassRecord;

/// What all parts take on a disk in a clean clone, with room for what else happens meanwhile.
const WHOLE_TEST: u64 = 12 * 1024 * 1024 * 1024;

/// What a run without names tests, cheap parts first. Fuzzing is random and runs by name only: what it finds must not hold up
/// an unrelated change. `services/fuzz/tests/corpus.rs` replays its finds among the Rust tests.
const ALL: [Part; 9] = [
    Part::Format,
    Part::Proto,
    Part::K8s,
    Part::Rust,
    Part::Policy,
    Part::Web,
    Part::E2e,
    Part::Schema,
    Part::Faults,
];

/// Tests the parts that `arguments` name, or all.
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
    session.close().await;
    outcome?;
    let tally = session.report.tally();
    println!("{tally}");
    if tally.failed > 0 {
        // The line above is the last one.
        std::process::exit(1);
    }
    Ok(())
}

/// What the parts share.
struct Session {
    state: State,
    steps: Steps,
    report: Report,
    postgres: Supervisor,
    postgres_url: Option<String>,
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
            postgres_url: None,
            product: None,
            _lock: lock,
        })
    }

    /// These parts; where none is named all, but for those that passed on what there is now.
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
                // A part that can't be run has failed; the others may still say something.
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

    async fn close(&mut self) {
        if let Some(product) = &mut self.product {
            product.stop().await;
        }
        self.postgres.stop("postgres").await;
    }

    /// Tests whose runner says how many there were, in `count`; a runner that ends badly without one has failed itself.
    async fn count(
        &mut self,
        name: &str,
        command: &mut Command,
        count: impl FnOnce(&str) -> Option<Tally>,
    ) -> Outcome {
        let begun = Instant::now();
        let ended = run(command).await?;
        let tally = count(&ended.stdout);
        self.report.add_tests(name, &ended, tally, begun);
        Ok(())
    }

    /// The manifests, by `k8s/check`.
    async fn k8s(&mut self) -> Outcome {
        self.build_programs().await?;
        k8s_check::check(&places::programs(false), self.state.root(), &mut self.report).await
    }

    /// Cargo, at the top of the repository.
    fn cargo(arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(places::repository()).env("CARGO_TERM_COLOR", "never");
        command
    }

    /// The tests and, with the same features, the programs that they start: all is compiled once.
    async fn build(&self) -> Outcome {
        let mut build = Self::cargo(&["test", "--workspace", "--no-run"]);
        run_or_fail(&mut build, &self.state.log("build")).await.map(drop)
    }

    /// The programs of the services alone. With `--examples`, of which there are none, cargo compiles dependencies with the
    /// features that the tests need, so that they are compiled once for both.
    async fn build_programs(&self) -> Outcome {
        let mut build = Self::cargo(&["build", "--quiet", "--workspace", "--bins", "--examples"]);
        run_or_fail(&mut build, &self.state.log("build")).await.map(drop)
    }

    /// A PostgreSQL for tests: quick, and worth nothing after a crash.
    async fn postgres(&mut self) -> Outcome<String> {
        if let Some(url) = &self.postgres_url {
            return Ok(url.clone());
        }
        runner::npm::install(&places::tools(), &self.state).await?;
        let cluster = Cluster::prepare(&mut self.state, &self.steps).await?;
        self.postgres.start(cluster.launch(Durability::Fleeting));
        self.postgres.ready("postgres").await?;
        let url = cluster.admin_url();
        self.postgres_url = Some(url.clone());
        Ok(url)
    }

    /// The whole product with a state of its own, fresh in each session, with room for many logins.
    async fn product(&mut self) -> Outcome<&mut Product> {
        if self.product.is_none() {
            self.build().await?;
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
                settings: vec![
                    ("AUTH_LOGINS_BURST".into(), "100000".into()),
                    ("AUTH_LOGINS_PER_MINUTE".into(), "100000".into()),
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

    /// The product while its parts fail: tests that start it themselves.
    async fn faults(&mut self) -> Outcome {
        runner::npm::install(&places::tools(), &self.state).await?;
        self.build().await?;
        let url = self.postgres().await?;
        let mut command = Self::cargo(&["test", "--workspace", "--test", "faults", "--", "--test-threads=1"]);
        command.env("FAULTS_STATE", self.state.path("faults")).env("TEST_DATABASE_URL", &url);
        self.count("faults", &mut command, count::cargo).await
    }
}
