//! The technical base of every process: startup and shutdown, settings, traces and logs, servers and clients, errors,
//! the clock. It contains nothing of the business except for the names of services and roles in [`caller`].

#![warn(missing_docs)]

pub mod caller;
pub mod client;
pub mod clock;
pub mod config;
pub mod deadline;
pub mod encryption;
pub mod error;
pub mod metrics;
pub mod page;
pub mod response_cache;
pub mod serve;
mod settings;
pub mod shutdown;
mod spawn;
pub mod task;
pub mod telemetry;
// Compiled in every build, so that `cargo test --release` works and no crate is compiled twice. `tests/helpers.rs`
// forbids its use in production code, and the linker drops it from binaries.
#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up should panic"
)]
pub mod test;
pub mod timestamp;
pub mod trace;

use std::error::Error;
use std::future::Future;
use std::io;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Subcommand};
use tokio::runtime::{Builder, Runtime};

use crate::metrics::Metric;

/// Requests make many small allocations on several threads. The system's allocator is slow at that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Why a process or a command failed. Its `Display` is for the operator.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Runs a process: parses the settings, starts telemetry, runs `main`, flushes the traces.
///
/// `name` is the service name of all spans and log lines. `metrics` are the metrics that the process exposes. A failure
/// is one line on standard error and exit code 1.
pub fn run<Command, Main, Running>(name: &'static str, metrics: &[&[Metric]], main: Main) -> ExitCode
where
    Command: Subcommand,
    Main: FnOnce(Command) -> Running,
    Running: Future<Output = Result<(), Failure>>,
{
    metrics::begin();
    let command_line = settings::add_command(config::Cli::<Command>::command().name(name))
        .subcommand(clap::Command::new(metrics::COMMAND).about("Print every metric as JSON").hide(true));
    let matches = command_line.clone().get_matches();
    match matches.subcommand_name() {
        Some(settings::COMMAND) => return print_json(name, settings::to_json(&command_line)),
        Some(metrics::COMMAND) => return print_json(name, serde_json::to_string_pretty(&metrics.concat())),
        _ => {}
    }
    let cli = config::Cli::<Command>::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let runtime = match runtime(cli.worker_threads) {
        Ok(runtime) => runtime,
        Err(error) => return fail(name, &error),
    };
    let outcome = runtime.block_on(async {
        // The exporter needs the runtime. It is flushed last, when no more spans can be created.
        let telemetry = telemetry::start(name, &cli.telemetry)?;
        let outcome = main(cli.command).await;
        tokio::task::spawn_blocking(move || telemetry.flush()).await?;
        outcome
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(name, error.as_ref()),
    }
}

/// A runtime with `worker_threads` threads, by default one a processor.
fn runtime(worker_threads: Option<NonZeroUsize>) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = worker_threads {
        builder.worker_threads(threads.get());
    }
    builder.enable_all().build()
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
fn print_json(name: &str, json: serde_json::Result<String>) -> ExitCode {
    match json {
        Ok(json) => println!("{json}"),
        Err(error) => return fail(name, &error),
    }
    ExitCode::SUCCESS
}

#[expect(clippy::print_stderr, reason = "the error message of a process")]
fn fail(name: &str, error: &dyn Error) -> ExitCode {
    eprintln!("{name}: {}", error::chain(error));
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::config::Cli;

    #[derive(Subcommand)]
    enum Command {
        Serve,
    }

    #[test]
    fn the_number_of_threads_is_configurable() {
        let threads = |arguments: &[&str]| {
            let cli = Cli::<Command>::try_parse_from([&["lms", "serve"], arguments].concat())?;
            let Command::Serve = cli.command;
            Ok::<_, clap::Error>(
                runtime(cli.worker_threads).expect("start a runtime").metrics().num_workers(),
            )
        };
        assert_eq!(threads(&["--worker-threads", "3"]).expect("parse the arguments"), 3);
        let processors = std::thread::available_parallelism().expect("count the processors").get();
        assert_eq!(threads(&[]).expect("parse the arguments"), processors);
        assert!(threads(&["--worker-threads", "0"]).is_err());
    }
}
