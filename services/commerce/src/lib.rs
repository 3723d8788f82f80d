//! Products, their prices and their sale periods.
//!
//! A product refers to its course by id; lms has no prices. `rpc` has the gRPC service, `product` the noun with its
//! SQL, and `import` writes it.

mod callers;
pub mod config;

mod error;
#[doc(hidden)]
pub mod fuzzing;
mod import;
mod product;
mod rpc;

pub use callers::CALLERS;
pub use error::Error;
pub use import::import_folder;
pub use rpc::services;

use axum::Router;
use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::db::Pool;
use kit::metrics::{Metric, PROCESS, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;

use config::{Command, Import, Serve};

/// The migrations of the database, oldest first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, RPC_SERVER, kit::db::METRICS];

/// Runs a command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(config).await,
        Command::Migrate(database) => kit::db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::Import(config) => import(config).await,
        Command::Content(database) => kit::content::record::print(&(&database).into()).await,
    }
}

async fn serve(config: Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    let services = services(pool.clone(), Clock::system());
    let callers = config.caller_keys.callers(Service::Commerce, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn import(config: Import) -> Result<(), Failure> {
    let source = config.content.open("commerce")?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let difference = import_folder(&pool, &Clock::system(), source, config.dry_run).await?;
    println!("{difference}");
    pool.close().await;
    Ok(())
}
