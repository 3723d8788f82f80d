//! site over real sockets, with a small build.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod build;
mod command;
mod headers;
mod metrics;
mod statuses;
mod traces;
