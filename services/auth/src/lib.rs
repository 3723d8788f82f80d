//! Accounts, sessions, tokens and signing keys.
//!
//! A login starts a session. Its refresh tokens are opaque. Its access tokens are JWTs, which every edge verifies with
//! the keys and the ended sessions that it follows from here.

pub mod access;
pub mod account;
mod address;
mod adult;
mod birth_date;
mod birth_date_decision;
mod closing;
pub mod config;
mod email_change;
pub mod error;
mod exam_result;
#[doc(hidden)]
pub mod fuzzing;
mod guardian;
pub mod import;
pub mod jwks;
mod key;
mod known_device;
mod limit;
pub mod link;
mod metrics;
pub mod notice_telling;
mod passkey;
pub mod password;
mod profile;
mod recovery;
mod rpc;
pub mod school;
pub mod secret;
mod session;
mod sign_up;
pub mod sweep;
pub mod token;
pub mod weekly_report;

pub use rpc::{CALLERS, services};

use std::process::ExitCode;

use kit::Failure;
use kit::caller::{Service, Signer};
use kit::client::channel;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_CLIENT, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit_content::Content;
use kit_db::Pool;
use kit_db::outbox::{self, Outbox};

use access::Access;
use config::{Command, Database, Keys};
use notice_telling::NoticeTellingJob;
use weekly_report::job::WeeklyReportJob;

/// The schema of the database.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] =
    &[PROCESS, RPC_SERVER, RPC_CLIENT, kit_db::METRICS, outbox::METRICS, metrics::OWN];

/// Runs the `auth` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("auth", METRICS, run)
}

/// Runs a command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(*config).await,
        Command::Migrate(database) => kit_db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::Import { content, dry_run, database } => import(&content, dry_run, &database).await,
        Command::Keys(command) => run_keys_command(command).await,
        Command::BirthDate(command) => run_birth_date_command(&command).await,
    }
}

async fn serve(config: config::Serve) -> Result<(), Failure> {
    let clock = Clock::system();
    let shutdown = Shutdown::on_signals()?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown.clone()).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    // Watchers stay connected while the server drains: if they reconnected, they would reach this process again until
    // it stops.
    let stop = shutdown.delayed(config.server.drain_delay);
    let secret = config.secret.parse_secret()?;
    let lifetime = config.tokens.access_lifetime.try_into()?;
    let access = Access::follow(pool.clone(), &secret, lifetime, clock.clone(), stop.clone());
    let Some(access) = server.prepare(access).await? else { return Ok(()) };
    metrics::register_metrics(access.clone(), clock.clone());
    let outbox = Outbox::new(config.secret.parse_secret()?.outbox());
    let retention = sweep::Retention::from_config(&config)?;
    sweep::spawn(pool.clone(), outbox.clone(), retention, clock.clone(), shutdown.clone());
    let to = &config.receivers;
    let desk = Signer::new(Service::Auth, Service::Desk, &to.desk_key, clock.clone())?;
    let lms = Signer::new(Service::Auth, Service::Lms, &to.lms_key, clock.clone())?;
    let commerce = Signer::new(Service::Auth, Service::Commerce, &to.commerce_key, clock.clone())?;
    let exam = Signer::new(Service::Auth, Service::Exam, &to.exam_key, clock.clone())?;
    let lms = channel(&to.lms_url)?.signed(lms);
    let exam = channel(&to.exam_url)?.signed(exam);
    let desk = channel(&to.desk_url)?.signed(desk);
    NoticeTellingJob::new(pool.clone(), desk.clone(), lms.clone(), clock.clone()).spawn(shutdown.clone());
    WeeklyReportJob::new(pool.clone(), outbox.clone(), lms.clone(), exam.clone(), clock.clone())
        .spawn(shutdown.clone());
    outbox::spawn(
        &outbox,
        [
            (Service::Desk.name(), desk),
            (Service::Lms.name(), lms),
            (Service::Commerce.name(), channel(&to.commerce_url)?.signed(commerce)),
            (Service::Exam.name(), exam),
        ],
        &pool,
        &clock,
        &shutdown,
    );
    let services = services(&config, pool.clone(), access.clone(), clock, stop)?;
    let callers = config.caller_keys.callers(Service::Auth, CALLERS)?;
    server.serve(callers, services, jwks::router(access)).await?;
    pool.close().await;
    Ok(())
}

async fn import(content: &Content, dry_run: bool, database: &Database) -> Result<(), Failure> {
    let source = content.open("auth")?;
    let pool = Pool::connect(&database.into()).await?;
    let report = import::import(&pool, source, Clock::system().now(), dry_run).await?;
    print_answer(&report);
    Ok(())
}

/// Changes or lists the signing keys.
pub async fn run_keys_command(command: Keys) -> Result<(), Failure> {
    let now = Clock::system().now();
    match command {
        Keys::Add { sign, if_none, secret, database } => {
            let mut transaction = Pool::connect(&(&database).into()).await?.begin().await?;
            let added = key::add(&mut transaction, &secret.parse_secret()?.sealing(), if_none, now).await?;
            if let Some(kid) = &added
                && sign
            {
                key::start_signing(&mut transaction, kid, now).await?;
            }
            transaction.commit().await?;
            match added {
                Some(kid) if sign => print_answer(&format!("{kid} added; it signs now")),
                Some(kid) => print_answer(&format!("{kid} added; it signs after `auth keys sign {kid}`")),
                None => print_answer(&"there is a signing key already"),
            }
        }
        Keys::Sign { kid, database } => {
            let mut transaction = Pool::connect(&(&database).into()).await?.begin().await?;
            key::start_signing(&mut transaction, &kid, now).await?;
            transaction.commit().await?;
            print_answer(&format!("{kid} signs"));
        }
        Keys::Retire { kid, database } => {
            let mut transaction = Pool::connect(&(&database).into()).await?.begin().await?;
            key::retire(&mut transaction, &kid, now).await?;
            transaction.commit().await?;
            print_answer(&format!("{kid} is retired"));
        }
        Keys::List(database) => {
            let mut connection = Pool::connect(&(&database).into()).await?.acquire().await?;
            print_answer(&key::format_table(&mut connection).await?);
        }
    }
    Ok(())
}

/// Decides about a birth date.
pub async fn run_birth_date_command(command: &config::BirthDate) -> Result<(), Failure> {
    let pool = Pool::connect(&(&command.database).into()).await?;
    print_answer(&birth_date_decision::decide(&pool, command, Clock::system().now()).await?);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
fn print_answer(answer: &dyn std::fmt::Display) {
    println!("{answer}");
}
