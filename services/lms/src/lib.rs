//! lms: the catalogue, and the learners' items, marks, watch history and answers.
//!
//! `rpc` has the gRPC services. Every other file is one noun: its type, its rules, its SQL.
//! `import` writes the catalogue.

pub mod config;

mod answer;
mod audit;
mod bookmark;
mod certificate;
mod check;
mod class;
mod course;
mod day;
mod entitlement;
mod error;
mod exam_review;
mod favorite;
#[doc(hidden)]
pub mod fuzzing;
mod import;
mod inventory;
mod learner;
mod learner_data;
mod lesson;
mod note;
mod price_list;
mod progress;
mod question;
mod result;
mod review;
mod rpc;
mod search;
mod stream;
mod study_plan;
pub mod sweep;
mod teacher;
mod watch;
mod watch_credit;
mod weekly_report;

pub use import::import_folder;
pub use rpc::{CALLERS, services};

use std::process::ExitCode;

use axum::Router;
use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit_db::Pool;
use kit_pdf::PdfWriter;

use config::{Command, Import, Serve};

/// The migrations, oldest first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, RPC_SERVER, kit_db::METRICS];

/// Runs the `lms` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("lms", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(config).await,
        Command::Migrate(database) => kit_db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::Import(config) => import(config).await,
        Command::Content(database) => kit_content::record::print(&(&database).into()).await,
    }
}

async fn serve(config: Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let pdf_writer = PdfWriter::load(&config.fonts).map_err(|error| {
        format!("the font of certificates cannot be loaded: {error}; --fonts or LMS_FONTS names its folder")
    })?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown.clone()).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    let services = services(pool.clone(), Clock::system(), config.rules, pdf_writer, shutdown.clone());
    sweep::spawn(pool.clone(), Clock::system(), config.audit_kept, shutdown);
    let callers = config.caller_keys.callers(Service::Lms, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the person who imports reads what it changed")]
async fn import(config: Import) -> Result<(), Failure> {
    let source = config.content.open("lms")?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let difference = import_folder(&pool, &Clock::system(), source, config.dry_run).await?;
    println!("{difference}");
    pool.close().await;
    Ok(())
}
