//! Notices, answers, success stories and entrance exams that anybody may read; inquiries; mails; postal codes.
//!
//! Nobody waits for a mail: what happened elsewhere arrives as an event and lies here, written and sealed, in the same
//! transaction in which the event is taken. A courier sends it, again and again until the mail server has it.

pub mod config;
mod contact;
pub mod courier;
mod entry_exam;
mod error;
mod event;
mod faq;
#[doc(hidden)]
pub mod fuzzing;
mod import;
pub mod letter;
pub mod mail;
mod moment;
mod notice;
mod picture;
pub mod postal;
mod rpc;
mod search;
mod success;
pub mod sweep;

pub use error::Error;
pub use import::{Run, import_folder};
pub use rpc::{CALLERS, services};

use std::path::Path;

use axum::Router;
use kit::Failure;
use kit::caller::Service;
use kit::clock::Clock;
use kit::db::Pool;
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;

use config::{Command, Database, Import, Serve};
use courier::Couriers;

/// The schema, oldest step first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// Does what the command line asks for.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(*config).await,
        Command::Migrate(database) => kit::db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::Import(config) => import(config).await,
        Command::Content(database) => kit::content::record::print(&(&database).into()).await,
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
    pool.show();
    kit::metrics::may_withhold(kit::metrics::CappedMail::Receipt);
    let seal = config.secret.seal()?;
    let couriers = Couriers::spawn(&config, &pool, &seal, &clock, &shutdown)?;
    sweep::spawn(pool.clone(), clock.clone(), config.contacts.kept_for, shutdown);
    let services = services(&config, pool.clone(), clock, couriers)?;
    let callers = config.caller_keys.callers(Service::Desk, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the person who imports reads what it did")]
async fn import(config: Import) -> Result<(), Failure> {
    let source = config.content.open("desk")?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let run = if config.dry_run { Run::Dry } else { Run::Real };
    let difference = import_folder(&pool, &Clock::system(), source, run).await?;
    println!("{difference}");
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the person who imports reads what it did")]
async fn import_postal(file: &Path, database: &Database) -> Result<(), Failure> {
    let pool = Pool::connect(&database.into()).await?;
    let towns = postal::import(&pool, file).await?;
    println!("postal codes: {towns} towns");
    pool.close().await;
    Ok(())
}
