//! Random sequences of actions by buyers, banks, the provider and time, with a real commerce, the
//! sandbox and a database. Afterwards, all money must be accounted for. `PROPTEST_CASES` sets the
//! number of sequences.

mod books;
mod step;
mod world;

use std::fmt::Write as _;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tokio::runtime::Builder;

use step::{Step, steps};
use world::World;

/// The number of sequences without `PROPTEST_CASES`.
const CASES: u32 = 24;
/// The time limit for shrinking a failed sequence, in milliseconds.
const SHRINK_TIME: u32 = 60_000;

#[test]
fn random_sequences_account_for_every_yen() {
    let mut config = Config { failure_persistence: None, max_shrink_time: SHRINK_TIME, ..Config::default() };
    #[expect(clippy::disallowed_methods, reason = "a test has no config.rs")]
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    // A fixed seed gives the same sequences in every run. More cases extend them.
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, random).run(&steps(), |steps| {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(run(&steps)).map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, steps)) => panic!("{reason}\nafter\n{}", write_steps(&steps)),
        Err(error) => panic!("{error}"),
    }
}

/// Runs one sequence. Returns the problems in the books afterwards.
async fn run(steps: &[Step]) -> Result<(), String> {
    let mut world = World::new().await;
    for step in steps {
        world.take(*step).await;
    }
    world.come_to_rest().await?;
    let problems = world.check_books().await;
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// One numbered line per step.
fn write_steps(steps: &[Step]) -> String {
    let mut text = String::new();
    for (n, step) in (1..).zip(steps) {
        let _ = writeln!(text, "{n:>3}. {step}");
    }
    text
}
