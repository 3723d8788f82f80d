//! The sandbox over real sockets, with a manual clock and a receiver of webhook events.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod api;
mod balance;
mod customer;
mod dispute;
mod idempotency;
mod konbini;
mod localstripe;
mod metrics;
mod payment_page;
mod process;
mod refund;
mod saved_card;
mod support;
mod tool;
mod transfer;
mod webhooks;
