//! Distributes maintenance windows from a file or Kubernetes to every edge.
//!
//! A [`Source`] follows the place where windows are declared and writes the list to the [`Board`]. Every edge watches
//! the list over gRPC, decides by its own clock which windows are active, and confirms the list that it applies.

mod board;
mod callers;
mod cluster;
pub mod config;
mod crd;
mod file;
mod metrics;
mod rpc;
mod source;
mod window;

pub use board::{Audience, Board, List, Windows};
pub use callers::CALLERS;
pub use cluster::Cluster;
pub use crd::{MaintenanceWindow, MaintenanceWindowSpec, MaintenanceWindowStatus, format_crd};
pub use file::{Fault, File, parse_windows};
pub use rpc::services;
pub use source::Source;
pub use window::{Mode, Scope, Window};

use std::path::Path;
use std::process::ExitCode;

use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_SERVER};
use kit::shutdown::Shutdown;

use config::{Command, Origin};

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, RPC_SERVER, metrics::OWN];

/// Runs the `maintenance` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("maintenance", METRICS, run)
}

/// Runs a command.
#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(config).await,
        Command::Check { file } => check_file(&file),
        Command::Crd => {
            print!("{}", format_crd()?);
            Ok(())
        }
    }
}

async fn serve(config: config::Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let clock = Clock::system();
    let board = Board::new(clock.now());
    metrics::register_metrics(&board, &clock);
    match (config.source, config.file) {
        (Origin::Kube, _) => {
            Cluster::from_environment(clock, config.settle).await?.follow(board.clone(), shutdown.clone());
        }
        (Origin::File, Some(file)) => File::new(file).follow(board.clone(), shutdown.clone()),
        (Origin::File, None) => {
            return Err("there is no source of windows: pass --file FILE or --source kube".into());
        }
    }
    let services = services(board, shutdown.clone());
    let callers = config.caller_keys.callers(Service::Maintenance, CALLERS)?;
    kit::serve::grpc(&config.server, listener, callers, services, axum::Router::new(), shutdown).await
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
fn check_file(file: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let windows = parse_windows(&text).map_err(|fault| fault.format_with(file))?;
    for window in &windows {
        println!("{window}");
    }
    let count = match windows.len() {
        1 => "1 window".to_owned(),
        count => format!("{count} windows"),
    };
    println!("{}: {count}, valid", file.display());
    Ok(())
}
