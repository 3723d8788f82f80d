//! `cargo dev bench`. Numbers of a debug build mean nothing: it only shows that the benchmarks run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "output of a command-line tool")]

mod measurement;

use std::process::ExitCode;

use bench::arguments::Bench;
use clap::{Parser, Subcommand};
use tooling::failure;

/// Measure the product under load.
#[derive(Parser)]
#[command(
    name = "cargo dev bench",
    bin_name = "cargo dev bench",
    version,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Command {
    /// Become another program that ends when this one ends
    #[command(hide = true)]
    Child(runner::child::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Must run before threads start, because it changes the whole process.
    if let Some(Command::Child(arguments)) = &cli.command {
        return runner::child::become_program(arguments);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("bench: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(measurement::run(&cli.bench)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {}", failure::to_line(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}
