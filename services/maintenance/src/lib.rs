//! Maintenance windows, from where engineers declare them to every edge.
//!
//! A [`Source`] follows the place where windows are declared and puts the list on the [`Board`]; every edge watches it
//! over gRPC, decides by its own clock which windows are active, and says what it has taken in.

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
pub use crd::{MaintenanceWindow, MaintenanceWindowSpec, MaintenanceWindowStatus, yaml};
pub use file::{Fault, File, read};
pub use rpc::services;
pub use source::Source;
pub use window::{Mode, Scope, Window};

use std::path::Path;

use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::shutdown::Shutdown;

use config::{Command, Origin};

/// The whole process.
#[expect(clippy::print_stdout, reason = "the answer goes to the person who asked")]
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(config).await,
        Command::Check { file } => check(&file),
        Command::Crd => {
            print!("{}", yaml()?);
            Ok(())
        }
    }
}

async fn serve(config: config::Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let clock = Clock::system();
    let board = Board::new(clock.now());
    metrics::show(&board, &clock);
    match (config.source, config.file) {
        (Origin::Kube, _) => {
            Cluster::own(clock, config.settle).await?.follow(board.clone(), shutdown.clone());
        }
        (Origin::File, Some(file)) => File::new(file).follow(board.clone(), shutdown.clone()),
        (Origin::File, None) => {
            return Err("say where windows are declared: --file FILE, or --source kube".into());
        }
    }
    let services = services(board, shutdown.clone());
    let callers = config.caller_keys.callers(Service::Maintenance, CALLERS)?;
    kit::serve::grpc(&config.server, listener, callers, services, axum::Router::new(), shutdown).await
}

#[expect(clippy::print_stdout, reason = "the answer goes to the person who asked")]
fn check(file: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let windows = read(&text).map_err(|fault| fault.at(file))?;
    for window in &windows {
        println!("{window}");
    }
    let count = match windows.len() {
        1 => "1 window".to_owned(),
        count => format!("{count} windows"),
    };
    println!("{}: {count}, all right", file.display());
    Ok(())
}
