//! Runs the whole product on one machine, and tests it. `cargo dev --help` is the manual.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "output of a command-line tool")]

#[cfg(test)]
mod claims;
mod cli;
mod content;
mod images;
mod mails;
mod maintenance;
mod sbom;
mod secrets;
mod status;
mod test;
mod trace;
mod up;

use std::os::unix::process::CommandExt as _;
use std::process::ExitCode;

use bench::fill;
use runner::product::build;
use runner::state::State;
use runner::{places, postal};
use tooling::failure::{self, Doing as _};

use clap::Parser as _;
use cli::Command;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    // Must run before threads start, because it changes the whole process.
    if let Command::Child(arguments) = &cli.command {
        return runner::child::become_program(arguments);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("dev: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(&cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dev: {}", failure::to_line(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

async fn run(command: &Command) -> failure::Outcome {
    match command {
        Command::Up(arguments) => up::up(arguments).await,
        Command::Down(at) => up::down(at).await,
        Command::Status(at) => status::print(at).await,
        Command::Logs(arguments) => up::logs(arguments).await,
        Command::Reset(at) => up::reset(at).await,
        Command::Trace(arguments) => trace::print(arguments).await,
        Command::Maintenance(arguments) => maintenance::declare(arguments).await,
        Command::Test(arguments) => test::test(arguments).await,
        Command::Fill(arguments) => fill::fill(arguments).await,
        // The program parses the arguments again.
        Command::Bench(_) => become_bench().await,
        Command::Images(arguments) => images::build(arguments).await,
        Command::Secrets(arguments) => secrets::make(arguments),
        Command::Mails(at) => mails::write(at).await,
        Command::Postal(arguments) => fetch_postal_codes(arguments).await,
        Command::Content(arguments) => content::run(arguments).await,
        Command::Child(_) => Ok(()),
    }
}

/// Replaces this process with the program `bench`, built with optimization, because the load generator shares the
/// machine with the product.
async fn become_bench() -> failure::Outcome {
    build(true, &["bench"]).await?;
    let program = places::binary("bench", true);
    let error = std::process::Command::new(&program).args(std::env::args_os().skip(2)).exec();
    Err(error).doing(|| format!("starting {}", program.display()))
}

/// Writes the towns of all postal codes to the file of `arguments`.
async fn fetch_postal_codes(arguments: &cli::Postal) -> failure::Outcome {
    let state = State::open(&places::state(arguments.at.state.as_deref()))?;
    postal::write(&state, &arguments.file).await
}
