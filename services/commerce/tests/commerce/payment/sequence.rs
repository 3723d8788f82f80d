//! Random sequences of actions by buyers, banks, the provider and time, with a real commerce, the
//! sandbox and a database. The invariants of `books` hold after each step and once all work is done.
//! `PROPTEST_CASES` sets the number of sequences, e.g. 10000. A failure prints the shortest sequence
//! that still fails.

mod books;
mod step;
mod world;

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tokio::runtime::Builder;

use step::{Step, steps};
use world::World;

/// The number of sequences without `PROPTEST_CASES`.
const CASES: u32 = 24;
/// The threads, each with a database and with sequences of its own.
const THREADS: u8 = 2;
/// The time limit for shrinking a failed sequence, in milliseconds.
const SHRINK_TIME: u32 = 60_000;

#[test]
fn random_sequences_account_for_every_yen() {
    let mut config = Config { failure_persistence: None, max_shrink_time: SHRINK_TIME, ..Config::default() };
    #[expect(clippy::disallowed_methods, reason = "a test has no config.rs")]
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    config.cases = config.cases.div_ceil(THREADS.into());
    let is_failed = AtomicBool::new(false);
    thread::scope(|scope| {
        for seed in 0..THREADS {
            let (config, is_failed) = (config.clone(), &is_failed);
            scope.spawn(move || try_sequences(seed, config, is_failed));
        }
    });
}

/// Tries the sequences of a seed until one fails here or in another thread. The same seed gives the
/// same sequences in every run. More cases extend them.
fn try_sequences(seed: u8, config: Config, is_failed: &AtomicBool) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let world = RefCell::new(runtime.block_on(World::new()));
    let has_failed_here = Cell::new(false);
    let try_steps = |steps: &[Step]| {
        let attempt = AssertUnwindSafe(|| runtime.block_on(run(&mut world.borrow_mut(), steps)));
        panic::catch_unwind(attempt)
            .unwrap_or_else(|_| Err("a step panicked: see its message above".to_owned()))
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let outcome = TestRunner::new_with_rng(config, random).run(&steps(), |steps| {
        if is_failed.load(Ordering::Relaxed) && !has_failed_here.get() {
            return Ok(());
        }
        let result = try_steps(&steps);
        if result.is_err() {
            has_failed_here.set(true);
            is_failed.store(true, Ordering::Relaxed);
        }
        result.map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, mut steps)) => {
            let mut reason = reason.to_string();
            remove_steps(&mut steps, &mut reason, try_steps);
            panic!("{reason}\nafter\n{}", write_steps(&steps));
        }
        Err(error) => panic!("{error}"),
    }
}

/// Removes each step that the failure does not need. proptest shrinks a purchase only as a whole.
fn remove_steps(
    steps: &mut Vec<Step>,
    reason: &mut String,
    mut run: impl FnMut(&[Step]) -> Result<(), String>,
) {
    let mut place = steps.len();
    while place > 0 {
        place -= 1;
        let mut fewer = steps.clone();
        fewer.remove(place);
        if let Err(problem) = run(&fewer) {
            (*steps, *reason) = (fewer, problem);
            place = place.min(steps.len());
        }
    }
}

/// Runs one sequence. Returns the first problem.
async fn run(world: &mut World, steps: &[Step]) -> Result<(), String> {
    world.start_over().await;
    for step in steps {
        world.take(*step).await;
        world.check_step().await?;
    }
    world.come_to_rest().await?;
    world.check_step().await?;
    let problems = world.check_books().await;
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    world.repeat_events().await
}

/// One numbered line per step.
fn write_steps(steps: &[Step]) -> String {
    let mut text = String::new();
    for (n, step) in (1..).zip(steps) {
        let _ = writeln!(text, "{n:>3}. {step}");
    }
    text
}
