//! Maintenance windows, from where engineers declare them to every edge.
//!
//! A [`Source`] follows the place where windows are declared and publishes the list; every edge watches it over gRPC
//! and decides by its own clock which windows are active.

pub mod config;
mod file;
mod rpc;
mod source;
mod window;

pub use file::{Fault, File, read};
pub use rpc::services;
pub use source::{Known, Source, Windows};
pub use window::{Mode, Scope, Window};

use std::path::Path;

use kit::Failure;
use kit::shutdown::Shutdown;
use tokio::sync::watch;

use config::Command;

/// The whole process.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(config).await,
        Command::Check { file } => check(&file),
    }
}

async fn serve(config: config::Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let (publish, known) = watch::channel(None);
    File::new(config.file).follow(publish, shutdown.clone());
    let services = services(known, shutdown.clone());
    kit::serve::grpc(&config.server, listener, services, axum::Router::new(), shutdown).await
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
