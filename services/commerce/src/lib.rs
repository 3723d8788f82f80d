//! Products, carts, orders and payments.
//!
//! `rpc` has the gRPC services. The other files are named after the nouns and have their SQL. A
//! product refers to its course by id. `import` writes products and coupons, and `price_list`
//! publishes the prices to lms. A `cart` becomes an `order` through a `confirmation`. lms returns
//! the `owned_courses`. A `payment` of an order is made at the `provider`. `settlement` queries the
//! provider and books the results in the `ledger`. A `refund` follows the `refund_policy` of its
//! order. The settlement renews a `subscription` by orders that it charges to the saved `card`.
//! `subscription_rules` has the dates and states.

// Yen are whole numbers.
#![deny(clippy::float_arithmetic)]

mod account_data;
mod audit;
mod buyer;
mod card;
mod cart;
pub mod config;
mod confirmation;
mod continuous_service;
mod coupon;
mod customer;
mod discount;
mod dispute;
mod erased_account;
mod error;
pub mod figures;
#[doc(hidden)]
pub mod fuzzing;
mod guardian_request;
mod import;
mod japan_time;
mod ledger;
mod opened_lessons;
mod order;
mod owned_courses;
mod payment;
mod price_list;
mod product;
pub mod provider;
mod provider_event;
mod receipt;
mod reconciliation;
mod refund;
mod refund_policy;
mod rpc;
mod seat;
pub mod settlement;
mod settlement_error;
mod subscription;
pub mod subscription_rules;
pub mod sweep;
mod tax;
mod transfer;
mod yen;

pub use audit::{Report, audit};
pub use error::Error;
pub use import::import_folder;
pub use order::manual_return::record_return;
pub use rpc::{CALLERS, Commerce, services};

use std::process::ExitCode;

use axum::Router;
use kit::Failure;
use kit::caller::{Service, Signer};
use kit::client::channel;
use kit::clock::Clock;
use kit::metrics::{Metric, PROCESS, RPC_CLIENT, RPC_SERVER};
use kit::serve::GrpcServer;
use kit::shutdown::Shutdown;
use kit_db::Pool;
use kit_db::outbox;
use kit_pdf::PdfWriter;

use config::{Command, Import, Serve};
use provider::Provider;
use settlement::Settlement;
use subscription::plan_grant;

/// The migrations of the database, oldest first.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[
    PROCESS,
    RPC_SERVER,
    RPC_CLIENT,
    kit_db::METRICS,
    outbox::METRICS,
    figures::METRICS,
    provider_event::METRICS,
    settlement::METRICS,
];

/// Runs the `commerce` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("commerce", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(config) => serve(*config).await,
        Command::Migrate(database) => kit_db::migrate(&(&database).into(), &MIGRATIONS).await,
        Command::Import(config) => import(config).await,
        Command::Content(database) => kit_content::record::print(&(&database).into()).await,
        Command::Audit(config) => run_audit(config).await,
        Command::RecordReturn(config) => run_record_return(config).await,
    }
}

async fn serve(config: Serve) -> Result<(), Failure> {
    let shutdown = Shutdown::on_signals()?;
    let pdf_writer = PdfWriter::load(&config.fonts).map_err(|error| {
        format!("the font of receipts cannot be loaded: {error}; --fonts or COMMERCE_FONTS names its folder")
    })?;
    let listener = kit::config::bind(config.listen).await?;
    let server = GrpcServer::start(&config.server, listener, shutdown.clone()).await?;
    let database = (&config.database).into();
    let Some(pool) = server.prepare(Pool::connect_patiently(&database)).await? else { return Ok(()) };
    pool.register_metrics();
    let clock = Clock::system();
    let outbox = config.secret.outbox()?;
    let lms = Signer::new(Service::Commerce, Service::Lms, &config.receivers.lms_key, clock.clone())?;
    let lms = channel(&config.receivers.lms_url)?.signed(lms);
    let desk = Signer::new(Service::Commerce, Service::Desk, &config.receivers.desk_key, clock.clone())?;
    let desk = channel(&config.receivers.desk_url)?.signed(desk);
    let exam = Signer::new(Service::Commerce, Service::Exam, &config.receivers.exam_key, clock.clone())?;
    let exam = channel(&config.receivers.exam_url)?.signed(exam);
    let receivers =
        [(Service::Lms.name(), lms.clone()), (Service::Desk.name(), desk), (Service::Exam.name(), exam)];
    outbox::spawn(&outbox, receivers, &pool, &clock, &shutdown);
    plan_grant::spawn(pool.clone(), outbox.clone(), clock.clone(), shutdown.clone());
    price_list::spawn(pool.clone(), outbox.clone(), clock.clone(), shutdown.clone());
    let provider = Provider::new(&config.provider)?;
    let settlement = Settlement::new(pool.clone(), provider, outbox, clock.clone(), &config.site_url);
    settlement.spawn(settlement::PERIOD, &shutdown);
    figures::spawn_reader(pool.clone(), &clock, shutdown.clone());
    sweep::spawn(pool.clone(), clock.clone(), shutdown);
    let keyed_hash = config.secret.keyed_hash()?;
    let services = services(Commerce {
        pool: pool.clone(),
        clock,
        lms,
        issuer: config.issuer,
        pdf_writer,
        settlement,
        keyed_hash,
    });
    let callers = config.caller_keys.callers(Service::Commerce, CALLERS)?;
    server.serve(callers, services, Router::new()).await?;
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn import(config: Import) -> Result<(), Failure> {
    let source = config.content.open("commerce")?;
    let outbox = config.secret.outbox()?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let difference = import_folder(&pool, &outbox, &Clock::system(), source, config.dry_run).await?;
    println!("{difference}");
    pool.close().await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn run_audit(config: config::Audit) -> Result<(), Failure> {
    let provider = Provider::new(&config.provider)?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let report = audit(&pool, &provider, &Clock::system()).await?;
    print!("{report}");
    pool.close().await;
    match report.differences().len() {
        0 => Ok(()),
        differences => Err(format!("the audit found {differences} differences").into()),
    }
}

#[expect(clippy::print_stdout, reason = "the output of a command")]
async fn run_record_return(config: config::RecordReturn) -> Result<(), Failure> {
    let outbox = config.secret.outbox()?;
    let pool = Pool::connect(&(&config.database).into()).await?;
    let (order, amount) = record_return(&pool, &outbox, &Clock::system(), config.refund).await?;
    println!("{order}: {amount} yen are recorded as returned, and the buyer is told");
    pool.close().await;
    Ok(())
}
