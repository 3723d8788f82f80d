//! exam: mock exams, from their content to handed-in papers and results.
//!
//! `rpc` has the gRPC services. Every other file is one noun: its type, its rules, its SQL.
//! `import` writes the content.

pub mod config;

mod answer;
mod answer_picture;
mod application;
mod check;
mod error;
mod exam;
mod exam_week;
mod extra_time;
mod figure;
mod import;
pub mod jobs;
mod judgement;
mod learner;
mod learner_data;
mod mark_command;
mod marking;
pub mod marking_job;
mod missed_question;
mod question;
mod receipt;
mod receipt_keys;
mod result;
mod rpc;
mod school;
pub mod sealing;
mod seat;
mod sitting;
mod statistics;
mod statistics_command;
pub mod statistics_version;
pub mod sweep;
mod written_answer;
pub mod written_marking;

pub use extra_time::set as set_extra_time;
pub use import::import_folder;
pub use receipt_keys::{InvalidKey, PublicKey, ReceiptKeys};
pub use rpc::{CALLERS, services};

use std::process::ExitCode;

use axum::Router;
use kit::Failure;
use kit::caller::{Service, Signer};
use kit::client::channel;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_CLIENT, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit_db::{Pool, outbox};
use kit_pdf::PdfWriter;

use config::{Command, ExtraTime, Import, ReceiptSecret, Serve};
use jobs::Jobs;

/// The migrations, oldest first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, RPC_SERVER, RPC_CLIENT, kit_db::METRICS, outbox::METRICS];

/// Runs the `exam` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("exam", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(*config).await,
        Command::Migrate(database) => kit_db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::ExtraTime(config) => grant_extra_time(config).await,
        Command::Mark(command) => mark_command::run(command).await,
        Command::Statistics(command) => statistics_command::run(command).await,
        Command::ReceiptKey(secret) => print_public_key(&secret),
        Command::Import(config) => import(config).await,
        Command::Content(database) => kit_content::record::print(&(&database).into()).await,
    }
}

async fn serve(config: Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let receipt_keys = config.receipt_keys.parse_keys()?;
    let pdf_writer = PdfWriter::load(&config.fonts).map_err(|error| {
        format!("the font of reports cannot be loaded: {error}; --fonts or EXAM_FONTS names its folder")
    })?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown.clone()).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    let services = services(pool.clone(), Clock::system(), config.rules, receipt_keys, pdf_writer);
    let clock = Clock::system();
    let outbox = config.secret.outbox()?;
    let lms = Signer::new(Service::Exam, Service::Lms, &config.receivers.lms_key, clock.clone())?;
    let lms = channel(&config.receivers.lms_url)?.signed(lms);
    let auth = Signer::new(Service::Exam, Service::Auth, &config.receivers.auth_key, clock.clone())?;
    let auth = channel(&config.receivers.auth_url)?.signed(auth);
    let receivers = [(Service::Auth.name(), auth), (Service::Lms.name(), lms)];
    outbox::spawn(&outbox, receivers, &pool, &clock, &shutdown);
    Jobs::new(pool.clone(), outbox, clock, config.rules).spawn(shutdown.clone());
    sweep::spawn(pool.clone(), Clock::system(), shutdown);
    let callers = config.caller_keys.callers(Service::Exam, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the person who rotates the key publishes it")]
fn print_public_key(secret: &ReceiptSecret) -> Result<(), Failure> {
    let keys = secret.parse_keys(&[])?;
    println!("{}", keys.public_key().to_hex());
    Ok(())
}

async fn grant_extra_time(config: ExtraTime) -> Result<(), Failure> {
    let pool = Pool::connect(&(&config.database).into()).await?;
    let mut connection = pool.acquire().await?;
    let percent = (config.percent > 100).then_some(config.percent);
    set_extra_time(&mut connection, config.learner, percent).await?;
    drop(connection);
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the person who imports reads what it changed")]
async fn import(config: Import) -> Result<(), Failure> {
    let source = config.content.open("exam")?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let difference = import_folder(&pool, &Clock::system(), source, config.dry_run).await?;
    println!("{difference}");
    pool.close().await;
    Ok(())
}
