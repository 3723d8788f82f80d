//! Public content (notices, FAQs, success stories, entrance exams), notices for members, events, inquiries, mails and postal
//! codes.
//!
//! Mails are asynchronous. An event of another service arrives, and in the transaction that stores the event its mail
//! is queued, formatted and encrypted. A dispatcher sends it and retries until the mail server accepts it.

mod account_age;
mod calendar_address;
mod command_input;
pub mod config;
mod contact;
pub mod dispatcher;
pub mod email;
mod entry_exam;
mod error;
mod event;
mod faq;
#[doc(hidden)]
pub mod fuzzing;
mod import;
mod interview;
pub mod interview_command;
mod japan_time;
mod learner_contact;
pub mod mail;
mod member_notice;
mod notice;
mod notice_category;
pub mod notice_command;
mod notice_telling;
mod notification;
mod notification_topic;
mod picture;
pub mod postal;
mod push;
pub mod question_command;
mod question_plan;
mod rpc;
pub mod school_event;
mod search;
mod success;
pub mod sweep;
mod teacher_question;

pub use error::Error;
pub use import::{Run, import_folder};
pub use rpc::{CALLERS, services};

use std::path::Path;
use std::process::ExitCode;

use axum::Router;
use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit_db::Pool;

use config::{Command, Database, EmailSettings, Import, Serve};
use email::EmailFormatter;
use school_event::job::EventJob;
use teacher_question::answering;

/// The migrations of the database, oldest first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[
    PROCESS,
    RPC_SERVER,
    kit_db::METRICS,
    kit_db::outbox::METRICS,
    mail::METRICS,
    contact::METRICS,
    answering::METRICS,
];

/// Runs the `desk` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("desk", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(*config).await,
        Command::Migrate(database) => kit_db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::Import(config) => import(config).await,
        Command::Content(database) => kit_content::record::print(&(&database).into()).await,
        Command::Interview(command) => interview_command::run(command, &Clock::system()).await,
        Command::Notice(command) => notice_command::run(command, &Clock::system()).await,
        Command::Question(command) => question_command::run(command, &Clock::system()).await,
        Command::Mails { folder, public_origin } => write_mails(&folder, public_origin),
        Command::ImportPostal { file, database } => import_postal(&file, &database).await,
    }
}

async fn serve(config: Serve) -> Result<(), Failure> {
    let clock = Clock::system();
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown.clone()).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    contact::register_metrics();
    answering::register_metrics();
    let encryptor = config.secret.encryptor()?;
    let wake = dispatcher::spawn(&config, &pool, &encryptor, &clock, &shutdown)?;
    EventJob::new(&config, pool.clone(), clock.clone(), wake.clone())?.spawn(shutdown.clone());
    sweep::spawn(pool.clone(), clock.clone(), config.contacts.retention, shutdown);
    let services = services(&config, pool.clone(), clock, wake)?;
    let callers = config.caller_keys.callers(Service::Desk, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn import(config: Import) -> Result<(), Failure> {
    let source = config.content.open("desk")?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let run = if config.dry_run { Run::Dry } else { Run::Real };
    let difference = import_folder(&pool, &Clock::system(), source, run).await?;
    println!("{difference}");
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
fn write_mails(folder: &Path, public_origin: String) -> Result<(), Failure> {
    let settings = EmailSettings { public_origin, mail_from: "no-reply@localhost".parse()? };
    println!("{}", EmailFormatter::new(&settings).write_examples(folder)?.display());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn import_postal(file: &Path, database: &Database) -> Result<(), Failure> {
    let pool = Pool::connect(&database.into()).await?;
    let towns = postal::import_towns(&pool, file).await?;
    println!("postal codes: {towns} towns");
    pool.close().await;
    Ok(())
}
