//! A stand-in for the payment provider, with faults on request: the API, the pages and the webhook
//! events of payments by card, at a convenience store and by bank transfer. For development and
//! tests. Production uses the provider itself.
//!
//! `state` has the sandbox's state, with one file per object: `session`, `intent`, `refund` and so
//! on. `store` saves the state to a file. `api` and `page` serve it, `tool` has pages for testers,
//! and `webhook` sends events.
//!
//! Differences from the provider: it supports only `jpy`, one API version and the parameters that
//! commerce sends. Unknown parameters are errors. Money is available at once. The bank account of a
//! buyer is never known, so each refund of a transfer or a konbini payment asks for it. A refund of
//! a konbini payment needs `instructions_email`. The brand of a card is always Visa.

mod api;
mod card;
pub mod config;
mod error;
mod event;
mod expand;
mod fault;
mod form;
mod id;
mod page;
mod state;
mod store;
mod tool;
mod webhook;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use kit::Failure;
use kit::clock::Clock;
use kit::metrics::{HTTP_SERVER, Metric, PROCESS};
use kit::shutdown::Shutdown;
use kit::trace::ServerTrace;

use config::{Command, Settings};
use store::Store;

/// All metrics of the process.
pub const METRICS: &[&[Metric]] = &[PROCESS, HTTP_SERVER];

/// Time limit of a request. It is longer than a slow response takes.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs the `sandbox` command and returns its exit code. See [`kit::run`].
#[must_use]
pub fn main() -> ExitCode {
    kit::run("sandbox", METRICS, run)
}

/// Runs a command.
async fn run(command: Command) -> Result<(), Failure> {
    let Command::Serve(config) = command;
    let shutdown = Shutdown::on_signals()?;
    let router = start(&config.settings, Clock::system(), shutdown.clone())?;
    let listener = kit::config::bind(config.listen).await?;
    kit::serve::http(&config.server, listener, router, shutdown).await
}

/// Opens the state, starts the delivery of webhook events, and returns the routes of the API, the
/// payment pages and the tools.
///
/// # Errors
///
/// If a setting is invalid or the state cannot be read.
pub fn start(settings: &Settings, clock: Clock, shutdown: Shutdown) -> Result<Router, Failure> {
    settings.check()?;
    let receiver = settings.webhook_url.parse()?;
    let store = Arc::new(Store::open(settings.state.as_deref(), &settings.url, clock)?);
    webhook::spawn_sender(settings, store.clone(), receiver, shutdown);
    let router = api::routes(store.clone(), &settings.key, settings.slow)
        .merge(page::routes(store.clone()))
        .merge(tool::routes(store));
    Ok(router.layer(ServerTrace::new(LIMIT)))
}
