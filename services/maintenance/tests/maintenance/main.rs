//! The maintenance service: its commands, and windows from a file and from a fake Kubernetes API server.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on should panic")]

mod cluster;
mod command;
mod crd;
mod folder;
mod follow;
mod kubectl;
mod metrics;
