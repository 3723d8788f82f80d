//! exam: mock exams, from their content to what learners hand in.
//!
//! `rpc` speaks the wire. Every other file is one noun: its type, its rules, its SQL.

pub mod config;

mod application;
mod erased_account;
mod error;
mod exam;
mod learner;
mod learner_data;
mod rpc;
mod seat;
pub mod sweep;

pub use rpc::{CALLERS, services};

use axum::Router;
use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit_db::Pool;

use config::{Command, Serve};

/// The schema, oldest step first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, RPC_SERVER, kit_db::METRICS];

/// Runs a command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(config).await,
        Command::Migrate(database) => kit_db::migrate(&(&database).into(), &MIGRATIONS).await,
    }
}

async fn serve(config: Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown.clone()).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    let services = services(pool.clone(), Clock::system());
    sweep::spawn(pool.clone(), Clock::system(), shutdown);
    let callers = config.caller_keys.callers(Service::Exam, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}
