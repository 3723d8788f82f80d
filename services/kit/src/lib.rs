//! What every process of the product needs and is not business: startup and shutdown, settings, traces and logs, servers and
//! clients, errors, the clock. It knows no noun of the business, except for the names of services and roles in [`caller`].

#![warn(missing_docs)]

pub mod caller;
pub mod client;
pub mod clock;
pub mod config;
pub mod deadline;
pub mod error;
pub mod metrics;
pub mod page;
pub mod response_cache;
pub mod seal;
pub mod serve;
mod settings;
pub mod shutdown;
mod spawn;
pub mod task;
pub mod telemetry;
// In every build, so that `cargo test --release` compiles and no crate is compiled twice. `tests/helpers.rs` keeps it out
// of production code, and the linker out of binaries.
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

/// Why a process or a command failed. Its `Display` is for the person who started it.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Runs a process: reads the settings, starts telemetry, runs `main`, flushes the traces.
///
/// `name` is the name of the service on every span and log line. `metrics` are those that the process exposes. A failure is
/// one line on standard error and exit code 1.
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
        // The exporter needs the runtime. It is flushed last, when everything that makes spans has ended.
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

#[expect(clippy::print_stdout, reason = "the command prints data")]
fn print_json(name: &str, json: serde_json::Result<String>) -> ExitCode {
    match json {
        Ok(json) => println!("{json}"),
        Err(error) => return fail(name, &error),
    }
    ExitCode::SUCCESS
}

#[expect(clippy::print_stderr, reason = "the failure of a process is for the person who started it")]
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
    fn as_many_threads_serve_as_the_settings_say() {
        let threads = |arguments: &[&str]| {
            let cli = Cli::<Command>::try_parse_from([&["lms", "serve"], arguments].concat())?;
            let Command::Serve = cli.command;
            Ok::<_, clap::Error>(runtime(cli.worker_threads).expect("it starts").metrics().num_workers())
        };
        assert_eq!(threads(&["--worker-threads", "3"]).expect("it is a number"), 3);
        let processors = std::thread::available_parallelism().expect("it is known").get();
        assert_eq!(threads(&[]).expect("it may be left out"), processors);
        assert!(threads(&["--worker-threads", "0"]).is_err());
    }
}
