//! kit over real sockets.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod callers;
mod calls;
mod ends;
mod helpers;
mod metrics;
mod replicas;
mod stale_names;
mod strangers;
mod traces;
mod upstream;
