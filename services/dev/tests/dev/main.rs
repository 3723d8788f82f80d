//! Tests across crates, and `cargo dev content` with the real importers.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod content;
mod features;
mod modules;
