//! A stand-in for the payment provider: the API, the pages and the webhook events of payments by card, at a convenience store
//! and by bank transfer, with faults on request. For development and tests; production talks to the provider itself.
//!
//! `state` is what the sandbox holds, and each object has a file with what happens to it: `session`, `intent`, `refund` and so
//! on. `store` keeps the state in a file, `api` and `page` serve it, `tool` is for people who test, and `webhook` sends its
//! events.
//!
//! Where it differs from the provider: only `jpy`, one API version and the parameters that commerce sends; an unknown parameter
//! is an error. Money is available at once. The bank account of a buyer is never known, so that each refund of a transfer or of
//! a konbini payment asks for it. A refund at a konbini needs `instructions_email`. A card's brand is always Visa.

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

/// Time limit of a request, longer than a slow answer takes.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs a command.
pub async fn run(command: Command) -> Result<(), Failure> {
    let Command::Serve(config) = command;
    let shutdown = Shutdown::on_signals()?;
    let router = start(&config.settings, Clock::system(), shutdown.clone())?;
    let listener = kit::config::bind(config.listen).await?;
    kit::serve::http(&config.server, listener, router, shutdown).await
}

/// Opens the state, starts to send webhook events, and returns the API, the payment pages and the tools.
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
